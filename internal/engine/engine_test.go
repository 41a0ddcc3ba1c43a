package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/local"
	"github.com/koda-video/koda/internal/store"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/internal/workdir"
)

// bench is an engine over the real database, project directories and local
// sandboxes, with a scripted author and a renderer that writes small files.
type bench struct {
	t      *testing.T
	home   string
	parent string
	author *author
	video  *renderer
	shown  []koda.Event
	feed   *feed.Subscription // the subscriber that fills shown
	engine *engine.Engine
	other  *engine.Engine // as in another process
	db     *store.DB
	// tweak, when set, changes the configuration of the next engine.
	tweak  func(*engine.Config)
	limits engine.Limits
	clock  *clock

	mu     sync.Mutex // guards shown and what follows
	wanted koda.EventType
	came   chan struct{}
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, home: atomicfiletest.Dir(t), parent: atomicfiletest.Dir(t), author: &author{}, video: &renderer{}}
	b.open()
	return b
}

// open makes a new engine over the same disk, as a new process would.
func (b *bench) open() {
	b.t.Helper()
	if b.db != nil {
		b.feed.Flush()
		b.feed.End()
		if err := b.db.Close(); err != nil {
			b.t.Fatal(err)
		}
	}
	db, err := store.Open(b.t.Context(), filepath.Join(b.home, "koda.db"))
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		if b.db == db {
			b.feed.End()
			b.replays()
		}
		_ = db.Close()
	})
	b.db = db
	if b.clock == nil {
		b.clock = newClock()
	}
	clock := b.clock.now
	provider := local.New(local.Config{Root: b.home, Now: clock})
	cfg := engine.Config{
		Store: db, Journal: db, Calls: db, Sessions: db, Storage: &workdir.Storage{Now: clock, Release: "test"},
		Sandboxes: map[sandbox.Kind]sandbox.Provider{sandbox.Local: provider},
		Renderer:  b.video, Authors: map[string]engine.Author{engine.AuthorRecipe: b.author},
		Starter: fstest.MapFS{
			"index.html":   {Data: []byte("<!doctype html>")},
			"src/main.tsx": {Data: []byte("// starter")},
		},
		Reserved: []string{"src/main.tsx"}, NameFrom: workdir.NameFrom, Parent: b.parent, Now: clock,
		Limits: b.limits, After: b.clock.after, Sockets: filepath.Join(b.home, "run"),
	}
	if b.tweak != nil {
		b.tweak(&cfg)
	}
	b.engine, b.other = engine.Make(cfg), engine.Make(cfg)
	b.feed = b.engine.Subscribe(func(ev koda.Event) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.shown = append(b.shown, ev)
		if b.wanted == ev.Type || b.wanted != "" && ev.Type == koda.EventWarning {
			b.wanted = ""
			close(b.came)
		}
	})
}

func (b *bench) request(prompt string, yes bool) engine.NewRequest {
	return engine.NewRequest{Brief: koda.Brief{
		Prompt: prompt, Width: 1280, Height: 720, FPS: koda.FPS{Num: 30, Den: 1}, Yes: yes,
	}}
}

// must fails the test unless err is nil.
func (b *bench) must(out engine.Outcome, err error) engine.Outcome {
	b.t.Helper()
	if err != nil {
		b.t.Fatalf("%v (hint: %s)", err, koda.HintOf(err))
	}
	return out
}

// author asks for a style, plans two scenes, and writes one file for each todo.
type author struct {
	mu    sync.Mutex
	works []koda.Task
	// before is called with n before the nth call of Work writes its second file.
	before func(n int, task koda.Task) error
	// work, when set, replaces Work.
	work    func(ctx context.Context, task koda.Task, box tool.Desk) error
	clarify func(ctx context.Context, brief koda.Brief, desk tool.Desk) (*koda.Question, error)
	plan    func(ctx context.Context, brief koda.Brief, desk tool.Desk) (koda.Plan, error)
}

func (a *author) Clarify(ctx context.Context, brief koda.Brief, _ *koda.Revision, desk tool.Desk) (*koda.Question, error) {
	if a.clarify != nil {
		return a.clarify(ctx, brief, desk)
	}
	if strings.HasPrefix(brief.Prompt, "what is") {
		return nil, &koda.Error{Code: koda.CodeNotAnimation, Op: "koda makes videos", Hint: "say what to animate"}
	}
	if brief.Style != "" {
		return nil, nil
	}
	return &koda.Question{Text: "Which style?", Options: []koda.Option{{ID: "playful", Label: "Playful"}, {ID: "smooth", Label: "Smooth"}}, CustomInput: true}, nil
}

func (a *author) Plan(ctx context.Context, brief koda.Brief, answer koda.Answer, rev *koda.Revision, desk tool.Desk) (koda.Plan, error) {
	if a.plan != nil {
		return a.plan(ctx, brief, desk)
	}
	if rev != nil && strings.Contains(rev.Feedback, "spaceship") {
		return koda.Plan{}, &koda.Error{Code: koda.CodeInvalidInput, Op: "no spaceships here", Hint: "say a duration"}
	}
	style := answer.OptionID
	if rev != nil && rev.Feedback != "" {
		style = rev.Feedback
	}
	return koda.Plan{
		Style: style, TotalDuration: 4, FPS: brief.FPS,
		Scenes: []koda.Scene{{Number: 1, Title: "Intro", Duration: 2}, {Number: 2, Title: "Outro", Duration: 2}},
	}, nil
}

func (a *author) Work(ctx context.Context, task koda.Task, box tool.Desk) error {
	a.mu.Lock()
	a.works = append(a.works, task)
	n := len(a.works)
	a.mu.Unlock()
	if a.work != nil {
		return a.work(ctx, task, box)
	}
	if strings.Contains(task.Message, "spaceship") {
		return &koda.Error{Code: koda.CodeInvalidInput, Op: "no spaceships here", Hint: "say a colour"}
	}
	if err := tool.Think(ctx, box, "Writing"); err != nil {
		return err
	}
	for i := range 2 {
		if i == 1 && a.before != nil {
			if err := a.before(n, task); err != nil {
				return err
			}
		}
		if err := tool.WriteFile(ctx, box, fmt.Sprintf("src/todo%s-%d.ts", task.Todo.ID, i), "// "+task.Todo.Label+task.Message); err != nil {
			return err
		}
	}
	return tool.Say(ctx, box, "Done with "+task.Todo.Label)
}

func (b *bench) types() []koda.EventType {
	var types []koda.EventType
	for _, ev := range b.events() {
		types = append(types, ev.Type)
	}
	return types
}

func (b *bench) read(parts ...string) string {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

func TestNew_ApprovedInAdvance(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	if out.State.Phase != koda.PhaseComplete || out.Waiting != engine.WaitingNothing {
		t.Fatalf("phase %s, waiting for %q", out.State.Phase, out.Waiting)
	}
	if got, want := out.Project.Dir, filepath.Join(b.parent, "bouncing-ball"); got != want {
		t.Errorf("directory %s, want %s", got, want)
	}
	if out.State.SandboxStatus != koda.SandboxReady {
		t.Errorf("sandbox is %s", out.State.SandboxStatus)
	}
	for _, file := range []string{out.State.Preview.VideoURL, out.State.Output.VideoURL} {
		if b.read(file) != "video" {
			t.Errorf("%s is not the video", file)
		}
	}
	if got := b.read(out.Project.Dir, "src", "todo2-1.ts"); got != "// Create Scene 1 (Intro) keyframes" {
		t.Errorf("checkpointed file holds %q", got)
	}
	if got := b.read(out.Project.Dir, "koda.json"); !strings.Contains(got, `"duration": 4`) || !strings.Contains(got, `"start":`) {
		t.Errorf("koda.json is %s", got)
	}
	for _, todo := range out.State.Execution.Todos {
		if todo.Status != koda.TodoDone {
			t.Errorf("todo %q is %s", todo.Label, todo.Status)
		}
	}
	// The journal holds exactly the events that were emitted, in order and without
	// holes.
	stored, err := b.db.Events(t.Context(), out.Project.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	var durable []koda.EventType
	for _, ev := range b.events() {
		if ev.Type.Durable() {
			durable = append(durable, ev.Type)
			if ev.Seq != int64(len(durable)) {
				t.Fatalf("event %d has number %d", len(durable), ev.Seq)
			}
		}
	}
	var journaled []koda.EventType
	for _, ev := range stored {
		journaled = append(journaled, ev.Type)
	}
	if diff := cmp.Diff(durable, journaled); diff != "" {
		t.Errorf("emitted and journaled differ: %s", diff)
	}
	for _, want := range []koda.EventType{koda.EventPreviewReady, koda.EventOutput, koda.EventVersion, koda.EventFileWritten, koda.EventThinking, koda.EventRenderProgress} {
		if !slices.Contains(b.types(), want) {
			t.Errorf("no %s was emitted", want)
		}
	}
	view, err := b.engine.Show(t.Context(), out.Project.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(view.Turns) != 1 || view.Turns[0].Status != "completed" || len(view.Renders) != 2 || len(view.Versions) != 1 {
		t.Errorf("turns %v, %d renders, %d versions", view.Turns, len(view.Renders), len(view.Versions))
	}
	if got := view.Versions[0].Files; len(got) < 10 || got["src/main.tsx"] == "" {
		t.Errorf("version 1 holds %v", got)
	}
	// The plan fixed the frames of both videos.
	if got := [2]int{b.video.specs[0].Frames, b.video.specs[1].Frames}; got != [2]int{60, 120} {
		t.Errorf("preview and final have %v frames", got)
	}
}

// TestEdit_refusedWithYes: approvals that were given in advance do not approve a plan without the change that was asked for.
func TestEdit_refusedWithYes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	req := b.request("bouncing ball", true)
	req.PlanOnly = true
	out := b.must(b.engine.New(t.Context(), req))
	out, err := b.engine.Edit(t.Context(), out.Project.ID, koda.Seen{}, "with a spaceship")
	if koda.CodeOf(err) != koda.CodeInvalidInput || out.State.Phase != koda.PhasePlan {
		t.Fatalf("a refused change gave %v in phase %s", err, out.State.Phase)
	}
	out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
	if out.State.Phase != koda.PhaseComplete {
		t.Errorf("going on ends in phase %s", out.State.Phase)
	}
}

func TestConversation(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", false)))
	id := out.Project.ID
	if out.Waiting != engine.WaitingAnswer || out.State.Question == nil {
		t.Fatalf("waiting for %q", out.Waiting)
	}
	if _, err := b.engine.Accept(ctx, id, koda.Seen{}); koda.CodeOf(err) != koda.CodeWrongPhase {
		t.Errorf("accepting a question: %v", err)
	}
	out = b.must(b.engine.Answer(ctx, id, koda.Seen{}, koda.Answer{OptionID: "smooth"}))
	if out.Waiting != engine.WaitingPlan || out.State.Plan.Style != "smooth" {
		t.Fatalf("waiting for %q, plan %v", out.Waiting, out.State.Plan)
	}
	out, err := b.engine.Edit(ctx, id, koda.Seen{}, "with a spaceship")
	if koda.CodeOf(err) != koda.CodeInvalidInput || out.State.Plan == nil || out.State.Plan.Style != "smooth" {
		t.Fatalf("a refused change gave %v, plan %v", err, out.State.Plan)
	}
	out = b.must(b.engine.Edit(ctx, id, koda.Seen{}, "bolder"))
	if out.State.Plan.Style != "bolder" {
		t.Errorf("modified plan has style %q", out.State.Plan.Style)
	}
	out = b.must(b.engine.Reject(ctx, id, koda.Seen{}, "no"))
	if out.Waiting != engine.WaitingAnswer {
		t.Fatalf("a rejected plan waits for %q", out.Waiting)
	}
	b.must(b.engine.Answer(ctx, id, koda.Seen{}, koda.Answer{Text: "like paper"}))
	out = b.must(b.engine.Accept(ctx, id, koda.Seen{}))
	if out.Waiting != engine.WaitingPreview || out.State.Preview.Version != 1 {
		t.Fatalf("waiting for %q", out.Waiting)
	}
	out, err = b.engine.Reject(ctx, id, koda.Seen{}, "add a spaceship")
	if koda.CodeOf(err) != koda.CodeInvalidInput || out.State.Phase != koda.PhasePreview || out.State.Preview == nil {
		t.Fatalf("a refused change gave %v in phase %s", err, out.State.Phase)
	}
	out = b.must(b.engine.Reject(ctx, id, koda.Seen{}, "make it blue"))
	if out.Waiting != engine.WaitingPreview || out.State.Preview.Version != 2 {
		t.Fatalf("waiting for %q", out.Waiting)
	}
	out = b.must(b.engine.Accept(ctx, id, koda.Seen{}))
	if out.State.Phase != koda.PhaseComplete || out.State.Output.Version != 2 {
		t.Fatalf("phase %s", out.State.Phase)
	}
	out = b.must(b.engine.Edit(ctx, id, koda.Seen{}, "make it red"))
	if out.Waiting != engine.WaitingPreview || out.State.Preview.Version != 3 {
		t.Fatalf("an edit waits for %q", out.Waiting)
	}
	view, err := b.engine.Show(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for i, turn := range view.Turns {
		if turn.Number != i+1 {
			t.Errorf("turn %d has number %d", i+1, turn.Number)
		}
		kinds = append(kinds, turn.Kind)
	}
	want := []string{"new", "answer", "edit", "edit", "reject", "answer", "accept", "reject", "reject", "accept", "edit"}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
}

func TestNew_BadBriefs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	for prompt, want := range map[string]koda.Code{
		"": koda.CodeUsage, "  \n": koda.CodeUsage, strings.Repeat("x", 1<<20): koda.CodeUsage, "what is the weather": koda.CodeNotAnimation,
	} {
		if _, err := b.engine.New(ctx, b.request(prompt, true)); koda.CodeOf(err) != want || koda.HintOf(err) == "" {
			t.Errorf("%.20q gave %v, want %s with a hint", prompt, err, want)
		}
	}
	req := b.request("ball", true)
	req.Brief.Author = "model"
	if _, err := b.engine.New(ctx, req); koda.CodeOf(err) != koda.CodeUsage {
		t.Errorf("asking by name for an author that does not exist gave %v", err)
	}
	req = b.request("ball", true)
	req.Sandbox = "docker"
	if _, err := b.engine.New(ctx, req); koda.CodeOf(err) != koda.CodeUsage || koda.HintOf(err) == "" {
		t.Errorf("a kind of sandbox that this build lacks gave %v", err)
	}
	if all, err := b.engine.List(ctx); err != nil || len(all) != 1 { // the project whose prompt asked for no animation
		t.Errorf("%d projects, %v", len(all), err)
	}
	req = b.request("ball", false)
	req.Name, req.Exact = "mine", true
	b.must(b.engine.New(ctx, req))
	if _, err := b.engine.New(ctx, req); koda.CodeOf(err) != koda.CodeExists {
		t.Errorf("a taken name gave %v", err)
	}
}

func TestInUse(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	busy, free := make(chan string), make(chan struct{})
	b.author.before = func(n int, _ koda.Task) error {
		if n == 1 {
			busy <- ""
			<-free
		}
		return nil
	}
	done := make(chan error, 1)
	go func() {
		_, err := b.engine.New(t.Context(), b.request("bouncing ball", true))
		done <- err
	}()
	until(t, busy, done)
	projects, err := b.engine.List(t.Context())
	if err != nil || len(projects) != 1 {
		t.Fatalf("list gave %v, %v", projects, err)
	}
	if _, err := b.engine.Edit(t.Context(), projects[0].ID, koda.Seen{}, "blue"); koda.CodeOf(err) != koda.CodeInUse {
		t.Errorf("the second owner got %v", err)
	}
	if _, err := b.engine.Show(t.Context(), projects[0].ID); err != nil {
		t.Errorf("a reader got %v", err)
	}
	close(free)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
