package ffmpeg

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/koda-video/koda/internal/koda"
)

// Media is what a video file says about itself.
type Media struct {
	Codec         string // "h264", "vp9", "prores", "png", "gif", "apng"
	Width, Height int    // pixels
	FPS           koda.FPS
	Frames        int
	Duration      float64 // seconds
	// Even says that every frame is exactly 1/FPS after the frame before. If the
	// container is too coarse for that, the frame is at the nearest tick.
	Even bool
	// Indexed says that the index comes before the pictures, so that players
	// can start before they have the whole file.
	Indexed bool
	Color   Color
	Alpha   bool // for webm only
}

// Color says what the numbers of a picture mean; parts are "" when the file does
// not say.
type Color struct {
	Primaries, Transfer, Matrix string // "bt709"
	Range                       string // "tv" or "pc"
}

// BT709 is the tag of every video of koda.
var BT709 = Color{Primaries: "bt709", Transfer: "bt709", Matrix: "bt709", Range: "tv"}

var errTruncated = errors.New("the file is not whole")

// maxIndex bounds the index that is read into memory: an hour at 240 frames a
// second has about 30 MB.
const maxIndex = 128 << 20

// Inspect reads what a file with one video track says about itself, without
// starting a program: mp4, mov, webm, gif or apng. It fails when the file is cut
// short or has no such track.
func Inspect(r io.ReaderAt, size int64) (Media, error) {
	var magic [8]byte
	if n, err := r.ReadAt(magic[:], 0); n < len(magic) {
		return Media{}, errors.Join(errTruncated, err)
	}
	switch {
	case bytes.HasPrefix(magic[:], []byte("\x1a\x45\xdf\xa3")):
		return inspectWebM(r, size)
	case bytes.HasPrefix(magic[:], []byte("GIF89a")):
		return inspectGIF(r, size)
	case string(magic[:]) == pngMagic:
		return inspectAPNG(r, size)
	}
	return inspectMP4(r, size)
}

func inspectMP4(r io.ReaderAt, size int64) (Media, error) {
	var m Media
	var moov []byte
	sawData := false
	for at := int64(0); at < size; {
		kind, header, length, err := boxAt(r, at, size)
		if err != nil {
			return Media{}, err
		}
		switch kind {
		case "mdat":
			sawData = true
		case "moov":
			if length-header > maxIndex {
				return Media{}, fmt.Errorf("read mp4: index of %d bytes", length)
			}
			m.Indexed = !sawData
			moov = make([]byte, length-header)
			if _, err := r.ReadAt(moov, at+header); err != nil {
				return Media{}, fmt.Errorf("read mp4: %w", err)
			}
		}
		at += length
	}
	if moov == nil || !sawData {
		return Media{}, fmt.Errorf("read mp4: %w", errTruncated)
	}
	if err := m.readTrack(moov); err != nil {
		return Media{}, fmt.Errorf("read mp4: %w", err)
	}
	return m, nil
}

// boxAt reads the header of the box at an offset and checks that the box lies
// within the file.
func boxAt(r io.ReaderAt, at, size int64) (kind string, header, length int64, err error) {
	var head [16]byte
	n, err := r.ReadAt(head[:min(16, size-at)], at)
	if err != nil || n < 8 {
		return "", 0, 0, fmt.Errorf("read mp4: %w", errTruncated)
	}
	kind, header, length = string(head[4:8]), 8, int64(binary.BigEndian.Uint32(head[:4]))
	switch {
	case length == 1 && n == 16:
		header, length = 16, int64(binary.BigEndian.Uint64(head[8:])) //nolint:gosec // checked below
	case length == 0:
		length = size - at
	}
	if length < header || length > size-at {
		return "", 0, 0, fmt.Errorf("read mp4: %w", errTruncated)
	}
	return kind, header, length, nil
}

// child returns the content of the first box of that kind in b, nil when there
// is none.
func child(b []byte, kind string) []byte {
	for len(b) >= 8 {
		n := int(binary.BigEndian.Uint32(b))
		if n < 8 || n > len(b) {
			return nil
		}
		if string(b[4:8]) == kind {
			return b[8:n]
		}
		b = b[n:]
	}
	return nil
}

func path(b []byte, kinds ...string) []byte {
	for _, k := range kinds {
		b = child(b, k)
	}
	return b
}

// readTrack reads the first track of the index.
func (m *Media) readTrack(moov []byte) error {
	mdia := path(moov, "trak", "mdia")
	head, stbl := child(mdia, "mdhd"), path(mdia, "minf", "stbl")
	stsd, stts, stsz := child(stbl, "stsd"), child(stbl, "stts"), child(stbl, "stsz")
	if len(head) < 20 || len(stsd) < 8 || len(stts) < 8 || len(stsz) < 12 {
		return errors.New("no video track")
	}
	scale := int64(binary.BigEndian.Uint32(head[12:]))
	if head[0] == 1 && len(head) >= 24 {
		scale = int64(binary.BigEndian.Uint32(head[20:]))
	}
	m.Frames = int(binary.BigEndian.Uint32(stsz[8:]))
	if err := m.readTimes(stts, scale); err != nil {
		return err
	}
	return m.readSample(stsd[8:])
}

// readTimes reads the run-length table of sample durations.
func (m *Media) readTimes(stts []byte, scale int64) error {
	var total, first, samples int64
	m.Even = true
	for b := stts[8:]; len(b) >= 8; b = b[8:] {
		n, delta := int64(binary.BigEndian.Uint32(b)), int64(binary.BigEndian.Uint32(b[4:]))
		if first == 0 {
			first = delta
		}
		m.Even = m.Even && delta == first
		total += n * delta
		samples += n
	}
	if samples != int64(m.Frames) || first == 0 || scale == 0 {
		return errors.New("the tables of the index disagree")
	}
	m.Duration = float64(total) / float64(scale)
	a, b := scale, first
	for b != 0 {
		a, b = b, a%b
	}
	m.FPS = koda.FPS{Num: int(scale / a), Den: int(first / a)}
	return nil
}

// sampleHeader is the fixed part of a video sample entry: its children follow.
const sampleHeader = 78

var sampleNames = map[string]string{"avc1": "h264", "ap4h": "prores", "png ": "png"}

// readSample reads the first sample entry.
func (m *Media) readSample(entry []byte) error {
	if len(entry) < 8+sampleHeader {
		return errors.New("no video track")
	}
	m.Codec = string(entry[4:8])
	if name, ok := sampleNames[m.Codec]; ok {
		m.Codec = name
	}
	body := entry[8:]
	m.Width, m.Height = int(binary.BigEndian.Uint16(body[24:])), int(binary.BigEndian.Uint16(body[26:]))
	c := child(body[sampleHeader:], "colr")
	if len(c) < 10 || !bytes.HasPrefix(c, []byte("ncl")) {
		return nil
	}
	// QuickTime's nclc says no range; its codecs know limited range only.
	m.Color = Color{Primaries: colorName(c[4:]), Transfer: colorName(c[6:]), Matrix: colorName(c[8:]), Range: "tv"}
	if string(c[:4]) == "nclx" && len(c) > 10 && c[10]&0x80 != 0 {
		m.Color.Range = "pc"
	}
	return nil
}

// colorName names a code point of ITU-T H.273.
func colorName(b []byte) string { return colorOf(int(binary.BigEndian.Uint16(b))) }

func colorOf(n int) string {
	switch n {
	case 1:
		return "bt709"
	case 2:
		return ""
	default:
		return fmt.Sprintf("h273-%d", n)
	}
}
