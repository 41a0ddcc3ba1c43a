package render

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// store is a directory of finished segments named by their keys. Several processes
// may share a store.
type store struct {
	dir string
	now func() time.Time
}

func (s store) path(seg segment) string { return filepath.Join(s.dir, seg.file()) }

// sumExt ends the name of the file beside a segment: the hex SHA-256 of the
// segment's file, and an aside. Disks and copies of a cache lose bytes in the
// middle of files, and players do not notice.
const sumExt = ".sum"

const sumLen = 2 * sha256.Size

// has reports whether the file of a segment exists and is what was published. A
// damaged file is drawn again.
func (s store) has(seg segment, spec koda.RenderSpec) bool {
	f, err := os.Open(s.path(seg))
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // read only
	want, err := os.ReadFile(s.path(seg) + sumExt)
	if err != nil || len(want) < sumLen || checkVideo(f, seg.Len(), spec) != nil {
		return false
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil || hex.EncodeToString(sum.Sum(nil)) != string(want[:sumLen]) {
		return false
	}
	now := s.now()
	_ = os.Chtimes(f.Name(), now, now) //nolint:errcheck // it only looks unused for longer
	return true
}

// publish moves a finished file of the host into the store, if it is whole.
func (s store) publish(host sandbox.Host, file string, seg segment, spec koda.RenderSpec, a koda.Aside) error {
	out, err := atomicfile.Create(s.path(seg), 0o644)
	if err != nil {
		return koda.DiskError("keep segment", err)
	}
	defer out.Abort()
	sum := sha256.New()
	if err := copyFrom(host, file, io.MultiWriter(out, sum), "keep segment"); err != nil {
		return err
	}
	if err := checkVideo(out.File, seg.Len(), spec); err != nil {
		return &koda.Error{Code: koda.CodeEncodeFailed, Op: "encode frames " + seg.String(), Err: err, Hint: "run the same command again; koda doctor checks ffmpeg"}
	}
	if err := atomicfile.Write(s.path(seg)+sumExt, withAside(a, hex.AppendEncode(nil, sum.Sum(nil))), 0o644); err != nil {
		return koda.DiskError("keep segment", err)
	}
	failpoint.Hit("render.segment")
	if err := out.Commit(); err != nil {
		return koda.DiskError("keep segment", err)
	}
	_ = host.RemoveAll(file) //nolint:errcheck // the whole directory is removed at the end
	return nil
}

// abandoned is the age from which an unfinished file belongs to nobody.
const abandoned = time.Hour

// sweep removes the half-written files of killed processes.
func (s store) sweep() {
	entries, err := os.ReadDir(s.dir)
	if err != nil || notLinked(s.dir) != nil {
		return
	}
	for _, e := range entries {
		if ours, half := named(e.Name()); !ours || !half {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && s.now().Sub(info.ModTime()) > abandoned {
			_ = os.Remove(filepath.Join(s.dir, e.Name())) //nolint:errcheck // the next render tries again
		}
	}
}

// checkVideo makes sure that a file is a whole video with that many frames, as the
// spec wants it.
func checkVideo(f *os.File, frames int, spec koda.RenderSpec) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	m, err := ffmpeg.Inspect(f, info.Size())
	switch {
	case err != nil:
		return err
	case m.Frames != frames:
		return fmt.Errorf("the video has %d frames, not %d", m.Frames, frames)
	case m.Width != spec.Width || m.Height != spec.Height:
		return fmt.Errorf("the video has %dx%d pixels, not %dx%d", m.Width, m.Height, spec.Width, spec.Height)
	case (m.FPS.Num*spec.FPS.Den != spec.FPS.Num*m.FPS.Den || !m.Even) && !(frames == 1 && m.FPS.IsZero()):
		return fmt.Errorf("the video has %v frames a second, not %v", m.FPS, spec.FPS)
	case m.Color != ffmpeg.BT709 && m.Color != (ffmpeg.Color{}) || m.Color == (ffmpeg.Color{}) && !keepsPictures(spec.Format):
		return fmt.Errorf("the video is tagged %v, not %v", m.Color, ffmpeg.BT709)
	}
	return nil
}

// copyFrom copies a file of the host; op names the operation in the error of a
// failing disk.
func copyFrom(host sandbox.Host, file string, to io.Writer, op string) error {
	in, err := host.Open(file)
	if err != nil {
		return &koda.Error{Code: koda.CodeEncodeFailed, Op: "read what ffmpeg wrote", Err: err, Hint: "run the same command again; koda doctor checks ffmpeg"}
	}
	_, err = io.Copy(to, in)
	if err := errors.Join(err, in.Close()); err != nil {
		return koda.DiskError(op, err)
	}
	return nil
}
