package fonts

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

var errNoFont = errors.New("this is no TrueType, OpenType or WOFF2 font")

// Parse reads a font as a family with one face. The name is "" when the font has none. An
// error says what is wrong with the file.
func Parse(data []byte) (Family, error) {
	var tables map[string][]byte
	var err error
	switch {
	case bytes.HasPrefix(data, []byte("wOF2")):
		tables, err = woff2Tables(data)
	case bytes.HasPrefix(data, []byte("\x00\x01\x00\x00")), bytes.HasPrefix(data, []byte("OTTO")), bytes.HasPrefix(data, []byte("true")):
		tables, err = sfntTables(data)
	case bytes.HasPrefix(data, []byte("ttcf")):
		err = errors.New("this is a collection of fonts, and koda takes a file with one font")
	default:
		err = errNoFont
	}
	if err != nil {
		return Family{}, err
	}
	cover, err := characters(tables["cmap"])
	if err != nil {
		return Family{}, err
	}
	face := Face{Cover: cover}
	if os2 := (&reader{data: tables["OS/2"]}); tables["fvar"] == nil {
		face.Weight = os2.u16(4)
	}
	return Family{Name: familyIn(tables["name"]), Faces: []Face{face}}, nil
}

// reader reads big-endian numbers. Beyond the end it reads zeros and remembers that.
type reader struct {
	data  []byte
	short bool
}

func (r *reader) at(offset, size int) []byte {
	if offset < 0 || size < 0 || offset > len(r.data)-size {
		r.short = true
		return make([]byte, max(0, min(size, 8)))
	}
	return r.data[offset : offset+size]
}

func (r *reader) u16(offset int) int { return int(binary.BigEndian.Uint16(r.at(offset, 2))) }
func (r *reader) u32(offset int) int { return int(binary.BigEndian.Uint32(r.at(offset, 4))) }

func sfntTables(data []byte) (map[string][]byte, error) {
	r := &reader{data: data}
	tables := map[string][]byte{}
	for i := range r.u16(4) {
		entry := 12 + 16*i
		tag, offset, size := string(r.at(entry, 4)), r.u32(entry+8), r.u32(entry+12)
		if slices.Contains(wanted, tag) {
			tables[tag] = r.at(offset, size)
		}
	}
	if r.short {
		return nil, errors.New("the font ends too early")
	}
	return tables, nil
}

// wanted are the tables that koda reads.
var wanted = []string{"cmap", "name", "OS/2", "fvar"}

// woff2Tables unpacks the tables that koda reads.
func woff2Tables(data []byte) (map[string][]byte, error) {
	f, err := readWOFF2(data)
	if err != nil {
		return nil, err
	}
	tables := map[string][]byte{}
	for _, t := range f.tables {
		if slices.Contains(wanted, t.tag) {
			tables[t.tag] = t.data
		}
	}
	return tables, nil
}

// mostRunes bounds the characters that the subtables of a font list, all together.
const mostRunes = 4 << 20

var errCharacters = errors.New("the font's table of characters is wrong")

// characters reads cmap: all subtables for Unicode, of the two formats in use.
func characters(cmap []byte) (Cover, error) {
	r := &reader{data: cmap}
	var runes []rune
	for i := range r.u16(2) {
		platform, encoding, at := r.u16(4+8*i), r.u16(6+8*i), r.u32(8+8*i)
		if platform != 0 && (platform != 3 || encoding != 1 && encoding != 10) || at > len(cmap) {
			continue
		}
		t := &reader{data: cmap[at:]}
		switch t.u16(0) {
		case 4:
			runes = append(runes, segments(t)...)
		case 12:
			for g := range min(t.u32(12), len(t.data)/12) {
				low, high := t.u32(16+12*g), t.u32(20+12*g)
				if low > high || high > unicode.MaxRune || len(runes) > mostRunes {
					return nil, errCharacters
				}
				for c := low; c <= high; c++ {
					if t.u32(24+12*g)+c-low != 0 {
						runes = append(runes, rune(c))
					}
				}
			}
		}
	}
	if len(runes) == 0 || len(runes) > mostRunes {
		return nil, errCharacters
	}
	return coverOf(runes), nil
}

// segments reads a subtable of format 4.
func segments(t *reader) []rune {
	var runes []rune
	n := t.u16(6) / 2
	for s := range n {
		high, low := t.u16(14+2*s), t.u16(16+2*n+2*s)
		if len(runes) > mostRunes {
			break
		}
		delta, at := t.u16(16+4*n+2*s), 16+6*n+2*s
		offset := t.u16(at)
		for c := low; c <= high && c < 0xffff; c++ {
			glyph := c + delta
			if offset != 0 {
				glyph = t.u16(at + offset + 2*(c-low))
			}
			if glyph&0xffff != 0 && !t.short {
				runes = append(runes, rune(c))
			}
		}
	}
	return runes
}

// familyIn reads the family: the typographic family, else the plain family.
func familyIn(name []byte) string {
	const family, typographic = 1, 16
	r := &reader{data: name}
	texts := r.u16(4)
	found := map[int]string{}
	for i := range r.u16(2) {
		entry := 6 + 12*i
		platform, id := r.u16(entry), r.u16(entry+6)
		if id != family && id != typographic || found[id] != "" {
			continue
		}
		text := r.at(texts+r.u16(entry+10), r.u16(entry+8))
		if platform == 1 {
			found[id] = string(text)
			continue
		}
		units := make([]uint16, len(text)/2)
		for u := range units {
			units[u] = binary.BigEndian.Uint16(text[2*u:])
		}
		found[id] = string(utf16.Decode(units))
	}
	text := found[typographic]
	if text == "" {
		text = found[family]
	}
	return strings.TrimSpace(strings.ToValidUTF8(text, ""))
}
