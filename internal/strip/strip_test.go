package strip_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/strip"
)

// still is a picture of one grey.
func still(t testing.TB, width, height int, grey uint8) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect, image.NewUniform(color.Gray{Y: grey}), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// info is a video of half a second with four stills.
func info() strip.Info {
	return strip.Info{Width: 24, Height: 16, Duration: 0.5, FPS: 8, Times: []float64{0, 0.125, 0.25, 0.375}}
}

// whole is the strip of info. Its stills become lighter.
func whole(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	stills := [][]byte{still(t, 24, 16, 0), still(t, 24, 16, 60), still(t, 24, 16, 120), still(t, 24, 16, 180)}
	if err := strip.Write(&b, info(), stills); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(data []byte) (*strip.Strip, error) {
	return strip.Open(bytes.NewReader(data), int64(len(data)))
}

func TestStrip(t *testing.T) {
	t.Parallel()
	s, err := open(whole(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(info(), s.Info()); diff != "" || s.Len() != 4 {
		t.Errorf("%d stills, %s", s.Len(), diff)
	}
	for at, want := range map[float64]int{-1: 0, 0: 0, 0.1249: 0, 0.124999999: 1, 0.125: 1, 0.3: 2, 0.375: 3, 99: 3, math.Inf(1): 3, math.Inf(-1): 0} {
		img, begins, err := s.At(at)
		if err != nil {
			t.Fatal(err)
		}
		grey, _, _, _ := img.At(3, 3).RGBA()
		if begins != s.Time(want) || math.Abs(float64(grey>>8)-float64(60*want)) > 3 || img.Bounds().Dx() != 24 {
			t.Errorf("at %v there is the still of %v, grey %d; want still %d", at, begins, grey>>8, want)
		}
	}
	for _, i := range []int{-1, 4} {
		if _, err := s.Still(i); koda.CodeOf(err) != koda.CodeNotFound {
			t.Errorf("still %d: %v", i, err)
		}
	}
}

func TestOpen_Damaged(t *testing.T) {
	t.Parallel()
	good := string(whole(t))
	index := func(text string) string {
		lines := strings.SplitN(good, "\n", 3)
		return lines[0] + "\n" + text + "\n" + lines[2]
	}
	replace := func(old, with string) string { return strings.Replace(good, old, with, 1) }
	for name, data := range map[string]string{
		"empty": "", "no strip": "\xff\xd8\xff", "magic only": "koda strip 1\n", "no end of the index": "koda strip 1\n{", "no index": index("null"), "a list": index("[]"),
		"no stills": index("{}"), "cut": good[:len(good)-1], "longer": good + "x", "another version": replace("strip 1", "strip 2"),
		"times that fall": replace("0.125", "0.375"), "a time before 0": replace("[0,0.125", "[-1,0.125"), "a time after the end": replace("0.375", "0.75"),
		"a huge picture": replace(`"width":24`, `"width":99999`), "no picture": replace(`"height":16`, `"height":0`), "offsets that fall": replace(`"offsets":[0,`, `"offsets":[0,-`),
	} {
		_, err := open([]byte(data))
		if koda.CodeOf(err) != koda.CodeNotFound || !strings.Contains(koda.HintOf(err), "--preset preview") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A picture of another size than the index says is not decoded.
	s, err := open([]byte(replace(`"width":24`, `"width":25`)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Still(0); koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("a picture of another size: %v", err)
	}
	// A file that became shorter after it was opened.
	short, err := strip.Open(io.NewSectionReader(strings.NewReader(good), 0, int64(len(good)-9)), int64(len(good)))
	if err == nil {
		_, err = short.Still(3)
	}
	if koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("a shorter file: %v", err)
	}
}

func TestWrite_Refuses(t *testing.T) {
	t.Parallel()
	one := still(t, 24, 16, 0)
	for name, stills := range map[string][][]byte{"too few": {one}, "too many": {one, one, one, one, one}, "none": nil, "an empty one": {one, one, one, {}}} {
		if err := strip.Write(io.Discard, info(), stills); err == nil {
			t.Errorf("%s stills are written", name)
		}
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	a, b := still(t, 24, 16, 10), still(t, 100, 80, 200)
	got, err := strip.Split(append(bytes.Clone(a), b...))
	if diff := cmp.Diff([][]byte{a, b}, got); err != nil || diff != "" {
		t.Errorf("%v, %s", err, diff)
	}
	for name, data := range map[string][]byte{"cut": a[:len(a)-1], "no picture": []byte("pictures"), "something after it": append(bytes.Clone(a), 0)} {
		if _, err := strip.Split(data); err == nil {
			t.Errorf("%s is split", name)
		}
	}
}

func FuzzReadStrip(f *testing.F) {
	f.Add(whole(f))
	f.Add([]byte("koda strip 1\n{\"width\":1,\"height\":1,\"duration\":1,\"times\":[0],\"offsets\":[0,1]}\nx"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := open(data)
		if err != nil {
			if koda.CodeOf(err) != koda.CodeNotFound {
				t.Fatal(err)
			}
			return
		}
		for i := range min(s.Len(), 4) {
			if img, err := s.Still(i); err == nil && (img.Bounds().Dx() != s.Info().Width || img.Bounds().Dy() != s.Info().Height) {
				t.Fatalf("still %d has %v", i, img.Bounds())
			}
		}
		if _, at, _ := s.At(s.Info().Duration / 2); at < 0 || at >= s.Info().Duration {
			t.Fatalf("a still begins at %v", at)
		}
	})
}

func FuzzSplit(f *testing.F) {
	f.Add(append(still(f, 8, 8, 1), still(f, 8, 8, 2)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		stills, err := strip.Split(data)
		if err == nil && !bytes.Equal(bytes.Join(stills, nil), data) {
			t.Fatal("bytes are lost")
		}
	})
}
