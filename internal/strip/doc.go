// Package strip keeps small pictures of a video in one file, so that any of them can
// be shown at once, without ffmpeg.
//
// It owns the format of the file: what writes it ([Write]) and what reads it ([Open]).
// It refuses to know where strips lie and what they are shown on.
//
// The file is
//
//	koda strip 1\n
//	{"width":384,"height":216,"duration":5,"fps":15,"times":[0,…],"offsets":[0,…]}\n
//	the JPEG pictures, one directly after the other
//
// Times are seconds of the video, as exact as a float64 can be: a picture shows the
// frame that begins then. Offsets are bytes from the first picture: picture i lies from
// offsets[i] to offsets[i+1], and the last offset is the end of the file. Fps is how
// many pictures there are in a second, for people.
//
// A file may come from anywhere. Nothing in it is believed before it was checked, no
// picture is larger than its file says, and the sizes have limits. What is wrong with a
// file is an error of code NOT_FOUND: a new preview brings a new strip.
package strip
