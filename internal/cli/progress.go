package cli

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// pace is the time between two lines about a render, on a stream that is not a terminal.
const pace = 5 * time.Second

// progress shows what is done: envelopes under --json, otherwise lines on Err. At a
// terminal it redraws the last line in place.
type progress struct {
	a      *app
	events *feed.Subscription // nil where somebody else brings the events

	mu     sync.Mutex
	id     string // the project of the events
	todos  map[string]koda.Todo
	active koda.Todo
	ticks  int
	live   bool // the last line will be overwritten
	told   time.Time
	ended  map[koda.RenderKind]bool // renders whose last frame was reported
	notes  bool                     // the notes of a plan have not been told yet
	built  string                   // the image that people were told is built
}

func (a *app) newProgress() *progress {
	return &progress{a: a, todos: map[string]koda.Todo{}, ended: map[koda.RenderKind]bool{}}
}

// follow subscribes to the events of e.
func (a *app) follow(e Engine) *progress {
	p := a.newProgress()
	p.events = e.Subscribe(p.event)
	a.followed = append(a.followed, p.events)
	return p
}

// unfollow shows the events that still wait and ends the subscriptions.
func (a *app) unfollow() {
	for _, events := range a.followed {
		events.Flush()
		events.End()
	}
	a.followed = nil
}

// projectID is the project of the events; "" before the first event.
func (p *progress) projectID() string {
	p.events.Flush()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.id
}

// rest shows all events so far and removes the line in place before other output.
func (p *progress) rest() {
	p.events.Flush()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

// next begins the next of several renders, with a line that names it.
func (p *progress) next(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.a.json {
		return
	}
	clear(p.ended)
	p.print(line)
}

// event shows one event. Any goroutine may call it.
func (p *progress) event(ev koda.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.id = cmp.Or(ev.Project, p.id)
	if change, ok := ev.Payload.(koda.StateChange); ok {
		p.learn(change.State)
	}
	if p.a.json {
		p.a.emit(ev)
		return
	}
	switch payload := ev.Payload.(type) {
	case koda.TodoUpdate:
		p.todo(payload)
	case koda.Thinking:
		p.note(payload.Message)
	case koda.FileWritten:
		p.note("writing " + payload.Path)
	case koda.MessageAdded:
		if payload.Role != koda.RoleUser {
			p.tell(payload.Content)
		}
	case koda.Warned:
		p.clear()
		p.a.warn(payload.Message)
	case koda.BuildStep:
		p.build(payload)
	case koda.SandboxChanged:
		if payload.Note != "" {
			p.tell(payload.Note)
		}
	case koda.Progress:
		p.render(payload)
	}
}

func (p *progress) learn(s koda.NodeState) {
	p.id = s.ProjectID
	if s.Plan != nil && !p.a.json {
		for _, note := range s.Plan.Notes {
			p.a.first(note)
		}
	}
	if p.notes && s.Phase == koda.PhaseExecuting && s.Plan != nil {
		p.notes = false
		for _, note := range s.Plan.Notes {
			p.tell("note: " + widget.Line(note))
		}
	}
	if s.Execution == nil {
		return
	}
	for _, t := range s.Execution.Todos {
		if _, known := p.todos[t.ID]; !known {
			p.todos[t.ID] = t
		}
	}
}

// begin says where the project stands when the events begin.
func (p *progress) begin(s koda.NodeState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.learn(s)
}

// shown says that the person sees the plan and its notes.
func (p *progress) shown() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notes = false
}

// tell writes a text for people, as wide as the terminal.
func (p *progress) tell(text string) {
	if !p.a.json {
		p.print(strings.Join(widget.Wrap(text, p.a.io.Columns()), "\n"))
	}
}

// todo ticks off a todo, once, or shows it as the present todo.
func (p *progress) todo(u koda.TodoUpdate) {
	t, known := p.todos[u.TodoID]
	before := t.Status
	t.ID, t.Status, t.LeftOut = u.TodoID, u.Status, u.LeftOut
	if u.Label != "" {
		t.Label = u.Label
	}
	p.todos[t.ID] = t
	switch u.Status {
	case koda.TodoDone:
		p.active = koda.Todo{}
		if before != koda.TodoDone {
			p.print(widget.Todo(p.a.look().err, t, "", 0, p.a.io.Columns()))
		}
	case koda.TodoActive:
		p.active = t
		p.note("")
	case koda.TodoPending:
		if !known { // the todo was added later
			p.print(widget.Todo(p.a.look().err, t, "", 0, p.a.io.Width))
		}
	}
}

// note shows in place what is going on.
func (p *progress) note(text string) {
	t := p.active
	if t.Label == "" {
		if text == "" {
			return
		}
		t, text = koda.Todo{Label: text, Status: koda.TodoActive}, ""
	}
	p.ticks++
	p.redraw(widget.Todo(p.a.look().err, t, text, p.ticks, p.a.io.Columns()-1))
}

// build tells how far the image of sandboxes is, at a terminal in place.
func (p *progress) build(s koda.BuildStep) {
	if s.Image != p.built {
		p.built = s.Image
		p.tell(buildNote(s))
	}
	switch {
	case s.Text == "":
	case p.a.look().live:
		p.note(widget.Line(s.String()))
	default:
		p.print(widget.Line(s.String()))
	}
}

// render tells how far a render is: in place at a terminal, otherwise every few seconds
// and at the end.
func (p *progress) render(r koda.Progress) {
	if p.a.look().live {
		p.redraw(widget.Progress(p.a.look().err, string(r.Kind), r, p.a.io.Columns()-1))
		return
	}
	end := r.Frames > 0 && r.Frame >= r.Frames
	now := p.a.deps.Now()
	switch {
	case p.ended[r.Kind] && end, !end && now.Sub(p.told) < pace:
		return
	}
	p.ended[r.Kind], p.told = end, now
	p.print(widget.Summary(string(r.Kind), r))
}

// print writes a line that stays.
func (p *progress) print(text string) {
	p.clear()
	fmt.Fprintln(p.a.io.Err, text)
}

// redraw writes a line that the next line overwrites. If the stream cannot redraw, redraw
// writes nothing.
func (p *progress) redraw(text string) {
	if !p.a.look().live {
		return
	}
	fmt.Fprint(p.a.io.Err, theme.ClearLine()+text)
	p.live = true
}

func (p *progress) clear() {
	if p.live {
		fmt.Fprint(p.a.io.Err, theme.ClearLine())
		p.live = false
	}
}
