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

// logStep logs a step that was journaled: what happened, where the step led and
// what begins now.
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

// detail is what a person wants to know of an event beside its name. If the event
// itself says nothing, detail names its call or its video.
func detail(ev phase.Event, w with) string {
	text := ev.Told().Detail
	if c := w.call; text == "" && c != nil {
		text = c.Name + " " + c.ErrText
	}
	if rec := w.render; text == "" && rec != nil {
		text = fmt.Sprintf("%s %s %s", rec.Status, rec.Spec.Output, rec.Error)
	}
	return text
}
