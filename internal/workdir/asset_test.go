package workdir_test

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/workdir"
)

// samples are whole files of every format that koda makes itself.
func samples(t *testing.T) map[string]string {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, 40, 30), color.Palette{color.Black, color.White})
	for i := range img.Pix {
		img.Pix[i] = uint8(i * i % 2)
	}
	var p, j, g bytes.Buffer
	if err := png.Encode(&p, img); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&j, img, nil); err != nil {
		t.Fatal(err)
	}
	if err := gif.Encode(&g, img, nil); err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"a.png": p.String(), "a.jpg": j.String(), "a.gif": g.String(),
		"a.webp": "RIFF\x08\x00\x00\x00WEBPVP8 ", "a.wav": "RIFF\x08\x00\x00\x00WAVEfmt ",
		"a.svg": `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><title>&eacute;</title></svg>`,
		"a.mp3": "ID3\x04rest", "b.mp3": "\xff\xfb\x90\x00rest", "a.ogg": "OggSrest", "a.flac": "fLaCrest", "a.m4a": "\x00\x00\x00\x20ftypM4A rest",
		"a.json": `{"a": [1]}`, "a.csv": "\xef\xbb\xbfx,y\n1,\"2\"\n",
	}
}

func TestCheckAsset(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	kinds := map[string]string{
		".png": "image", ".jpg": "image", ".gif": "image", ".webp": "image", ".svg": "image",
		".mp3": "audio", ".wav": "audio", ".ogg": "audio", ".flac": "audio", ".m4a": "audio", ".json": "data", ".csv": "data",
	}
	for name, text := range samples(t) {
		write(t, dir, files{name: text})
		got, err := workdir.CheckAsset(filepath.Join(dir, name))
		if want := kinds[filepath.Ext(name)]; err != nil || got.Kind != want || got.Name != name || got.Size != int64(len(text)) || len(got.SHA256) != 64 {
			t.Errorf("%s: %+v, %v, want kind %s", name, got, err, want)
		}
	}
}

func TestCheckAsset_Refuses(t *testing.T) {
	t.Parallel()
	dir, good := t.TempDir(), samples(t)
	half := func(name string) string { return good[name][:len(good[name])*2/3] }
	for name, tt := range map[string]struct{ text, says string }{
		"half.png":    {half("a.png"), "damaged"},
		"half.jpg":    {half("a.jpg"), "damaged"},
		"half.gif":    {half("a.gif"), "damaged"},
		"half.webp":   {"RIFF\xff\x00\x00\x00WEBPVP8 ", "16 of 263 bytes"},
		"half.svg":    {half("a.svg"), "damaged SVG"},
		"text.png":    {"hello", "not a png file"},
		"page.svg":    {"<html></html>", "no <svg> element"},
		"half.json":   {"{\n\"a\": [1,\n", "line 3"},
		"two.json":    {"{} {}", "not valid JSON"},
		"ragged.csv":  {"a,b\n1,2,3\n", "not valid CSV: record on line 2"},
		"blank.csv":   {"\n\n", "no rows"},
		"empty.png":   {"", "is empty"},
		"program.exe": {"MZ", "no kind koda can use"},
	} {
		write(t, dir, files{name: tt.text})
		_, err := workdir.CheckAsset(filepath.Join(dir, name))
		wantCode(t, err, koda.CodeUsage, tt.says)
	}
	_, err := workdir.CheckAsset(dir)
	wantCode(t, err, koda.CodeUsage, "is a directory")
	_, err = workdir.CheckAsset(filepath.Join(dir, "nowhere.png"))
	wantCode(t, err, koda.CodeUsage, "does not exist")
	_, err = workdir.CheckAsset("/dev/zero")
	wantCode(t, err, koda.CodeUsage, "not a regular file")
	write(t, dir, files{"big.png": ""})
	if err := os.Truncate(filepath.Join(dir, "big.png"), 200<<20+1); err != nil {
		t.Fatal(err)
	}
	_, err = workdir.CheckAsset(filepath.Join(dir, "big.png"))
	wantCode(t, err, koda.CodeUsage, "too large (200 MB, at most 200)")
}

func TestStorage_AddAsset(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	from := t.TempDir()
	write(t, from, files{"My Logo: (1).SVG": "<svg/>", "other/My Logo: (1).SVG": "<svg></svg>", "ß.csv": "a\n", "...json": "1"})
	add := func(name string) string {
		t.Helper()
		a, err := s.AddAsset(dir, filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if a.Name != filepath.Base(name) || a.ID == "" {
			t.Errorf("asset %+v", a)
		}
		data, err := os.ReadFile(filepath.Join(dir, a.Path))
		if err != nil || int64(len(data)) != a.Size {
			t.Errorf("%s: %d bytes, %v, want %d", a.Path, len(data), err, a.Size)
		}
		return a.Path
	}
	for _, tt := range [][2]string{
		{"My Logo: (1).SVG", "public/images/My-Logo---1.svg"},
		{"My Logo: (1).SVG", "public/images/My-Logo---1.svg"},
		{"other/My Logo: (1).SVG", "public/images/My-Logo---1-2.svg"},
		{"ß.csv", "public/data/ß.csv"},
		{"...json", "public/data/asset.json"},
	} {
		if got := add(tt[0]); got != tt[1] {
			t.Errorf("%s lies at %s, want %s", tt[0], got, tt[1])
		}
	}
	if got := tree(t, s, dir); len(got) != 4 {
		t.Errorf("the tree has %v", got)
	}
	_, err := s.AddAsset(dir, filepath.Join(from, "nowhere"))
	wantCode(t, err, koda.CodeUsage, "does not exist")
	_, err = s.AddAsset(t.TempDir(), filepath.Join(from, "ß.csv"))
	wantCode(t, err, koda.CodeNotFound, "not a koda project")
	if err := os.RemoveAll(filepath.Join(dir, "public/images")); err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	link(t, outside, dir, "public/images")
	_, err = s.AddAsset(dir, filepath.Join(from, "My Logo: (1).SVG"))
	wantCode(t, err, koda.CodeInvalidPath, "symbolic link")
	if got := onDisk(t, outside); len(got) != 0 || strings.Contains(dir, outside) {
		t.Errorf("written through a link: %v", got)
	}
}
