package bundle

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// A packed runtime is a tar archive, compressed by zstd in several frames so
// that a page decompresses only what it uses:
//
//	skippable frame   the length of the index frame, 4 bytes, little endian
//	index frame       runtime.json
//	further frames    the files, and the end of the archive
//
// It is an ordinary .tar.zst as well: tar lists and extracts it.
const (
	skippableMagic = 0x184D2A50
	prefixSize     = 12 // of the skippable frame
	tarBlock       = 512
)

// location is the place of a file: its frame, and where in the frame it begins.
type location struct {
	Frame  int `json:"f"`
	Offset int `json:"o"`
	Size   int `json:"n"`
}

// span is a frame's place after the index frame.
type span struct {
	At   int `json:"at"`
	Size int `json:"n"`
}

// frameOf names the frame of a file. Page modules have one frame each, because pages take
// single modules. Files that a page takes as a group are compressed as a group.
func frameOf(name string) string {
	if strings.HasPrefix(name, "page/") {
		return name
	}
	return path.Join(strings.SplitN(name, "/", 4)[:min(3, strings.Count(name, "/"))]...)
}

// writeArchive writes a runtime. Equal files give equal bytes.
func writeArchive(w io.Writer, index *runtimeIndex, files map[string][]byte) error {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(8<<20))
	if err != nil {
		return fmt.Errorf("write runtime: %w", err)
	}
	groups := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		groups[frameOf(name)] = append(groups[frameOf(name)], name)
	}
	var body []byte
	add := func(content []byte) {
		from := len(body)
		body = z.EncodeAll(content, body)
		index.Frames = append(index.Frames, span{At: from, Size: len(body) - from})
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		var frame bytes.Buffer
		for _, name := range groups[group] {
			offset := frame.Len() + tarBlock
			if err := tarEntry(&frame, name, files[name]); err != nil {
				return fmt.Errorf("write runtime: %w", err)
			}
			file := index.Files[name]
			file.location = location{Frame: len(index.Frames), Offset: offset, Size: len(files[name])}
			index.Files[name] = file
		}
		add(frame.Bytes())
	}
	add(make([]byte, 2*tarBlock))

	data, err := json.Marshal(index)
	if err != nil {
		return fmt.Errorf("write runtime: %w", err)
	}
	var first bytes.Buffer
	if err := tarEntry(&first, indexName, data); err != nil {
		return fmt.Errorf("write runtime: %w", err)
	}
	head := z.EncodeAll(first.Bytes(), nil)
	var prefix [prefixSize]byte
	binary.LittleEndian.PutUint32(prefix[0:], skippableMagic)
	binary.LittleEndian.PutUint32(prefix[4:], prefixSize-8)
	binary.LittleEndian.PutUint32(prefix[8:], uint32(len(head)))
	_, err = w.Write(slices.Concat(prefix[:], head, body))
	return err
}

// tarEntry appends a file, with a header of one block.
func tarEntry(b *bytes.Buffer, name string, data []byte) error {
	t := tar.NewWriter(b)
	header := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR}
	if err := t.WriteHeader(header); err != nil {
		return err
	}
	if _, err := t.Write(data); err != nil {
		return err
	}
	return t.Flush() // not Close: the archive goes on
}

// errDamaged means that an archive differs from what was packed.
var errDamaged = errors.New("the page runtime is damaged")

// readArchive opens a packed runtime; archive must not change afterwards.
func readArchive(archive []byte) (*runtimeIndex, []byte, error) {
	if len(archive) < prefixSize || binary.LittleEndian.Uint32(archive) != skippableMagic {
		return nil, nil, errDamaged
	}
	size := int(binary.LittleEndian.Uint32(archive[8:]))
	if size > len(archive)-prefixSize {
		return nil, nil, errDamaged
	}
	first, err := decompress(archive[prefixSize : prefixSize+size])
	if err != nil || len(first) < tarBlock {
		return nil, nil, errDamaged
	}
	index := &runtimeIndex{}
	if err := json.NewDecoder(bytes.NewReader(first[tarBlock:])).Decode(index); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if index.Format != packFormat {
		return nil, nil, fmt.Errorf("%w: format %d, want %d", errDamaged, index.Format, packFormat)
	}
	body := archive[prefixSize+size:]
	if n := len(index.Frames); n == 0 || index.Frames[n-1].At+index.Frames[n-1].Size != len(body) {
		return nil, nil, errDamaged // the archive ends too early
	}
	return index, body, nil
}

// decoder is made only once, because making it is expensive. It serves all goroutines.
var decoder = sync.OnceValues(func() (*zstd.Decoder, error) { return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0)) })

func decompress(frame []byte) ([]byte, error) {
	z, err := decoder()
	if err != nil {
		return nil, err
	}
	return z.DecodeAll(frame, nil)
}
