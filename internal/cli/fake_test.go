package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/mirror"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/sandbox"
)

type cliEngine = cli.Engine

// now is the time of every test.
var now = time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)

// reply is the answer of the fake engine to its next call.
type reply struct {
	events []koda.Event
	out    engine.Outcome
	err    error
	during func() // runs during the call
}

// fakeEngine answers calls with its replies, in order, and writes them down.
type fakeEngine struct {
	t        *testing.T
	replies  []reply
	projects []koda.Project
	view     engine.View
	views    map[string]engine.View // by project, instead of view
	housed   map[string]engine.Housed
	moved    engine.Moved
	said     engine.Conversation
	findings []engine.Finding
	strip    engine.Strip
	noStrip  error // the error of Strip
	past     engine.History
	differs  engine.Comparison
	left     []string
	deleted  engine.DeletedRender
	render   func(koda.RenderSpec) (koda.RenderResult, error)
	stats    koda.Stats
	calls    []string
	requests []engine.NewRequest
	specs    []koda.RenderSpec
	subs     []func(koda.Event)
	closed   int
	idle     func(id string) error
	nobody   error           // the error of Say
	seen     []koda.Seen     // of the decisions
	room     sandbox.Sandbox // lent by Visit
	followed []koda.Event    // the events of the process that Follow follows
}

func (e *fakeEngine) work(format string, args ...any) (engine.Outcome, error) {
	e.calls = append(e.calls, fmt.Sprintf(format, args...))
	if len(e.replies) == 0 {
		e.t.Fatalf("call without a reply: %s", e.calls[len(e.calls)-1])
	}
	r := e.replies[0]
	e.replies = e.replies[1:]
	for _, ev := range r.events {
		e.emit(ev)
	}
	if r.during != nil {
		r.during()
	}
	return r.out, r.err
}

func (e *fakeEngine) emit(ev koda.Event) {
	ev.Schema = koda.SchemaVersion
	for _, f := range e.subs {
		f(ev)
	}
}

func (e *fakeEngine) New(_ context.Context, r engine.NewRequest) (engine.Outcome, error) {
	e.requests = append(e.requests, r)
	return e.work("new %s", r.Brief.Prompt)
}

func (e *fakeEngine) Answer(_ context.Context, id string, seen koda.Seen, a koda.Answer) (engine.Outcome, error) {
	e.seen = append(e.seen, seen)
	return e.work("answer %s option=%q text=%q", id, a.OptionID, a.Text)
}

func (e *fakeEngine) Accept(_ context.Context, id string, seen koda.Seen, finals ...engine.Finals) (engine.Outcome, error) {
	e.seen = append(e.seen, seen)
	return e.work("accept %s%s", id, chosen(finals))
}

// chosen tells the final videos of a call.
func chosen(finals []engine.Finals) (told string) {
	for _, f := range finals {
		told += fmt.Sprint(" ", f.Presets)
		if f.To != nil {
			told += fmt.Sprintf(" %+v", *f.To)
		}
	}
	return told
}

func (e *fakeEngine) Reject(_ context.Context, id string, seen koda.Seen, feedback string) (engine.Outcome, error) {
	e.seen = append(e.seen, seen)
	return e.work("reject %s %q", id, feedback)
}

func (e *fakeEngine) Edit(_ context.Context, id string, seen koda.Seen, text string, finals ...engine.Finals) (engine.Outcome, error) {
	e.seen = append(e.seen, seen)
	return e.work("edit %s %q%s", id, text, chosen(finals))
}

func (e *fakeEngine) Update(_ context.Context, id string) (engine.Outcome, error) {
	return e.work("update %s", id)
}

func (e *fakeEngine) Resume(_ context.Context, id string, yes bool, finals ...engine.Finals) (engine.Outcome, error) {
	return e.work("resume %s yes=%v%s", id, yes, chosen(finals))
}

func (e *fakeEngine) Render(_ context.Context, id string, spec koda.RenderSpec) (koda.RenderResult, error) {
	e.calls = append(e.calls, "render "+id)
	e.specs = append(e.specs, spec)
	return e.render(spec)
}

func (e *fakeEngine) move(format string, args ...any) (engine.Moved, error) {
	out, err := e.work(format, args...)
	m := e.moved
	m.Project, m.State, m.Waiting = out.Project, out.State, out.Waiting
	return m, err
}

func (e *fakeEngine) Undo(_ context.Context, id string) (engine.Moved, error) {
	return e.move("undo %s", id)
}

func (e *fakeEngine) Redo(_ context.Context, id string) (engine.Moved, error) {
	return e.move("redo %s", id)
}

func (e *fakeEngine) Checkout(_ context.Context, id string, n int) (engine.Moved, error) {
	return e.move("checkout %s v%d", id, n)
}

func (e *fakeEngine) History(context.Context, string) (engine.History, error) { return e.past, nil }

func (e *fakeEngine) Diff(_ context.Context, id string, from, to int) (engine.Comparison, error) {
	e.calls = append(e.calls, fmt.Sprintf("diff %s v%d v%d", id, from, to))
	return e.differs, nil
}

func (e *fakeEngine) DiffVideo(_ context.Context, id string, r engine.VideoDiff) (engine.Comparison, koda.RenderResult, error) {
	e.calls = append(e.calls, fmt.Sprintf("video %s v%d v%d difference=%v %s %s", id, r.From, r.To, r.Difference, r.Preset, r.Output))
	return e.differs, koda.RenderResult{Video: "/both.mp4", Width: 1280, Height: 360, Frames: 30}, nil
}

func (e *fakeEngine) Fork(_ context.Context, id string, r engine.ForkRequest) (engine.Outcome, error) {
	return e.work("fork %s v%d %s", id, r.Version, r.Name)
}

func (e *fakeEngine) Show(_ context.Context, id string) (engine.View, error) {
	if v, ok := e.views[id]; ok {
		return v, nil
	}
	return e.view, nil
}

func (e *fakeEngine) Strip(context.Context, string, int) (engine.Strip, error) {
	return e.strip, e.noStrip
}

func (e *fakeEngine) Conversation(context.Context, string) (engine.Conversation, error) {
	return e.said, nil
}

func (e *fakeEngine) Examine(context.Context, string) ([]engine.Finding, error) {
	return e.findings, nil
}

func (e *fakeEngine) Find(_ context.Context, ref string) (koda.Project, error) {
	for _, p := range e.projects {
		if ref == p.Name || ref == p.Dir || ref != "" && strings.HasPrefix(p.ID, ref) || ref == "" && len(e.projects) == 1 {
			return p, nil
		}
	}
	return koda.Project{}, &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("there is no project %q", ref), Hint: "`koda list` shows them"}
}

func (e *fakeEngine) TakeUp(_ context.Context, dir string) (koda.Project, error) {
	return koda.Project{}, &koda.Error{Code: koda.CodeNotFound, Op: dir + " was never a project"}
}

func (e *fakeEngine) TakeDown(context.Context, string, koda.AgentLog) (int, error) { return 0, nil }

func (e *fakeEngine) Side(context.Context, string) (mirror.Side, error) {
	return nil, &koda.Error{Code: koda.CodeNotFound, Op: "no files here"}
}

func (e *fakeEngine) Stats(_ context.Context, ids ...string) (all []engine.ProjectStats, err error) {
	for _, p := range e.projects {
		if len(ids) == 0 || slices.Contains(ids, p.ID) {
			all = append(all, engine.ProjectStats{ID: p.ID, Name: p.Name, Stats: e.stats})
		}
	}
	return all, nil
}

func (e *fakeEngine) TakeUpBy(ctx context.Context, dir string, _ koda.Models) (koda.Project, error) {
	return e.TakeUp(ctx, dir)
}

func (e *fakeEngine) Change(ctx context.Context, id, text string) (engine.Outcome, engine.Comparison, error) {
	out, err := e.Edit(ctx, id, koda.Seen{}, text)
	return out, engine.Comparison{}, err
}

func (e *fakeEngine) Ask(_ context.Context, id string, q koda.Inquiry) (engine.Reply, error) {
	e.calls = append(e.calls, "ask "+id+" "+q.Text)
	return engine.Reply{Text: "an answer"}, nil
}

func (e *fakeEngine) List(context.Context) ([]koda.Project, error) { return e.projects, nil }

func (e *fakeEngine) Delete(_ context.Context, id string) ([]string, error) {
	e.calls = append(e.calls, "delete "+id)
	return e.left, nil
}

func (e *fakeEngine) DeleteRender(_ context.Context, id, render string) (engine.DeletedRender, error) {
	e.calls = append(e.calls, "delete render "+id+" "+render)
	return e.deleted, nil
}

// Idle waits for the person. The function idle says what happens while they are away.
func (e *fakeEngine) Idle(ctx context.Context, id string) error {
	if e.idle != nil {
		return e.idle(id)
	}
	<-ctx.Done()
	return nil
}

func (e *fakeEngine) Housed(context.Context) (map[string]engine.Housed, error) { return e.housed, nil }

func (e *fakeEngine) Changed(context.Context, string, koda.NodeState, bool) error { return nil }

func (e *fakeEngine) Say(_ context.Context, id, text string) (koda.Heard, error) {
	e.calls = append(e.calls, fmt.Sprintf("say %s %q", id, text))
	return koda.Heard{Todo: koda.Todo{ID: "6", Label: "Change: " + text, Status: koda.TodoPending}}, e.nobody
}

func (e *fakeEngine) Cancel(_ context.Context, id string) error {
	e.calls = append(e.calls, "cancel "+id)
	return e.nobody
}

func (e *fakeEngine) FinishVisits(context.Context) {}

func (e *fakeEngine) Visit(ctx context.Context, id string, _ func(string), use func(context.Context, sandbox.Sandbox) error) error {
	e.calls = append(e.calls, "visit "+id)
	if e.nobody != nil {
		return e.nobody
	}
	return use(ctx, e.room)
}

func (e *fakeEngine) Follow(_ context.Context, id string, after int64, show func(koda.Event)) error {
	e.calls = append(e.calls, fmt.Sprintf("follow %s after %d", id, after))
	for _, ev := range e.followed {
		show(ev)
	}
	return e.nobody
}

func (e *fakeEngine) LookOn(ctx context.Context, id string, show func(koda.Event)) error {
	return e.Follow(ctx, id, -1, show)
}

func (e *fakeEngine) Limit(d time.Duration) { e.calls = append(e.calls, fmt.Sprint("limit ", d)) }

func (e *fakeEngine) Subscribe(f func(koda.Event)) *feed.Subscription {
	e.subs = append(e.subs, f)
	return nil
}

func (e *fakeEngine) Events(context.Context, string, int64) ([]koda.Event, error) { return nil, nil }

func (e *fakeEngine) Watch(f func(koda.Event)) *feed.Subscription { return e.Subscribe(f) }

// face is a command line with fakes behind it.
type face struct {
	t      *testing.T
	ctx    context.Context
	io     *cli.IO
	deps   cli.Deps
	engine *fakeEngine
	render *fakeRenderer
	out    bytes.Buffer
	err    bytes.Buffer
	env    map[string]string
}

func newFace(t *testing.T) *face {
	t.Helper()
	f := &face{t: t, ctx: context.Background(), engine: &fakeEngine{t: t}, render: &fakeRenderer{}}
	t.Cleanup(func() {
		for _, r := range f.engine.replies {
			t.Errorf("nobody asked for the reply %+v", r.out)
		}
	})
	f.env = map[string]string{"HOME": t.TempDir(), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
	lookup := func(name string) (string, bool) { v, ok := f.env[name]; return v, ok }
	f.io = &cli.IO{In: strings.NewReader(""), Out: &f.out, Err: &f.err, Width: 80, Env: lookup}
	f.deps = cli.Deps{
		Engine: func(context.Context) (cli.Engine, func() error, error) {
			return f.engine, func() error { f.engine.closed++; return nil }, nil
		},
		Renderer: func(context.Context, string, func(koda.BuildStep)) (engine.Renderer, error) { return f.render, nil },
		Settings: func() (config.Sources, error) {
			return config.Sources{Env: lookup, ReadFile: os.ReadFile, ReadIn: projectfs.ReadFile, Dir: "/somewhere"}, nil
		},
		Offers:     config.Offers{"author": {"recipe"}, "sandbox-provider": {"local"}},
		CheckBrief: func(context.Context, koda.Brief) (recipe.Wanted, error) { return recipe.Wanted{}, nil },
		CheckRow: func(_ context.Context, _ fs.FS, row json.RawMessage, _ []string) (json.RawMessage, error) {
			return row, nil
		},
		CheckParams: func(fs.FS) ([]string, error) { return nil, nil },
		Choose:      func() (koda.Models, string, error) { return koda.Models{Model: "one/big"}, "", nil },
		CheckAsset:  func(string) (koda.Asset, error) { return koda.Asset{}, nil },
		CheckName:   func(string) error { return nil },
		Build:       cli.BuildInfo{Version: "v1.2.3", Commit: "0123456", Date: "2026-03-14"},
		Now:         func() time.Time { return now },
	}
	return f
}

// run runs a command and returns its exit status.
func (f *face) run(args ...string) int {
	f.t.Helper()
	f.out.Reset()
	f.err.Reset()
	f.io.Out, f.io.Err = &f.out, &f.err
	return cli.Run(f.ctx, args, f.io, f.deps)
}

// types makes the face a terminal at which a person types these lines.
func (f *face) types(lines ...string) {
	f.io.InTTY, f.io.OutTTY, f.io.ErrTTY = true, true, true
	f.io.In = strings.NewReader(strings.Join(lines, "\n") + "\n")
}

// envelopes parses standard output as lines of JSON.
func (f *face) envelopes() []envelope {
	f.t.Helper()
	var all []envelope
	d := json.NewDecoder(bytes.NewReader(f.out.Bytes()))
	for {
		var e envelope
		err := d.Decode(&e)
		if err == io.EOF {
			return all
		}
		if err != nil {
			f.t.Fatalf("standard output is not JSON: %v\n%s", err, f.out.String())
		}
		all = append(all, e)
	}
}

type envelope struct {
	Schema  int             `json:"schema"`
	Seq     int64           `json:"seq"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

// result is the payload of the one result, which must be the last line.
func (f *face) result() map[string]any {
	f.t.Helper()
	all := f.envelopes()
	results := 0
	for _, e := range all {
		if e.Type == "result" {
			results++
		}
		if e.Schema != 1 {
			f.t.Errorf("envelope of schema %d", e.Schema)
		}
	}
	if results != 1 || all[len(all)-1].Type != "result" {
		f.t.Fatalf("want exactly one result, and last:\n%s", f.out.String())
	}
	var m map[string]any
	if err := json.Unmarshal(all[len(all)-1].Payload, &m); err != nil {
		f.t.Fatal(err)
	}
	return m
}

// Outcomes of a project in each phase.

var ball = koda.Project{
	ID: "0a1b2c3d4e5f", Name: "ball", Dir: "/animations/ball", Phase: koda.PhaseQuestion, Prompt: "bouncing ball",
	Author: "recipe", SandboxType: "local", CreatedAt: now.Add(-time.Hour), UpdatedAt: now.Add(-3 * time.Minute),
}

var question = koda.Question{
	Text: "What style should it have?", CustomInput: true,
	Options: []koda.Option{
		{ID: "playful", Label: "Playful & bouncy", Description: "overshoot, squash and stretch"},
		{ID: "minimal", Label: "Smooth & minimal", Description: "subtle and flowing"},
	},
}

var plan = koda.Plan{
	Scenes: []koda.Scene{
		{Number: 1, Title: "Drop", Duration: 2, Description: "The ball falls in", AnimationNotes: "easeInQuad"},
		{Number: 2, Title: "Bounce", Duration: 3, Description: "Three bounces", AnimationNotes: "squash at contact"},
	},
	TotalDuration: 5, Style: "playful", FPS: koda.FPS{Num: 60, Den: 1}, Notes: []string{"no sound"},
}

var output = koda.Output{
	VideoURL: "/animations/ball/renders/ball-v1.mp4", ThumbnailURL: "/animations/ball/renders/ball-v1.jpg", Duration: 5,
	Resolution: "1920x1080", FPS: koda.FPS{Num: 60, Den: 1}, Frames: 300, FileSize: 1_234_567, SHA256: "feed", Version: 1,
}

func standing(p koda.Phase, w engine.Waiting) engine.Outcome {
	project := ball
	project.Phase = p
	out := engine.Outcome{Project: project, Waiting: w}
	out.State = koda.NodeState{NodeID: ball.ID, ProjectID: ball.ID, UserID: "local", Phase: p}
	return out
}

func asking() engine.Outcome {
	o := standing(koda.PhaseQuestion, engine.WaitingAnswer)
	o.State.Question = &koda.Asked{Question: question}
	return o
}

func planned() engine.Outcome {
	o := standing(koda.PhasePlan, engine.WaitingPlan)
	o.State.Plan = &plan
	return o
}

func previewed() engine.Outcome {
	o := standing(koda.PhasePreview, engine.WaitingPreview)
	o.State.Plan = &plan
	o.State.Preview = &koda.Preview{VideoURL: "/animations/ball/previews/ball-v1.mp4", Duration: 5, Version: 1}
	return o
}

func smaller() engine.Outcome {
	o := previewed()
	o.State.Preview.Note = "the preview is 320x180"
	return o
}

func complete() engine.Outcome {
	o := previewed()
	o.Project.Phase, o.State.Phase, o.Waiting = koda.PhaseComplete, koda.PhaseComplete, engine.WaitingNothing
	out := output
	o.State.Output = &out
	return o
}

func failed(f koda.Failure) engine.Outcome {
	o := standing(koda.PhaseError, engine.WaitingRetry)
	o.State.Plan, o.State.Error = &plan, &f
	return o
}

// runRaw is like run, but keeps the streams as they are.
func (f *face) runRaw(args ...string) int { return cli.Run(f.ctx, args, f.io, f.deps) }
