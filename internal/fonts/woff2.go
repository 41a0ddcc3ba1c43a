package fonts

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/andybalholm/brotli"
)

// maxTables bounds the bytes of a font's tables.
const maxTables = 128 << 20

// woff2 is a font of the type WOFF2: its header, and its tables as they lie in the
// packed stream.
type woff2 struct {
	header []byte
	tables []woff2Table
}

type woff2Table struct {
	tag   string // "" for a table that koda does not know
	entry []byte // its entry in the directory
	size  int    // of the table itself, which may be larger than its data
	data  []byte
}

const woff2Header = 48

// woff2Tags are numbers of tables in a directory.
var woff2Tags = map[int]string{0: "cmap", 5: "name", 6: "OS/2", 10: "glyf", 11: "loca", 36: "SVG ", 47: "fvar"}

func readWOFF2(data []byte) (*woff2, error) {
	const other = 63
	r := &reader{data: data}
	f := &woff2{header: r.at(0, woff2Header)}
	n, packed, at := r.u16(12), r.u32(20), woff2Header
	base128 := func() int {
		v := 0
		for range 5 {
			b := int(r.at(at, 1)[0])
			at++
			v = v<<7 | b&0x7f
			if b&0x80 == 0 {
				break
			}
		}
		return v
	}
	total := 0
	var sizes []int
	for range n {
		begin := at
		flags := int(r.at(at, 1)[0])
		at++
		t, version := woff2Table{tag: woff2Tags[flags&63]}, flags>>6
		if flags&63 == other {
			t.tag = string(r.at(at, 4))
			at += 4
		}
		t.size = base128()
		size, plain := t.size, 0 // the version of a table as it is
		if t.tag == "glyf" || t.tag == "loca" {
			plain = 3
		}
		if version != plain {
			size = base128()
		}
		if r.short || size > maxTables-total {
			return nil, errors.New("the font ends too early")
		}
		t.entry = data[begin:at]
		f.tables, sizes, total = append(f.tables, t), append(sizes, size), total+size
	}
	unpacked, err := io.ReadAll(io.LimitReader(brotli.NewReader(bytes.NewReader(r.at(at, packed))), int64(total)))
	if err != nil || r.short || len(unpacked) != total {
		return nil, errors.Join(errors.New("the font cannot be unpacked"), err)
	}
	for i, size := range sizes {
		f.tables[i].data, unpacked = unpacked[:size], unpacked[size:]
	}
	return f, nil
}

// without is the font without a table. Equal fonts give equal bytes.
func without(data []byte, tag string) ([]byte, error) {
	f, err := readWOFF2(data)
	if err != nil || !slices.ContainsFunc(f.tables, func(t woff2Table) bool { return t.tag == tag }) {
		return data, err
	}
	var directory, stream bytes.Buffer
	n, plain := 0, 12
	w := brotli.NewWriterLevel(&stream, 9)
	for _, t := range f.tables {
		if t.tag == tag {
			continue
		}
		n, plain = n+1, plain+16+(t.size+3)&^3
		directory.Write(t.entry)
		if _, err := w.Write(t.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	out := slices.Concat(f.header, directory.Bytes(), stream.Bytes())
	clear(out[24:woff2Header]) // version, metadata, private data
	out = append(out, make([]byte, -len(out)&3)...)
	binary.BigEndian.PutUint32(out[8:], uint32(len(out)))
	binary.BigEndian.PutUint16(out[12:], uint16(n))
	binary.BigEndian.PutUint32(out[16:], uint32(plain))
	binary.BigEndian.PutUint32(out[20:], uint32(stream.Len()))
	return out, nil
}
