package phase

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Step returns the state after ev and the effects to perform now: none, or a single
// effect. If the event is not possible where the project stands, the error has code
// WRONG_PHASE (or USAGE, when the event lacks what it needs), and Step returns the
// state it was given.
//
// An effect is pending from the step that returns it to the step of its outcome.
// The kind of an outcome says which effect it belongs to.
func Step(s State, ev Event) (State, []koda.Effect, error) {
	next := s.clone()
	next.Node.UpdatedAt = ev.stamp().At
	effect, err := next.apply(ev)
	if err != nil {
		return s, nil, err
	}
	if effect == "" {
		next.house()
		return next, nil, nil
	}
	e := koda.Effect{ID: "e" + strconv.Itoa(next.NextEffect), Kind: effect, TurnID: TurnID(next)}
	if effect == EffectInquire {
		e.TurnID = turnID(next, next.Turn)
	}
	if effect == again {
		e = *next.Failed
		e.Attempt++
		next.Failed = nil
	} else {
		next.NextEffect++
	}
	if effect == EffectWork {
		if e.Payload, err = json.Marshal(workPayload{Messages: len(next.Messages), Todo: next.active()}); err != nil {
			return s, nil, fmt.Errorf("encode effect: %w", err)
		}
	}
	next.Pending = &e
	next.house()
	return next, []koda.Effect{e}, nil
}

// house says of a sandbox that is there whether an author works in it.
func (s *State) house() {
	if s.Node.SandboxStatus != koda.SandboxReady && s.Node.SandboxStatus != koda.SandboxBusy {
		return
	}
	s.Node.SandboxStatus = koda.SandboxReady
	if s.Pending != nil && s.Pending.Kind == EffectWork {
		s.Node.SandboxStatus = koda.SandboxBusy
	}
}

// TurnID names the current turn of a project, unique among all projects. Turns beside the
// work, such as questions and those of outside agents, are not meant.
func TurnID(s State) string { return turnID(s, s.Turn-s.Aside) }

func turnID(s State, number int) string { return s.Node.ProjectID + "-t" + strconv.Itoa(number) }

// again is the kind apply returns for the effect that failed.
const again = "again"

func (s *State) apply(ev Event) (effect string, err error) {
	switch kinds[Name(ev)].class {
	case beginning:
		switch ev := ev.(type) {
		case Began:
			return s.begin(ev)
		case Forked:
			return s.fork(ev)
		}
	case acting:
		effect, err := s.person(ev)
		if err == nil && !ev.stamp().Auto {
			s.Turn++
			if effect == EffectInquire { // a question is no part of the work
				s.Aside++
			} else {
				s.Aside, s.Named = 0, len(s.Messages)
			}
		}
		return effect, err
	case aside:
		return "", s.aside(ev)
	case during:
		return "", s.during(ev)
	case outcome:
		return s.outcome(ev)
	}
	return "", unknown(ev)
}

// unknown is the error of an event that a switch, or the table of events, lacks.
func unknown(ev Event) error { return fmt.Errorf("unknown event %s", Name(ev)) }

func (s *State) begin(ev Began) (string, error) {
	if s.Node.ProjectID != "" {
		return "", wrong(s, "begin")
	}
	s.Brief = ev.Brief
	s.Turn, s.NextTodo, s.NextEffect = 1, 1, 1
	s.Node = koda.NodeState{
		NodeID: ev.ProjectID, ProjectID: ev.ProjectID, UserID: cmp.Or(ev.UserID, koda.LocalUser),
		Phase: koda.PhaseIdle, CreatedAt: ev.At, UpdatedAt: ev.At,
	}
	s.say(koda.RoleUser, ev.Brief.Prompt, ev.Stamp)
	s.Named = 1
	return EffectClarify, nil
}

// aside applies what is possible at any time, even while an effect is pending. It
// begins no turn.
func (s *State) aside(ev Event) error {
	if s.Node.ProjectID == "" {
		return wrong(s, "do that")
	}
	switch ev := ev.(type) {
	case Messaged:
		return s.message(ev)
	case Approved:
		s.Brief.Yes = ev.Yes
	case Chosen:
		if len(ev.Presets) > 0 {
			s.Brief.Preset, s.Brief.Presets = ev.Presets[0], ev.Presets[1:]
		}
		if ev.To != nil {
			s.Brief.To = ev.To
		}
		s.Brief.Models = s.Brief.Models.With(ev.Models)
	case Saved:
		s.became(ev.Version)
		s.Node.LastCheckpoint = ev.At
	case HandEdited:
		s.Edited = append(s.Edited, ev.Paths...)
	case Unsaved:
		s.say(koda.RoleSystem, ev.Note, ev.Stamp)
	case Suspended:
		s.Node.SandboxID, s.Node.SandboxStatus = "", koda.SandboxDestroyed
		s.Node.LastCheckpoint = ev.At
	case Rendered:
	case Logged:
		return s.log(ev)
	default:
		return unknown(ev)
	}
	return nil
}

// person applies what begins a turn. Nobody interrupts a pending effect, but an undo
// and a move to another version can give the effect up.
func (s *State) person(ev Event) (string, error) {
	if ev, ok := ev.(Inquired); ok && !s.Inquiring() {
		return s.inquire(ev)
	}
	_, undoes := ev.(Undone)
	if _, moves := ev.(CheckedOut); moves && s.CanGiveUp() {
		s.dropChange()
	}
	if s.Pending != nil && !(undoes && s.CanGiveUp()) {
		hint := "`koda resume` finishes what was begun"
		if s.CanGiveUp() {
			hint += ", `koda undo` gives it up"
		}
		return "", &koda.Error{Code: koda.CodeWrongPhase, Op: fmt.Sprintf("the project is busy (%s)", s.Pending.Kind), Hint: hint}
	}
	switch ev := ev.(type) {
	case Answered:
		return s.answer(ev)
	case Accepted:
		return s.accept(ev)
	case Rejected:
		return s.reject(ev)
	case Modified:
		return s.modify(ev)
	case Edited:
		return s.edit(ev.Text, cmp.Or(ev.Task, koda.TaskChange), ev.Stamp)
	case Undone:
		return "", s.undo(ev.Stamp)
	case Redone:
		return "", s.redo(ev.Stamp)
	case CheckedOut:
		return s.checkOut(ev)
	case Retried:
		if s.Node.Phase != koda.PhaseError || s.Failed == nil {
			return "", wrong(s, "retry")
		}
		s.Node.Phase = s.Node.Error.From
		s.Node.Error = nil
		if todo, ok := s.Working(); ok {
			return again, s.mark(todo.ID, koda.TodoActive)
		}
		return again, nil
	}
	return "", unknown(ev)
}

func (s *State) answer(ev Answered) (string, error) {
	q := s.Node.Question
	if s.Node.Phase != koda.PhaseQuestion || q == nil {
		return "", wrong(s, "answer")
	}
	text, meaning := ev.Answer.Text, ""
	asked := *q
	switch {
	case ev.Answer.OptionID != "":
		i := slices.IndexFunc(q.Options, func(o koda.Option) bool { return o.ID == ev.Answer.OptionID })
		if i < 0 {
			return "", &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("%q is not one of the options", ev.Answer.OptionID), Hint: "`koda show` lists them"}
		}
		asked.SelectedID, asked.CustomText = q.Options[i].ID, ""
		text = q.Options[i].Label
		meaning = strings.TrimSuffix(text+": "+q.Options[i].Description, ": ")
	case ev.Answer.Text == "":
		return "", &koda.Error{Code: koda.CodeUsage, Op: "the answer is empty", Hint: "give the id of an option, or a text"}
	case !q.CustomInput:
		return "", &koda.Error{Code: koda.CodeUsage, Op: "this question takes one of its options only", Hint: "`koda show` lists them"}
	default:
		asked.SelectedID, asked.CustomText = "", ev.Answer.Text
	}
	s.remember()
	s.Node.Question = &asked
	s.Answer = ev.Answer
	s.Answer.Asked, s.Answer.Meaning = q.Text, meaning
	s.say(koda.RoleUser, text, ev.Stamp)
	s.Node.Phase = koda.PhasePlan
	s.Node.Plan = nil
	return EffectPlan, nil
}

func (s *State) accept(ev Accepted) (string, error) {
	switch {
	case s.Node.Phase == koda.PhasePlan && s.Node.Plan != nil:
		s.Node.Phase = koda.PhaseExecuting
		s.Node.StartedAt = ev.At
		s.Revision, s.Past, s.Ahead = nil, nil, nil
		s.Node.Execution = &koda.Execution{Todos: []koda.Todo{}, Messages: []koda.Message{}, Files: []string{}}
		s.Node.SandboxStatus = koda.SandboxCreating
		s.planTodos(*s.Node.Plan)
		return EffectSandbox, nil
	case s.Node.Phase == koda.PhasePreview:
		return EffectFinal, nil
	}
	return "", wrong(s, "accept")
}

func (s *State) reject(ev Rejected) (string, error) {
	switch {
	case s.Node.Phase == koda.PhasePlan && s.Node.Plan != nil:
		rev := &koda.Revision{Answer: s.Answer, Plan: s.Node.Plan, Feedback: ev.Feedback}
		if s.Node.Question != nil {
			q := s.Node.Question.Question
			rev.Question = &q
		}
		s.remember()
		s.Revision = rev
		s.Node.Phase, s.Node.Plan, s.Node.Question, s.Answer = koda.PhaseQuestion, nil, nil, koda.Answer{}
		if ev.Feedback != "" {
			s.say(koda.RoleUser, ev.Feedback, ev.Stamp)
		}
		return EffectClarify, nil
	case s.Node.Phase == koda.PhasePreview:
		if ev.Feedback == "" {
			return "", &koda.Error{
				Code: koda.CodeUsage, Op: "a preview is rejected with a word on what to change",
				Hint: "say it with -m, for example: -m \"make the bounce higher\"",
			}
		}
		return s.edit(ev.Feedback, koda.TaskChange, ev.Stamp)
	}
	return "", wrong(s, "reject")
}

func (s *State) modify(ev Modified) (string, error) {
	if s.Node.Phase != koda.PhasePlan || s.Node.Plan == nil {
		return "", wrong(s, "modify the plan")
	}
	if ev.Text == "" {
		return "", empty()
	}
	s.remember()
	s.Revision = &koda.Revision{Answer: s.Answer, Plan: s.Node.Plan, Feedback: ev.Text}
	s.Node.Plan = nil
	s.say(koda.RoleUser, ev.Text, ev.Stamp)
	return EffectPlan, nil
}

func (s *State) message(ev Messaged) error {
	if s.Node.Phase != koda.PhaseExecuting {
		err := wrong(s, "send a message")
		if s.Pending != nil {
			err.Hint = "wait until that is done; then `koda edit` changes it"
		}
		return err
	}
	if ev.Text == "" {
		return empty()
	}
	s.say(koda.RoleUser, ev.Text, ev.Stamp)
	// The change is made after the planned todos and before the preview. If the
	// preview is being made now, another preview follows.
	x := s.Node.Execution
	at := slices.IndexFunc(x.Todos, func(t koda.Todo) bool { return t.Status != koda.TodoDone && !s.isTask(t) })
	if at < 0 {
		at = len(x.Todos)
	}
	x.Todos = slices.Insert(x.Todos, at, s.newTodo(changeLabel(ev.Text), &TaskRef{Kind: koda.TaskChange, Message: ev.Text}))
	return nil
}

// edit begins a change of a video that exists. It is also possible after a failure
// once there is a version: a new instruction is a way out of the failure.
func (s *State) edit(text string, task koda.TaskKind, at Stamp) (string, error) {
	ok := s.Node.Phase == koda.PhasePreview || s.Node.Phase == koda.PhaseComplete ||
		(s.Node.Phase == koda.PhaseError && s.Version > 0)
	if !ok || s.Node.Execution == nil {
		return "", wrong(s, "edit")
	}
	if text == "" {
		return "", empty()
	}
	if s.Node.Phase != koda.PhaseError {
		s.Before = &Standing{
			Phase: s.Node.Phase, Todos: s.Node.Execution.Todos, Preview: s.Node.Preview,
			Output: s.Node.Output, CompletedAt: s.Node.CompletedAt,
		}
	}
	s.say(koda.RoleUser, text, at)
	todos, tasks := s.unheard(TaskRef{Kind: task, Message: text})
	s.Node.Phase, s.Node.Error, s.Failed = koda.PhaseExecuting, nil, nil
	s.Node.Preview, s.Node.Output, s.Node.CompletedAt = nil, nil, time.Time{}
	s.Tasks = tasks
	s.Node.Execution.Todos = append(todos,
		s.newTodo(taskLabel(task, text), &TaskRef{Kind: task, Message: text}),
		s.newTodo("Render preview", nil))
	return EffectSandbox, nil
}

// unheard are the changes that were asked for and never begun, because an earlier
// todo failed, but for the change that is asked for again.
func (s *State) unheard(again TaskRef) (todos []koda.Todo, tasks map[string]TaskRef) {
	tasks = map[string]TaskRef{}
	for _, t := range s.Node.Execution.Todos {
		if ref := s.Tasks[t.ID]; t.Status == koda.TodoPending && ref.Kind.Asked() && ref != again {
			todos, tasks[t.ID] = append(todos, t), ref
		}
	}
	return todos, tasks
}

// asked adds a model to those that were asked.
func (s *State) asked(model string) {
	switch {
	case s.Model == "":
		s.Model = model
	case model != "" && !slices.Contains(strings.Split(s.Model, ", "), model):
		s.Model += ", " + model
	}
}

// during applies what happens in the middle of an effect.
func (s *State) during(ev Event) error {
	switch ev.(type) {
	case Called, Said, Checkpointed: // the author asks and plans by calls, too
		if s.Node.ProjectID == "" {
			return wrong(s, "work")
		}
	default:
		if s.Node.Execution == nil {
			return wrong(s, "work")
		}
	}
	switch ev := ev.(type) {
	case Called:
		if s.Inquiring() { // no version comes of it
			s.Inquired = s.Inquired.Plus(ev.Cost)
			return nil
		}
		s.Spent = s.Spent.Plus(ev.Cost)
		s.asked(ev.Model)
		if ev.Texts != "" {
			s.Own = ev.Own
		}
	case TodoMarked:
		return s.mark(ev.TodoID, ev.Status)
	case Said:
		s.say(koda.RoleAssistant, ev.Text, ev.Stamp)
	case SandboxLost:
		s.say(koda.RoleSystem, ev.Note, ev.Stamp)
		s.Node.SandboxID, s.Node.SandboxStatus = "", koda.SandboxDestroyed
	case SandboxMoved:
		s.Node.SandboxID, s.Node.SandboxStatus = ev.SandboxID, koda.SandboxReady
	case Wrote:
		x := s.Node.Execution
		i, found := slices.BinarySearch(x.Files, ev.Path)
		switch {
		case ev.Deleted && found:
			x.Files = slices.Delete(x.Files, i, i+1)
		case !ev.Deleted && !found:
			x.Files = slices.Insert(x.Files, i, ev.Path)
		}
	case Checkpointed:
		s.Node.LastCheckpoint = ev.At
	default:
		return unknown(ev)
	}
	return nil
}

func (s *State) mark(id string, status koda.TodoStatus) error {
	t, err := s.todo(id)
	if err == nil {
		t.Status = status
	}
	return err
}

// leaveOut marks a todo that the author cannot do.
func (s *State) leaveOut(id, why string) error {
	t, err := s.todo(id)
	if err == nil {
		t.Status, t.LeftOut = koda.TodoDone, why
	}
	return err
}

func (s *State) todo(id string) (*koda.Todo, error) {
	x := s.Node.Execution
	i := slices.IndexFunc(x.Todos, func(t koda.Todo) bool { return t.ID == id })
	if i < 0 {
		return nil, &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("there is no todo %q", id)}
	}
	return &x.Todos[i], nil
}

func (s *State) say(role, text string, at Stamp) {
	m := koda.Message{ID: "m" + strconv.Itoa(len(s.Messages)+1), Role: role, Content: text, Timestamp: at.At}
	s.Messages = append(s.Messages, m)
	if s.Node.Execution != nil {
		s.Node.Execution.Messages = append(s.Node.Execution.Messages, m)
	}
}

func wrong(s *State, what string) *koda.Error {
	where := string(s.Node.Phase)
	if where == "" {
		where = "not begun"
	}
	hints := map[koda.Phase]string{
		koda.PhaseIdle: "`koda new` starts an animation", koda.PhaseQuestion: "it waits for an answer: `koda answer`",
		koda.PhasePlan: "it waits for its plan to be accepted: `koda accept`", koda.PhasePreview: "it waits for its preview to be accepted: `koda accept`",
		koda.PhaseExecuting: "`koda resume` goes on with the work", koda.PhaseComplete: "`koda edit` asks for a change",
		koda.PhaseError: "`koda resume` tries again",
	}
	return &koda.Error{Code: koda.CodeWrongPhase, Op: fmt.Sprintf("cannot %s in phase %s", what, where), Hint: hints[s.Node.Phase]}
}

func empty() error {
	return &koda.Error{Code: koda.CodeUsage, Op: "the text is empty", Hint: "say what to change, for example \"make the bounce higher\""}
}
