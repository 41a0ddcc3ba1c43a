// Package draw draws segments of videos: page → frames → encoded bytes.
//
// It owns everything between a page and the file of a segment: browsers and the
// capture of frames, feeding them to ffmpeg, attempts and what is known of memory
// when an attempt fails, how many segments a machine can draw at once, its fonts,
// and what is made of finished segments in the end: the joined video, its sound,
// stills. It refuses to know which segments there are, what they are called, where
// they are kept, and what a video is for.
//
// A [Drawer] has five methods, on values of package koda: no frame leaves it, and
// its callers may be on another machine. It has no state but what bounds its
// memory: no database, no cache; and nothing below it is cgo, so that one static
// program can draw.
//
// Bytes. A segment is captured from its first frame on a freshly loaded page in a
// browser of its own, because a browser's picture of a time depends on what it
// drew before; a retry starts it again. Equal jobs have equal bytes. What a job is
// drawn with is in its facts; where the machine is no longer what they say, at the
// end of a segment, the segment is not to be used (koda.ErrFacts).
//
// Pixels. Those read from the browser's memory that are not those of a screenshot
// end a job with koda.ErrRawWrong, and a system that stops allowing to read them
// with koda.ErrRawRefused. Who gave the job says what becomes of it.
//
// Memory. A segment that ran out of it is drawn again when no other is at work in
// this Drawer. A process that the kernel killed for its memory is said to have
// been, whatever the failure looked like.
package draw
