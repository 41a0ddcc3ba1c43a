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
// Reuse is proved, never hoped for. The key covers the digest of the whole page. If
// a page says which of its files reach the picture through its frame keys alone
// ([koda.Page.Code]), a segment is named by the rest of the page, the key of the
// page's first picture, and the keys of all its frames. The digest of its file lies
// beside it: a segment that differs from what was published is drawn again.
//
// The sound track is named the same way, by its source, cut and ffmpeg, and is
// encoded once.
//
// The cache is bounded: [Trim] removes the longest unused files.
//
// Pixels. If the pixels of a segment, read from the browser's memory, are not the
// pixels of a screenshot, the segment is drawn again by screenshots, under a name
// of its own, and found there from then on. If a system stops allowing koda to read
// pixels, everything is drawn by screenshots. A warning reports either case;
// neither fails a video.
//
// Encoders. libx264 encodes mp4, unless the spec asks for an encoder of a graphics
// device and the encoder answers. The key then has the encoder's name and its
// output for a test picture. koda promises that its videos show the same pictures;
// the device's driver promises the bytes.
//
// Formats. The segments of mp4, webm and mov are joined as they are. The segments
// of gif, apng and frames keep the captured pictures to the bit, and one pass at
// the end makes the video. A part of an animation has the cuts of the whole.
//
// Transparency. Mov, apng and frames always keep transparency. Webm keeps it if a
// frame has transparent parts: the page is asked of each frame whether the frame
// has a background, and a frame without a background is drawn small and checked;
// the answer is remembered. Pictures with alpha cost several times as much as raw
// pixels. So if a format always keeps alpha, a page is drawn without alpha as long
// as it says of each frame that it fills the frame. At the first frame that it does
// not fill, everything is drawn again with alpha, and that is remembered. The
// pictures are the same either way.
//
// Quality. A final is what the spec asks for, or fails. A preview that no browser
// could draw to its end is drawn smaller, once, and says so.
//
// The grid. Segments begin where scenes begin, so that a changed scene is drawn
// without the others: of five scenes, about a fifth of the video. The start of a
// browser has its price, so short scenes are drawn together. Within scenes the cuts
// are those with which one worker, two and four finish soonest.
//
// Bounds: it refuses to know how a page is built, and how a frame is drawn and
// encoded: a [Drawer] draws and encodes, on this machine or elsewhere. The encoding
// that a spec means is a pure function of package ffmpeg, because it is in the key.
//
// Pages that move. A page that plays is brought to the start of a segment through
// all frames before it, without drawing them. Its segments grow, so that this costs
// a bounded multiple of the drawing. Every page without frame keys is compared
// across each cut. This finds a page that is told the time and still depends on the
// frames before. All of it is then drawn forward too, under keys of its own.
//
// Crashes. Segments and videos appear whole or not at all. A killed render leaves
// its finished segments. At worst it also leaves files named .NAME.*.tmp in the
// cache and beside the output, of which a later render removes those in the cache;
// and a temporary directory, which its Host removes.
package render
