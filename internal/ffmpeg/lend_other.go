//go:build !linux

package ffmpeg

import "io"

// lend writes p to a child's input. P must stay as it is until a megabyte more was
// lent, or the child has ended, though only Linux needs it.
func lend(w io.Writer, p []byte) error {
	_, err := w.Write(p)
	return err
}
