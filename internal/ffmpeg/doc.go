// Package ffmpeg turns pictures into video with the ffmpeg program.
//
// It owns the arguments ([Args], [JoinArgs], [StillArgs] are pure and held by
// goldens), the processes that run them ([Tool]), the meaning of their
// failures, and reading back the files they write ([Inspect]). It refuses to
// know what a page, a browser or a cache is: pictures go in, files come out.
//
// Bytes. Equal pictures and an equal [Spec] give equal bytes for one ffmpeg
// build ([Build.ID]): the number of threads is fixed, scaling and x264 are told
// to be exact whatever the processor, and the muxer writes no date and no
// version.
//
// Encoders. libx264 encodes H.264, unless the spec asks for a graphics device
// and the device encodes a picture in a trial ([Tool.Hardware]). The device's
// driver, not koda, promises the bytes that a device writes: only the same
// device gives the same bytes.
//
// Formats. Segments are H.264, VP9 or ProRes and are joined without encoding
// them again, or they keep the pictures themselves. In the end a GIF, an
// animated PNG or a directory of frames is made of such pictures
// ([Tool.Animate], [Tool.Frames]). Before any work [Tool.CanWrite] checks what
// the ffmpeg at hand lacks.
//
// Colour. Browsers draw sRGB. Pictures are converted to BT.709 by matrix and by
// range (16–235), and tagged so in the stream and in the container; with only
// one of the two tags every player guesses, each differently.
//
// Films are the videos of a page, read picture by picture ([Tool.OpenFilm]): by
// the times in the file and in the colours browsers show. No more of a film is
// read than is asked for, and only by demuxers that read no other file.
//
// Joining. Segments begin with a keyframe and refer to nothing outside
// themselves, so they are joined without encoding them again. The container
// counts in ticks, and every frame has the same whole number of ticks. A plain
// concat would round times to microseconds and lose a millisecond per segment;
// koda snaps the times back to the grid of ticks. Webm counts in milliseconds:
// there each frame gets the millisecond nearest to n/fps, so that no error adds
// up, and frame count and duration stay exact.
//
// Programs are started through a [sandbox.Host] and end with their input. A
// program that koda waits for is ended when it does nothing for a minute. Paths
// given to a Tool belong to its Host.
package ffmpeg
