package tui_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// busy is a project at which another process works.
func busy() tui.Standing {
	s := planned()
	s.Busy, s.Waiting = true, tui.ForRetry
	s.State.Execution = &koda.Execution{Todos: todos}
	return s
}

// tell shows events of the project, numbered where they are durable.
func (d *desk) tell(payloads ...any) {
	d.t.Helper()
	for _, ev := range d.eventsOf(payloads...) {
		d.send(tui.Event(ev))
	}
}

// eventsOf are events of the project at the clock of the desk.
func (d *desk) eventsOf(payloads ...any) (all []koda.Event) {
	types := map[string]koda.EventType{
		"koda.StateChange": koda.EventStateChange, "koda.TodoUpdate": koda.EventTodoUpdate, "koda.MessageAdded": koda.EventMessage,
		"koda.FileWritten": koda.EventFileWritten, "koda.Versioned": koda.EventVersion, "koda.PreviewReady": koda.EventPreviewReady,
		"koda.OutputReady": koda.EventOutput, "koda.ErrorRaised": koda.EventError, "koda.CheckedOut": koda.EventCheckout, "koda.Checkpointed": koda.EventCheckpoint,
		"koda.Thinking": koda.EventThinking, "koda.TextDelta": koda.EventText, "koda.ToolUsed": koda.EventTool, "koda.Usage": koda.EventUsage,
		"koda.Warned": koda.EventWarning, "koda.BuildStep": koda.EventBuild, "koda.Progress": koda.EventRenderProgress, "koda.Glimpse": koda.EventGlimpse,
	}
	for _, p := range payloads {
		ev := koda.Event{Schema: 1, Project: "p1", At: d.now, Type: types[fmt.Sprintf("%T", p)], Payload: p}
		if ev.Type == "" {
			d.t.Fatalf("no type of event has a %T", p)
		}
		if ev.Type.Durable() {
			d.seq++
			ev.Seq = d.seq
		}
		all = append(all, ev)
	}
	return all
}

func working() koda.StateChange {
	return koda.StateChange{Phase: koda.PhaseExecuting, State: koda.NodeState{Phase: koda.PhaseExecuting, Execution: &koda.Execution{Todos: todos}}}
}

// told are events of a project at work, numbered ones and passing ones.
var told = []any{
	working(),
	koda.Thinking{Message: "placing the ball"},
	koda.TextDelta{Text: "I place the ball ", Tool: "sandbox_write_file"},
	koda.ToolUsed{Tool: "sandbox_write_file", About: "src/Ball.tsx", Detail: "export const Ball = 1\n"},
	koda.FileWritten{Path: "src/Ball.tsx", Size: 2345},
	koda.ToolUsed{Tool: "edit_file", About: "src/Ball.tsx", Detail: "- const r = 1\n+ const r = 2\n"},
	koda.FileWritten{Path: "src/Ball.tsx", Size: 2346},
	koda.ToolUsed{Tool: "sandbox_run_command", About: "bun run build", Detail: "built in 20 ms\n"},
	koda.ToolUsed{Tool: "sandbox_read_file", About: "src/none.ts", Error: "there is no such file"},
	koda.Usage{Model: "m", Cost: koda.Cost{USD: 0.031, InputTokens: 12_345, OutputTokens: 678}},
	koda.MessageAdded{Role: koda.RoleAssistant, Content: "The ball is placed.\n\nIt bounces three times, and each time it is lower than the time before."},
	koda.FileWritten{Path: "src/old.ts", Deleted: true},
	koda.TodoUpdate{TodoID: "2", Status: koda.TodoDone},
	koda.MessageAdded{Role: koda.RoleUser, Content: "make it blue"},
	koda.TodoUpdate{TodoID: "4", Status: koda.TodoPending, Label: "Change: make it blue"},
	koda.MessageAdded{Role: koda.RoleSystem, Content: "The context was lost."},
	koda.Warned{Message: "the page throws"},
	koda.Versioned{Version: 1, Files: 14},
}

// TestWork_Builds: until the first todo begins, the work screen says which image is built.
func TestWork_Builds(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &script{next: busy()}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	const line = "Building an image (once): step 2 of 3: install fonts"
	d.tell(working(), koda.BuildStep{Image: "an image (once)", Step: 2, Steps: 3, Text: "install fonts"})
	d.sees(line)
	d.tell(koda.TodoUpdate{TodoID: "2", Status: koda.TodoActive})
	if view := ansi.Strip(d.m.View()); strings.Contains(view, line) {
		t.Errorf("the image is built:\n%s", view)
	}
}

// numbered are the numbered ones of told.
func numbered() (all []any) {
	for _, p := range told {
		switch p.(type) {
		case koda.Thinking, koda.TextDelta, koda.ToolUsed, koda.Usage, koda.Warned:
		default:
			all = append(all, p)
		}
	}
	return all
}

// TestWork_Tells: the work screen shows messages in full, files with their sizes, tools, and
// what the model costs; a file and a tool open.
func TestWork_Tells(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &script{next: busy()}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.tell(told[:3]...)
	d.sees("using sandbox_write_file", "I place the ball")
	d.tell(told[3:]...)
	d.sees("src/Ball.tsx 2.3 kB [+]", "run command bun run build [+]", "read file src/none.ts: there is no such file", "src/old.ts deleted",
		"It bounces three times, and each time it is lower", "you: make it blue", "queued: make it blue", "! the page throws", "v1: 14 files", "$0.03, 12.3k tokens in, 678 out")
	if view := d.m.View(); strings.Contains(view, "const r") || strings.Contains(view, "I place the ball") {
		t.Errorf("what is closed or over is shown:\n%s", ansi.Strip(view))
	}
	d.keys("enter") // the newest that opens
	d.sees("→ run command bun run build [-]", "    built in 20 ms")
	d.keys("up", "tab")
	d.sees("→ src/Ball.tsx 2.3 kB [-]", "    - const r = 1", "    + const r = 2")
	d.keys("tab")
	if view := d.m.View(); strings.Contains(view, "const r") || !strings.Contains(view, "built in") {
		t.Errorf("the wrong entry is closed:\n%s", ansi.Strip(view))
	}
	d.keys("pgup", "up")
	d.sees("→ src/Ball.tsx")
	d.keys("end")
	d.sees("v1: 14 files")
	d.tell(koda.TodoUpdate{TodoID: "4", Status: koda.TodoActive})
	if strings.Contains(d.m.View(), "queued") {
		t.Error("a message is queued that the author took in")
	}
	d.sees("Change: make it blue")
}

// TestWork_Again: a project that is opened again shows what its numbered events tell, as
// one that was watched all the time does, apart from what passes.
func TestWork_Again(t *testing.T) {
	t.Parallel()
	live := newDesk(t, &script{next: busy()}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	live.size(100, 40)
	live.tell(numbered()...)
	journal := (&desk{t: t, now: now}).eventsOf(numbered()...)
	again := newDesk(t, &script{next: busy(), events: journal}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	again.size(100, 40)
	if diff := cmp.Diff(ansi.Strip(live.m.View()), ansi.Strip(again.m.View())); diff != "" {
		t.Errorf("live and again:\n%s", diff)
	}
	again.sees("It bounces three times", "queued: make it blue", "✓ Create Scene 1")
	// The same events, as a subscription that read the journal may bring them, change nothing.
	before := again.m.View()
	for _, ev := range journal {
		again.send(tui.Event(ev))
	}
	if again.m.View() != before {
		t.Error("events that are known change the screen")
	}
	// Going on at once shows the same.
	on := newDesk(t, &script{next: busy(), events: journal}, theme.Options{UTF8: true}, tui.Config{Project: "p1", Resume: true})
	on.size(100, 40)
	on.sees("It bounces three times", "v1: 14 files")
}

func picture(c color.Color) []byte {
	img := image.NewRGBA(image.Rect(0, 0, 160, 90))
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestWork_Render: the render shows its frame, which worker does what, and after a while in
// words what it waits for.
func TestWork_Render(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &script{next: busy()}, theme.Options{Colors: theme.TrueColor, UTF8: true}, tui.Config{Project: "p1"})
	d.size(120, 30)
	drawing := koda.Progress{
		Kind: koda.RenderPreview, Stage: koda.StageCapturing, Frame: 40, Frames: 150, Rate: 38, Remaining: 17 * time.Second, Capture: "framebuffer", Encoder: "x264",
		Workers: []koda.Worker{
			{First: 0, Last: 79, SegmentProgress: koda.SegmentProgress{Drawn: 40, Doing: koda.DoingDraw, Try: 1}},
			{First: 80, Last: 149, SegmentProgress: koda.SegmentProgress{Doing: koda.DoingStart, Try: 2}},
		},
	}
	d.tell(working(), drawing)
	d.sees("40/150 frames", "38 fps", "about 20 s left")
	d.keys("alt+w")
	d.sees("worker 1  frames 0–79  draws, 40 of 80 done", "worker 2  frames 80–149  starts a browser, browser 2", "capture by framebuffer, encoder x264")
	d.keys("alt+w")
	d.tell(koda.Glimpse{Frame: 90, Time: 1.5, JPEG: picture(color.RGBA{R: 255, A: 255})})
	d.sees("▀▀▀▀", "now at 0:01.5")
	d.tell(koda.Glimpse{Frame: 91, JPEG: []byte("no picture")})
	d.sees("now at 0:01.5")
	d.size(60, 24)
	d.sees("▀▀▀▀", "now at 0:01.5")
	d.size(60, 12)
	if strings.Contains(d.m.View(), "▀") {
		t.Error("a picture without room")
	}
	d.size(200, 30)
	after := func(seconds int) {
		d.now = now.Add(time.Duration(seconds) * time.Second)
		d.send(tui.Beat())
		d.tell(drawing) // says the same again
	}
	if after(3); strings.Contains(d.m.View(), "no frame") {
		t.Error("three seconds are no stall")
	}
	after(8)
	d.sees("no frame for 8 s: the browser is stuck on frame 40; a fresh browser is starting, number 2")
	drawing.Workers = drawing.Workers[:1]
	for doing, want := range map[koda.Doing]string{
		koda.DoingStart: "the browser is starting", koda.DoingForward: "the page is stuck on frame 7, on its way to frame 0", koda.DoingEncode: "the encoder is writing frames 0 to 79",
	} {
		drawing.Workers[0].SegmentProgress = koda.SegmentProgress{Doing: doing, Passed: 7, Try: 1}
		d.tell(drawing)
		d.sees("no frame for 8 s: " + want)
	}
	drawing.Frame = 41
	d.tell(drawing)
	if strings.Contains(d.m.View(), "no frame") {
		t.Error("it stands still although a frame came")
	}
	drawing.Stage, drawing.Frame = koda.StageEncoding, 150
	d.tell(drawing)
	d.now = d.now.Add(5 * time.Second)
	d.send(tui.Beat())
	d.sees("encoding", "for 5 s: the parts are joined to one file")
	d.tell(koda.PreviewReady{URL: "/p/preview.mp4"})
	if view := d.m.View(); strings.Contains(view, "150/150") || strings.Contains(view, "▀") {
		t.Errorf("the render is over, and shown:\n%s", ansi.Strip(view))
	}
}

// TestWork_Unheard: a message that nobody hears comes back to the person.
func TestWork_Unheard(t *testing.T) {
	t.Parallel()
	s := &script{next: busy()}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.called("stand p1")
	s.err = &koda.Error{Code: koda.CodeWrongPhase, Op: "nobody works on it"}
	d.keys("n", "o shadow", "enter")
	d.called("say p1 no shadow")
	d.sees("nobody works on it", "│ no shadow")
	s.err = nil
	d.keys("enter")
	d.called("say p1 no shadow")
	d.sees("Heard")
}

// TestWork_Watched: when the other process is done, its result is shown.
func TestWork_Watched(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &script{next: busy(), watched: complete()}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.sees("The video is ready")
}

// TestWork_TypedOn: who types while the work ends goes on in the line of the screen that comes: no letter of the
// text accepts anything.
func TestWork_TypedOn(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]tui.Standing{"preview": previewed(), "plan": planned(), "done": complete()} {
		s := &script{next: busy()}
		d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
		d.keys("make the b")
		d.called("stand p1")
		d.send(tui.Stood(next))
		d.keys("all blue")
		d.sees("│ make the ball blue")
		d.called()
		d.keys("enter")
		d.called("edit p1 make the ball blue")
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestWork_Files: of many files in a row, all but the last three are one entry, which opens. A tool of which a
// studio hears after its file, as from another process, is no entry beside the file.
func TestWork_Files(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &script{next: busy()}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.tell(working())
	for i := range 20 {
		path := fmt.Sprintf("src/part%02d.ts", i)
		call, file := koda.ToolUsed{Tool: "sandbox_write_file", About: path, Detail: fmt.Sprintf("const n = %d\n", i)}, koda.FileWritten{Path: path, Size: 1000}
		if i%2 == 0 {
			d.tell(call, file)
		} else {
			d.tell(file, call)
		}
		if i == 3 {
			d.sees("src/part00.ts 1.0 kB [+]", "src/part03.ts 1.0 kB [+]")
		}
	}
	d.sees("17 files 17.0 kB [+]", "src/part17.ts 1.0 kB [+]", "src/part19.ts 1.0 kB [+]")
	if view := d.m.View(); strings.Contains(view, "part16") || strings.Contains(view, "write file") {
		t.Errorf("too much is shown:\n%s", ansi.Strip(view))
	}
	d.keys("enter")
	d.sees("const n = 19")
	d.size(100, 60)
	d.keys("home", "enter")
	d.sees("→ 17 files 17.0 kB [-]", "src/part00.ts 1.0 kB", "const n = 0", "src/part16.ts 1.0 kB", "const n = 16")
	d.tell(koda.MessageAdded{Role: koda.RoleAssistant, Content: "Done."}, koda.FileWritten{Path: "src/new.ts", Size: 7})
	d.sees("17 files", "Done.", "src/new.ts 7 B")
}

// TestWork_LeftOut: what the author did not do is not ticked off, and is said again when the work
// ends. What was said of the work is not said of the preview.
func TestWork_LeftOut(t *testing.T) {
	t.Parallel()
	const why = `"a spaceship" is left out: no spaceships here`
	end := previewed()
	end.State.Execution = &koda.Execution{Todos: []koda.Todo{{ID: "4", Label: "Change: a spaceship", Status: koda.TodoDone, LeftOut: why}}}
	s := &script{next: planned()}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	_, work := d.m.Update(keyOf("enter"))
	d.tell(working(), koda.TodoUpdate{TodoID: "4", Status: koda.TodoPending, Label: "Change: a spaceship"})
	d.keys("make it blue", "enter")
	d.sees("Heard", "○ Change: a spaceship", "type to say more · ctrl+c interrupt; the work is saved")
	d.size(50, 20)
	d.sees("type to say more · ctrl+c interrupt")
	d.size(100, 30)
	d.tell(koda.TodoUpdate{TodoID: "4", Status: koda.TodoDone, LeftOut: why})
	d.sees("– Change: a spaceship (left out)")
	s.next = end
	d.run(work)
	d.sees("enter accept", "left out")
	d.keys("right")
	if view := d.m.View(); strings.Contains(view, "left out") || strings.Contains(view, "Heard") {
		t.Errorf("it is said for ever:\n%s", ansi.Strip(view))
	}
	d.keys("enter")
	if view := d.m.View(); strings.Contains(view, "left out") {
		t.Errorf("it is said of work that left nothing out:\n%s", ansi.Strip(view))
	}
}

// TestWork_Queued: what is said while no todo is left waits in sight, and is taken in when the work is
// done, one text after the other. What is typed then goes on.
func TestWork_Queued(t *testing.T) {
	t.Parallel()
	s := &script{next: previewed()}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	_, render := d.m.Update(keyOf("enter"))
	d.keys("ctrl+s")
	d.sees("Koda is at work: ctrl+c interrupts")
	d.keys("make it blue", "enter", "bigger", "enter")
	d.sees("queued: make it blue", "queued: bigger")
	d.called("stand p1")
	s.next = complete()
	d.run(render)
	d.called("accept p1", "edit p1 make it blue", "edit p1 bigger")
	d.sees("The video is ready")

	s.err = &koda.Error{Code: koda.CodeRenderFailed, Op: "the render failed"}
	d.keys("enter")
	_, render = d.m.Update(keyOf("enter"))
	d.keys("greener", "enter")
	d.run(render)
	d.called("render p1 final")
	s.err = nil
	d.keys("enter") // it waits for the next try
	d.called("render p1 final", "edit p1 greener")
}

// TestWork_Unsent: what was typed while a change was thought of that is refused then is not lost, and
// koda says where it stands.
func TestWork_Unsent(t *testing.T) {
	t.Parallel()
	s := &script{next: planned()}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.keys("banana pudding")
	_, change := d.m.Update(keyOf("enter"))
	d.keys("make it blue", "enter")
	s.err = &koda.Error{Code: koda.CodeInvalidInput, Op: "nobody understands that"}
	d.run(change)
	d.sees("nobody understands that", "What you typed meanwhile stands below: enter sends it.", "│ make it blue")
}

// TestWork_NotSaved: work that stopped by itself is not said to be saved: saving may be what failed.
func TestWork_NotSaved(t *testing.T) {
	t.Parallel()
	s := &script{next: planned()}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	s.next.State.Phase, s.next.Waiting = koda.PhaseExecuting, tui.ForRetry
	s.err = &koda.Error{Code: koda.CodeDiskFull, Op: "save checkpoint: no space left"}
	d.keys("enter")
	d.sees("The work stopped", "no space left")
	if strings.Contains(d.m.View(), "everything is saved") {
		t.Error("it says that everything is saved")
	}
}

// TestWork_MarkASCII: the mark of an entry stands apart from its text, also where the mark is "->".
func TestWork_MarkASCII(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &script{next: busy()}, theme.Options{}, tui.Config{Project: "p1"})
	d.tell(koda.MessageAdded{Role: koda.RoleAssistant, Content: "month by month"})
	d.keys("up")
	d.sees("-> month by month")
}

// TestProjects_First: without a project what is typed begins the first.
func TestProjects_First(t *testing.T) {
	t.Parallel()
	s := &script{next: planned()}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{})
	d.sees("There is no project yet")
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("quick ball")})
	d.sees("A new video", "│ quick ball")
	d.keys("enter")
	d.called("new quick ball")
}

// TestProjects_Interrupted: a project whose work nobody does says so.
func TestProjects_Interrupted(t *testing.T) {
	t.Parallel()
	p := project
	p.Phase, p.Interrupted = koda.PhaseExecuting, true
	d := newDesk(t, &script{all: []koda.Project{p}}, theme.Options{}, tui.Config{})
	d.sees("interrupted", "-> bouncing-ball")
	if strings.Contains(d.m.View(), "executing") {
		t.Error("it is listed as being worked on")
	}
	d.keys("ctrl+f")
	d.sees("enter make it")
	if strings.Contains(d.m.View(), "new line") {
		t.Error("a name is offered a new line")
	}
}

// TestPreview_Colourless: a terminal without colours is told why there are no pictures.
func TestPreview_Colourless(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &script{next: previewed(), clip: &clip{}}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.sees("playing", "not shown here: they need UTF-8 and 256 colours")
}

// TestBrief_Resized: the cursor's line is in sight after the window became smaller.
func TestBrief_Resized(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &script{}, theme.Options{UTF8: true}, tui.Config{Begin: true})
	for n := range 12 {
		d.keys("line "+string(rune('a'+n)), "ctrl+j")
	}
	d.keys("the end")
	d.size(20, 6)
	d.sees("the end")
}

// TestWork_InUse: a change that another process kept from being heard stays in the line.
func TestWork_InUse(t *testing.T) {
	t.Parallel()
	for _, next := range []tui.Standing{previewed(), complete(), planned(), busy()} {
		s := &script{next: complete()}
		d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
		s.next, s.err = next, &koda.Error{Code: koda.CodeInUse, Op: "project ball is in use by process 7"}
		d.keys("make it blue", "enter")
		d.called("stand p1", "edit p1 make it blue")
		d.sees("│ make it blue", "in use by process 7; your text stays below, and enter sends it when that is done")
		if !next.Busy {
			next.Version++
			d.send(d.m.Elsewhere(next, nil))
			d.sees("│ make it blue", "Changed elsewhere: this is how it stands now. Your text stays below: enter sends it.")
		}
	}
}
