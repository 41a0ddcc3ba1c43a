package ffmpeg

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

const (
	// filmReaders is how many places of a film are read at the same time, for as
	// many elements of a page that show the film.
	filmReaders = 4
	// filmSkip is how many pictures are skipped to reach a picture; a new reader
	// that begins closer costs a start.
	filmSkip = 48
)

// Picture is picture n of a film, from 0, as a BMP file. If pictures are asked for
// in rising order, each is decoded once, and no more of the film than is asked for.
// If the file ends earlier than it says, the later pictures are its last picture.
func (f *Film) Picture(ctx context.Context, n int) ([]byte, error) {
	if n < 0 || n >= len(f.info.Times) {
		return nil, &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("a film of %d pictures has no picture %d", len(f.info.Times), n)}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	r, err := f.reader(ctx, n)
	if err != nil {
		return nil, err
	}
	for r.next <= n {
		if err := r.read(); errors.Is(err, io.EOF) && r.bmp != nil {
			r.next = len(f.info.Times)
		} else if err != nil {
			f.drop(r)
			return nil, failure(ctx, fmt.Sprintf("read picture %d of a film", n), err, r.child.StderrTail())
		}
	}
	return r.bmp, nil
}

// reader is the reader that comes soonest to picture n, a new reader if necessary.
func (f *Film) reader(ctx context.Context, n int) (*filmReader, error) {
	best := -1
	for i, r := range f.readers {
		if r.shows(n) && (best < 0 || r.next > f.readers[best].next) {
			best = i
		}
	}
	if best >= 0 {
		r := f.readers[best]
		f.readers = append(append(f.readers[:best:best], f.readers[best+1:]...), r)
		return r, nil
	}
	if len(f.readers) == filmReaders {
		f.drop(f.readers[0])
	}
	r, err := f.read(ctx, n)
	if err != nil {
		return nil, err
	}
	f.readers = append(f.readers, r)
	return r, nil
}

func (f *Film) drop(r *filmReader) {
	r.end()
	for i, other := range f.readers {
		if other == r {
			f.readers = append(f.readers[:i:i], f.readers[i+1:]...)
			return
		}
	}
}

// FilmArgs are ffmpeg's arguments for the pictures of a film as raw pixels. The
// first picture is the first one shown at or after a time, in seconds from the
// start; with 0 the first of the film.
func FilmArgs(file, decoder, matrix string, info koda.Film, from float64) []string {
	args := []string{"-v", "error", "-nostdin", "-protocol_whitelist", "file", "-format_whitelist", FilmFormats}
	if decoder != "" {
		args = append(args, "-c:v", decoder)
	}
	if from > 0 {
		args = append(args, "-ss", strconv.FormatFloat(from, 'f', 6, 64))
	}
	scale := fmt.Sprintf("scale=%d:%d:flags=bicubic+%s", info.Width, info.Height, exact)
	if matrix != "" {
		scale += ":in_color_matrix=" + matrix
	}
	return append(args, "-i", "file:"+file, "-map", "0:V:0", "-vf", scale+",format="+filmPixels(info.Alpha),
		"-fps_mode", "passthrough", "-f", "rawvideo", "pipe:1")
}

func filmPixels(alpha bool) string {
	if alpha {
		return "bgra"
	}
	return "bgr24"
}

// filmReader is an ffmpeg that decodes a film from one of its pictures on.
type filmReader struct {
	child sandbox.Process
	watch *watch
	next  int    // the picture that is read next
	bmp   []byte // the picture before; it is not written to again
	info  koda.Film
}

func (f *Film) read(ctx context.Context, n int) (*filmReader, error) {
	id, err := f.tool.identify("ffmpeg")
	if err != nil {
		return nil, err
	}
	from := 0.0
	if n > 0 { // between two pictures it is certain which picture follows
		from = (f.info.Times[n-1] + f.info.Times[n]) / 2
	}
	child, err := f.tool.host.Start(ctx, sandbox.Program{Path: id.path, Args: FilmArgs(f.file, f.decoder, f.matrix, f.info, from)})
	if err != nil {
		return nil, failure(ctx, "start ffmpeg", err, "")
	}
	return &filmReader{child: child, watch: f.tool.watched(child, false), next: n, info: f.info}, nil
}

// shows reports whether the reader has picture n, or comes to it soon.
func (r *filmReader) shows(n int) bool {
	return r.next-1 <= n && n-r.next < filmSkip && (n >= r.next || r.bmp != nil) || r.next == len(r.info.Times) && n >= r.next
}

// read reads the next picture.
func (r *filmReader) read() error {
	depth, header := 3, 14+40
	if r.info.Alpha {
		depth, header = 4, 14+124
	}
	row := r.info.Width * depth
	stride := (row + 3) / 4 * 4
	bmp := make([]byte, header+stride*r.info.Height)
	r.watch.waiting.Store(true)
	defer r.watch.waiting.Store(false)
	if stride == row {
		if _, err := io.ReadFull(r.child.Stdout(), bmp[header:]); err != nil {
			return r.ended(err)
		}
	} else {
		for y := range r.info.Height {
			if _, err := io.ReadFull(r.child.Stdout(), bmp[header+y*stride:][:row]); err != nil {
				return r.ended(err)
			}
		}
	}
	r.watch.taken.Add(1)
	r.next++
	r.bmp = bmp
	put := binary.LittleEndian
	copy(bmp, "BM")
	put.PutUint32(bmp[2:], uint32(len(bmp)))               //nolint:gosec // bounded by largestFilm
	put.PutUint32(bmp[10:], uint32(header))                //nolint:gosec // likewise
	put.PutUint32(bmp[14:], uint32(header-14))             //nolint:gosec // likewise
	put.PutUint32(bmp[18:], uint32(r.info.Width))          //nolint:gosec // likewise
	put.PutUint32(bmp[22:], uint32(-int32(r.info.Height))) //nolint:gosec // from the top
	put.PutUint16(bmp[26:], 1)
	put.PutUint16(bmp[28:], uint16(8*depth)) //nolint:gosec // 24 or 32
	if r.info.Alpha {
		put.PutUint32(bmp[30:], 3) // the bits of a pixel are as follows
		for i, mask := range []uint32{0xff0000, 0xff00, 0xff, 0xff000000} {
			put.PutUint32(bmp[54+4*i:], mask)
		}
		copy(bmp[70:], "BGRs") // sRGB
	}
	return nil
}

// ended is why the child gave no more pictures.
func (r *filmReader) ended(err error) error {
	if r.child.Stdout() != nil && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)) {
		if died := r.watch.cause(r.child.Wait()); died != nil {
			return died
		}
		return io.EOF
	}
	return err
}

// end kills the child.
func (r *filmReader) end() {
	r.child.Kill()
	_ = r.child.Stdin().Close()  //nolint:errcheck // the reader is gone
	_ = r.child.Stdout().Close() //nolint:errcheck // a pipe end
	r.watch.stop()
}
