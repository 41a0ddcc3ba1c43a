// Package ffmpeg turns pictures into video with the ffmpeg program.
//
// It owns the arguments ([Args], [JoinArgs], [StillArgs] are pure and held by
// goldens), the processes that run them ([Tool]), what their failures mean, and
// reading back what was written ([Inspect]). It refuses to know
// what a page, a browser or a cache is: pictures go in, files come out.
//
// Bytes. Equal pictures and an equal [Spec] give equal bytes for one ffmpeg
// build ([Build.ID]): the number of threads is fixed, scaling and x264 are told
// to be exact whatever the processor, and no date or version is written by the
// muxer.
//
// Encoders. libx264 encodes H.264, unless a graphics device is asked for and
// encodes a picture when it is tried ([Tool.Hardware]). What a device writes is
// promised by its driver, not by koda: same bytes from the same device only.
//
// Formats. Segments are H.264, VP9 or ProRes and are joined without encoding
// again, or they keep the pictures themselves, of which a GIF, an animated PNG
// or a directory of frames is made at the end ([Tool.Animate], [Tool.Frames]).
// What the ffmpeg at hand lacks is asked before any work ([Tool.CanWrite]).
//
// Colour. Browsers draw sRGB. Pictures are converted to BT.709 by matrix and by
// range (16–235) and tagged so in the stream and in the container; only one of
// the two makes every player guess, each differently.
//
// Films are the videos of a page, read picture by picture ([Tool.OpenFilm]): by
// the times in the file, in the colours browsers show, no more of one than is asked
// for, and by demuxers only that read no other file.
//
// Joining. Segments begin with a keyframe and refer to nothing outside
// themselves, so they are joined without encoding again. The container counts
// in ticks of which every frame has the same whole number; the times a plain
// concat would round to microseconds, a millisecond lost per segment, are
// snapped back to that grid. Webm counts in milliseconds: there each frame is
// given the millisecond nearest to n/fps, so that no error adds up and frame
// count and duration stay exact.
//
// Programs are started through a [sandbox.Host] and end with their input; one
// that koda waits for and that does nothing for a minute is ended. Paths given to
// a Tool belong to its Host.
package ffmpeg
