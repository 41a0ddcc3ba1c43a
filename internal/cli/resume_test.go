package cli_test

import (
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// unfinished is a face with two unfinished projects and some finished projects.
func unfinished(t *testing.T) *face {
	t.Helper()
	f := newFace(t)
	other, done, gone := ball, ball, ball
	other.ID, other.Name, other.Prompt, other.UpdatedAt = "1111aaaa2222", "logo", "a logo that turns\x1b[31m", now.Add(-3*time.Hour)
	done.ID, done.Phase = "2222aaaa2222", koda.PhaseComplete
	gone.ID, gone.Gone = "3333aaaa2222", true
	f.engine.projects = []koda.Project{gone, ball, done, other}
	f.engine.view = engine.View{Waiting: engine.WaitingAnswer}
	f.engine.views = map[string]engine.View{done.ID: {}}
	return f
}

// A project that has its video but whose undo was interrupted is unfinished.
func TestResume_CompleteButBusy(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	done := ball
	done.Phase = koda.PhaseComplete
	other := done
	other.ID, other.Name = "1111aaaa2222", "logo"
	f.engine.projects = []koda.Project{other, done}
	f.engine.views = map[string]engine.View{done.ID: {Waiting: engine.WaitingRetry}}
	f.engine.replies = []reply{{out: complete()}}
	if got := f.run("resume"); got != 0 || strings.Join(f.engine.calls, "; ") != "resume "+done.ID+" yes=false" {
		t.Errorf("status %d, calls %v: %s", got, f.engine.calls, f.err.String())
	}
}

// At a terminal koda asks which of several projects to resume. Elsewhere it resumes
// the last changed project without a question.
func TestResume_Choose(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		lines  []string
		status int
		call   string
	}{
		{"a number", []string{"9", "x", "2"}, 0, "resume 1111aaaa2222 yes=false"},
		{"a name", []string{"logo"}, 0, "resume 1111aaaa2222 yes=false"},
		{"enter", []string{""}, 0, "resume " + ball.ID + " yes=false"},
		{"quit", []string{"q"}, 3, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := unfinished(t)
			if tt.call != "" {
				f.engine.replies = []reply{{out: complete()}}
			}
			f.types(tt.lines...)
			if got := f.run("resume"); got != tt.status || strings.Join(f.engine.calls, "; ") != tt.call {
				t.Errorf("exit status %d, calls %v:\n%s", got, f.engine.calls, f.err.String())
			}
			text := f.err.String()
			if want := "2 projects are unfinished:\n\n 1  ball  question  3 minutes ago  bouncing ball\n 2  logo  question  3 hours ago    a logo that turns\n"; !strings.Contains(text, want) {
				t.Errorf("asked:\n%s", text)
			}
			if asked := strings.Count(text, "1-2, or enter for 1?"); asked != len(tt.lines) {
				t.Errorf("asked %d times:\n%s", asked, text)
			}
			if tt.status == 3 && !strings.Contains(text, "hint: koda resume ball") {
				t.Errorf("no way on:\n%s", text)
			}
		})
	}
	f := unfinished(t)
	for _, args := range [][]string{{"resume"}, {"resume", "--json"}} {
		f.engine.replies, f.engine.calls = []reply{{out: complete()}}, nil
		if got := f.run(args...); got != 0 || strings.Join(f.engine.calls, "; ") != "resume "+ball.ID+" yes=false" || strings.Contains(f.err.String(), "?") {
			t.Errorf("%v without a terminal: %d, %v, %s", args, got, f.engine.calls, f.err.String())
		}
	}
	f.types("2")
	f.engine.replies, f.engine.calls = []reply{{out: complete()}}, nil
	if got := f.run("resume", "--json"); got != 0 || f.err.Len() > 0 {
		t.Errorf("--json asked: %d, %s", got, f.err.String())
	}
}

// After an undo, koda says that the video is of another version than the current
// version.
func TestResume_OtherVersion(t *testing.T) {
	t.Parallel()
	const note = "the files are those of v2, which `koda render ball` draws; the video is that of v1\n"
	for version, want := range map[int]int{output.Version: 0, 2: 1} {
		f := newFace(t)
		f.engine.projects = []koda.Project{ball}
		out := complete()
		out.Version = version
		f.engine.replies = []reply{{out: out}}
		if got := f.run("resume", "ball"); got != 0 || strings.Count(f.err.String(), note) != want {
			t.Errorf("at v%d: status %d:\n%s", version, got, f.err.String())
		}
	}
}

// Wherever the resumed project stops, koda says what was not done again.
func TestResume_Saved(t *testing.T) {
	t.Parallel()
	for status, out := range map[int]engine.Outcome{0: complete(), 3: previewed()} {
		f := newFace(t)
		f.engine.projects = []koda.Project{ball}
		out.Saved = engine.Saved{Calls: 1, Frames: 120}
		f.engine.replies = []reply{{out: out}}
		if got := f.run("resume", "ball"); got != status || strings.Count(f.err.String(), "not done again: 1 call and 120 frames\n") != 1 {
			t.Errorf("exit status %d:\n%s", got, f.err.String())
		}
	}
}
