package cli_test

import (
	"context"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

func settings(s config.Sources) func() (config.Sources, error) {
	return func() (config.Sources, error) { return s, nil }
}

var errInterrupt = &koda.Error{Code: koda.CodeInterrupted, Op: "interrupted"}

// interruptSoon presses ctrl-C while the command waits.
func (f *face) interruptSoon() {
	ctx, cancel := context.WithCancelCause(context.Background())
	f.ctx = ctx
	go cancel(errInterrupt)
}

// TestStops: without a terminal nothing waits for a key.
func TestStops(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		args     string
		out      engine.Outcome
		status   int
		out1     []string // on standard output
		err1     string
		waiting  string
		jsonNext int
	}{
		{
			"question", "new ball", asking(), 3,
			[]string{"What style should it have?", " 1  Playful & bouncy", "or say it in your own words"},
			"go on with:\n  koda answer ball playful\n  koda answer ball minimal\n  koda answer ball \"YOUR WORDS\"\n  koda resume ball --yes\n", "answer", 4,
		},
		{
			"plan", "answer ball 1", planned(), 3, []string{"Plan: 5 s at 60 fps, playful, 2 scenes", "Three bounces", "no sound"},
			"go on with:\n  koda accept ball\n  koda edit ball \"WHAT TO CHANGE\"\n  koda reject ball -m \"WHY\"\n", "plan", 3,
		},
		{
			"plan that was asked for", "new ball --plan-only", planned(), 0, []string{"Plan: 5 s"},
			"go on with:\n  koda accept ball\n  koda edit ball \"WHAT TO CHANGE\"\n  koda reject ball -m \"WHY\"\n", "plan", 3,
		},
		{
			"preview", "accept ball", previewed(), 3, []string{"/animations/ball/previews/ball-v1.mp4\n"},
			"go on with:\n  koda accept ball\n  koda edit ball \"WHAT TO CHANGE\"\n", "preview", 2,
		},
		{
			"preview with a note", "accept ball", smaller(), 3, []string{"/animations/ball/previews/ball-v1.mp4\n"},
			"the preview is 320x180\ngo on with:\n  koda accept ball\n  koda edit ball \"WHAT TO CHANGE\"\n", "preview", 2,
		},
		{
			"done", "accept ball", complete(), 0, []string{"/animations/ball/renders/ball-v1.mp4\n"},
			"ball: 1920x1080 at 60 fps, 5 s, 1.2 MB\n", "", 0,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFace(t)
			f.engine.projects = []koda.Project{ball}
			f.engine.view = engine.View{Project: ball, State: asking().State, Waiting: engine.WaitingAnswer}
			f.engine.replies = []reply{{out: tt.out}, {out: tt.out}}
			if got := f.run(strings.Fields(tt.args)...); got != tt.status {
				t.Errorf("exit status %d, want %d", got, tt.status)
			}
			for _, want := range tt.out1 {
				if !strings.Contains(f.out.String(), want) {
					t.Errorf("standard output lacks %q:\n%s", want, f.out.String())
				}
			}
			if got := f.err.String(); got != tt.err1 {
				t.Errorf("standard error:\n%s\nwant:\n%s", got, tt.err1)
			}
			if strings.Contains(f.out.String()+f.err.String(), "\x1b") {
				t.Error("escape sequences without a terminal")
			}

			if got := f.run(append(strings.Fields(tt.args), "--json")...); got != tt.status {
				t.Errorf("--json: exit status %d, want %d", got, tt.status)
			}
			r := f.result()
			next, _ := r["next"].([]any)
			if r["exitCode"] != float64(tt.status) || r["ok"] != (tt.status == 0) || r["waiting"] != tt.waiting || len(next) != tt.jsonNext {
				t.Errorf("result %v", r)
			}
			if project, _ := r["project"].(map[string]any); project["name"] != "ball" {
				t.Errorf("result %v", r)
			}
			if tt.status == 3 {
				if e, _ := r["error"].(map[string]any); e["code"] != "NEEDS_PERSON" || e["hint"] != next[0] {
					t.Errorf("error %v", r["error"])
				}
			}
			if f.err.Len() > 0 {
				t.Errorf("standard error under --json: %s", f.err.String())
			}
		})
	}
}

// TestConversation: the lines that a person types become the right calls.
func TestConversation(t *testing.T) {
	t.Parallel()
	refused := &koda.Error{Code: koda.CodeInvalidInput, Op: "the recipe has no sound", Hint: "leave it out"}
	tests := []struct {
		name    string
		lines   []string
		replies []reply
		calls   []string
		status  int
	}{
		{
			"by number, accept, accept", []string{"2", "accept", "accept"},
			[]reply{{out: asking()}, {out: planned()}, {out: previewed()}, {out: complete()}},
			[]string{"new ball", `answer ID option="minimal" text=""`, "accept ID", "accept ID"}, 0,
		},
		{
			"by label, in own words", []string{"smooth & MINIMAL", "A", "y"},
			[]reply{{out: asking()}, {out: planned()}, {out: previewed()}, {out: complete()}},
			[]string{"new ball", `answer ID option="minimal" text=""`, "accept ID", "accept ID"}, 0,
		},
		{
			"own words", []string{"like honey", "quit"}, []reply{{out: asking()}, {out: planned()}},
			[]string{"new ball", `answer ID option="" text="like honey"`}, 3,
		},
		{
			"numbers there are none of", []string{"0", "3", "", "1", "q"}, []reply{{out: asking()}, {out: planned()}},
			[]string{"new ball", `answer ID option="playful" text=""`}, 3,
		},
		{
			"change the plan, reject it, change the video",
			[]string{"change one more bounce", "bigger", "reject", "too long", "c", "", "c", "a blue ball", "accept", "reject no", "edit higher", "ok"},
			[]reply{{out: planned()}, {out: planned()}, {out: planned()}, {out: planned()}, {out: planned()}, {out: previewed()}, {out: previewed()}, {out: complete()}},
			[]string{"new ball", `edit ID "one more bounce"`, `edit ID "bigger"`, `reject ID "too long"`, `edit ID "a blue ball"`, "accept ID", `edit ID "higher"`, "accept ID"}, 0,
		},
		{
			"a refusal is told and asked again", []string{"change add sound", "accept", "quit"},
			[]reply{{out: planned()}, {out: planned(), err: refused}, {out: previewed()}},
			[]string{"new ball", `edit ID "add sound"`, "accept ID"}, 3,
		},
		{"the end of the input", nil, []reply{{out: asking()}}, []string{"new ball"}, 3},
		{
			"a failure is not asked about", []string{"accept"},
			[]reply{{out: planned()}, {out: failed(koda.Failure{Code: koda.CodePageFailed}), err: &koda.Error{Code: koda.CodePageFailed, Op: "the page threw"}}},
			[]string{"new ball", "accept ID"}, 8,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFace(t)
			f.types(tt.lines...)
			f.engine.projects = []koda.Project{ball}
			f.engine.replies = tt.replies
			if got := f.run("new", "ball"); got != tt.status {
				t.Errorf("exit status %d, want %d\n%s", got, tt.status, f.err.String())
			}
			for i, c := range tt.calls {
				tt.calls[i] = strings.ReplaceAll(c, "ID", ball.ID)
			}
			if diff := cmp.Diff(tt.calls, f.engine.calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if tt.status == 3 && !strings.Contains(f.err.String(), "go on with:\n  koda ") {
				t.Errorf("it does not say how to go on:\n%s", f.err.String())
			}
			if strings.Contains(tt.name, "refusal") && strings.Count(f.err.String(), "koda: the recipe has no sound\n  hint: leave it out\n") != 1 {
				t.Errorf("the refusal is not told once:\n%s", f.err.String())
			}
		})
	}
}

func TestAnswerRefuses(t *testing.T) {
	t.Parallel()
	closed := question
	closed.CustomInput = false
	f := newFace(t)
	f.engine.projects = []koda.Project{ball}
	f.engine.view = engine.View{Project: ball, Waiting: engine.WaitingAnswer, State: koda.NodeState{Question: &koda.Asked{Question: closed}}}
	if got := f.run("answer", "ball", "playfull"); got != 2 ||
		f.err.String() != "koda: \"playfull\" is not an answer to \"What style should it have?\"\n  hint: did you mean \"playful\"?\n" {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	f.engine.view = engine.View{Project: ball, Waiting: engine.WaitingPlan, State: planned().State}
	if got := f.run("answer", "ball", "1"); got != 2 ||
		f.err.String() != "koda: ball cannot be answered: it asks nothing\n  hint: its plan waits for approval: koda accept ball\n" {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	if got := f.run("answer", "nobody", "1"); got != 10 || f.err.String() != "koda: there is no project \"nobody\"\n  hint: `koda list` shows them\n" {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	if len(f.engine.calls) > 0 {
		t.Errorf("the engine was called: %v", f.engine.calls)
	}
}

func TestRejectNeedsAReason(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects = []koda.Project{ball}
	if got := f.run("reject", "ball"); got != 2 || !strings.Contains(f.err.String(), "nothing was said") {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	f.types("one scene is enough")
	f.engine.replies = []reply{{out: planned()}}
	f.run("reject", "ball")
	if diff := cmp.Diff([]string{`reject ` + ball.ID + ` "one scene is enough"`}, f.engine.calls); diff != "" {
		t.Error(diff)
	}
}

// TestFailures: an error is printed once, with a hint.
func TestFailures(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		reply  reply
		status int
		err1   string
	}{
		{
			"with a hint",
			reply{out: failed(koda.Failure{}), err: &koda.Error{Code: koda.CodeMissingTool, Op: "find ffmpeg", Hint: "sudo apt-get install ffmpeg"}},
			1, "koda: find ffmpeg\n  hint: sudo apt-get install ffmpeg\n",
		},
		{
			"without a hint", reply{out: failed(koda.Failure{}), err: &koda.Error{Code: koda.CodeEncodeFailed, Op: "ffmpeg died"}},
			8, "koda: ffmpeg died\n  hint: try again with: koda resume ball\n",
		},
		{
			"only in the state",
			reply{out: failed(koda.Failure{Code: koda.CodePageFailed, Message: "the page threw", Details: "main.tsx:3\nboom\x1b[2J"})},
			8, "koda: the page threw\n  hint: try again with: koda resume ball\n  | main.tsx:3\n  | boom\n",
		},
		{
			"no animation",
			reply{out: standing(koda.PhaseIdle, engine.WaitingNothing), err: &koda.Error{Code: koda.CodeNotAnimation, Op: "koda makes animations", Hint: "try a ball"}},
			3, "koda: koda makes animations\n  hint: try a ball\n",
		},
		{"a plain error", reply{out: failed(koda.Failure{}), err: io.ErrUnexpectedEOF}, 1, "koda: unexpected EOF\n  hint: try again with: koda resume ball\n"},
		{
			"before there is a project", reply{err: &koda.Error{Code: koda.CodeExists, Op: "ball exists", Hint: "give another --name"}},
			2, "koda: ball exists\n  hint: give another --name\n",
		},
		{
			"known only from events",
			reply{
				events: []koda.Event{{Type: koda.EventStateChange, Payload: koda.StateChange{State: planned().State}}},
				err:    io.ErrUnexpectedEOF,
			},
			1, "koda: unexpected EOF\n  hint: try again with: koda resume ball\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFace(t)
			f.engine.projects = []koda.Project{ball}
			f.engine.replies = []reply{tt.reply, tt.reply}
			if got := f.run("new", "ball", "--yes"); got != tt.status || f.err.String() != tt.err1 || f.out.Len() > 0 {
				t.Errorf("status %d, want %d, standard error:\n%s\nwant:\n%s\nstandard output: %s", got, tt.status, f.err.String(), tt.err1, f.out.String())
			}
			if got := f.run("new", "ball", "--yes", "--json"); got != tt.status {
				t.Errorf("--json: status %d, want %d", got, tt.status)
			}
			r := f.result()
			e, _ := r["error"].(map[string]any)
			message := strings.TrimPrefix(strings.SplitN(tt.err1, "\n", 2)[0], "koda: ")
			if r["ok"] != false || r["exitCode"] != float64(tt.status) || e["message"] != message || e["code"] == "" {
				t.Errorf("result %v", r)
			}
		})
	}
}

// TestInterrupted: after ctrl-C the status is 130, and koda prints the command that
// goes on.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	t.Run("at a prompt", func(t *testing.T) {
		t.Parallel()
		f := newFace(t)
		f.types()
		r, w := io.Pipe()
		defer w.Close()
		f.io.In = r
		f.engine.projects = []koda.Project{ball}
		f.engine.replies = []reply{{out: asking()}}
		ctx, cancel := context.WithCancelCause(context.Background())
		f.ctx = ctx
		f.engine.replies[0].during = func() { cancel(errInterrupt) }
		if got := f.run("new", "ball"); got != 130 || !strings.HasSuffix(f.err.String(), "koda: interrupted\n  hint: go on with: koda resume ball\n") {
			t.Errorf("status %d: %s", got, f.err.String())
		}
	})
	t.Run("at work", func(t *testing.T) {
		t.Parallel()
		for _, err := range []error{
			context.Canceled,
			&koda.Error{Code: koda.CodeRenderFailed, Op: "render", Err: context.Canceled},
			&koda.Error{Code: koda.CodeInterrupted, Op: "interrupted; the work so far is saved", Hint: "`koda resume ball` goes on from here"},
		} {
			for _, json := range []bool{false, true} {
				f := newFace(t)
				ctx, cancel := context.WithCancelCause(context.Background())
				f.ctx = ctx
				f.engine.projects = []koda.Project{ball}
				f.engine.replies = []reply{{out: planned(), err: err, during: func() { cancel(errInterrupt) }}}
				args := []string{"resume", "ball"}
				if json {
					args = append(args, "--json")
				}
				if got := f.run(args...); got != 130 {
					t.Errorf("%v: status %d", err, got)
				}
				if json {
					e, _ := f.result()["error"].(map[string]any)
					if e["code"] != "INTERRUPTED" || !strings.Contains(e["hint"].(string), "koda resume ball") {
						t.Errorf("%v: error %v", err, e)
					}
				} else if got := f.err.String(); !strings.HasPrefix(got, "koda: interrupted") || !strings.Contains(got, "koda resume ball") || strings.Count(got, "\n") != 2 {
					t.Errorf("%v: %s", err, got)
				}
			}
		}
	})
}

// brokenPipe fails like a pipe whose reader leaves after a few writes.
type brokenPipe struct {
	left int
}

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.left--; b.left < 0 {
		return 0, syscall.EPIPE
	}
	return len(p), nil
}

func TestBrokenPipe(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.engine.projects = []koda.Project{ball}
	f.engine.replies = []reply{{
		events: []koda.Event{{Type: koda.EventThinking, Payload: koda.Thinking{Message: "a"}}, {Type: koda.EventThinking, Payload: koda.Thinking{Message: "b"}}},
		out:    planned(), err: context.Canceled,
	}}
	f.out.Reset()
	f.io.Out, f.io.Err = &brokenPipe{left: 1}, &f.err
	if got := f.runRaw("resume", "ball", "--json"); got != 130 || f.err.Len() > 0 {
		t.Errorf("status %d, standard error %q: want 130 and not a word", got, f.err.String())
	}
	f.io.Out = &brokenPipe{}
	if got := f.runRaw("list"); got != 130 || f.err.Len() > 0 {
		t.Errorf("status %d, standard error %q: want 130 and not a word", got, f.err.String())
	}
}

// TestFullDisk: a result that cannot be written is a failure, in words and as JSON.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	defer full.Close()
	for _, args := range [][]string{{"list"}, {"list", "--json"}, {"version"}, {"config", "show"}, {"shell", "ball", "--", "echo a"}} {
		f := newFace(t)
		f.engine.projects, f.engine.room = []koda.Project{ball}, newRoom(t)
		f.io.Out, f.io.Err = full, &f.err
		if got := f.runRaw(args...); got != 1 || !strings.Contains(f.err.String(), "no space left on device") {
			t.Errorf("%v: status %d: %q", args, got, f.err.String())
		}
	}
}

// TestSameName: a name that two projects share names neither of them.
func TestSameName(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	other := ball
	other.ID, other.Dir = "ffffffffffff", "/elsewhere/ball"
	f.engine.projects = []koda.Project{other, ball}
	f.engine.replies = []reply{{out: planned()}}
	f.run("resume", ball.ID)
	if !strings.Contains(f.err.String(), "koda accept "+ball.ID+"\n") {
		t.Errorf("standard error:\n%s", f.err.String())
	}
}
