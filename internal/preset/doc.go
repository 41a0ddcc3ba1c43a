// Package preset is the table of named outputs and the arithmetic of sizes.
//
// It owns what "preview", "final", "youtube", "reels" … mean, how people write a
// resolution, and how a project, a preset and flags become one complete
// [koda.RenderSpec]. Every mistake a person can make about an output is refused
// here, before any work starts, with an error that names the right form.
//
// It refuses everything else: nothing here reads a file or a clock. A spec from
// [Spec] needs no further decision. The caller only adds where the files go
// (Output, Thumbnail, NoClobber), which version is drawn (ID, Version, Props) and
// how the work is done (NoCache, Workers).
//
// Formats. The CRF of a preset is on x264's scale. VP9's scale is a third longer,
// and formats made of pictures have no CRF. A GIF gets the nearest frame rate it
// can show, unless the person named a rate. A part of an animation is a range of
// frames of the whole animation.
//
// Sizes. A preset, a flag or koda.json names the pixels of the video. The page is
// laid out at the size of koda.json when the video has the same shape, so that a
// smaller video is the same picture, smaller. For a video of another shape the page
// is laid out anew: at the preset's size if the video has the preset's shape, else
// at the size of the video.
package preset
