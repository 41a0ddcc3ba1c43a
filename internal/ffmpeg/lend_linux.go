package ffmpeg

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// pipeSize is how many bytes the pipe to a child holds at most.
const pipeSize = 1 << 20

// lend writes p to a child's input without a copy if the system can: the child
// reads p itself. So the caller must hold p and leave it unchanged until a megabyte
// more was lent, which is what the pipe holds, or until the child has ended. Less
// than a megabyte is written with a copy, and so is everything to a writer that is
// not a pipe.
func lend(w io.Writer, p []byte) error {
	f, ok := w.(*os.File)
	if !ok || len(p) < pipeSize {
		_, err := w.Write(p)
		return err
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Write(func(fd uintptr) bool {
		for len(p) > 0 {
			piece := unix.Iovec{Base: &p[0]}
			piece.SetLen(len(p))
			n, err := unix.Vmsplice(int(fd), []unix.Iovec{piece}, unix.SPLICE_F_NONBLOCK)
			switch {
			case errors.Is(err, unix.EAGAIN):
				return false // until the child has read
			case errors.Is(err, unix.EINTR):
			case err != nil:
				failed = &os.PathError{Op: "lend", Path: f.Name(), Err: err}
				return true
			default:
				p = p[n:]
			}
		}
		return true
	})
	return errors.Join(err, failed)
}
