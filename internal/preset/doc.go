// Package preset is the table of named outputs and the arithmetic of sizes.
//
// It owns what "preview", "final", "youtube", "reels" … mean, how people write
// a resolution, and how a project, a preset and flags become one complete
// [koda.RenderSpec]. Everything a person can get wrong about an output is
// refused here, before any work starts, with an error that names what would
// have been right.
//
// It refuses everything else: nothing here reads a file or a clock. A spec that
// [Spec] returned needs no further decision; the caller only adds where the
// files go (Output, Thumbnail, NoClobber), which version is drawn (ID, Version,
// Props) and how the work is run (NoCache, Workers).
//
// Formats. The CRF of a preset is x264's; VP9's scale is a third longer, and the
// formats that keep pictures have none. A GIF is given the nearest rate it can
// show, unless one was asked for by name. A part of an animation is named by
// frames of the whole.
//
// Sizes. A preset, a flag or koda.json names the pixels of the video. The page
// is laid out at the size of koda.json when the video has the same shape, so
// that a smaller video is the same picture, smaller. Another shape is laid out
// anew: at the preset's size when it is the preset's shape, else at the size
// asked for.
package preset
