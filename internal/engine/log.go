package engine

import (
	"fmt"
	"strings"

	"github.com/koda-video/koda/internal/phase"
)

// log writes what happened into the project's log, for people.
func (r *run) log(format string, args ...any) {
	r.e.cfg.Storage.Log(r.project.Dir, r.e.now(), fmt.Sprintf(format, args...))
}

// logStep writes a step that was journaled: what happened, where that led and
// what is begun now.
func (r *run) logStep(prev phase.State, ev phase.Event, w with) {
	parts := []string{strings.TrimSpace(strings.ToLower(phase.Name(ev)) + " " + detail(ev, w))}
	if from, to := prev.Node.Phase, r.state.Node.Phase; from != to && from != "" {
		parts = append(parts, fmt.Sprintf("%s → %s", from, to))
	}
	if p := r.state.Pending; p != nil && (prev.Pending == nil || prev.Pending.ID != p.ID || prev.Pending.Attempt != p.Attempt) {
		begins := "begins " + p.Kind
		if todo, ok := r.state.Working(); ok {
			begins += fmt.Sprintf(" on todo %s, %s", todo.ID, todo.Label)
		}
		parts = append(parts, begins)
	}
	r.e.cfg.Storage.Log(r.project.Dir, r.state.Node.UpdatedAt, strings.Join(parts, "; "))
}

// detail is what a person wants to know of an event beside its name.
func detail(ev phase.Event, w with) string {
	switch ev := ev.(type) {
	case phase.Began:
		return ev.Brief.Prompt
	case phase.Answered:
		return ev.Answer.OptionID + ev.Answer.Text
	case phase.Rejected:
		return ev.Feedback
	case phase.Modified:
		return ev.Text
	case phase.Messaged:
		return ev.Text
	case phase.Edited:
		return ev.Text
	case phase.Said:
		return ev.Text
	case phase.TodoMarked:
		return fmt.Sprintf("%s %s", ev.TodoID, ev.Status)
	case phase.SandboxReady:
		return ev.SandboxID
	case phase.SandboxMoved:
		return ev.SandboxID
	case phase.Wrote:
		if ev.Deleted {
			return ev.Path + " (deleted)"
		}
		return fmt.Sprintf("%s (%d bytes)", ev.Path, ev.Size)
	case phase.Versioned:
		return fmt.Sprintf("v%d", ev.Version)
	case phase.Saved:
		return fmt.Sprintf("v%d", ev.Version)
	case phase.Failed:
		return fmt.Sprintf("%s: %s", ev.Failure.Code, ev.Failure.Message)
	case phase.Unsaved:
		return fmt.Sprintf("%s: %s", ev.Failure.Code, ev.Failure.Message)
	case phase.Refused:
		return ev.Failure.Message
	case phase.Called:
		if w.call != nil {
			return strings.TrimSpace(w.call.Name + " " + w.call.ErrText)
		}
	case phase.Previewed, phase.Finished, phase.Rendered:
		if w.render != nil {
			return strings.TrimSpace(fmt.Sprintf("%s %s %s", w.render.Status, w.render.Spec.Output, w.render.Error))
		}
	}
	return ""
}
