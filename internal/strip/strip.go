package strip

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"sort"

	"github.com/koda-video/koda/internal/koda"
)

// Again is the command that makes the strip of a project anew.
func Again(project string) string { return "koda render " + project + " --preset preview" }

// Strip is an open strip. It may be used from several goroutines. Stills are read when
// they are asked for, so whoever opened the file closes it after the last use.
type Strip struct {
	r     io.ReaderAt
	h     header
	first int64 // where the pictures begin
}

// Open reads the index of a strip of size bytes. NOT_FOUND: the file is no strip, or it
// is damaged.
func Open(r io.ReaderAt, size int64) (*Strip, error) {
	head := make([]byte, min(max(size, 0), int64(len(magic)+maxHeader)))
	if n, err := r.ReadAt(head, 0); err != nil && (!errors.Is(err, io.EOF) || n < len(head)) {
		return nil, damaged(err)
	}
	rest, ok := bytes.CutPrefix(head, []byte(magic))
	if !ok {
		return nil, damaged(errors.New("the first line is not that of a strip"))
	}
	index, _, ok := bytes.Cut(rest, []byte("\n"))
	if !ok {
		return nil, damaged(errors.New("its index has no end"))
	}
	s := &Strip{r: r, first: int64(len(magic) + len(index) + 1)}
	if err := json.Unmarshal(index, &s.h); err != nil {
		return nil, damaged(err)
	}
	if err := s.h.check(size - s.first); err != nil {
		return nil, damaged(err)
	}
	return s, nil
}

// check refuses an index that does not fit size bytes of pictures.
func (h *header) check(size int64) error {
	n := len(h.Times)
	switch {
	case n == 0 || n > MaxStills || len(h.Offsets) != n+1:
		return fmt.Errorf("%d times and %d offsets make no strip", n, len(h.Offsets))
	case h.Width < 1 || h.Width > MaxSide || h.Height < 1 || h.Height > MaxSide:
		return fmt.Errorf("pictures of %dx%d pixels make no strip", h.Width, h.Height)
	case h.Offsets[0] != 0 || h.Offsets[n] != size:
		return errors.New("it does not end where its index says")
	case !(h.Times[0] >= 0 && h.Times[n-1] < h.Duration && h.Duration <= koda.MaxDuration):
		return errors.New("its times are not those of a video")
	}
	for i := range h.Times {
		if long := h.Offsets[i+1] - h.Offsets[i]; long < 1 || long > maxStill {
			return fmt.Errorf("picture %d has %d bytes", i, long)
		}
		if i > 0 && !(h.Times[i] > h.Times[i-1]) {
			return fmt.Errorf("picture %d does not come after the one before", i)
		}
	}
	return nil
}

func damaged(err error) error {
	return &koda.Error{Code: koda.CodeNotFound, Op: "the pictures of the preview are damaged", Err: err, Hint: "draw the preview again: " + Again("PROJECT")}
}

// Info is what the strip says of its video. The times must not be changed.
func (s *Strip) Info() Info {
	return Info{Width: s.h.Width, Height: s.h.Height, Duration: s.h.Duration, FPS: s.h.FPS, Times: s.h.Times}
}

// Len is how many stills there are, at least one.
func (s *Strip) Len() int { return len(s.h.Times) }

// Time is the second of the video at which still i begins. It panics unless i is in
// [0, Len), as indexing does.
func (s *Strip) Time(i int) float64 { return s.h.Times[i] }

// Index is the still that shows a second of the video: the last still that began by
// then, or the first.
func (s *Strip) Index(seconds float64) int {
	const rounding = 1e-6 // what people write for n/fps
	return max(0, sort.Search(s.Len(), func(i int) bool { return s.h.Times[i] > seconds+rounding })-1)
}

// At is the still that shows a second of the video, and the second at which it begins.
func (s *Strip) At(seconds float64) (image.Image, float64, error) {
	i := s.Index(seconds)
	still, err := s.Still(i)
	return still, s.Time(i), err
}

// Still decodes still i. NOT_FOUND: there is no still i, or it is damaged.
func (s *Strip) Still(i int) (image.Image, error) {
	if i < 0 || i >= s.Len() {
		return nil, damaged(fmt.Errorf("there is no picture %d of %d", i, s.Len()))
	}
	data := make([]byte, s.h.Offsets[i+1]-s.h.Offsets[i])
	if n, err := s.r.ReadAt(data, s.first+s.h.Offsets[i]); n < len(data) {
		return nil, damaged(err)
	}
	size, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if err == nil && (size.Width != s.h.Width || size.Height != s.h.Height) {
		err = fmt.Errorf("picture %d has %dx%d pixels, not %dx%d", i, size.Width, size.Height, s.h.Width, s.h.Height)
	}
	if err != nil {
		return nil, damaged(err)
	}
	still, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, damaged(err)
	}
	return still, nil
}
