package strip

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// magic is the first line of a strip.
const magic = "koda strip 1\n"

// The limits of a strip.
const (
	MaxStills = 10_000
	MaxSide   = 2048    // pixels
	maxStill  = 4 << 20 // bytes of a picture
	maxHeader = 1 << 20 // bytes of the index
)

// header is the index of a strip.
type header struct {
	Width    int       `json:"width"`
	Height   int       `json:"height"`
	Duration float64   `json:"duration"`
	FPS      float64   `json:"fps"`
	Times    []float64 `json:"times"`
	Offsets  []int64   `json:"offsets"`
}

// Info is what a strip says of its video.
type Info struct {
	Width, Height int       // pixels of a still
	Duration      float64   // seconds of the video
	FPS           float64   // stills a second
	Times         []float64 // seconds at which the stills begin, rising
}

// Write writes a strip: one JPEG picture for each time.
func Write(w io.Writer, info Info, stills [][]byte) error {
	h := header{Width: info.Width, Height: info.Height, Duration: info.Duration, FPS: info.FPS, Times: info.Times, Offsets: []int64{0}}
	at := int64(0)
	for _, s := range stills {
		at += int64(len(s))
		h.Offsets = append(h.Offsets, at)
	}
	if err := h.check(at); err != nil {
		return fmt.Errorf("write strip: %w", err)
	}
	index, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("write strip: %w", err)
	}
	out := bufio.NewWriter(w)
	for _, part := range append([][]byte{[]byte(magic), index, {'\n'}}, stills...) {
		_, _ = out.Write(part) //nolint:errcheck // Flush returns the first error
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write strip: %w", err)
	}
	return nil
}

// Split cuts JPEG pictures that lie one directly after the other, as ffmpeg writes them.
func Split(pictures []byte) ([][]byte, error) {
	var stills [][]byte
	for len(pictures) > 0 {
		n := end(pictures)
		if n == 0 {
			return nil, errors.New("split pictures: there is something else than whole JPEG pictures")
		}
		stills = append(stills, pictures[:n:n])
		pictures = pictures[n:]
	}
	return stills, nil
}

// end is the length of the JPEG picture with which data begins; 0 if there is no whole
// picture.
func end(data []byte) int {
	const (
		startOfImage, endOfImage, startOfScan = 0xd8, 0xd9, 0xda
		firstRestart, lastRestart             = 0xd0, 0xd7
	)
	if len(data) < 2 || data[0] != 0xff || data[1] != startOfImage {
		return 0
	}
	for i := 2; i+1 < len(data); {
		if data[i] != 0xff {
			return 0
		}
		marker := data[i+1]
		if marker == endOfImage {
			return i + 2
		}
		if i+3 >= len(data) {
			return 0
		}
		i += 2 + max(2, int(data[i+2])<<8|int(data[i+3]))
		if marker != startOfScan {
			continue
		}
		for i+1 < len(data) && (data[i] != 0xff || data[i+1] == 0 || data[i+1] >= firstRestart && data[i+1] <= lastRestart) {
			i++
		}
	}
	return 0
}
