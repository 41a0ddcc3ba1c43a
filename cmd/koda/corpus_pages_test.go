package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/koda-video/koda/internal/needs"
)

// corpusRoot is the directory of the pages.
var corpusRoot = filepath.Join("..", "..", "testdata", "pages")

func newCorpus(t *testing.T) *corpus {
	t.Helper()
	made := t.TempDir()
	return &corpus{
		each: os.Getenv(corpusFull) != "", all: os.Getenv(corpusFull) == "all", pages: corpusPages(t),
		modules: sync.OnceValues(corpusModules),
		media:   sync.OnceValues(func() (string, error) { return made, corpusMedia(made) }),
		rows:    map[string]corpusRow{}, matrix: map[string]corpusRow{},
	}
}

// lay lays out a page as its author would have it: with its files, the scripts
// all pages share, its koda.json, its packages and its pictures.
func (c *corpus) lay(t *testing.T, p corpusPage) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), p.name)
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join(corpusRoot, p.name))))
	shared, err := filepath.Glob(filepath.Join(corpusRoot, "*.js"))
	must(t, err)
	for _, file := range shared {
		must(t, sameFile(file, filepath.Join(dir, filepath.Base(file))))
	}
	if _, err := os.Stat(filepath.Join(dir, "koda.json")); errors.Is(err, fs.ErrNotExist) {
		must(t, os.WriteFile(filepath.Join(dir, "koda.json"), fmt.Appendf(nil, corpusManifest, p.name, corpusDuration), 0o600))
	}
	if p.npm {
		modules, err := c.modules()
		must(t, err)
		must(t, sameFiles(modules, filepath.Join(dir, "node_modules")))
	}
	if p.media {
		media, err := c.media()
		must(t, err)
		must(t, sameFiles(media, dir))
	}
	return dir
}

// sameFile gives a file a second name, or copies the file if the new name is on
// another disk.
func sameFile(from, to string) error {
	if os.Link(from, to) == nil {
		return nil
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

func sameFiles(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case d.Type().IsRegular():
			return sameFile(path, filepath.Join(to, name))
		}
		return nil // npm's own links
	})
}

// corpusModules installs the packages of the pages, once for each lock file, and
// returns the node_modules directory.
func corpusModules() (string, error) {
	lock, err := os.ReadFile(filepath.Join(corpusRoot, "package-lock.json"))
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "koda-corpus", fmt.Sprintf("%.6x", sha256.Sum256(lock)))
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), ".tmp-*")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	for _, name := range []string{"package.json", "package-lock.json"} {
		if err := sameFile(filepath.Join(corpusRoot, name), filepath.Join(temp, name)); err != nil {
			return "", err
		}
	}
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = temp
	if out, err := npm.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci, which installs the packages of testdata/pages: %w: %s", err, out)
	}
	if err := os.Rename(temp, dir); err != nil {
		if _, other := os.Stat(modules); other != nil {
			return "", err
		}
	}
	return modules, nil
}

// The barcode of testdata/pages/barcode.js.
const (
	codeBits, codeWidth, codeHeight, codeTop = 12, 40, 16, 238
	pageWidth, pageHeight                    = 480, 270
)

// barcodeFrame is a picture of the barcode of a time.
func barcodeFrame(ms int) *image.Gray {
	frame := image.NewGray(image.Rect(0, 0, pageWidth, pageHeight))
	for y := range pageHeight {
		for x := range pageWidth {
			level := uint8((x + y + ms/4) % 200)
			if y >= codeTop {
				level = uint8(255 * ((ms>>(x/codeWidth))&1 ^ (y-codeTop)/codeHeight))
			}
			frame.SetGray(x, y, color.Gray{level})
		}
	}
	return frame
}

// corpusMedia makes the media that pages show: still pictures, and moving pictures
// of 3 s that show the barcode of their time.
func corpusMedia(dir string) error {
	still := barcodeFrame(0)
	var asPNG, asJPEG bytes.Buffer
	err := errors.Join(png.Encode(&asPNG, still), jpeg.Encode(&asJPEG, still, nil),
		os.WriteFile(filepath.Join(dir, "still.svg"), []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 27"><rect width="48" height="27" fill="teal"/><circle cx="24" cy="13" r="11" fill="gold"/></svg>`), 0o600))
	err = errors.Join(err, os.WriteFile(filepath.Join(dir, "still.png"), asPNG.Bytes(), 0o600), os.WriteFile(filepath.Join(dir, "still.jpg"), asJPEG.Bytes(), 0o600))
	for _, made := range []struct {
		name  string
		rate  int
		count int
		how   string
	}{
		{"still.webp", 1, 1, "-c:v libwebp"},
		{"moving.gif", 50, 150, "-loop 0"},
		{"moving.png", 50, 150, "-f apng -plays 0"},
		{"moving.webp", 50, 150, "-c:v libwebp_anim -lossless 1 -loop 0"},
		{"moving.webm", 25, 75, "-c:v libvpx-vp9 -crf 12 -b:v 0 -pix_fmt yuv420p"},
		{"moving.mp4", 25, 75, "-c:v libx264 -crf 12 -pix_fmt yuv420p"},
	} {
		var raw bytes.Buffer
		for n := range made.count {
			raw.Write(barcodeFrame(n * 1000 / made.rate).Pix)
		}
		args := strings.Fields(fmt.Sprintf("-v error -f rawvideo -pix_fmt gray -s %dx%d -r %d -i - %s -y", pageWidth, pageHeight, made.rate, made.how))
		ffmpeg := exec.Command("ffmpeg", append(args, filepath.Join(dir, made.name))...)
		ffmpeg.Stdin = &raw
		if out, failed := ffmpeg.CombinedOutput(); failed != nil {
			err = errors.Join(err, fmt.Errorf("make %s: %w: %s", made.name, failed, out))
		}
	}
	return err
}

// timesOf reads the barcodes of a video or of a directory of pictures, in
// milliseconds; -1 for a frame without a barcode.
func timesOf(t *testing.T, video string, gray bool) []int {
	t.Helper()
	if info, err := os.Stat(video); err == nil && info.IsDir() {
		video = filepath.Join(video, "frame_%05d.png")
	}
	filter := fmt.Sprintf("crop=iw:ih*%d/%d:0:ih*%d/%d:exact=0,scale=%d:%d:flags=area,format=gray",
		2*codeHeight, pageHeight, codeTop, pageHeight, pageWidth, 2*codeHeight)
	ffmpeg := exec.Command("ffmpeg", "-v", "error", "-i", video, "-vf", filter, "-fps_mode", "passthrough", "-f", "rawvideo", "-")
	var stderr bytes.Buffer
	ffmpeg.Stderr = &stderr
	raw, err := ffmpeg.Output()
	if err != nil {
		t.Fatalf("ffmpeg: %v: %s", err, stderr.String())
	}
	var times []int
	for size := pageWidth * 2 * codeHeight; len(raw) >= size; raw = raw[size:] {
		times = append(times, timeOf(raw, gray))
	}
	return times
}

// timeOf reads the barcode in the rows of pixels that hold it.
func timeOf(strip []byte, gray bool) int {
	ms := 0
	for bit := range codeBits {
		var rows [2]float64
		for row := range rows {
			sum, n := 0, 0
			for y := row*codeHeight + 5; y < (row+1)*codeHeight-5; y++ {
				for x := bit*codeWidth + 10; x < (bit+1)*codeWidth-10; x++ {
					sum, n = sum+int(strip[y*pageWidth+x]), n+1
				}
			}
			rows[row] = float64(sum) / float64(n)
		}
		if math.Abs(rows[0]-rows[1]) < 128 {
			return -1
		}
		if rows[0] > rows[1] {
			ms |= 1 << bit
		}
	}
	if gray {
		for shift := 1; shift < codeBits; shift *= 2 {
			ms ^= ms >> shift
		}
	}
	return ms
}

// TestBarcode reads barcodes from small videos of bad quality.
func TestBarcode(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	dir := t.TempDir()
	var raw bytes.Buffer
	const frames = 40
	for n := range frames {
		raw.Write(barcodeFrame(n * 17).Pix)
	}
	for _, size := range []string{"480x270", "240x134"} {
		video := filepath.Join(dir, size+".mp4")
		args := "-v error -f rawvideo -pix_fmt gray -s 480x270 -r 25 -i - -c:v libx264 -crf 32 -pix_fmt yuv420p -s " + size
		ffmpeg := exec.Command("ffmpeg", append(strings.Fields(args), video)...)
		ffmpeg.Stdin = bytes.NewReader(raw.Bytes())
		if out, err := ffmpeg.CombinedOutput(); err != nil {
			t.Fatalf("ffmpeg: %v: %s", err, out)
		}
		times := timesOf(t, video, false)
		if len(times) != frames {
			t.Fatalf("%s: %d frames, want %d", size, len(times), frames)
		}
		for n, got := range times {
			if got != n*17 {
				t.Errorf("%s: frame %d shows %d, want %d", size, n, got, n*17)
			}
		}
	}
	if got := timeOf(make([]byte, pageWidth*2*codeHeight), false); got != -1 {
		t.Errorf("a black strip shows %s, want none", strconv.Itoa(got))
	}
}
