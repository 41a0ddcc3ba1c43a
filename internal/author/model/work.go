package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/tool"
)

// The limits of one todo.
const (
	mostCalls   = 40 // of the model
	mostErrors  = 3  // corrections of one error of the page
	mostRepeats = 3  // calls with the same result, until the model is told; twice as many end the todo
)

type checkInput struct {
	Times []float64 `json:"times,omitempty" desc:"Seconds to look at, at most 6. Left out: three moments of the todo's scene; else the first frame, moments of the scenes, and the end."`
}

type finishInput struct {
	Summary string `json:"summary" desc:"For the person: what is there now, in one or two sentences."`
}

// hidden are the tools that the model does not need: koda marks the todos, tells what is
// done, keeps the sandbox and renders.
var hidden = []string{
	tool.NameUpdateTodo, tool.NameSetThinking, tool.NameSandboxCreate, tool.NameSandboxDestroy,
	tool.NameSandboxStartPreview, tool.NameSandboxScreenshot, tool.NameSandboxLook, tool.NameRenderPreview, tool.NameRenderFinal,
}

// job is one todo at work.
type job struct {
	*talk
	task    koda.Task
	fresh   bool           // files changed since the model saw the page, or since it was checked
	changed bool           // files changed in this todo
	clean   bool           // the last check found nothing at all
	unread  bool           // the page was checked in this answer, and the model has not seen it yet
	failed  map[string]int // errors of the page, and how often each came
	called  map[string]int // calls with their results
	kit     Kit
	demo    map[string]string
	urged   bool     // to change something
	asks    int      // how often missing files were asked for
	paths   []string // of the project's files, then of the planned ones

	serious []tool.Problem // that the last check found
	named   []float64      // times that the model looked at last, of its own choice
}

// Work lets the model do a todo. It ends when the model finishes and the page builds and
// draws. INVALID_INPUT: the model declines a change. FAILED: the page stays broken, or
// the model calls tools in vain. LIMIT_REACHED: the model was asked too often.
func (a *Author) Work(ctx context.Context, t koda.Task, desk tool.Desk) error {
	if t.Kind == koda.TaskUpdate {
		return &koda.Error{Code: koda.CodeInvalidInput, Op: "this project was made by a model, and follows no recipe", Hint: "say what should change: koda edit"}
	}
	if err := tool.Think(ctx, desk, "Reading the project"); err != nil {
		return err
	}
	if t.Kind == koda.TaskSetup {
		if err := writeManifest(ctx, desk, t); err != nil {
			return err
		}
	}
	tools := workTools(desk.Tools())
	j := &job{
		talk: newTalk(desk, a.told(workTexts, desk.Texts), aboutBrief(t.Brief)+aboutAnswer(t.Brief, t.Answer)+"\n\nThe plan, which the person accepted:\n"+tagged("plan", "", aboutPlan(t.Plan)), tools, mostCalls),
		task: t, kit: a.kit, demo: a.demo, fresh: true, failed: map[string]int{}, called: map[string]int{},
	}
	project := j.req.Messages[0].Parts[0]
	j.first = func(ctx context.Context, hard hardness) ([]llm.Part, error) {
		files, paths, err := aboutFiles(ctx, desk, hard)
		for _, f := range designOf(t.Plan).Files {
			paths = append(paths, strings.TrimPrefix(path.Clean("/"+f.Path), "/"))
		}
		j.paths = paths
		return []llm.Part{project, {Text: files}, {Text: aboutTask(t, hard)}}, err
	}
	if err := j.begin(ctx); err != nil {
		return err
	}
	for {
		done, err := j.turn(ctx)
		if done || err != nil {
			return err
		}
	}
}

// workTools are the tools on offer that the model needs, and the author's own.
func workTools(offered []tool.Tool) []llm.Tool {
	var tools []llm.Tool
	for _, t := range offered {
		if !slices.Contains(hidden, t.Name) {
			tools = append(tools, llm.Tool{Name: t.Name, Description: t.Description, Input: t.Input})
		}
	}
	tools = append(tools,
		llm.Tool{Name: nameKit, Description: "Put koda's kit of parts into src/stage, for scenes to import Kit from.", Input: tool.Schema[struct{}]()},
		llm.Tool{Name: nameCheck, Description: "Build the page, draw it at some times, and look. Comes after all other calls of the same answer.", Input: tool.Schema[checkInput]()},
		llm.Tool{Name: nameFinish, Description: "End the todo. The page must build and draw. Comes after all other calls of the same answer.", Input: tool.Schema[finishInput]()})
	return append(tools, declineTool) // also where nothing is declined, so that all todos begin alike
}

// turn asks the model once and does what it calls; done is true at the end of the todo.
func (j *job) turn(ctx context.Context) (done bool, err error) {
	resp, err := j.ask(ctx)
	if err != nil {
		return false, err
	}
	j.unread = false
	uses := resp.Uses()
	slices.SortStableFunc(uses, func(a, b llm.ToolUse) int { return last(a) - last(b) })
	reply := llm.Message{Role: llm.User}
	if len(uses) == 0 {
		text := "You called no tool. Go on with the todo, or call finish when it is done."
		if resp.Stop == llm.StopLength {
			text = "Your answer was cut, because it was too long. Write one file a call, and smaller files."
		}
		if err := j.repeated("", text); err != nil {
			return false, err
		}
		j.req.Messages = append(j.req.Messages, said(text))
		return false, nil
	}
	results, err := j.call(ctx, uses)
	if err != nil {
		return false, err
	}
	for i, u := range uses {
		if results[i] != nil {
			continue
		}
		var parts []llm.Part
		var failed error
		switch u.Name {
		case nameKit:
			parts, err = j.takeKit(ctx)
		case nameCheck:
			parts, failed, err = j.check(ctx, u.Input)
		case nameFinish:
			missed := slices.ContainsFunc(results, func(r *llm.ToolResult) bool { return r != nil && r.Failed })
			parts, done, failed, err = j.finish(ctx, u.Input, missed)
		case nameDecline:
			failed = j.decline(u.Input)
			var v violation
			if !errors.As(failed, &v) {
				return false, failed
			}
		}
		if err != nil || done {
			return done, err
		}
		results[i] = &llm.ToolResult{ID: u.ID, Parts: parts, Failed: failed != nil}
		if failed != nil {
			results[i].Parts = []llm.Part{{Text: tagged("tool_output", "", told(failed))}}
		}
	}
	for _, r := range results {
		reply.Parts = append(reply.Parts, llm.Part{Result: r})
	}
	if resp.Stop == llm.StopLength {
		reply.Parts = append(reply.Parts, llm.Part{Text: "Your answer was cut after these calls, because it was too long."})
	}
	j.req.Messages = append(j.req.Messages, reply)
	return false, nil
}

// last puts check and then finish behind all other calls of an answer.
func last(u llm.ToolUse) int { return 1 + slices.Index([]string{nameCheck, nameFinish}, u.Name) }

// call makes the calls of the toolbox, in order. The results of other uses are nil.
func (j *job) call(ctx context.Context, uses []llm.ToolUse) ([]*llm.ToolResult, error) {
	results := make([]*llm.ToolResult, len(uses))
	var calls []tool.Call
	var at []int
	for i, u := range uses {
		switch {
		case llm.Unread(u.Input) != "":
			results[i] = failure(u, llm.Unread(u.Input)).Result
		case slices.Contains([]string{nameKit, nameCheck, nameFinish, nameDecline}, u.Name):
		case slices.Contains(hidden, u.Name):
			results[i] = failure(u, "koda does that by itself. Use the tools that you were given.").Result
		default:
			calls, at = append(calls, tool.Call{Name: u.Name, Input: j.aligned(u.Input)}), append(at, i)
		}
	}
	if len(calls) > 0 {
		if err := tool.Think(ctx, j.desk, doing(calls)); err != nil {
			return nil, err
		}
	}
	for k, got := range j.desk.Calls(ctx, calls) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if koda.CodeOf(got.Err) == koda.CodeSandboxNotFound || koda.CodeOf(got.Err) == koda.CodeDiskFull {
			return nil, got.Err
		}
		u, text := uses[at[k]], string(got.Output)
		switch {
		case koda.CodeOf(got.Err) == koda.CodeUnknownTool:
			text = told(&koda.Error{Code: koda.CodeUnknownTool, Op: got.Err.Error(), Hint: "the tools are " + namesOf(j.req.Tools)})
		case got.Err != nil:
			text = told(got.Err)
		case changes(u.Name):
			j.fresh, j.changed = true, true
		}
		if err := j.repeated(u.Name+string(u.Input), text); err != nil {
			return nil, err
		}
		if j.called[u.Name+string(u.Input)+text] >= mostRepeats {
			text += "\nYou made this call before, with the same result. Do something else."
		}
		results[at[k]] = &llm.ToolResult{ID: u.ID, Parts: []llm.Part{{Text: tagged("tool_output", "", bounded(text, mostResult))}}, Failed: got.Err != nil}
	}
	return results, nil
}

func namesOf(tools []llm.Tool) string {
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

// repeated counts calls with their results. FAILED: the model goes round in circles.
func (j *job) repeated(call, result string) error {
	j.called[call+result]++
	if j.called[call+result] < 2*mostRepeats {
		return nil
	}
	return &koda.Error{Code: koda.CodeFailed, Op: "the model repeats itself and gets no further", Hint: "`koda resume` asks it again; or choose another model"}
}

// takeKit writes the files of the kit.
func (j *job) takeKit(ctx context.Context) ([]llm.Part, error) {
	if err := tool.Think(ctx, j.desk, "Taking koda's kit of parts"); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(j.kit.Files)) {
		if err := tool.WriteFile(ctx, j.desk, name, j.kit.Files[name]); err != nil {
			return nil, err
		}
	}
	j.fresh, j.changed = true, true
	return []llm.Part{{Text: "The kit is in src/stage: import { Kit } from '../stage/Kit'."}}, nil
}

// decline is what comes of a use of decline: only a change that the person asks for can
// be declined.
func (j *job) decline(input json.RawMessage) error {
	if !j.task.Kind.Asked() {
		return broken("the person accepted the plan; do what is possible, and say what is not in the summary")
	}
	return declined(input, koda.CodeInvalidInput)
}

func changes(name string) bool {
	return slices.Contains([]string{tool.NameSandboxWriteFile, tool.NameEditFile, tool.NameSandboxDeleteFile, tool.NameSandboxRunCommand}, name)
}

// doing says in a few words what calls do.
func doing(calls []tool.Call) string {
	verbs := map[string]string{
		tool.NameSandboxWriteFile: "Writing", tool.NameEditFile: "Changing", tool.NameSandboxReadFile: "Reading",
		tool.NameSandboxDeleteFile: "Removing", tool.NameSandboxListFiles: "Looking at", tool.NameSandboxRunCommand: "Running",
	}
	c := calls[0]
	var in struct{ Path, Command string }
	_ = json.Unmarshal(c.Input, &in) //nolint:errcheck // the tool refuses what is wrong
	verb := verbs[c.Name]
	if verb == "" {
		verb = "Calling " + c.Name
	}
	text := strings.TrimSpace(verb + " " + in.Path + in.Command)
	if len(calls) > 1 {
		text = clip(text, 36) + fmt.Sprintf(" and %d more", len(calls)-1)
	}
	return clip(text, 48)
}

// told is an error as the model is told it: the code, what failed, the place, and what to do.
func told(err error) string {
	text := err.Error()
	var e *koda.Error
	if errors.As(err, &e) {
		text = fmt.Sprintf("%s: %s", koda.CodeOf(err), text)
	}
	if d := koda.DetailsOf(err); d != "" {
		text += "\n" + d
	}
	if h := koda.HintOf(err); h != "" {
		text += "\nHint: " + h
	}
	return text
}
