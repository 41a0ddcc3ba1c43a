package phase

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// State is everything a project remembers between two steps. It is a value: Step
// never changes the state it is given.
type State struct {
	Node     koda.NodeState `json:"node"`
	Brief    koda.Brief     `json:"brief"`
	Answer   koda.Answer    `json:"answer"`
	Messages []koda.Message `json:"messages,omitempty"`
	// Named is how many messages were said before the work on the next version: when
	// the turn began, or when the turn made its last version. Use Since instead.
	Named int `json:"named,omitempty"`
	// Revision is what the author is given with the next question or plan.
	Revision *koda.Revision `json:"revision,omitempty"`
	// Past and Ahead are the proposals that an undo goes back to and that a redo comes
	// back to, the next one last. An accepted plan ends both.
	Past  []Proposal `json:"past,omitempty"`
	Ahead []Proposal `json:"ahead,omitempty"`
	// Tasks says what each todo of Node.Execution asks of the author. The todo
	// without a task renders the preview.
	Tasks map[string]TaskRef `json:"tasks,omitempty"`
	// Edited are files the person changed since the last preview.
	Edited []string `json:"edited,omitempty"`
	// Before is what an edit started from. If the author refuses the change, Before
	// is restored.
	Before *Standing `json:"before,omitempty"`
	// Pending is the effect that is begun and not done; nil while koda waits for
	// the person. Failed is the effect that a retry begins again.
	Pending *koda.Effect `json:"pending,omitempty"`
	Failed  *koda.Effect `json:"failed,omitempty"`
	// Version is the current version: the files belong to it, or are becoming it. 0
	// before the first version.
	Version int `json:"version"`
	// Newest is the highest number a version has; 0 when no other version than the
	// current one was ever current. Use Latest instead.
	Newest int `json:"newest,omitempty"`
	// Undone are the versions a redo comes back to, the next version last.
	Undone []int `json:"undone,omitempty"`
	// Origin is the version of another project that this project begins with.
	Origin *koda.Origin `json:"origin,omitempty"`
	// Declined explains why the prompt of an idle project asks for no animation.
	Declined *koda.Failure `json:"declined,omitempty"`

	// Spent is what was paid since the current version was made, and Model is the
	// models asked since, with commas between.
	Spent koda.Cost `json:"spent,omitzero"`
	Model string    `json:"model,omitempty"`
	// Own are the texts for models that the person replaced, as that model was told them.
	Own []string `json:"own,omitempty"`

	// Inquiry is the question about the project that is pending. Held is the effect that
	// was pending before it. Inquiries counts all turns beside the work: questions and turns
	// of outside agents. Inquired is what the answers to the questions cost.
	Inquiry   *koda.Inquiry `json:"inquiry,omitempty"`
	Held      *koda.Effect  `json:"held,omitempty"`
	Inquiries int           `json:"inquiries,omitempty"`
	Inquired  koda.Cost     `json:"inquired,omitzero"`

	// Agents are the logs of outside agents, those begun last at the end.
	Agents []Agent `json:"agents,omitempty"`

	Turn       int `json:"turn"`            // number of the newest turn, from 1
	Aside      int `json:"aside,omitempty"` // how many of the newest turns are beside the work
	NextTodo   int `json:"nextTodo"`        // number of the next todo
	NextEffect int `json:"nextEffect"`      // number of the next effect
}

// TaskRef is what a todo asks of the author.
type TaskRef struct {
	Kind    koda.TaskKind `json:"kind"`
	Scene   int           `json:"scene,omitempty"`
	Message string        `json:"message,omitempty"`
}

// Standing is a place in the life of a project that an edit can fall back to.
type Standing struct {
	Phase   koda.Phase    `json:"phase"`
	Todos   []koda.Todo   `json:"todos"`
	Preview *koda.Preview `json:"preview,omitempty"`
	Output  *koda.Output  `json:"output,omitempty"`
	// CompletedAt is when Output was published.
	CompletedAt time.Time `json:"completedAt,omitzero"`
}

// The kinds of effect.
const (
	EffectClarify = "clarify" // ask the author for the question
	EffectPlan    = "plan"    // ask the author for the plan
	EffectSandbox = "sandbox" // have a living sandbox with the project's files
	EffectWork    = "work"    // let the author do the active todo
	EffectVersion = "version" // build the files, and checkpoint them as a version if they build
	EffectPreview = "preview" // render the preview of the newest version
	EffectFinal   = "final"   // render the final video of the newest version
	EffectRelease = "release" // checkpoint and give the sandbox back
	EffectPlace   = "place"   // put the files of the current version in place
	EffectFork    = "fork"    // bring in the files of Origin as version 1
	EffectInquire = "inquire" // answer a question about the project
)

// clone copies what Step changes in place.
func (s State) clone() State {
	s.Messages, s.Edited = slices.Clone(s.Messages), slices.Clone(s.Edited)
	s.Tasks, s.Agents = maps.Clone(s.Tasks), slices.Clone(s.Agents)
	if x := s.Node.Execution; x != nil {
		c := *x
		c.Todos, c.Messages, c.Files = slices.Clone(c.Todos), slices.Clone(c.Messages), slices.Clone(c.Files)
		s.Node.Execution = &c
	}
	return s
}

// Latest is the highest number a version has, 0 before the first version.
func (s State) Latest() int { return max(s.Newest, s.Version) }

// Working returns the todo of the work that is pending or failed. The effect names
// its todo, so the todo stays the same whatever status the author gives it. An
// effect of an older koda names no todo: there the active todo is meant.
func (s State) Working() (koda.Todo, bool) {
	e, x := s.Pending, s.Node.Execution
	if e == nil {
		e = s.Failed
	}
	if e == nil || e.Kind != EffectWork || x == nil {
		return koda.Todo{}, false
	}
	id := payloadOf(e).Todo
	i := slices.IndexFunc(x.Todos, func(t koda.Todo) bool { return t.ID == id || id == "" && t.Status == koda.TodoActive })
	if i < 0 {
		return koda.Todo{}, false
	}
	return x.Todos[i], true
}

// TodosDone counts the finished todos.
func (s State) TodosDone() int {
	n := 0
	if x := s.Node.Execution; x != nil {
		for _, t := range x.Todos {
			if t.Status == koda.TodoDone {
				n++
			}
		}
	}
	return n
}

// Heard is how many messages the author of the pending work is told of: the
// messages said before the work began. Without such work it counts all messages.
func (s State) Heard() int {
	if s.Pending == nil || len(s.Pending.Payload) == 0 {
		return len(s.Messages)
	}
	return payloadOf(s.Pending).Messages
}

// Since are the messages said during the work on the next version. They do not hold
// the input of the turn. A state of an older koda does not tell them.
func (s State) Since() []koda.Message {
	if s.Named <= 0 || s.Named > len(s.Messages) {
		return nil
	}
	return s.Messages[s.Named:]
}

// workPayload is the payload of an effect of kind work.
type workPayload struct {
	Messages int    `json:"messages"`       // messages said before the work
	Todo     string `json:"todo,omitempty"` // the id of the todo; older effects have none
}

// payloadOf reads the payload of an effect of kind work, zero when the effect has
// none.
func payloadOf(e *koda.Effect) (work workPayload) {
	if json.Unmarshal(e.Payload, &work) != nil {
		return workPayload{}
	}
	return work
}

// Task is the author's task in the work that is pending or failed; false when there
// is no task.
func (s State) Task() (koda.Task, bool) {
	todo, ok := s.Working()
	ref, isTask := s.Tasks[todo.ID]
	if !ok || !isTask || s.Node.Plan == nil {
		return koda.Task{}, false
	}
	return koda.Task{
		Kind: ref.Kind, Todo: todo, Scene: ref.Scene, Message: ref.Message,
		Brief: s.Brief, Answer: s.Answer, Plan: *s.Node.Plan, HandEdited: s.Edited,
	}, true
}

// Auto returns the event that replaces the person's answer when the brief gives
// every approval in advance: it answers with the first option, accepts the plan,
// accepts the preview.
func Auto(s State, at time.Time) (Event, bool) {
	now := Stamp{At: at, Auto: true}
	if !s.Brief.Yes || s.Pending != nil {
		return nil, false
	}
	switch s.Node.Phase {
	case koda.PhaseQuestion:
		if q := s.Node.Question; q != nil && len(q.Options) > 0 {
			return Answered{Stamp: now, Answer: koda.Answer{OptionID: q.Options[0].ID}}, true
		}
	case koda.PhasePlan:
		return Accepted{Stamp: now}, s.Node.Plan != nil
	case koda.PhasePreview:
		return Accepted{Stamp: now}, true
	case koda.PhaseIdle, koda.PhaseExecuting, koda.PhaseComplete, koda.PhaseError:
	}
	return nil, false
}
