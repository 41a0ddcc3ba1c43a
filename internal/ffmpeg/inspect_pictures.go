package ffmpeg

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/koda-video/koda/internal/koda"
)

const pngMagic = "\x89PNG\r\n\x1a\n"

// delays are the times frames are shown for, as fractions of a second.
type delays struct {
	first koda.FPS
	even  bool
	n     int
}

func (d *delays) add(num, den int) {
	rate := koda.FPS{Num: den, Den: num}
	if d.n == 0 {
		d.first, d.even = rate, num > 0 && den > 0
	}
	d.even = d.even && rate.Num*d.first.Den == d.first.Num*rate.Den
	d.n++
}

// in fills in what the delays say.
func (d *delays) in(m Media) (Media, error) {
	if d.n == 0 || d.first.Den < 1 || d.first.Num < 1 {
		return Media{}, errors.New("no frames")
	}
	a, b := d.first.Num, d.first.Den
	for b != 0 {
		a, b = b, a%b
	}
	m.FPS = koda.FPS{Num: d.first.Num / a, Den: d.first.Den / a}
	m.Frames, m.Even, m.Indexed = d.n, d.even, true
	m.Duration = float64(d.n) * float64(m.FPS.Den) / float64(m.FPS.Num)
	return m, nil
}

// inspectGIF walks over the blocks of a GIF without decoding a picture.
func inspectGIF(r io.ReaderAt, size int64) (Media, error) {
	g := gifReader{Reader: bufio.NewReader(io.NewSectionReader(r, 0, size))}
	m, err := g.read()
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errTruncated
		}
		return Media{}, fmt.Errorf("read gif: %w", err)
	}
	return m, nil
}

type gifReader struct {
	*bufio.Reader
	delays delays
}

func (g *gifReader) read() (Media, error) {
	var head [13]byte
	if _, err := io.ReadFull(g, head[:]); err != nil {
		return Media{}, err
	}
	m := Media{Codec: "gif", Width: int(binary.LittleEndian.Uint16(head[6:])), Height: int(binary.LittleEndian.Uint16(head[8:]))}
	if err := g.colors(head[10]); err != nil {
		return Media{}, err
	}
	delay := 0
	for {
		kind, err := g.ReadByte()
		if err != nil {
			return Media{}, err
		}
		switch kind {
		case 0x3B:
			return g.delays.in(m)
		case 0x21:
			err = g.extension(&delay)
		case 0x2C:
			g.delays.add(delay, 100)
			err = g.image()
		default:
			err = fmt.Errorf("block %#x", kind)
		}
		if err != nil {
			return Media{}, err
		}
	}
}

// colors skips a colour table, if the flags say that there is one.
func (g *gifReader) colors(flags byte) error {
	if flags&0x80 == 0 {
		return nil
	}
	_, err := g.Discard(3 << (flags&7 + 1))
	return err
}

// extension reads the delay of the next picture, if the extension holds it.
func (g *gifReader) extension(delay *int) error {
	var head [6]byte
	label, err := g.ReadByte()
	if err != nil {
		return err
	}
	if label == 0xF9 {
		if _, err := io.ReadFull(g, head[:5]); err != nil {
			return err
		}
		*delay = int(binary.LittleEndian.Uint16(head[2:]))
	}
	return g.blocks()
}

func (g *gifReader) image() error {
	var head [9]byte
	if _, err := io.ReadFull(g, head[:]); err != nil {
		return err
	}
	if err := g.colors(head[8]); err != nil {
		return err
	}
	if _, err := g.ReadByte(); err != nil { // the size of codes
		return err
	}
	return g.blocks()
}

// blocks skips sub-blocks up to the empty one.
func (g *gifReader) blocks() error {
	for {
		n, err := g.ReadByte()
		if err != nil || n == 0 {
			return err
		}
		if _, err := g.Discard(int(n)); err != nil {
			return err
		}
	}
}

// inspectAPNG walks over the chunks of an animated PNG.
func inspectAPNG(r io.ReaderAt, size int64) (Media, error) {
	m, err := readAPNG(r, size)
	if err != nil {
		return Media{}, fmt.Errorf("read apng: %w", err)
	}
	return m, nil
}

func readAPNG(r io.ReaderAt, size int64) (Media, error) {
	m := Media{Codec: "apng"}
	var d delays
	frames := -1
	for at := int64(len(pngMagic)); ; {
		var head [8 + 26]byte
		n, _ := r.ReadAt(head[:], at) //nolint:errcheck // too few bytes are seen below
		if n < 8 {
			return Media{}, errTruncated
		}
		length, body := int64(binary.BigEndian.Uint32(head[:])), head[8:n]
		if at+12+length > size {
			return Media{}, errTruncated
		}
		switch kind := string(head[4:8]); {
		case kind == "IHDR" && len(body) >= 8:
			m.Width, m.Height = int(binary.BigEndian.Uint32(body)), int(binary.BigEndian.Uint32(body[4:]))
		case kind == "acTL" && len(body) >= 4:
			frames = int(binary.BigEndian.Uint32(body))
		case kind == "fcTL" && len(body) >= 24:
			d.add(int(binary.BigEndian.Uint16(body[20:])), int(binary.BigEndian.Uint16(body[22:])))
		case kind == "IEND" && frames < 0 && m.Width > 0: // one frame is a plain picture
			m.Frames, m.Even, m.Indexed = 1, true, true
			return m, nil
		case kind == "IEND":
			if d.n != frames {
				return Media{}, fmt.Errorf("%d frames of %d", d.n, frames)
			}
			return d.in(m)
		}
		at += 12 + length
	}
}
