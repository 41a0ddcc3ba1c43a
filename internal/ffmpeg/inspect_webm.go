package ffmpeg

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/koda-video/koda/internal/koda"
)

// The elements of a webm file that are read; RFC 9559 names them.
const (
	mkvSegment    = 0x18538067
	mkvInfo       = 0x1549A966
	mkvDuration   = 0x4489
	mkvTracks     = 0x1654AE6B
	mkvTrack      = 0xAE
	mkvNumber     = 0xD7
	mkvType       = 0x83
	mkvCodec      = 0x86
	mkvDefault    = 0x23E383
	mkvVideo      = 0xE0
	mkvWidth      = 0xB0
	mkvHeight     = 0xBA
	mkvAlpha      = 0x53C0
	mkvColor      = 0x55B0
	mkvMatrix     = 0x55B1
	mkvRange      = 0x55B9
	mkvTransfer   = 0x55BA
	mkvPrimaries  = 0x55BB
	mkvCues       = 0x1C53BB6B
	mkvCluster    = 0x1F43B675
	mkvTimestamp  = 0xE7
	mkvSimple     = 0xA3
	mkvBlockGroup = 0xA0
	mkvBlock      = 0xA1
)

// element is the place of an EBML element's content.
type element struct {
	id         uint64
	start, end int64
}

// webmReader reads one file.
type webmReader struct {
	r      io.ReaderAt
	m      Media // of the first video track
	length float64
	track  byte    // its number, once it was found
	times  []int64 // of its frames, in milliseconds

	kind, id int // of the track that is read
}

func inspectWebM(r io.ReaderAt, size int64) (Media, error) {
	w := &webmReader{r: r}
	sawCluster := false
	err := w.each(0, size, func(top element) error {
		if top.id != mkvSegment {
			return nil
		}
		return w.each(top.start, top.end, func(e element) error {
			switch e.id {
			case mkvInfo, mkvTracks:
				return w.fields(e)
			case mkvCues:
				w.m.Indexed = !sawCluster
			case mkvCluster:
				sawCluster = true
				return w.cluster(e)
			}
			return nil
		})
	})
	if err == nil {
		err = w.finish()
	}
	if err != nil {
		return Media{}, fmt.Errorf("read webm: %w", err)
	}
	return w.m, nil
}

// each calls f for the elements between two places, which must hold whole elements.
func (w *webmReader) each(at, end int64, f func(element) error) error {
	for at < end {
		id, n, err := w.number(at, end, false)
		if err != nil {
			return err
		}
		length, k, err := w.number(at+n, end, true)
		if err != nil {
			return err
		}
		e := element{id: id, start: at + n + k}
		if length > uint64(end-e.start) { //nolint:gosec // number saw that start is not after end
			return errTruncated
		}
		e.end = e.start + int64(length) //nolint:gosec // checked above
		if err := f(e); err != nil {
			return err
		}
		at = e.end
	}
	return nil
}

// number reads an EBML variable-length number and its length; for sizes it removes
// the length marker.
func (w *webmReader) number(at, end int64, size bool) (v uint64, n int64, err error) {
	var b [8]byte
	k, _ := w.r.ReadAt(b[:min(8, max(0, end-at))], at) //nolint:errcheck // too few bytes are seen below
	if k == 0 || b[0] == 0 {
		return 0, 0, errTruncated
	}
	length := bits.LeadingZeros8(b[0]) + 1
	if k < length {
		return 0, 0, errTruncated
	}
	v = binary.BigEndian.Uint64(b[:]) >> (64 - 8*length)
	if size {
		v &= 1<<(7*length) - 1
	}
	return v, int64(length), nil
}

// data is the content of a short element.
func (w *webmReader) data(e element) ([]byte, error) {
	if e.end-e.start > 64 {
		return nil, errors.New("an element is too long")
	}
	b := make([]byte, e.end-e.start)
	if _, err := w.r.ReadAt(b, e.start); err != nil {
		return nil, errTruncated
	}
	return b, nil
}

// fields reads what the file says about itself and its track.
func (w *webmReader) fields(parent element) error {
	return w.each(parent.start, parent.end, func(e element) error {
		switch e.id {
		case mkvTrack:
			return w.readTrack(e)
		case mkvVideo, mkvColor:
			return w.fields(e)
		case mkvDuration, mkvCodec, mkvDefault, mkvWidth, mkvHeight, mkvAlpha, mkvMatrix, mkvRange, mkvTransfer, mkvPrimaries,
			mkvType, mkvNumber:
		default:
			return nil
		}
		b, err := w.data(e)
		if err != nil {
			return err
		}
		v := 0
		for _, c := range b {
			v = v<<8 | int(c)
		}
		w.field(e.id, b, v)
		return nil
	})
}

// readTrack takes a track if it is the first video track.
func (w *webmReader) readTrack(e element) error {
	before := w.m
	w.m, w.kind, w.id = Media{}, 0, 0
	if err := w.fields(e); err != nil {
		return err
	}
	if w.track != 0 || w.kind != 1 || w.id < 1 || w.id > 127 {
		w.m = before
		return nil
	}
	w.track, w.m.Indexed = byte(w.id), before.Indexed
	return nil
}

// field takes an element's content, read as bytes and as a number.
func (w *webmReader) field(id uint64, b []byte, v int) {
	switch id {
	case mkvDuration:
		if len(b) == 8 {
			w.length = math.Float64frombits(uint64(v)) / 1000 //nolint:gosec // the same bits
		}
	case mkvType:
		w.kind = v
	case mkvNumber:
		w.id = v
	case mkvCodec:
		if w.m.Codec = string(b); w.m.Codec == "V_VP9" {
			w.m.Codec = "vp9"
		}
	case mkvDefault:
		w.m.FPS = rateOf(int64(v))
	case mkvWidth:
		w.m.Width = v
	case mkvHeight:
		w.m.Height = v
	case mkvAlpha:
		w.m.Alpha = v == 1
	case mkvMatrix:
		w.m.Color.Matrix = colorOf(v)
	case mkvTransfer:
		w.m.Color.Transfer = colorOf(v)
	case mkvPrimaries:
		w.m.Color.Primaries = colorOf(v)
	case mkvRange:
		w.m.Color.Range = map[int]string{1: "tv", 2: "pc"}[v]
	}
}

// cluster reads the times of its frames.
func (w *webmReader) cluster(c element) error {
	var base int64
	var visit func(e element) error
	visit = func(e element) error {
		switch e.id {
		case mkvBlockGroup:
			return w.each(e.start, e.end, visit)
		case mkvTimestamp:
			b, err := w.data(e)
			if err != nil {
				return err
			}
			base = 0
			for _, d := range b {
				base = base<<8 | int64(d)
			}
		case mkvSimple, mkvBlock:
			var head [4]byte // a track below 128 and the time after the cluster's
			if e.end-e.start < 4 {
				return errTruncated
			}
			if _, err := w.r.ReadAt(head[:], e.start); err != nil {
				return errTruncated
			}
			if head[0] == 0x80|w.track {
				w.times = append(w.times, base+int64(int16(binary.BigEndian.Uint16(head[1:])))) //nolint:gosec // it is signed
			}
		}
		return nil
	}
	return w.each(c.start, c.end, visit)
}

func (w *webmReader) finish() error {
	if w.m.Codec == "" || w.m.FPS.IsZero() || len(w.times) == 0 {
		return errTruncated
	}
	w.m.Duration, w.m.Frames = w.length, len(w.times)
	w.m.Even = true
	for n, at := range w.times {
		w.m.Even = w.m.Even && at == nearestMS(n, w.m.FPS)
	}
	return nil
}

// nearestMS is the time of frame n in milliseconds.
func nearestMS(n int, fps koda.FPS) int64 {
	num, den := int64(n)*1000*int64(fps.Den), int64(fps.Num)
	return (2*num + den) / (2 * den)
}

// rateOf is the simplest rate whose frame lasts so many nanoseconds, give or take
// one nanosecond. It searches the Stern–Brocot tree.
func rateOf(ns int64) koda.FPS {
	if ns < 1_000_000 || ns > 2_000_000_000 {
		return koda.FPS{}
	}
	low, high := 1e9/float64(ns+1), 1e9/float64(ns-1)
	a, b, c, d := 0, 1, 1, 0
	for range 100_000 {
		num, den := a+c, b+d
		switch v := float64(num) / float64(den); {
		case v < low:
			a, b = num, den
		case v > high:
			c, d = num, den
		default:
			return koda.FPS{Num: num, Den: den}
		}
	}
	return koda.FPS{}
}
