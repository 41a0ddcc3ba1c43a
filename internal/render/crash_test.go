package render_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// crashDir names the directory of a render in a child of the test, which may be
// killed.
const (
	crashDir  = "KODA_TEST_RENDER_DIR"
	crashReal = "KODA_TEST_RENDER_REAL" // with the real browser
	crashLoud = "KODA_TEST_RENDER_LOUD" // with sound
	crashPlay = "KODA_TEST_RENDER_PLAY" // with the real browser, of a page that plays
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		if err := crashRender(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// crashWorld is a world whose files all lie in dir.
func crashWorld(dir string) *world {
	return &world{
		page:  koda.Page{Digest: "page"},
		info:  koda.CaptureInfo{Build: "Fake/1", Method: "fake"},
		cache: filepath.Join(dir, "cache"), host: hostos.New(filepath.Join(dir, "tmp")), now: time.Now, captured: map[int]int{},
	}
}

func crashSpec(dir string) koda.RenderSpec {
	return koda.RenderSpec{
		ID: "r1", Kind: koda.RenderFinal, Width: pageWidth, Height: pageHeight, PageWidth: pageWidth, PageHeight: pageHeight,
		FPS: koda.FPS{Num: 30, Den: 1}, Frames: 210, Duration: 7, Format: "mp4", CRF: 20, EncoderPreset: "veryfast", Workers: 1,
		Output: filepath.Join(dir, "out", "video.mp4"), Thumbnail: filepath.Join(dir, "out", "video.jpg"),
	}
}

func crashRender(dir string) error {
	if os.Getenv(crashPlay) != "" {
		return playedCrashRender(dir)
	}
	if os.Getenv(crashReal) != "" {
		return realCrashRender(dir)
	}
	_, err := crashWorld(dir).renderer().Render(context.Background(), crashProject(os.Getenv(crashLoud) != ""), crashSpec(dir), nil)
	return err
}

// crashProject is seven seconds, with a sound or without.
func crashProject(loud bool) fs.FS {
	files := project(7).(fstest.MapFS)
	if loud {
		files["public/audio/song.wav"] = &fstest.MapFile{Data: tone(4, 0.2)}
	}
	return files
}

// runCrash renders in a child process with a failpoint set.
func runCrash(t *testing.T, dir string, env ...string) error {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "out"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(append(os.Environ(), crashDir+"="+dir), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signal() == syscall.SIGKILL {
			return err
		}
	}
	if err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	return nil
}

// A render that is killed at any failpoint leaves the old or the new output whole.
// The next render draws only unfinished segments and makes the same bytes.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	undisturbed := t.TempDir()
	log := filepath.Join(undisturbed, "log")
	if err := runCrash(t, undisturbed, "KODA_FAILPOINT_LOG="+log); err != nil {
		t.Fatal(err)
	}
	video, thumbnail := crashSpec(undisturbed).Output, crashSpec(undisturbed).Thumbnail
	want, wantThumb := read(t, video), read(t, thumbnail)

	var points []string
	lines := bufio.NewScanner(bytes.NewReader(read(t, log)))
	for lines.Scan() {
		points = append(points, lines.Text())
	}
	// The failpoints of publishing the digest and the file of each of four
	// segments, join, thumbnail, publish, video, note.
	if len(points) != 33 {
		t.Fatalf("the places are %q", points)
	}
	for i, point := range points {
		if i >= 6 && i < 18 {
			continue // the second and third segments are like the first
		}
		t.Run(strings.ReplaceAll(point, " ", "_"), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := runCrash(t, dir, fmt.Sprintf("KODA_FAILPOINT=#%d", i+1)); err == nil {
				t.Fatal("it was not killed")
			}
			spec := crashSpec(dir)
			published := 0 // digest and file of each segment, then the thumbnail, then the video
			for _, until := range points[:i+1] {
				if strings.HasSuffix(until, "atomicfile.renamed") {
					published++
				}
			}
			if _, err := os.Stat(spec.Output); (err == nil) != (published > 9) {
				t.Errorf("%d files were published, and the video: %v", published, err)
			} else if err == nil && !bytes.Equal(want, read(t, spec.Output)) {
				t.Error("the video is not whole")
			}
			w := crashWorld(dir)
			res, err := w.renderer().Render(t.Context(), project(7), spec, nil)
			if err != nil {
				t.Fatal(err)
			}
			finished := min(published/2, 4)
			if w.opened != 4-finished || res.Captured+res.Reused != 210 || (res.Reused == 0) != (finished == 0) {
				t.Errorf("%d segments were finished, %d were drawn: %+v", finished, w.opened, res)
			}
			if !bytes.Equal(want, read(t, spec.Output)) || !bytes.Equal(wantThumb, read(t, spec.Thumbnail)) {
				t.Error("other bytes than without a kill")
			}
			// The killed process leaves only files that the clean-up knows; files
			// of segments stay for an hour.
			if left := list(t, filepath.Join(dir, "tmp")); len(left) != 0 {
				t.Errorf("left in the temporary directory: %v", left)
			}
		})
	}
}

// The same with sound. Sound is made beside the pictures, so the failpoints are
// named and not counted. Once the track is kept, it is not made again.
func TestKilledWithSound(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	undisturbed := t.TempDir()
	if err := runCrash(t, undisturbed, crashLoud+"=1"); err != nil {
		t.Fatal(err)
	}
	want := read(t, crashSpec(undisturbed).Output)
	for point, kept := range map[string]bool{
		"render.sound": false, "render.join": true, "render.mux": true, "render.muxed": true, "render.publish": true,
	} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := runCrash(t, dir, crashLoud+"=1", "KODA_FAILPOINT="+point); err == nil {
				t.Fatal("it was not killed")
			}
			w, spec := crashWorld(dir), crashSpec(dir)
			res, err := w.renderer().Render(t.Context(), crashProject(true), spec, nil)
			if err != nil {
				t.Fatal(err)
			}
			if res.Sound == nil || res.Sound.Reused != kept || (kept && res.Captured != 0) {
				t.Errorf("%+v with %+v", res, res.Sound)
			}
			if !bytes.Equal(want, read(t, spec.Output)) {
				t.Error("other bytes than without a kill")
			}
			if left := list(t, filepath.Join(dir, "tmp")); len(left) != 0 {
				t.Errorf("left in the temporary directory: %v", left)
			}
		})
	}
}

// Half-written files of a killed render are removed from the cache once certainly
// nobody writes them any more.
func TestSweep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := filepath.Join(w.cache, "segments")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	old, young, other := filepath.Join(dir, half(piece("a", ".mp4"))), filepath.Join(dir, half(piece("b", ".mp4"))), filepath.Join(dir, piece("c", ".mp4"))
	notes := filepath.Join(dir, ".notes.1234.tmp")
	hours := time.Now().Add(-2 * time.Hour)
	for _, f := range []string{old, young, other, notes} {
		if err := os.WriteFile(f, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Chtimes(old, hours, hours), os.Chtimes(other, hours, hours), os.Chtimes(notes, hours, hours)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.renderer().Render(t.Context(), project(1), shortSpec(t), nil); err != nil {
		t.Fatal(err)
	}
	for f, there := range map[string]bool{old: false, young: true, other: true, notes: true} {
		if _, err := os.Stat(f); (err == nil) != there {
			t.Errorf("%s: %v, want there %v", filepath.Base(f), err, there)
		}
	}
}

func shortSpec(t *testing.T) koda.RenderSpec {
	s := spec(t)
	s.Frames, s.Duration = 30, 1
	return s
}
