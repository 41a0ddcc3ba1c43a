package tui_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// replanned is a project whose plan another process changed, in a turn.
func replanned(turn int) tui.Standing {
	s := planned()
	s.Seen.Turn = turn
	s.State.Plan.Scenes = slices.Clone(s.State.Plan.Scenes)
	s.State.Plan.Scenes[0].Title = "Fall"
	return s
}

// TestElsewhere: what another process makes of a project that waits is shown, the person
// decides on what they see, and a key that was meant for what stood before does nothing.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	s := &script{next: planned()}
	s.next.Seen.Turn = 2
	var watched []koda.Seen
	s.changes = func(saw tui.Standing) { watched = append(watched, saw.Seen) }
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.called("stand p1")
	old := d.m.Elsewhere(replanned(9), nil)
	d.keys("down", "up")
	d.send(d.m.Elsewhere(replanned(3), nil))
	d.sees("Fall", "Changed elsewhere: this is how it stands now.")
	d.keys("enter")
	d.called()
	d.sees("Changed elsewhere")
	d.now = d.now.Add(2 * time.Second)
	d.send(old) // of a wait that has ended
	d.keys("enter")
	d.called("accept p1")
	if diff := cmp.Diff([]koda.Seen{{Turn: 3}}, s.seen); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]koda.Seen{{Turn: 2}, {Turn: 3}, {Turn: 2}}, watched); diff != "" {
		t.Errorf("waited for changes since: %s", diff)
	}
}

// TestElsewhere_Typing: who types goes on in the line of the screen that comes.
func TestElsewhere_Typing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		next, then tui.Standing
		keys, call string
	}{
		"change of a plan":  {planned(), replanned(3), "", "edit p1 make it blue"},
		"reject of a plan":  {planned(), replanned(3), "alt+r", "reject p1 make it blue"},
		"a plan at work":    {planned(), busy(), "", "say p1 make it blue"},
		"a preview":         {previewed(), complete(), "", "edit p1 make it blue"},
		"an answer":         {asking(), planned(), "i", "edit p1 imake it blue"},
		"back to an answer": {planned(), asking(), "", "answer p1 make it blue"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, &script{next: tt.next, watched: busy()}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
			d.called("stand p1")
			if tt.keys != "" {
				d.keys(tt.keys)
			}
			d.keys("make ")
			d.send(d.m.Elsewhere(tt.then, nil))
			d.keys("it blue", "enter")
			d.called(tt.call)
		})
	}
}

// TestElsewhere_Stays: what a refused change of another process leaves as it was stays on
// the screen as it is, and so does a screen that was called up.
func TestElsewhere_Stays(t *testing.T) {
	t.Parallel()
	s := &script{next: planned(), past: tui.History{}}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	same := planned()
	same.Seen.Turn = 4
	d.send(d.m.Elsewhere(same, nil))
	d.sees("alt+u undo")
	d.keys("enter")
	d.called("stand p1", "accept p1")
	if s.seen[0].Turn != 4 {
		t.Errorf("accepted turn %d", s.seen[0].Turn)
	}
	s.next = complete()
	d = newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.keys("alt+v")
	d.sees("Versions (0)")
	d.send(d.m.Elsewhere(previewed(), nil))
	d.sees("Versions (0)")
	d = newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.send(d.m.Elsewhere(tui.Standing{}, &koda.Error{Code: koda.CodeNotFound, Op: "there is no project p1"}))
	d.sees("there is no project p1", "The video is ready")
}

// TestElsewhere_Lost: where the process at work cannot be followed, or was killed and only
// seems to work, its end is seen all the same.
func TestElsewhere_Lost(t *testing.T) {
	t.Parallel()
	s := &script{next: busy(), watched: busy()}
	var watched []bool
	s.changes = func(saw tui.Standing) { watched = append(watched, saw.Busy) }
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.sees("Another koda works on this project")
	over := busy()
	over.Busy = false
	d.send(d.m.Elsewhere(over, nil))
	d.sees("The work was interrupted", "Changed elsewhere")
	if diff := cmp.Diff([]bool{true, false}, watched); diff != "" {
		t.Error(diff)
	}
}

// TestElsewhere_Composed: a plan that was changed while the person's editor had it is not
// changed by what the editor left: the person looks first.
func TestElsewhere_Composed(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &script{next: planned()}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.keys("ctrl+o")
	d.send(d.m.Elsewhere(replanned(3), nil))
	d.send(tui.Composed("duration: 7 s", nil))
	d.called("stand p1", "compose "+tui.PlanText(plan))
	d.sees("Fall", "│ ")
	d.keys("enter")
	d.called("edit p1 " + tui.PlanChange(plan, "duration: 7 s"))
}

// rendering is a finished project for which another process makes a further video.
func rendering() tui.Standing {
	s := complete()
	s.Busy = true
	return s
}

// TestElsewhere_Finished: the work of another process on a project that waits for its person, or
// for nothing, is followed, and what is said meanwhile waits for the end.
func TestElsewhere_Finished(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]tui.Standing{"finished": complete(), "preview": previewed(), "plan": planned(), "question": asking(), "failed": failed()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := before
			at.Busy = true
			s := &script{next: before, watched: at}
			d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
			d.send(d.m.Elsewhere(at, nil))
			d.tell(koda.Progress{Kind: koda.RenderFinal, Stage: koda.StageCapturing, Frame: 30, Frames: 120, Percent: 25})
			d.sees("Another koda works on this project", "30/120")
			d.keys("make it blue", "enter")
			d.sees("queued: make it blue")
			d.keys("undo", "enter")
			d.sees("Not possible here: undo")
			d.keys("ctrl+y", "alt+u") // writes nothing
			d.called("stand p1")
			if before.Waiting == tui.ForRetry {
				return // where nothing can be changed, the text comes into the line
			}
			d.send(tui.Stood(before))
			if before.Waiting == tui.ForPreview || before.Waiting == tui.ForNothing {
				d.called("edit p1 make it blue")
			} else {
				d.sees("│ make it blue", "What you typed meanwhile stands below")
			}
		})
	}
}

// TestElsewhere_End: a key for the screen of work does nothing on the screen that comes when the
// work of another process ends.
func TestElsewhere_End(t *testing.T) {
	t.Parallel()
	d := newDesk(t, &script{next: previewed(), watched: previewed()}, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	at := previewed()
	at.Busy = true
	d.now = d.now.Add(time.Minute)
	d.send(d.m.Elsewhere(at, nil)) // and ends at once
	d.keys("enter")
	d.called("stand p1")
	d.now = d.now.Add(2 * time.Second)
	d.keys("enter")
	d.called("accept p1")
}

// TestElsewhere_Over: what lies over the screen of a project stays, and says that another process
// works; the screen below follows when it is left.
func TestElsewhere_Over(t *testing.T) {
	t.Parallel()
	s := &script{next: complete(), watched: rendering()}
	var watched []bool
	s.changes = func(saw tui.Standing) { watched = append(watched, saw.Busy) }
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.keys("ctrl+p", "ver")
	d.send(d.m.Elsewhere(rendering(), nil))
	d.sees("> ver")
	d.keys("enter") // the versions
	d.send(d.m.Elsewhere(rendering(), nil))
	d.sees("Versions (0)", "Another koda works on this project now")
	s.next = rendering()
	d.keys("esc")
	d.sees("Another koda works on this project; this is what it does.")
	if diff := cmp.Diff([]bool{false, false, true, true}, watched); diff != "" {
		t.Error(diff)
	}
}
