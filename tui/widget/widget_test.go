package widget_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var plan = koda.Plan{
	Video:         &koda.PlanVideo{Width: 1080, Height: 1920, FPS: koda.FPS{Num: 60, Den: 1}, Format: "mp4"},
	TotalDuration: 5, Style: "Playful & bouncy", FPS: koda.FPS{Num: 60, Den: 1},
	Scenes: []koda.Scene{
		{Number: 1, Title: "Drop", Duration: 1.5, Description: "The ball falls in from above, its shadow gathers on the floor", AnimationNotes: "easeInQuad, stretch with speed"},
		{Number: 2, Title: "Bounce, bounce and then bounce again", Duration: 2, Description: "Three bounces, each lower than the one before", AnimationNotes: "squash at contact"},
		{Number: 3, Title: "落ち着く", Duration: 1.5, Description: "それからボールは静かに止まり、影が薄くなっていく。とても静かな終わり方である。"},
	},
	Notes: []string{`"in the style of a famous film" is not something recipes can do; it is left out`},
}

var question = koda.Question{
	Text: "Which style should the bouncing ball have?",
	Options: []koda.Option{
		{ID: "playful", Label: "Playful & bouncy", Description: "overshoot, squash and stretch; fast and snappy"},
		{ID: "minimal", Label: "Smooth & minimal", Description: "subtle and flowing; slow and deliberate"},
		{ID: "cinematic", Label: "Cinematic & dramatic", Description: "camera moves and depth; building tension"},
	},
	CustomInput: true,
}

var todos = []koda.Todo{
	{ID: "1", Label: "Set up the project", Status: koda.TodoDone},
	{ID: "2", Label: "Scene 1: Drop", Status: koda.TodoActive},
	{ID: "3", Label: "Scene 2: Bounce, bounce and then bounce again, lower each time", Status: koda.TodoPending},
	{ID: "4", Label: "Change: add a spaceship, and make it large", Status: koda.TodoDone, LeftOut: "no spaceships here"},
	{ID: "5", Label: "Render the preview", Status: koda.TodoPending},
}

var facts = []widget.Fact{
	{"name", "bouncing-ball"},
	{"error", ""},
	{"prompt", "a bouncing ball that bounces three times and then comes to rest beside a small blue box, in five seconds"},
	{"video", "/home/someone/animations/bouncing-ball/renders/bouncing-ball.mp4"},
}

var checks = []widget.Check{
	{"browser", widget.LevelOK, "chromium 140.0.7000.1, beginFrame", ""},
	{"docker", widget.LevelWarn, "no engine answers at /var/run/docker.sock; only code of models needs one", "sudo systemctl start docker"},
	{"ffmpeg", widget.LevelBad, "not found", "sudo apt-get install ffmpeg"},
}

var history = []widget.VersionRow{
	{Number: 1, Title: "a red bouncing ball that bounces three times and then comes to rest beside a small blue box", Facts: []string{"2 days ago", "32 files", "recipe", "free"}, Picture: "renders/bouncing-ball-v1.jpg"},
	{Number: 2, Parent: 1, Title: "make it blue", Facts: []string{"2 days ago", "2 files changed", "recipe", "free"}, Picture: "previews/bouncing-ball-v2.jpg"},
	{Number: 3, Parent: 2, Title: "edited by hand", Facts: []string{"1 day ago", "1 file added, 12 changed, 3 deleted", "you"}},
	{Number: 4, Parent: 1, Title: "それからボールは静かに止まり、影が薄くなっていく。とても静かな終わり方である。", Facts: []string{"5 hours ago", "2 files changed", "model claude-opus", "$0.12"}},
	{Number: 5, Parent: 2, Title: "make it bigger", Facts: []string{"just now", "1 file changed", "recipe", "free"}, Current: true},
	{Number: 6, Parent: 1, Title: "make it \x1b[2Jgreen", Facts: []string{"just now"}},
	{Number: 7, Parent: 6, Title: "", Facts: nil},
}

func progress(frame int, rate float64, remaining time.Duration) koda.Progress {
	return koda.Progress{Stage: koda.StageCapturing, Frame: frame, Frames: 300, Rate: rate, Remaining: remaining}
}

var views = map[string]func(theme.Theme, int) string{
	"plan":     func(th theme.Theme, w int) string { return widget.Plan(th, plan, w) },
	"question": func(th theme.Theme, w int) string { return widget.Question(th, question, w) },
	"todos": func(th theme.Theme, w int) string {
		return widget.Todos(th, todos, "writing src/scenes/Drop.tsx", 1, w)
	},
	"history": func(th theme.Theme, w int) string {
		return widget.History(th, history, w) + "\n\n" + widget.History(th, history[:1], w)
	},
	"versions": func(th theme.Theme, w int) string {
		rows := slices.Clone(history)
		for i := range rows {
			rows[i].Picture, rows[i].Marked, rows[i].Beside = "", i == 3, []string{"▀▀▀▀", "▀▀▀▀", "▀▀▀▀", "    "}
		}
		return widget.History(th, rows, w)
	},
	"facts":  func(th theme.Theme, w int) string { return widget.Facts(th, facts, w) },
	"checks": func(th theme.Theme, w int) string { return widget.Checks(th, checks, w) },
	"progress": func(th theme.Theme, w int) string {
		done := progress(300, 41, 0)
		done.Stage = koda.StageEncoding
		lines := []string{}
		for _, p := range []koda.Progress{
			{Stage: koda.StageCapturing}, progress(0, 0, 0), progress(1, 4.2, 71*time.Second),
			progress(150, 41.3, 3600*time.Millisecond), progress(299, 41, time.Millisecond), done,
		} {
			lines = append(lines, widget.Progress(th, "final", p, w))
		}
		return strings.Join(lines, "\n")
	},
}

func TestViews(t *testing.T) {
	t.Parallel()
	for name, view := range views {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var all strings.Builder
			for _, width := range []int{40, 80, 120} {
				fmt.Fprintf(&all, "-- %d columns --\n%s\n", width, view(theme.New(theme.Options{UTF8: true}), width))
			}
			fmt.Fprintf(&all, "-- ascii --\n%s\n", view(theme.New(theme.Options{}), 80))
			file := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), all.String()); diff != "" {
				t.Errorf("%s (-want +got; -update rewrites it):\n%s", file, diff)
			}
		})
	}
}

// Whatever the words and the width, no line is wider than the width.
func TestViews_Fit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a b c", strings.Repeat("long ", 30), strings.Repeat("x", 99), "字" + strings.Repeat("漢", 60), "\x1b[2J\x1b]0;title\x07", "a\u202eb\tc\nd"}))
		width := rapid.IntRange(20, 140).Draw(t, "width")
		th := theme.New(theme.Options{Colors: theme.TrueColor, UTF8: rapid.Bool().Draw(t, "utf8")})
		scenes := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) koda.Scene {
			return koda.Scene{
				Number: rapid.IntRange(1, 15).Draw(t, "number"), Title: word.Draw(t, "title"), Duration: rapid.Float64Range(0, 120).Draw(t, "duration"),
				Description: word.Draw(t, "description"), AnimationNotes: word.Draw(t, "notes"),
			}
		}), 0, 4).Draw(t, "scenes")
		options := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) koda.Option {
			return koda.Option{Label: word.Draw(t, "label"), Description: word.Draw(t, "description")}
		}), 0, 12).Draw(t, "options")
		text := word.Draw(t, "text")
		p := koda.Progress{
			Stage: koda.StageCapturing, Frame: rapid.IntRange(-1, 9999).Draw(t, "frame"), Frames: rapid.IntRange(0, 9999).Draw(t, "frames"),
			Rate: rapid.Float64().Draw(t, "rate"), Remaining: time.Duration(rapid.Int64().Draw(t, "remaining")),
		}
		seen := []string{
			widget.Plan(th, koda.Plan{Scenes: scenes, TotalDuration: 5, Style: text, Notes: []string{text}}, width),
			widget.Question(th, koda.Question{Text: text, Options: options, CustomInput: true}, width),
			widget.Todos(th, []koda.Todo{{Label: text, Status: koda.TodoActive}, {Label: text, Status: koda.TodoDone}}, text, 3, width),
			widget.Progress(th, text, p, width),
			widget.History(th, tree(t, word), width),
		}
		for _, view := range seen {
			var screen strings.Builder
			fmt.Fprint(theme.NewWriter(&screen), view)
			for line := range strings.SplitSeq(screen.String(), "\n") {
				if w := ansi.StringWidth(line); w > width {
					t.Errorf("%d columns in a line of %d: %q", w, width, line)
				}
			}
		}
	})
}

// tree draws a random tree of versions.
func tree(t *rapid.T, word *rapid.Generator[string]) []widget.VersionRow {
	rows := make([]widget.VersionRow, rapid.IntRange(0, 12).Draw(t, "versions"))
	for i := range rows {
		rows[i] = widget.VersionRow{
			Number: i + 1, Parent: rapid.IntRange(0, i).Draw(t, "parent"), Current: rapid.Bool().Draw(t, "current"),
			Title: word.Draw(t, "title"), Facts: rapid.SliceOfN(word, 0, 3).Draw(t, "facts"),
		}
	}
	return rows
}

func TestProgress_StaysInPlace(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.Options{UTF8: true})
	width := ansi.StringWidth(widget.Progress(th, "final", progress(1, 40, time.Second), 80))
	for frame := range 300 {
		if got := ansi.StringWidth(widget.Progress(th, "final", progress(frame, 40, time.Second), 80)); got != width {
			t.Fatalf("frame %d: %d columns, at first %d", frame, got, width)
		}
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]koda.Progress{
		"final: 150/300 frames, 41 fps, about 4 s left": progress(150, 41.3, 3600*time.Millisecond),
		"final: 1/300 frames":                           progress(1, 0, 0),
		"final: encoding":                               {Stage: koda.StageEncoding},
		"final: 0/300 frames, 40/450 played":            {Frames: 300, Passed: 40, ToPass: 450},
	} {
		if got := widget.Summary("final", p); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAbout(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		time.Millisecond: "about 1 s", 3600 * time.Millisecond: "about 4 s", 10 * time.Second: "about 10 s", 11 * time.Second: "about 15 s",
		59 * time.Second: "about 1 min", 71 * time.Second: "about 1 min 20 s", 601 * time.Second: "about 11 min", 61 * time.Minute: "about 1 h 5 min",
	} {
		if got := widget.About(d); got != want {
			t.Errorf("About(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[float64]string{
		0: "0:00", 2: "0:02", 1.5: "0:01.5", 59.96: "1:00", 61: "1:01", 3723.25: "1:02:03.3", -1: "0:00", 1.0 / 3: "0:00.3",
	} {
		if got := widget.Clock(seconds); got != want {
			t.Errorf("Clock(%v) = %q, want %q", seconds, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, nil},
		{" \n ", 10, nil},
		{"one two three", 7, []string{"one two", "three"}},
		{"one\n\ntwo", 7, []string{"one", "", "two"}},
		{"abcdefghij kl", 4, []string{"abcd", "efgh", "ij", "kl"}},
		{"漢字漢字", 5, []string{"漢字", "漢字"}},
		{"x", 0, []string{"x"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, widget.Wrap(tt.text, tt.width)); diff != "" {
			t.Errorf("Wrap(%q, %d) (-want +got):\n%s", tt.text, tt.width, diff)
		}
	}
}
