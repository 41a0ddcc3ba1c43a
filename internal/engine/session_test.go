package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

// TestDecideSandbox is the rule of reuse as a table.
func TestDecideSandbox(t *testing.T) {
	t.Parallel()
	const gone, broken = koda.CodeSandboxNotFound, koda.CodeProviderError
	for _, tt := range []struct {
		name  string
		facts engine.SandboxFacts
		want  engine.SandboxMove
	}{
		{"at hand", engine.SandboxFacts{AtHand: true, Session: true, Remembered: "a", Journaled: "a"}, "use"},
		{"never had one", engine.SandboxFacts{}, "create"},
		{"given back", engine.SandboxFacts{Session: true}, "create"},
		{"given back, the state not told yet", engine.SandboxFacts{Session: true, Journaled: "a"}, "create"},
		{"remembered", engine.SandboxFacts{Session: true, Remembered: "a", Journaled: "a"}, "connect"},
		{"alive", engine.SandboxFacts{Session: true, Remembered: "a", Journaled: "a", Tried: true}, "use"},
		{"gone", engine.SandboxFacts{Session: true, Remembered: "a", Journaled: "a", Tried: true, Answer: gone}, "mourn"},
		{"gone and noted", engine.SandboxFacts{Session: true, Remembered: "a", Tried: true, Answer: gone}, "create"},
		{"does not answer", engine.SandboxFacts{Session: true, Remembered: "a", Journaled: "a", Tried: true, Answer: broken}, "give up"},
		{"of another machine", engine.SandboxFacts{Journaled: "a"}, "mourn"},
		{"of another machine and noted", engine.SandboxFacts{}, "create"},
		{"made", engine.SandboxFacts{AtHand: true, Session: true, Remembered: "a", Tried: true, Answer: gone}, "use"},
		{"cannot be made", engine.SandboxFacts{Session: true, Created: broken}, "give up"},
	} {
		if got := engine.DecideSandbox(tt.facts); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestDecideSandbox_Ends: from any facts, following the rule ends with a sandbox or
// an error. A sandbox that is alive, or may be alive, is never replaced, and a loss
// is noted at most once.
func TestDecideSandbox_Ends(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := engine.SandboxFacts{
			AtHand: rapid.Bool().Draw(t, "at hand"), Session: rapid.Bool().Draw(t, "session"),
			Journaled: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "journaled"),
		}
		if f.Session {
			f.Remembered = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "remembered")
		}
		connect := rapid.SampledFrom([]koda.Code{"", koda.CodeSandboxNotFound, koda.CodeProviderError, koda.CodeInterrupted}).Draw(t, "connect")
		create := rapid.SampledFrom([]koda.Code{"", koda.CodeProviderError, koda.CodeQuotaExceeded}).Draw(t, "create")
		started := f
		var moves []engine.SandboxMove
		for {
			move := engine.DecideSandbox(f)
			moves = append(moves, move)
			if slices.Contains(moves[:len(moves)-1], move) {
				t.Fatalf("%+v: %v goes round in circles", started, moves)
			}
			switch move {
			case "connect":
				f.Tried, f.Answer = true, connect
			case "mourn":
				f.Journaled = ""
			case "create":
				f.AtHand, f.Created = create == "", create
			}
			if move == "use" || move == "give up" {
				break
			}
		}
		made := slices.Contains(moves, "create")
		asked := slices.Contains(moves, "connect")
		last := moves[len(moves)-1]
		switch {
		case asked != (!started.AtHand && started.Remembered != ""):
			t.Fatalf("%+v: %v", started, moves)
		case asked && made != (connect == koda.CodeSandboxNotFound):
			t.Fatalf("connecting gave %q, then %v", connect, moves)
		case made && (last == "use") != (create == ""):
			t.Fatalf("creating gave %q, then %v", create, moves)
		case slices.Contains(moves, "mourn") && !made:
			t.Fatalf("%+v: mourned for nothing: %v", started, moves)
		}
	})
}

// sandboxes is a provider whose sandboxes can be made to fail.
type sandboxes struct {
	sandbox.Provider

	mu      sync.Mutex
	made    []string
	asked   []string
	create  error // of Create, when set
	connect error // of Connect
	write   func(path string) error
	most    int                       // sandboxes at a time; 0: any number
	run     func(ctx context.Context) // when set before a sandbox is made, it runs the sandbox's commands
}

func (p *sandboxes) Create(ctx context.Context, opts sandbox.Options) (sandbox.Sandbox, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.create != nil {
		return nil, p.create
	}
	if lives, err := p.Provider.(sandbox.Lister).All(ctx); p.most > 0 && (err != nil || len(lives) >= p.most) {
		return nil, errors.Join(err, &koda.Error{Code: koda.CodeQuotaExceeded, Op: "too many sandboxes", Hint: "end one"})
	}
	sb, err := p.Provider.Create(ctx, opts)
	if err == nil {
		p.made = append(p.made, sb.ID())
	}
	return flaky{sb, p}, err
}

func (p *sandboxes) Connect(ctx context.Context, id string) (sandbox.Sandbox, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, id)
	if p.connect != nil {
		return nil, p.connect
	}
	sb, err := p.Provider.Connect(ctx, id)
	if err != nil {
		return nil, err
	}
	return flaky{sb, p}, nil
}

type flaky struct {
	sandbox.Sandbox
	p *sandboxes
}

func (s flaky) Capabilities() sandbox.Capabilities {
	return sandbox.Capabilities{Commands: s.p.run != nil}
}

func (s flaky) Run(ctx context.Context, _ sandbox.Command) (sandbox.RunResult, error) {
	s.p.run(ctx)
	return sandbox.RunResult{}, ctx.Err()
}

func (s flaky) WriteFile(ctx context.Context, path string, data []byte) error {
	if s.p.write != nil {
		if err := s.p.write(path); err != nil {
			return err
		}
	}
	return s.Sandbox.WriteFile(ctx, path, data)
}

// newSandboxBench is a bench whose sandboxes can be made to fail.
func newSandboxBench(t *testing.T) (*bench, *sandboxes) {
	t.Helper()
	p := &sandboxes{}
	b := &bench{t: t, home: atomicfiletest.Dir(t), parent: atomicfiletest.Dir(t), author: &author{}, video: &renderer{}}
	b.tweak = func(cfg *engine.Config) {
		p.Provider = cfg.Sandboxes[sandbox.Local]
		cfg.Sandboxes = map[sandbox.Kind]sandbox.Provider{sandbox.Local: p}
	}
	b.open()
	return b, p
}

// lose kills all sandboxes, as switching off the machine does.
func (b *bench) lose() {
	b.t.Helper()
	if err := os.RemoveAll(filepath.Join(b.home, "sandboxes")); err != nil {
		b.t.Fatal(err)
	}
}

// upToPlan makes a project and brings it to its plan.
func (b *bench) upToPlan() string {
	b.t.Helper()
	out := b.must(b.engine.New(b.t.Context(), b.request("bouncing ball", false)))
	b.must(b.engine.Answer(b.t.Context(), out.Project.ID, koda.Seen{}, koda.Answer{OptionID: "playful"}))
	return out.Project.ID
}

func (b *bench) session(id string) koda.Session {
	b.t.Helper()
	s, ok, err := b.db.Session(b.t.Context(), id)
	if err != nil || !ok {
		b.t.Fatalf("no session: %v", err)
	}
	return s
}

// said lists the messages of a role.
func (b *bench) said(id, role string) []string {
	b.t.Helper()
	all, err := b.db.Messages(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	var said []string
	for _, m := range all {
		if m.Role == role {
			said = append(said, m.Content)
		}
	}
	return said
}

func TestSandbox_Reused(t *testing.T) {
	t.Parallel()
	b, p := newSandboxBench(t)
	ctx := t.Context()
	id := b.upToPlan()
	if _, ok, err := b.db.Session(ctx, id); ok || err != nil {
		t.Fatalf("a session before there is a sandbox: %v", err)
	}
	out := b.must(b.engine.Accept(ctx, id, koda.Seen{}))
	first := b.session(id)
	if first.Status != koda.SessionActive || first.SandboxID != p.made[0] || out.State.SandboxID != p.made[0] || first.LastCheckpoint.IsZero() {
		t.Fatalf("session %+v, state names %s, made %v", first, out.State.SandboxID, p.made)
	}
	b.open() // a new process
	b.must(b.engine.Edit(ctx, id, koda.Seen{}, "make it blue"))
	if len(p.made) != 1 || !slices.Equal(p.asked, p.made) {
		t.Errorf("made %v, asked for %v: a living sandbox is used again", p.made, p.asked)
	}
	second := b.session(id)
	b.must(b.engine.Edit(ctx, id, koda.Seen{}, "make it red"))
	third := b.session(id)
	if second.ID != first.ID || third.ID != first.ID || !third.LastActivity.After(second.LastActivity) {
		t.Errorf("session %+v, then %+v, then %+v", first, second, third)
	}
	if said := b.said(id, koda.RoleSystem); said != nil {
		t.Errorf("noted %q", said)
	}
}

// TestSandbox_GivenBack: giving a sandbox back suspends the session, and making the
// next sandbox is not noted as a loss.
func TestSandbox_GivenBack(t *testing.T) {
	t.Parallel()
	b, p := newSandboxBench(t)
	ctx := t.Context()
	id := b.upToPlan()
	b.must(b.engine.Accept(ctx, id, koda.Seen{}))
	b.must(b.engine.Accept(ctx, id, koda.Seen{}))
	suspended := b.session(id)
	if suspended.Status != koda.SessionSuspended || suspended.SandboxID != "" {
		t.Fatalf("session %+v", suspended)
	}
	out := b.must(b.engine.Edit(ctx, id, koda.Seen{}, "make it blue"))
	active := b.session(id)
	if active.ID != suspended.ID || active.Status != koda.SessionActive || active.SandboxID != p.made[1] || active.SandboxID != out.State.SandboxID {
		t.Errorf("session %+v, made %v", active, p.made)
	}
	if said := b.said(id, koda.RoleSystem); said != nil {
		t.Errorf("noted %q of a sandbox that was given back", said)
	}
	// A session that the clean-up closed stays closed; the project goes on with
	// another session.
	active.Status = koda.SessionClosed
	if err := b.db.SaveSession(ctx, active); err != nil {
		t.Fatal(err)
	}
	b.must(b.engine.Edit(ctx, id, koda.Seen{}, "make it red"))
	if next := b.session(id); next.ID == active.ID || next.Status == koda.SessionClosed {
		t.Errorf("session %+v after a closed session", next)
	}
}

// TestSandbox_Gone: files and state come back in a new sandbox, with a note.
func TestSandbox_Gone(t *testing.T) {
	t.Parallel()
	b, p := newSandboxBench(t)
	ctx := t.Context()
	id := b.upToPlan()
	b.must(b.engine.Accept(ctx, id, koda.Seen{}))
	b.lose()
	b.open()
	// The first new sandbox cannot be made: that is an error, the author is not
	// called, and the next try may succeed.
	p.create = &koda.Error{Code: koda.CodeQuotaExceeded, Op: "too many sandboxes", Hint: "end one"}
	before := b.said(id, koda.RoleAssistant)
	for range 2 {
		out, err := b.engine.Edit(ctx, id, koda.Seen{}, "make it blue")
		if koda.CodeOf(err) != koda.CodeQuotaExceeded || out.Waiting != engine.WaitingRetry || koda.HintOf(err) == "" {
			t.Fatalf("err = %v, waiting for %q", err, out.Waiting)
		}
		if after := b.said(id, koda.RoleAssistant); !slices.Equal(before, after) {
			t.Fatalf("the author said %q without a sandbox", after[len(before):])
		}
	}
	p.create = nil
	out := b.must(b.engine.Resume(ctx, id, false))
	if out.Waiting != engine.WaitingPreview || len(p.made) != 2 {
		t.Fatalf("waiting for %q, made %v", out.Waiting, p.made)
	}
	if s := b.session(id); s.SandboxID != p.made[1] || out.State.SandboxID != p.made[1] {
		t.Errorf("session remembers %s, state %s, made %v", s.SandboxID, out.State.SandboxID, p.made)
	}
	if said := b.said(id, koda.RoleSystem); !slices.Equal(said, []string{engine.ContextLost}) {
		t.Errorf("noted %q, want one note", said)
	}
	if got := b.read(b.home, "sandboxes", p.made[1], "project", "src", "todo2-1.ts"); got != "// Create Scene 1 (Intro) keyframes" {
		t.Errorf("the new sandbox holds %q", got)
	}
}

// TestSandbox_room: if there may be no more sandboxes, the sandbox that was left alone the
// longest makes room, with its work saved.
func TestSandbox_room(t *testing.T) {
	t.Parallel()
	b, p := newSandboxBench(t)
	ctx := t.Context()
	p.most = 2
	var ids []string
	for range 4 {
		id := b.upToPlan()
		b.must(b.engine.Accept(ctx, id, koda.Seen{}))
		ids = append(ids, id)
	}
	var alive []bool
	for _, id := range ids {
		alive = append(alive, b.session(id).Status == koda.SessionActive)
	}
	if !slices.Equal(alive, []bool{false, false, true, true}) {
		t.Errorf("sandboxes live: %v", alive)
	}
	out := b.must(b.engine.Edit(ctx, ids[0], koda.Seen{}, "make it blue"))
	if out.Waiting != engine.WaitingPreview || b.session(ids[2]).Status == koda.SessionActive {
		t.Errorf("waiting for %q; the session of the third is %s", out.Waiting, b.session(ids[2]).Status)
	}
	p.most = 1
	busy, err := b.engine.New(ctx, b.request("bouncing ball", true))
	if err != nil || busy.State.Phase != koda.PhaseComplete {
		t.Errorf("the last: %v, %s", err, busy.State.Phase)
	}
}

// TestSandbox_DoesNotAnswer: a sandbox that may still hold work is not replaced.
func TestSandbox_DoesNotAnswer(t *testing.T) {
	t.Parallel()
	b, p := newSandboxBench(t)
	ctx := t.Context()
	id := b.upToPlan()
	b.must(b.engine.Accept(ctx, id, koda.Seen{}))
	b.open()
	p.connect = &koda.Error{Code: koda.CodeProviderError, Op: "docker does not answer"}
	if _, err := b.engine.Edit(ctx, id, koda.Seen{}, "make it blue"); koda.CodeOf(err) != koda.CodeProviderError {
		t.Fatal(err)
	}
	p.connect = nil
	b.must(b.engine.Resume(ctx, id, false))
	if len(p.made) != 1 || b.said(id, koda.RoleSystem) != nil {
		t.Errorf("made %v", p.made)
	}
}

// TestSandbox_DiesAtWork: the todo goes on in a new sandbox, within the same command.
func TestSandbox_DiesAtWork(t *testing.T) {
	t.Parallel()
	b, p := newSandboxBench(t)
	b.author.before = func(n int, _ koda.Task) error {
		if n == 3 {
			b.lose()
		}
		return nil
	}
	out := b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
	if out.State.Phase != koda.PhaseComplete || len(p.made) != 2 {
		t.Fatalf("phase %s, made %v", out.State.Phase, p.made)
	}
	for _, name := range []string{"todo1-0.ts", "todo2-1.ts", "todo3-0.ts", "todo3-1.ts", "todo4-1.ts"} {
		b.read(out.Project.Dir, "src", name)
	}
	if said := b.said(out.Project.ID, koda.RoleSystem); len(said) != 1 {
		t.Errorf("noted %q", said)
	}
}

// TestSandbox_RestoredExactly loses the sandbox when some of the author's edits are
// in a checkpoint and others only in the journal. The new sandbox has each edit
// once.
func TestSandbox_RestoredExactly(t *testing.T) {
	t.Parallel()
	b, _ := newSandboxBench(t)
	stop, fail := context.CancelFunc(nil), error(nil)
	step := 0
	b.author.work = func(ctx context.Context, task koda.Task, box tool.Desk) error {
		switch {
		case task.Kind == koda.TaskSetup:
			return tool.WriteFile(ctx, box, "src/list.ts", "x")
		case task.Scene != 1:
			return nil
		}
		for i := 1; i <= 6; i++ {
			if step < 4 && i == 3 && stop != nil { // interrupted: parked in a checkpoint
				stop()
				return ctx.Err()
			}
			if i == 5 && fail != nil { // failed: only journaled
				return fail
			}
			if err := edit(ctx, box, "src/list.ts", "x", "ax"); err != nil {
				return err
			}
			step++
		}
		return nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	stop = cancel
	out, err := b.engine.New(ctx, b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeInterrupted {
		t.Fatal(err)
	}
	id := out.Project.ID
	stop, fail = nil, &koda.Error{Code: koda.CodeNetwork, Op: "the model does not answer"}
	if _, err := b.engine.Resume(t.Context(), id, false); koda.CodeOf(err) != koda.CodeNetwork {
		t.Fatal(err)
	}
	b.lose()
	b.open()
	fail = nil
	b.must(b.engine.Resume(t.Context(), id, false))
	if got, want := b.read(out.Project.Dir, "src", "list.ts"), strings.Repeat("a", 6)+"x"; got != want {
		t.Errorf("edited 6 times gave %q, want %q", got, want)
	}
}

func edit(ctx context.Context, box tool.Toolbox, path, old, with string) error {
	_, err := tool.Invoke[tool.EditOutput](ctx, box, tool.NameEditFile, tool.EditInput{Path: path, OldString: old, NewString: with})
	return err
}

// TestMemo_ErrorIsNoAnswer: a call that failed because the disk was full is made
// again once there is room.
func TestMemo_ErrorIsNoAnswer(t *testing.T) {
	t.Parallel()
	b, p := newSandboxBench(t)
	full := &koda.Error{Code: koda.CodeDiskFull, Op: "write file", Err: errors.New("no space left on device")}
	p.write = func(path string) error {
		if path == "src/todo2-1.ts" {
			return full
		}
		return nil
	}
	out, err := b.engine.New(t.Context(), b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeDiskFull || out.Waiting != engine.WaitingRetry {
		t.Fatalf("err = %v, waiting for %q", err, out.Waiting)
	}
	p.write = nil
	out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
	if out.State.Phase != koda.PhaseComplete || out.Saved.Calls != 1 {
		t.Errorf("phase %s, %d calls answered from the journal, want 1", out.State.Phase, out.Saved.Calls)
	}
}
