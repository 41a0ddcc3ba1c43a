package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/internal/workdir"
)

// owned is a project whose first todo is running a command.
type owned struct {
	*bench
	project koda.Project
	free    chan struct{} // closed to end the command
	done    chan error    // what New returned
	out     engine.Outcome
}

// whileCommandRuns begins a project and returns as soon as the command of its first
// todo runs. The command runs until it is freed or cancelled.
func whileCommandRuns(t *testing.T, yes bool) *owned {
	t.Helper()
	b, p := newSandboxBench(t)
	o := &owned{bench: b, free: make(chan struct{}), done: make(chan error, 1)}
	running := make(chan struct{})
	p.run = func(ctx context.Context) {
		running <- struct{}{}
		select {
		case <-o.free:
		case <-ctx.Done():
		}
	}
	b.author.work = func(ctx context.Context, task koda.Task, box tool.Desk) error {
		switch {
		case task.Kind == koda.TaskSetup:
			if err := tool.WriteFile(ctx, box, "src/before.ts", "// before"); err != nil {
				return err
			}
			_, err := tool.RunCommand(ctx, box, tool.RunInput{Command: "make"})
			return err
		case strings.Contains(task.Message, "spaceship"):
			return &koda.Error{Code: koda.CodeInvalidInput, Op: "no spaceships here", Hint: "say a colour"}
		}
		return tool.WriteFile(ctx, box, "src/todo"+task.Todo.ID+".ts", "// "+task.Todo.Label)
	}
	req := b.request("bouncing ball", yes)
	req.Brief.Style = "playful"
	go func() {
		var err error
		if o.out, err = b.engine.New(t.Context(), req); err == nil && !yes { // the plan
			o.out, err = b.engine.Accept(t.Context(), o.out.Project.ID, koda.Seen{})
		}
		o.done <- err
	}()
	until(t, running, o.done)
	projects, err := b.engine.List(t.Context())
	if err != nil || len(projects) != 1 {
		t.Fatalf("%v, %v", projects, err)
	}
	o.project = projects[0]
	return o
}

func (o *owned) end() engine.Outcome {
	o.t.Helper()
	close(o.free)
	return o.must(o.out, <-o.done)
}

// TestSay: messages that come while a command runs, from the face and from another
// process, are journaled at once, announced, and done before the preview.
func TestSay(t *testing.T) {
	t.Parallel()
	o := whileCommandRuns(t, true)
	ctx, id := t.Context(), o.project.ID
	for i, e := range []*engine.Engine{o.engine, o.other} {
		heard, err := e.Say(ctx, id, fmt.Sprintf(" make it %d ", i))
		if err != nil || heard.Todo.Label != fmt.Sprintf("Change: make it %d", i) || heard.Todo.Status != koda.TodoPending {
			t.Fatalf("heard %v, %v", heard, err)
		}
	}
	view, err := o.other.Show(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	var todos, announced []string
	for _, todo := range view.State.Execution.Todos {
		todos = append(todos, string(todo.Status)+" "+todo.Label)
	}
	want := []string{
		"active Set up Theatre.js project", "pending Create Scene 1 (Intro) keyframes", "pending Create Scene 2 (Outro) keyframes",
		"pending Add finishing touches (shadows, light, background)", "pending Change: make it 0", "pending Change: make it 1", "pending Render preview",
	}
	if diff := cmp.Diff(want, todos); diff != "" {
		t.Error(diff)
	}
	events, err := o.db.Events(ctx, id, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, ev := range events[len(events)-3:] {
		switch p := ev.Payload.(type) {
		case koda.MessageAdded:
			announced = append(announced, p.Role+": "+p.Content)
		case koda.TodoUpdate:
			announced = append(announced, string(p.Status)+" "+p.Label)
		case koda.StateChange:
			announced = append(announced, fmt.Sprint(len(p.State.Execution.Todos), " todos"))
		}
	}
	if diff := cmp.Diff([]string{"user: make it 1", "pending Change: make it 1", "7 todos"}, announced); diff != "" {
		t.Error(diff)
	}
	out := o.end()
	if out.State.Phase != koda.PhaseComplete || out.State.Output.Version != 1 {
		t.Fatalf("phase %s, %+v", out.State.Phase, out.State.Output)
	}
	for i := range 2 {
		if got := o.read(out.Project.Dir, "src", fmt.Sprintf("todo%d.ts", 6+i)); got != fmt.Sprintf("// Change: make it %d", i) {
			t.Errorf("the change is %q", got)
		}
	}
	view, err = o.other.Show(ctx, id)
	if err != nil || view.Versions[0].Prompt != "bouncing ball; make it 0; make it 1" {
		t.Errorf("v1 was asked for by %q, %v", view.Versions[0].Prompt, err)
	}
	last := o.author.works[len(o.author.works)-1]
	if got := last.Messages[len(last.Messages)-1]; last.Message != "make it 1" || got.Content != "make it 1" {
		t.Errorf("the author is asked %q and told %v", last.Message, got)
	}
}

// TestSay_refused: a wish that cannot be done is left out, the person is told, and
// the work goes on.
func TestSay_refused(t *testing.T) {
	t.Parallel()
	o := whileCommandRuns(t, false)
	for _, text := range []string{"add a spaceship", "make it blue"} {
		if _, err := o.other.Say(t.Context(), o.project.ID, text); err != nil {
			t.Fatal(err)
		}
	}
	out := o.end()
	if out.Waiting != engine.WaitingPreview {
		t.Fatalf("waiting for %q", out.Waiting)
	}
	const want = `"add a spaceship" is left out: no spaceships here (say a colour)`
	if !slices.ContainsFunc(out.State.Execution.Messages, func(m koda.Message) bool { return m.Role == koda.RoleAssistant && m.Content == want }) {
		t.Errorf("nobody is told: %v", out.State.Execution.Messages)
	}
	for _, todo := range out.State.Execution.Todos {
		if todo.Status != koda.TodoDone || (todo.LeftOut == want) != (todo.Label == "Change: add a spaceship") {
			t.Errorf("%+v", todo)
		}
	}
}

// TestSay_whileVideosAreMade: a message that comes while the preview is drawn is
// done, and another preview is drawn. A message that comes while the final video is
// drawn is refused.
func TestSay_whileVideosAreMade(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	renders := map[koda.RenderKind]int{}
	b.video.during = func(spec koda.RenderSpec) {
		if renders[spec.Kind]++; spec.Kind == koda.RenderPreview && renders[spec.Kind] > 1 {
			return // it would never end
		}
		projects, err := b.engine.List(ctx)
		if err != nil {
			t.Error(err)
		}
		_, err = b.other.Say(ctx, projects[0].ID, "make it blue")
		switch {
		case spec.Kind == koda.RenderFinal && (koda.CodeOf(err) != koda.CodeWrongPhase || !strings.Contains(koda.HintOf(err), "koda edit")):
			t.Errorf("during the final video: %v (%s)", err, koda.HintOf(err))
		case spec.Kind == koda.RenderPreview && err != nil:
			t.Error(err)
		}
	}
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", true)))
	if out.State.Phase != koda.PhaseComplete || out.State.Output.Version != 2 || out.State.Preview.Version != 2 {
		t.Fatalf("phase %s, %+v", out.State.Phase, out.State.Output)
	}
	versions, err := b.db.Versions(ctx, out.Project.ID)
	if err != nil || len(versions) != 2 || versions[1].Prompt != "make it blue" {
		t.Errorf("%+v, %v", versions, err)
	}
	if n := len(b.author.works); n != 5 || b.author.works[n-1].Message != "make it blue" {
		t.Errorf("%d todos were worked on", n)
	}
}

// TestSay_nobody: an error says that no process works on the project, or that the
// message is unusable.
func TestSay_nobody(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", false)))
	id := out.Project.ID
	for name, err := range map[string]error{
		"say": second(b.other.Say(ctx, id, "blue")), "cancel": b.other.Cancel(ctx, id), "follow": b.other.Follow(ctx, id, -1, func(koda.Event) {}),
	} {
		if koda.CodeOf(err) != koda.CodeWrongPhase || err.Error() != "nobody works on bouncing-ball at the moment" || !strings.Contains(koda.HintOf(err), "koda answer bouncing-ball") {
			t.Errorf("%s: %v (%s)", name, err, koda.HintOf(err))
		}
	}
	if _, err := b.other.Say(ctx, "nothing", "blue"); koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("an unknown project: %v", err)
	}
	o := whileCommandRuns(t, false)
	for _, text := range []string{"", " \n", strings.Repeat("x", koda.MaxMessage+1), "\xff", "a\x00b"} {
		for _, e := range []*engine.Engine{o.engine, o.other} {
			if _, err := e.Say(ctx, o.project.ID, text); koda.CodeOf(err) != koda.CodeUsage || koda.HintOf(err) == "" {
				t.Errorf("%.10q: %v", text, err)
			}
		}
	}
	if v, err := o.other.Show(ctx, o.project.ID); err != nil || !v.Busy {
		t.Errorf("shown while it is worked on: busy %v, %v", v.Busy, err)
	}
	// The error names an owner that has no socket.
	if err := os.Remove(filepath.Join(o.home, "run", o.project.ID+".sock")); err != nil {
		t.Fatal(err)
	}
	if _, err := o.other.Say(ctx, o.project.ID, "blue"); koda.CodeOf(err) != koda.CodeInUse || koda.HintOf(err) == "" {
		t.Errorf("without a socket: %v", err)
	}
	o.end()
}

func second[T any](_ T, err error) error { return err }

// TestSay_killed: a message survives the death of the process that received it.
func TestSay_killed(t *testing.T) {
	t.Parallel()
	o := whileCommandRuns(t, true)
	ctx := t.Context()
	if _, err := o.other.Say(ctx, o.project.ID, "make it blue"); err != nil {
		t.Fatal(err)
	}
	// A killed process leaves the message in the journal and in the directory; each
	// alone is enough.
	dir := filepath.Join(o.parent, "copy")
	if err := os.CopyFS(dir, os.DirFS(o.project.Dir)); err != nil {
		t.Fatal(err)
	}
	copied, err := o.other.Find(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	view, err := o.other.Show(ctx, copied.ID)
	if err != nil || !slices.ContainsFunc(view.State.Execution.Todos, func(todo koda.Todo) bool { return todo.Label == "Change: make it blue" }) {
		t.Errorf("the directory holds %v, %v", view.State.Execution, err)
	}
	if err := o.other.Cancel(ctx, o.project.ID); err != nil {
		t.Fatal(err)
	}
	if err := <-o.done; koda.CodeOf(err) != koda.CodeInterrupted {
		t.Fatalf("cancelled, it ended with %v", err)
	}
	o.author.work = nil
	o.open()
	out := o.must(o.engine.Resume(ctx, o.project.ID, false))
	if n := len(o.author.works); out.State.Phase != koda.PhaseComplete || o.author.works[n-1].Message != "make it blue" {
		t.Errorf("phase %s, the last todo was %+v", out.State.Phase, o.author.works[n-1])
	}
}

// TestCancel: the owner saves and stops, and then nobody owns the project.
func TestCancel(t *testing.T) {
	t.Parallel()
	o := whileCommandRuns(t, true)
	ctx := t.Context()
	if err := o.other.Cancel(ctx, o.project.ID); err != nil {
		t.Fatal(err)
	}
	release, err := (&workdir.Storage{Now: o.clock.now}).Lock(o.project.Dir)
	if err != nil {
		t.Fatalf("the project is not free: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	err = <-o.done
	if koda.CodeOf(err) != koda.CodeInterrupted || !strings.Contains(err.Error(), "cancelled; the work so far is saved") || !strings.Contains(koda.HintOf(err), "koda resume") {
		t.Errorf("the owner got %v (%s)", err, koda.HintOf(err))
	}
	if left, err := os.ReadDir(filepath.Join(o.home, "run")); err != nil || len(left) > 0 {
		t.Errorf("sockets are left: %v, %v", left, err)
	}
}

// TestDelete_works: a project that an author works on is deleted, once the work has ended.
func TestDelete_works(t *testing.T) {
	t.Parallel()
	o := whileCommandRuns(t, true)
	ctx := t.Context()
	if _, err := o.other.Delete(ctx, o.project.ID); err != nil {
		t.Fatal(err)
	}
	if err := <-o.done; koda.CodeOf(err) != koda.CodeInterrupted {
		t.Errorf("deleted, the work ended with %v", err)
	}
	if _, err := o.other.Show(ctx, o.project.ID); koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("the project is still there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(o.project.Dir, ".koda")); !os.IsNotExist(err) {
		t.Errorf("its directory is still there: %v", err)
	}
}

// TestFollow: another process sees all durable events in order, also the events
// before it connected, and learns of the end.
func TestFollow(t *testing.T) {
	t.Parallel()
	o := whileCommandRuns(t, true)
	ctx := t.Context()
	var seqs []int64
	came, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- o.other.Follow(ctx, o.project.ID, 0, func(ev koda.Event) {
			if ev.Type.Durable() {
				if seqs = append(seqs, ev.Seq); len(seqs) == 1 {
					close(came)
				}
			}
		})
	}()
	<-came
	out := o.end()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if int64(len(seqs)) != out.Project.Seq {
		t.Errorf("%d events were seen, there are %d", len(seqs), out.Project.Seq)
	}
	for i, seq := range seqs {
		if seq != int64(i+1) {
			t.Fatalf("event %d came as the %dth", seq, i+1)
		}
	}
}

// TestCheckpoint_whileCommandRuns: a command holds up no checkpoint.
func TestCheckpoint_whileCommandRuns(t *testing.T) {
	t.Parallel()
	o := whileCommandRuns(t, true)
	saved := o.next(koda.EventCheckpoint)
	o.clock.ring(5 * time.Second)
	<-saved
	if got := o.read(o.project.Dir, "src", "before.ts"); got != "// before" {
		t.Errorf("saved %q", got)
	}
	o.end()
}
