package cli_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

const manifest = `{"schema": 1, "name": "demo", "width": 1920, "height": 1080, "fps": 60, "duration": 5}`

// page makes a plain directory that fulfils the page contract.
func page(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	write(t, filepath.Join(dir, "koda.json"), manifest)
	write(t, filepath.Join(dir, "index.html"), "<!doctype html>")
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// listing is every path below dir.
func listing(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		all = append(all, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A plain directory is read and never written to. These tests change the working
// directory, so they do not run in parallel.
func TestRenderPlain(t *testing.T) {
	fps := func(n, d int) koda.FPS { return koda.FPS{Num: n, Den: d} }
	tests := []struct {
		args string
		want koda.RenderSpec
	}{
		{"", koda.RenderSpec{
			Kind: "final", Preset: "final", Width: 1920, Height: 1080, PageWidth: 1920, PageHeight: 1080, FPS: fps(60, 1),
			Frames: 300, Duration: 5, Format: "mp4", CRF: 18, Output: "demo.mp4",
		}},
		{"--preset square --no-cache --explain --workers 2 --timeout 90s", koda.RenderSpec{
			Kind: "final", Preset: "square", Width: 1080, Height: 1080, PageWidth: 1080, PageHeight: 1080, FPS: fps(30, 1),
			Frames: 150, Duration: 5, Format: "mp4", CRF: 18, Output: "demo-square.mp4", NoCache: true, Explain: true, LimitMS: 90e3, Workers: 2,
		}},
		{"--resolution 720p --fps 30000/1001 --crf 0", koda.RenderSpec{
			Kind: "final", Preset: "final", Width: 1280, Height: 720, PageWidth: 1920, PageHeight: 1080, FPS: fps(30000, 1001),
			Frames: 150, Duration: 5, Format: "mp4", CRF: 0, Output: "demo-720p-30000_1001fps-crf0.mp4",
		}},
		{"--output made --no-clobber", koda.RenderSpec{
			Kind: "final", Preset: "final", Width: 1920, Height: 1080, PageWidth: 1920, PageHeight: 1080, FPS: fps(60, 1),
			Frames: 300, Duration: 5, Format: "mp4", CRF: 18, Output: "made.mp4", NoClobber: true,
		}},
		{"--output x.webm --crf 30", koda.RenderSpec{
			Kind: "final", Preset: "final", Width: 1920, Height: 1080, PageWidth: 1920, PageHeight: 1080, FPS: fps(60, 1),
			Frames: 300, Duration: 5, Format: "webm", CRF: 30, Output: "x.webm",
		}},
		{"--format gif --from 1 --to 2.5", koda.RenderSpec{
			Kind: "final", Preset: "final", Width: 1920, Height: 1080, PageWidth: 1920, PageHeight: 1080, FPS: fps(50, 1),
			First: 50, Frames: 75, Duration: 5, Format: "gif", Output: "demo-from1s-to2.5s.gif", Note: "a gif shows 50 frames a second, the nearest to 60",
		}},
		{"--format png --to 0:01", koda.RenderSpec{
			Kind: "final", Preset: "final", Width: 1920, Height: 1080, PageWidth: 1920, PageHeight: 1080, FPS: fps(60, 1),
			Frames: 60, Duration: 5, Format: "png", Output: "demo-to1s-frames",
		}},
		{"--preset gif --output sub", koda.RenderSpec{
			Kind: "final", Preset: "gif", Width: 480, Height: 270, PageWidth: 1920, PageHeight: 1080, FPS: fps(20, 1),
			Frames: 100, Duration: 5, Format: "gif", Output: "sub/demo-gif.gif",
		}},
		{"--output sub", koda.RenderSpec{
			Kind: "final", Preset: "final", Width: 1920, Height: 1080, PageWidth: 1920, PageHeight: 1080, FPS: fps(60, 1),
			Frames: 300, Duration: 5, Format: "mp4", CRF: 18, Output: "sub/demo.mp4",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			dir, cwd := page(t), t.TempDir()
			write(t, filepath.Join(cwd, "sub", "x"), "")
			t.Chdir(cwd)
			before := listing(t, dir)
			f := newFace(t)
			f.deps.Engine = func(context.Context) (cliEngine, func() error, error) {
				return nil, nil, fmt.Errorf("a plain directory needs no database")
			}
			if got := f.run(append([]string{"render", dir}, strings.Fields(tt.args)...)...); got != 0 {
				t.Fatalf("exit status %d: %s", got, f.err.String())
			}
			tt.want.Output = filepath.Join(cwd, tt.want.Output)
			if diff := cmp.Diff([]koda.RenderSpec{tt.want}, f.render.specs, cmpopts.IgnoreFields(koda.RenderSpec{}, "ID", "EncoderPreset")); diff != "" {
				t.Errorf("spec (-want +got):\n%s", diff)
			}
			if f.render.specs[0].ID == "" {
				t.Error("the render has no id")
			}
			if said := strings.Contains(f.err.String(), "frames 0-149 reused: the same was drawn before\n"); said != tt.want.Explain {
				t.Errorf("--explain: %s", f.err.String())
			}
			if got, want := f.out.String(), tt.want.Output+"\n"; got != want {
				t.Errorf("standard output %q, want %q", got, want)
			}
			if diff := cmp.Diff([]string{"index.html", "koda.json"}, f.render.files); diff != "" {
				t.Errorf("files:\n%s", diff)
			}
			if diff := cmp.Diff(before, listing(t, dir)); diff != "" {
				t.Errorf("the directory was written to:\n%s", diff)
			}
		})
	}
}

func TestRenderPlainJSON(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	out := filepath.Join(t.TempDir(), "x.mp4")
	if got := f.run("render", page(t), "--json", "-o", out); got != 0 {
		t.Fatalf("exit status %d", got)
	}
	r := f.result()["render"].(map[string]any)
	if r["video"] != out || r["sha256"] != "abc" || r["frames"] != 300.0 || r["duration"] != 5.0 || r["renderTimeMs"] != 3210.0 {
		t.Errorf("result %v", r)
	}
	all := f.envelopes()
	if len(all) != 4 || all[0].Type != "RENDER_PROGRESS" || !strings.Contains(string(all[1].Payload), `"frame":150`) {
		t.Errorf("events %v", all)
	}
	if f.err.Len() > 0 {
		t.Errorf("standard error: %s", f.err.String())
	}
}

// Warnings about a page are told, for a video and for a row.
func TestRenderWarns(t *testing.T) {
	for _, args := range [][]string{{"--output", filepath.Join(t.TempDir(), "a.mp4")}, {"--batch", "-", "--output", filepath.Join(t.TempDir(), "{index}.mp4")}} {
		f := newFace(t)
		f.io.In = strings.NewReader(`{"a": 1}`)
		f.render.warnings = []string{"the page threw \x1b[2Jx"}
		if got := f.run(append([]string{"render", page(t)}, args...)...); got != 0 || strings.Count(f.err.String(), "warning: the page threw x\n") != 1 {
			t.Errorf("%v: %d, %s", args, got, &f.err)
		}
	}
}

func TestRenderInterrupted(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	f.ctx = ctx
	f.render.err = context.Canceled
	f.render.during = func() { cancel(errInterrupt) }
	if got := f.run("render", page(t), "-o", t.TempDir()); got != 130 ||
		f.err.String() != "koda: interrupted; the finished part of the video is kept\n  hint: the same command goes on from there\n" {
		t.Errorf("status %d: %s", got, f.err.String())
	}
}

func TestRenderProject(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	dir := page(t)
	write(t, filepath.Join(dir, ".koda", "state.json"), "{}")
	p := ball
	p.Dir = dir
	f.engine.projects = []koda.Project{p}
	f.engine.render = func(s koda.RenderSpec) (koda.RenderResult, error) {
		f.engine.emit(koda.Event{Type: koda.EventRenderProgress, Payload: koda.Progress{Kind: s.Kind, Frame: s.Frames, Frames: s.Frames}})
		return koda.RenderResult{Video: s.Output, Thumbnail: s.Thumbnail, Width: s.Width, Height: s.Height, FPS: s.FPS, Frames: s.Frames, Duration: s.Duration, Size: 9, Reused: 7}, nil
	}
	for _, ref := range []string{"ball", dir, ball.ID[:4]} {
		if got := f.run("render", ref); got != 0 {
			t.Fatalf("%s: exit status %d: %s", ref, got, f.err.String())
		}
		if got, want := f.out.String(), filepath.Join(dir, "renders", "demo.mp4")+"\n"; got != want {
			t.Errorf("%s: %q, want %q", ref, got, want)
		}
	}
	if got, want := f.err.String(), "final: 300/300 frames\n1920x1080 at 60 fps, 5 s, 300 frames, 9 B, 7 drawn before\n"; got != want {
		t.Errorf("standard error %q, want %q", got, want)
	}
	if got := f.engine.specs[0].Thumbnail; got != filepath.Join(dir, "renders", "demo.jpg") {
		t.Errorf("thumbnail %q", got)
	}
	if got := f.run("render", "ball", "--json"); got != 0 || f.result()["project"].(map[string]any)["name"] != "ball" {
		t.Errorf("status %d: %s", got, f.out.String())
	}
}

func TestRenderRefuses(t *testing.T) {
	dir, cwd := page(t), t.TempDir()
	t.Chdir(cwd)
	write(t, "taken.mp4", "old")
	write(t, "bad/koda.json", `{"schema": 1, "name": "demo", "width": 1921, "height": 1080, "fps": 60, "duration": 5}`)
	write(t, "bare/koda.json", manifest)
	write(t, "long/koda.json", `{"schema": 1, "name": "long", "width": 1920, "height": 1080, "fps": 60, "duration": 100}`)
	write(t, "long/index.html", "")
	if err := os.Mkdir("dir.mp4", 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args          string
		status        int
		message, hint string
	}{
		{dir + " --preset squar", 2, `unknown preset "squar"`, `did you mean "square"?`},
		{dir + " --resolution 721p", 2, "odd", "the nearest is"},
		{dir + " --fps 0", 2, `frame rate "0" is not usable`, "from 1 to 240"},
		{dir + " --crf 52", 2, "crf 52 is out of range", "0 (lossless) to 51"},
		{dir + " --format mp5", 2, `unknown format "mp5"`, "mp4"},
		{dir + " --crf 64 --format webm", 2, "crf 64 is out of range", "0 (best) to 63"},
		{dir + " --crf 20 --format gif", 2, "--crf says nothing about gif", "mp4 and webm"},
		{dir + " --encoder-preset slow -o x.mov", 2, "--encoder-preset says nothing about mov", "mp4 and webm"},
		{dir + " --encoder-preset ultrafast -o x.webm", 2, `unknown encoder preset "ultrafast"`, "veryfast"},
		{dir + " --encoder-preset slw", 2, `unknown encoder preset "slw"`, `did you mean "slow"?`},
		{dir + " --format gif --fps 30", 2, "a gif cannot show 30 frames a second", "the nearest is 33⅓"},
		{dir + " --format gif --fps 240", 2, "a gif cannot show 240 frames a second", "the nearest is 50"},
		{dir + " -o x.png", 2, "x.png is the name of one picture", "--format png --output DIRECTORY"},
		{dir + " -o taken.mp4 --format png", 2, "taken.mp4 is not a directory", "png is a directory of frames"},
		{dir + " --from 5", 2, "--from 5 is outside the animation", "from 0 to 5 s"},
		{dir + " --to 5.5", 2, "--to 5.5 is outside the animation", "from 0 to 5 s"},
		{dir + " --from=-1", 2, "--from -1 is outside", "from 0 to 5 s"},
		{dir + " --from 3 --to 2", 2, "--from 3 is not before --to 2", "earlier"},
		{dir + " --from 1:x", 2, `--from: "1:x" is not a time`, "give seconds"},
		{dir + " --preset reels,squar", 2, `unknown preset "squar"`, `did you mean "square"?`},
		{dir + " --preset reels,square -o x.mp4", 2, "x.mp4 cannot be the output of 2 presets", "directory"},
		{"long --preset youtube,reels", 2, "reels takes at most 90 s and the animation has 100 s", "--to 90"},
		{dir + " --workers 65", 2, "--workers 65 is out of range", "give 1 to 64"},
		{dir + " --workers=-1", 2, "--workers -1 is out of range", "give 1 to 64"},
		{dir + " -o -", 2, "nothing can be written to standard output", "--output demo.mp4"},
		{dir + " -o x.txt", 2, `unknown format "txt"`, "mp4"},
		{dir + " -o x.mkv --format mp4", 2, "x.mkv is not a name for a mp4 file", "ending .mp4"},
		{dir + " -o taken.mp4 --no-clobber", 2, "taken.mp4 exists", "--no-clobber"},
		{dir + " -o /dev/null", 2, "/dev/null is not a file that can be replaced", "--output demo.mp4"},
		{dir + " -o /dev/null --format gif", 2, "/dev/null is not a file that can be replaced", "--output demo.gif"},
		{dir + " -o /dev/null --format png", 2, "/dev/null is not a directory", "directory of frames"},
		{dir + " -o /dev/null/d/x.mp4", 2, "/dev/null is not a directory", "give another --output"},
		{dir + " -o taken.mp4/a/b/x.mp4", 2, "taken.mp4 is not a directory", "give another --output"},
		{dir + " --preset reels,square -o all.mp4", 2, "all.mp4 cannot be the output of 2 presets", "give a directory"},
		{dir + " --preset reels,square -o taken.mp4", 2, "taken.mp4 cannot be the output of 2 presets", "give a directory"},
		{dir + " -o taken.mp4/x.mp4", 2, "taken.mp4 is not a directory", "give another --output"},
		{"bad", 2, "width is 1921, it must be even: use 1922", "koda.json"},
		{dir + " -o " + strings.Repeat("x", 252) + ".mp4", 2, "too long, it has 256 bytes", "shorter"},
		{"bare", 2, "has no index.html", "koda.json beside index.html"},
		{"./gone", 10, `there is nothing to draw in "./gone"`, "koda.json and index.html"},
		{"nothing", 10, `there is no project "nothing"`, "koda list"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			f := newFace(t)
			if got := f.run(append([]string{"render"}, strings.Fields(tt.args)...)...); got != tt.status {
				t.Errorf("exit status %d, want %d", got, tt.status)
			}
			if got := f.err.String(); !strings.Contains(got, tt.message) || !strings.Contains(got, tt.hint) || strings.Count(got, "\n") != 2 {
				t.Errorf("standard error:\n%swant one line with %q and a hint with %q", got, tt.message, tt.hint)
			}
			if len(f.render.specs) > 0 || len(f.engine.calls) > 0 {
				t.Error("it was rendered all the same")
			}
		})
	}
	if data, err := os.ReadFile("taken.mp4"); err != nil || string(data) != "old" {
		t.Errorf("taken.mp4: %q, %v", data, err)
	}
}

// TestRenderNoManifest: if a project's koda.json was deleted, the error says how to
// get it back.
func TestRenderNoManifest(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	p := ball
	p.Dir = t.TempDir()
	f.engine.projects = []koda.Project{p}
	f.engine.view = engine.View{Project: p, Version: 2}
	for _, cmd := range []string{"render", "still"} {
		if got := f.run(cmd, "ball"); got != 2 || f.err.String() != "koda: ball has no koda.json\n  hint: koda undo ball brings back the files of v2\n" {
			t.Errorf("%s: status %d: %s", cmd, got, f.err.String())
		}
	}
}

// TestRenderUnmade: for a project without a version the error says how to go on.
func TestRenderUnmade(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	p := ball
	p.Dir = t.TempDir()
	f.engine.projects = []koda.Project{p}
	f.engine.view = engine.View{Project: p, Waiting: engine.WaitingPlan}
	for _, cmd := range []string{"render", "still"} {
		if got := f.run(cmd, "ball"); got != 2 ||
			f.err.String() != "koda: ball cannot be drawn: nothing is made yet\n  hint: its plan waits for approval: koda accept ball\n" {
			t.Errorf("%s: status %d: %s", cmd, got, f.err.String())
		}
	}
}

// An empty value, as from an unset variable in a script, is refused.
func TestEmptyFlags(t *testing.T) {
	dir := page(t)
	for _, args := range []string{"render --audio=", "render --batch=", "render --output=", "render --preset=", "render --fps=", "still --output=", "still --resolution=", "sheet --output=", "new --style=", "new --preset=", "new --recipe=", "new --author=", "new --dir=", "diff --preset="} {
		f := newFace(t)
		name, flag, _ := strings.Cut(args, " ")
		if got := f.run(name, dir, flag); got != 2 || !strings.Contains(f.err.String(), " is empty\n  hint: ") {
			t.Errorf("%s: exit status %d: %s", args, got, &f.err)
		}
	}
}

func TestStill(t *testing.T) {
	dir, cwd := page(t), t.TempDir()
	t.Chdir(cwd)
	before := listing(t, dir)
	f := newFace(t)
	for _, tt := range []struct{ args, out, call string }{
		{"", "demo-2.5s.png", "2.5 1920x1080"},
		{"--at 0", "demo-0s.png", "0 1920x1080"},
		{"--at 0:05 --resolution 720p -o cover", "cover.png", "5 1280x720"},
	} {
		f.render.stills = nil
		if got := f.run(append([]string{"still", dir}, strings.Fields(tt.args)...)...); got != 0 {
			t.Fatalf("%s: exit status %d: %s", tt.args, got, f.err.String())
		}
		if data, err := os.ReadFile(tt.out); err != nil || string(data) != "a picture" {
			t.Errorf("%s: %q, %v", tt.args, data, err)
		}
		if !slices.Equal(f.render.stills, []string{tt.call}) || f.out.String() != filepath.Join(cwd, tt.out)+"\n" {
			t.Errorf("%s: drew %v, printed %q", tt.args, f.render.stills, f.out.String())
		}
	}
	if diff := cmp.Diff(before, listing(t, dir)); diff != "" {
		t.Errorf("the directory was written to:\n%s", diff)
	}
	for args, want := range map[string]string{
		"--at 5.1":          "koda: --at 5.1 is outside the animation\n  hint: give 0 to 5\n",
		"--at 5.0000001":    "koda: --at 5.0000001 is outside the animation\n  hint: give 0 to 5\n",
		"--at=-1":           "koda: --at -1 is outside the animation\n  hint: give 0 to 5\n",
		"-o a.jpg":          "koda: a.jpg is not a name for a png file\n  hint: give the file the ending .png\n",
		"--resolution 1x1":  "koda: size 1x1 is too small\n  hint: each side has at least 16 pixels\n",
		"-o . --no-clobber": "koda: " + filepath.Join(cwd, "demo-2.5s.png") + " exists\n  hint: leave out --no-clobber to replace it, or give another --output\n",
	} {
		if got := f.run(append([]string{"still", dir}, strings.Fields(args)...)...); got != 2 || f.err.String() != want {
			t.Errorf("%s: status %d\n%swant\n%s", args, got, f.err.String(), want)
		}
	}
	if got := f.run("still", dir, "--json"); got != 0 || f.result()["still"] != filepath.Join(cwd, "demo-2.5s.png") {
		t.Errorf("status %d: %s", got, f.out.String())
	}
}

func TestRenderAudio(t *testing.T) {
	t.Parallel()
	song := filepath.Join(t.TempDir(), "song.mp3")
	asset := func(path string) (koda.Asset, error) {
		switch filepath.Base(path) {
		case "song.mp3":
			return koda.Asset{Kind: "audio", SHA256: "abc"}, nil
		case "cat.png":
			return koda.Asset{Kind: "image"}, nil
		case "empty.mp3":
			return koda.Asset{}, &koda.Error{Code: koda.CodeUsage, Op: "asset " + path + " is empty"}
		}
		return koda.Asset{}, &koda.Error{Code: koda.CodeUsage, Op: "asset " + path + " does not exist", Hint: "check the path"}
	}
	tests := []struct {
		args string
		want koda.Audio
		err  string // of the usage error; "" when there is none
	}{
		{"", koda.Audio{}, ""},
		{"--no-audio", koda.Audio{Off: true}, ""},
		{"--audio-loop", koda.Audio{Loop: true}, ""},
		{"--audio " + song + " --audio-loop", koda.Audio{Path: song, SHA256: "abc", Loop: true}, ""},
		{"--audio no.mp3", koda.Audio{}, "koda: --audio: asset no.mp3 does not exist\n  hint: check the path\n"},
		{"--audio empty.mp3", koda.Audio{}, "koda: --audio: asset empty.mp3 is empty\n  hint: give an mp3, wav, ogg, flac or m4a file\n"},
		{"--audio cat.png", koda.Audio{}, "koda: --audio cat.png is not a sound\n  hint: give an mp3, wav, ogg, flac or m4a file\n"},
		{"--audio " + song + " --format apng", koda.Audio{}, "koda: apng carries no sound\n  hint: leave out --audio, or give --format mp4\n"},
		{"--audio " + song + " --no-audio", koda.Audio{}, "koda: --no-audio does not go with --audio and --audio-loop\n  hint: leave out one of the two\n"},
	}
	for _, tt := range tests {
		f := newFace(t)
		f.deps.CheckAsset = asset
		status := f.run(append([]string{"render", page(t), "-o", t.TempDir()}, strings.Fields(tt.args)...)...)
		if tt.err != "" {
			if status != 2 || f.err.String() != tt.err || len(f.render.specs) > 0 {
				t.Errorf("%s: status %d: %s", tt.args, status, f.err.String())
			}
			continue
		}
		if status != 0 || len(f.render.specs) != 1 || f.render.specs[0].Audio != tt.want {
			t.Errorf("%s: status %d: %+v: %s", tt.args, status, f.render.specs, f.err.String())
		}
	}
}

// Several presets make one video after the other. An impossible preset is refused
// before the first video.
func TestRenderPresets(t *testing.T) {
	dir, cwd := page(t), t.TempDir()
	t.Chdir(cwd)
	f := newFace(t)
	if got := f.run("render", dir, "--preset", "reels,square", "--preset", "shorts,reel"); got != 0 {
		t.Fatalf("exit status %d: %s", got, f.err.String())
	}
	want := filepath.Join(cwd, "demo-reels.mp4") + "\n" + filepath.Join(cwd, "demo-square.mp4") + "\n" + filepath.Join(cwd, "demo-tiktok.mp4") + "\n"
	if f.out.String() != want || len(f.render.specs) != 3 || f.render.specs[0].ID == f.render.specs[1].ID {
		t.Errorf("standard output %q, %+v", f.out.String(), f.render.specs)
	}
	if got := f.run("render", dir, "--preset", "reels,square", "--json"); got != 0 {
		t.Fatalf("exit status %d", got)
	}
	r := f.result()
	if all := r["renders"].([]any); len(all) != 2 || r["render"] != nil || all[1].(map[string]any)["video"] != filepath.Join(cwd, "demo-square.mp4") {
		t.Errorf("result %v", r)
	}
	f.render.err = &koda.Error{Code: koda.CodeRenderFailed, Op: "it broke"}
	if got := f.run("render", dir, "--preset", "reels,square", "--json"); got != 8 || f.result()["renders"] != nil {
		t.Errorf("exit status %d: %v", got, f.result())
	}
}

func TestPresets(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	if got := f.run("presets"); got != 0 {
		t.Fatalf("exit status %d", got)
	}
	golden(t, "presets.golden", f.out.String())
	if got := f.run("presets", "--json"); got != 0 {
		t.Fatalf("exit status %d", got)
	}
	all := f.result()["presets"].([]any)
	if p := all[len(all)-3].(map[string]any); p["name"] != "gif" || p["longSide"] != 480.0 || p["format"] != "gif" {
		t.Errorf("%v", p)
	}
}

func TestSheet(t *testing.T) {
	dir, cwd := page(t), t.TempDir()
	t.Chdir(cwd)
	f := newFace(t)
	for _, tt := range []struct{ args, out, call string }{
		{"", "demo-sheet.png", "12 in 4 320"},
		{"--columns 6 --rows 1 --width 100 -o all", "all.png", "6 in 6 100"},
		{"--columns 5", "demo-sheet.png", "15 in 5 320"},
		{"--rows 2", "demo-sheet.png", "8 in 4 320"},
		{"--count 9", "demo-sheet.png", "9 in 3 320"},
		{"--count 10", "demo-sheet.png", "10 in 4 320"},
		{"--count 1", "demo-sheet.png", "1 in 1 320"},
		{"--count 7 --rows 2", "demo-sheet.png", "7 in 4 320"},
		{"--count 7 --columns 5", "demo-sheet.png", "7 in 5 320"},
	} {
		f.render.stills = nil
		if got := f.run(append([]string{"sheet", dir}, strings.Fields(tt.args)...)...); got != 0 {
			t.Fatalf("%s: exit status %d: %s", tt.args, got, f.err.String())
		}
		if data, err := os.ReadFile(tt.out); err != nil || string(data) != "a sheet" {
			t.Errorf("%s: %q, %v", tt.args, data, err)
		}
		if !slices.Equal(f.render.stills, []string{tt.call}) || f.out.String() != filepath.Join(cwd, tt.out)+"\n" {
			t.Errorf("%s: drew %v, printed %q", tt.args, f.render.stills, f.out.String())
		}
	}
	if got := f.run("sheet", dir, "--json"); got != 0 || f.result()["sheet"] != filepath.Join(cwd, "demo-sheet.png") {
		t.Errorf("status %d: %s", got, f.out.String())
	}
	for _, args := range []string{"--count 0", "--columns -1", "--rows 0", "--count 4 --columns 2 --rows 2", "--count x", "--columns 4294967296 --rows 4294967296"} {
		if got := f.run(append([]string{"sheet", dir}, strings.Fields(args)...)...); got != 2 || !strings.Contains(f.err.String(), "hint: ") {
			t.Errorf("%s: status %d: %s", args, got, f.err.String())
		}
	}
	if got := f.run("sheet", dir, "--no-clobber"); got != 2 || !strings.Contains(f.err.String(), "demo-sheet.png exists") {
		t.Errorf("status %d: %s", got, f.err.String())
	}
}
