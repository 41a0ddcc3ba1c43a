// Package draw draws segments of videos: page → frames → encoded bytes.
//
// It owns everything between a page and the file of a segment: browsers and the
// capture of frames, feeding frames to ffmpeg, attempts and the reasons why they
// fail, how many segments a machine can draw at once, and its fonts. It also owns
// what is made of finished segments in the end: the joined video, its sound,
// stills. It refuses to know which segments exist, what they are called, where they
// are kept, and what a video is for. Package eye knows what is wrong with a picture.
//
// A [Drawer] has five methods, on values of package koda: no frame leaves it, except
// for a glimpse, which is small, and its callers may be on another machine. Its only state bounds its memory: it has
// no database and no cache. Nothing below it is cgo, so that one static program can
// draw.
//
// Bytes. A segment is captured from its first frame on a freshly loaded page in a
// browser of its own, because a browser's picture of a time depends on what it drew
// before; a retry starts the segment again. Equal jobs have equal bytes. A job's
// facts say what the job is drawn with. If the machine no longer agrees with them
// at the end of a segment, the segment must not be used (koda.ErrFacts).
//
// Pixels. If the pixels read from the browser's memory are not the pixels of a
// screenshot, the job ends with koda.ErrRawWrong. If the system stops allowing koda
// to read them, it ends with koda.ErrRawRefused. The caller decides what to do
// then.
//
// Memory. A segment that ran out of memory is drawn again when no other segment is
// at work in this Drawer. If the kernel killed a process because of its memory, the
// error says so, whatever the failure looked like.
package draw
