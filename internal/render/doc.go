// Package render makes videos: version → page → plan of segments → video.
//
// It owns the plan of a render and its execution. The plan ([koda.RenderSpec]
// plus the page, the browser and ffmpeg at hand) fixes everything that can
// change a byte; nothing measured while working does. The plan cuts the frames
// into segments. A segment is drawn from its first frame on a freshly loaded
// page in a browser of its own, because a browser's picture of a time depends on
// what it drew before, and encoded on its own. It is published in the cache
// under a key that covers everything its bytes depend on, so equal work is done
// once: by a later render, by the same render after a crash, on any number of
// workers.
//
// Reuse is proved, never hoped for. The key covers the digest of the whole page;
// where a page says which of its files reach the picture through its frame keys
// alone ([koda.Page.Code]), a segment is named by the rest of the page, the key
// of what the page shows first, and the keys of all its frames. The digest of its
// file lies beside it: one that is not as it was published is drawn again.
//
// The sound track is named the same way, by its source, cut and ffmpeg, and is
// encoded once.
//
// The cache is bounded: [Trim] removes what was not used for the longest time.
//
// Pixels. A segment whose pixels, read from the browser's memory, are not those
// of a screenshot is drawn again by screenshots, under a name of its own, and
// found there from then on. Where a system stops allowing them to be read, all
// is drawn by screenshots. A warning says either; neither fails a video.
//
// Encoders. Mp4 is encoded by libx264, unless an encoder of a graphics device was
// asked for and answers. It is then in the key by name and by what it makes of a
// test picture; koda promises its videos the same pictures, its driver the bytes.
//
// Formats. The segments of mp4, webm and mov are joined as they are. Those of
// gif, apng and frames keep the captured pictures to the bit, and one pass at the
// end makes the video. A part of an animation has the cuts of the whole.
//
// Transparency is kept by mov, apng and frames always, by webm where something
// shines through a frame: each is asked whether it has a background, and looked
// at, small, if it has none; the answer is remembered. Pictures with alpha cost
// several times the raw pixels of those without. So where alpha is always kept, a
// page is drawn without it as long as it says of each frame drawn that it fills
// it; from the first that it does not, all is drawn with alpha, and that is
// remembered. The pictures are the same either way.
//
// Quality. A final is what was asked for, or fails. A preview that no browser
// could draw to its end is drawn smaller, once, and says so.
//
// The grid. Segments begin where scenes do, so that a scene that changed is drawn
// without the others: of five, about a fifth of the video. What is in the way of
// more is the price of a browser's start: short scenes are drawn together. Within
// scenes the cuts are those with which one worker, two and four are done soonest.
//
// Bounds: it refuses to know how a page is built, and how a frame is drawn and
// encoded: a [Drawer] does that, on this machine or elsewhere. What encoding a spec
// means is a pure function of package ffmpeg, because it is in the key.
//
// Pages that move. A page that plays is brought to the start of a segment through all
// frames before it, undrawn; its segments grow, so that this costs a bounded multiple
// of the drawing. Every page without frame keys is compared across each cut: a page
// that is told the time and depends on the frames before is so found, and drawn
// forward too, all of it, under keys of its own.
//
// Crashes. Segments and videos appear whole or not at all. A render that was
// killed leaves its finished segments; in the cache and beside the output, at
// worst, files named .NAME.*.tmp, of which a later render removes those in the
// cache; and a temporary directory, which its Host removes.
package render
