package phase

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// outcome applies the outcome of the pending effect.
func (s *State) outcome(ev Event) (string, error) {
	if s.Pending == nil {
		return "", fmt.Errorf("%s without a pending effect", Name(ev))
	}
	kind := s.Pending.Kind
	want := kinds[Name(ev)].ends
	if _, failed := ev.(Failed); s.Inquiring() && (failed || want == kind) {
		*s = s.Without()
		return "", nil
	}
	if failed, ok := ev.(Failed); ok {
		return "", s.fail(failed)
	}
	if want != "" && want != kind || s.Inquiring() {
		return "", fmt.Errorf("%s while %s is pending", Name(ev), kind)
	}
	if d, ok := ev.(Declined); ok {
		return "", s.decline(kind, d)
	}
	todo, working := s.Working()
	task, _ := s.Task()
	s.Pending = nil
	switch ev := ev.(type) {
	case Asked:
		s.Node.Phase, s.Ahead = koda.PhaseQuestion, nil
		s.Node.Question = &koda.Asked{Question: ev.Question}
		return "", nil
	case Clear:
		s.Node.Phase = koda.PhasePlan
		return EffectPlan, nil
	case Planned:
		return "", s.planned(ev.Plan)
	case Refused:
		return s.refuse(kind, task, ev)
	case SandboxReady:
		s.Node.SandboxID, s.Node.SandboxStatus = ev.SandboxID, koda.SandboxReady
		return s.nextTodo()
	case Worked:
		if working {
			if err := s.mark(todo.ID, koda.TodoDone); err != nil {
				return "", err
			}
		}
		s.Node.LastCheckpoint = ev.At
		return s.nextTodo()
	case Versioned:
		return s.versioned(ev.Version, ev.Stamp)
	case Imported:
		return s.versioned(ev.Version, ev.Stamp)
	case Placed:
		return s.placed(ev), nil
	case Previewed:
		if s.toDo() {
			return s.nextTodo()
		}
		for i := range s.Node.Execution.Todos {
			s.Node.Execution.Todos[i].Status = koda.TodoDone
		}
		p := ev.Preview
		s.Node.Phase, s.Node.Preview, s.Before = koda.PhasePreview, &p, nil
		s.Edited = nil
		return "", nil
	case Finished:
		o := ev.Output
		s.Node.Phase, s.Node.Output, s.Node.CompletedAt = koda.PhaseComplete, &o, ev.At
		s.Brief.To = nil // the video is there; another video goes where the person says then
		return s.release(ev.Keep), nil
	case Released:
		s.Node.SandboxID, s.Node.SandboxStatus = "", koda.SandboxDestroyed
		return "", nil
	}
	return "", unknown(ev)
}

// decline takes in that the author can make no animation of what was said. If nothing stood
// before the person yet, the project is idle again. Else what stood before stands again: the
// question that was answered, or the plan that was turned down.
func (s *State) decline(kind string, ev Declined) error {
	switch {
	case kind != EffectClarify && kind != EffectPlan:
		return fmt.Errorf("%s while %s is pending", Name(ev), kind)
	case len(s.Past) == 0 && s.Revision == nil:
		s.Node.Phase, s.Pending = koda.PhaseIdle, nil
		f := ev.Failure
		s.Declined = &f
		return nil
	case len(s.Past) > 0 && s.Past[len(s.Past)-1].stands():
		n := len(s.Past)
		s.propose(s.Past[n-1])
		s.Past = s.Past[:n-1]
		return nil
	}
	return s.fail(Failed(ev))
}

func (s *State) fail(ev Failed) error {
	f := ev.Failure
	f.From = s.Node.Phase
	if s.Pending.Kind == EffectRelease {
		// The video is there. A sandbox that cannot be given back is left to the
		// clean-up, and is no failure of the project.
		s.Pending = nil
		s.Node.SandboxID, s.Node.SandboxStatus = "", koda.SandboxDestroyed
		return nil
	}
	s.Node.Phase, s.Node.Error = koda.PhaseError, &f
	s.Failed, s.Pending = s.Pending, nil
	return nil
}

// versioned goes on to the preview of a version, unless more was asked for while
// the version was made.
func (s *State) versioned(version int, at Stamp) (string, error) {
	s.became(version)
	s.Named, s.Spent, s.Model = len(s.Messages), koda.Cost{}, ""
	s.Node.LastCheckpoint = at.At
	if s.toDo() {
		return s.nextTodo()
	}
	return EffectPreview, nil
}

// toDo reports whether the author has something to do. If so, it puts the preview
// off.
func (s *State) toDo() bool {
	todos := s.Node.Execution.Todos
	if !slices.ContainsFunc(todos, func(t koda.Todo) bool { return t.Status != koda.TodoDone && s.isTask(t) }) {
		return false
	}
	for i, t := range todos {
		if t.Status == koda.TodoActive && !s.isTask(t) {
			todos[i].Status = koda.TodoPending
		}
	}
	return true
}

func (s *State) isTask(t koda.Todo) bool {
	_, ok := s.Tasks[t.ID]
	return ok
}

// refuse drops what the author cannot do. A modified plan falls back to the plan
// before, an edit to the video before. If other changes were asked for too, only
// the refused change is left out, and the person is told. A version is refused when
// no file differs from the current version.
func (s *State) refuse(kind string, task koda.Task, ev Refused) (string, error) {
	switch {
	case kind == EffectPlan && s.Revision != nil && s.Revision.Plan != nil:
		s.Node.Phase, s.Node.Plan, s.Revision = koda.PhasePlan, s.Revision.Plan, nil
		s.fallBack()
		return "", nil
	case kind == EffectWork && s.Before != nil && len(s.Tasks) <= 1:
		return s.goBack(ev.Keep), nil
	case kind == EffectVersion && s.Version > 0:
		switch {
		case s.toDo(): // more was asked for meanwhile
			return s.nextTodo()
		case s.Before == nil || s.Before.Preview == nil || s.Before.Preview.Version != s.Version: // the preview of this version failed
			return EffectPreview, nil
		}
		return s.goBack(ev.Keep), nil
	case kind == EffectWork && task.Kind.Asked():
		why := leftOut(task.Message, ev.Failure)
		if err := s.leaveOut(task.Todo.ID, why); err != nil {
			return "", err
		}
		delete(s.Tasks, task.Todo.ID)
		s.say(koda.RoleAssistant, why, ev.Stamp)
		return s.nextTodo()
	}
	return "", fmt.Errorf("%s cannot be refused: nothing stood before", kind)
}

// goBack puts the video before the change back in place of a change that came to
// nothing.
func (s *State) goBack(keep bool) string {
	s.restore()
	if s.Node.Phase == koda.PhaseComplete {
		return s.release(keep)
	}
	return ""
}

// release gives back the sandbox of a complete project, unless the sandbox is kept.
func (s *State) release(keep bool) string {
	if s.Node.SandboxID == "" || keep {
		return ""
	}
	return EffectRelease
}

// leftOut tells the person that something they said is not done.
func leftOut(message string, why koda.Failure) string {
	text := fmt.Sprintf("%s is left out: %s", koda.Quote(message), why.Message)
	if why.Hint != "" {
		text += " (" + why.Hint + ")"
	}
	return text
}

// restore goes back to where the change in work started.
func (s *State) restore() {
	b := *s.Before
	s.Node.Phase, s.Node.Preview, s.Node.Output = b.Phase, b.Preview, b.Output
	s.Node.Execution.Todos, s.Tasks, s.Before = b.Todos, nil, nil
	if b.Phase == koda.PhaseComplete {
		s.Brief.To = nil // no video follows
		s.Node.CompletedAt = b.CompletedAt
	}
}

// nextTodo begins the next todo that is not done.
func (s *State) nextTodo() (string, error) {
	for _, t := range s.Node.Execution.Todos {
		if t.Status == koda.TodoDone {
			continue
		}
		if err := s.mark(t.ID, koda.TodoActive); err != nil {
			return "", err
		}
		if _, ok := s.Tasks[t.ID]; ok {
			return EffectWork, nil
		}
		return EffectVersion, nil
	}
	return EffectVersion, nil
}

// active is the id of the first active todo: the one nextTodo just began.
func (s *State) active() string {
	i := slices.IndexFunc(s.Node.Execution.Todos, func(t koda.Todo) bool { return t.Status == koda.TodoActive })
	return s.Node.Execution.Todos[i].ID
}

// planTodos derives the todos of an accepted plan: the setup; then the plan's own
// todos, or a todo for each scene; then the finishing touches and the preview.
func (s *State) planTodos(p koda.Plan) {
	s.Tasks = nil
	todos := []koda.Todo{s.newTodo("Set up Theatre.js project", &TaskRef{Kind: koda.TaskSetup})}
	for _, t := range p.Todos {
		todos = append(todos, s.newTodo(t.Label, &TaskRef{Kind: koda.TaskTodo, Scene: t.Scene, Message: t.Task}))
	}
	if len(p.Todos) == 0 {
		for _, sc := range p.Scenes {
			label := fmt.Sprintf("Create Scene %d (%s) keyframes", sc.Number, sc.Title)
			todos = append(todos, s.newTodo(label, &TaskRef{Kind: koda.TaskScene, Scene: sc.Number}))
		}
	}
	todos = append(todos,
		s.newTodo("Add finishing touches (shadows, light, background)", &TaskRef{Kind: koda.TaskFinish}),
		s.newTodo("Render preview", nil))
	s.Node.Execution.Todos = todos
}

func (s *State) newTodo(label string, task *TaskRef) koda.Todo {
	id := strconv.Itoa(s.NextTodo)
	s.NextTodo++
	if task != nil {
		if s.Tasks == nil {
			s.Tasks = map[string]TaskRef{}
		}
		s.Tasks[id] = *task
	}
	return koda.Todo{ID: id, Label: label, Status: koda.TodoPending}
}

// changeLabel is the label of a todo for what the person said, on one line of at
// most 60 characters.
func changeLabel(text string) string { return taskLabel(koda.TaskChange, text) }

// taskLabel is the label of a todo that a person asked for.
func taskLabel(task koda.TaskKind, text string) string {

	if task == koda.TaskUpdate {
		return "Update the recipe"
	}
	line := strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(line) > 60 {
		line = string([]rune(line)[:59]) + "…"
	}
	return "Change: " + line
}
