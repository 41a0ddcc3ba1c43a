package model

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/tool"
)

// Author asks the desk's model. It holds no state of projects and may be shared.
type Author struct {
	texts   map[string]string // by name
	starter string            // the starter's contract with authors
	demo    map[string]string // what shows the starter's demonstration, by path
	kit     Kit
}

// Kit are parts that a model may take into a project.
type Kit struct {
	Files map[string]string // by path
	Guide string            // the kinds of parts and their properties
}

// The texts that a model is told, in their order, for question and plan and for todos.
// What changes least comes first.
var (
	talkTexts = []string{"identity", "talk"}
	workTexts = []string{"identity", "work", "design", starterText, kitText, "theatre", "three", "example", "example-3d"}
)

// kitText is the text that the list of parts follows.
const kitText = "kit"

// starterText stands for the starter's contract, which nobody replaces.
const starterText = "starter"

// demonstration are the files of the starter that show its demonstration.
var demonstration = []string{"src/App.tsx", "src/scenes/MainScene.tsx"}

// New makes an author of the texts in prompts, of the starter, of its contract with authors
// and of the kit.
func New(prompts, starter fs.FS, guide string, kit Kit) (*Author, error) {
	a := &Author{texts: map[string]string{}, starter: guide, demo: map[string]string{}, kit: kit}
	for _, name := range demonstration {
		text, err := fs.ReadFile(starter, name)
		if err != nil {
			return nil, fmt.Errorf("read starter: %w", err)
		}
		a.demo[name] = string(text)
	}
	for _, name := range slices.Concat(talkTexts, workTexts, askTexts) {
		if name == starterText {
			continue
		}
		text, err := fs.ReadFile(prompts, name+".md")
		if err != nil {
			return nil, fmt.Errorf("read prompts: %w", err)
		}
		a.texts[name] = string(text)
	}
	return a, nil
}

// told is what a model is told of all projects, with the texts that the person replaced.
func (a *Author) told(names []string, own map[string]string) string {
	var parts []string
	for _, name := range names {
		text := cmp.Or(own[name], a.texts[name])
		if name == starterText {
			text = a.starter
		}
		if name == kitText {
			text += "\n" + a.kit.Guide
		}
		parts = append(parts, strings.TrimSpace(text))
	}
	return strings.Join(parts, "\n\n")
}

// The tools that are the author's own.
const (
	nameAsk     = "ask"
	nameGoOn    = "go_on"
	namePlan    = "propose_plan"
	nameDecline = "decline"
	nameCheck   = "check"
	nameFinish  = "finish"
	nameKit     = "take_kit"
)

type askInput struct {
	Text    string `json:"text" desc:"One short question."`
	Options []struct {
		ID          string `json:"id" desc:"A word, such as playful."`
		Label       string `json:"label"`
		Description string `json:"description" desc:"What it means for the animation, in a few words."`
	} `json:"options" desc:"Two to four, the best one first."`
}

type declineInput struct {
	Reason     string `json:"reason" desc:"One sentence for the person: why it cannot be done."`
	Suggestion string `json:"suggestion" desc:"The nearest thing that can be done."`
}

// talkTools are the same for question and plan, so that both have one beginning.
var talkTools = []llm.Tool{
	{Name: nameAsk, Description: "Ask the person one question before planning.", Input: tool.Schema[askInput]()},
	{Name: nameGoOn, Description: "Say that nothing has to be asked.", Input: tool.Schema[struct{}]()},
	{Name: namePlan, Description: "Propose the plan of the animation.", Input: tool.Schema[planInput]()},
	declineTool,
}

var declineTool = llm.Tool{
	Name: nameDecline, Description: "Say that this asks for no animation, or for one that cannot be made. Changes nothing.", Input: tool.Schema[declineInput](),
}

// Clarify asks the model whether something has to be asked. If nobody is there to answer, or
// the person named a style, nothing is asked. NOT_ANIMATION: the model says that there is
// nothing to animate, or that it cannot be done.
func (a *Author) Clarify(ctx context.Context, b koda.Brief, rev *koda.Revision, desk tool.Desk) (*koda.Question, error) {
	if !asks(b, rev) {
		return nil, nil
	}
	var q *koda.Question
	say := aboutBrief(b) + aboutRevision(rev) + "\n\nIs there something to ask before you plan? Call ask, go_on or decline."
	err := settle(ctx, desk, a.told(talkTexts, desk.Texts), say, talkTools, func(u llm.ToolUse) error {
		switch u.Name {
		case nameGoOn:
			return nil
		case nameAsk:
			var err error
			q, err = questionOf(u.Input)
			return err
		case nameDecline:
			return declined(u.Input, koda.CodeNotAnimation)
		}
		return broken("call %s, %s or %s now", nameAsk, nameGoOn, nameDecline)
	})
	return q, err
}

// asks reports whether the model is asked for a question.
func asks(b koda.Brief, rev *koda.Revision) bool { return !b.Yes && (b.Style == "" || rev != nil) }

// questionOf reads a question.
func questionOf(input json.RawMessage) (*koda.Question, error) {
	var in askInput
	if err := decode(input, &in); err != nil {
		return nil, err
	}
	q := &koda.Question{Text: oneLine(in.Text), CustomInput: true}
	if q.Text == "" || len(in.Options) < 2 || len(in.Options) > 5 {
		return nil, broken("a question has a text, and two to four options; this has %d", len(in.Options))
	}
	seen := map[string]bool{}
	for _, o := range in.Options {
		id := strings.ToLower(strings.Join(strings.Fields(o.ID), "-"))
		if id == "" || oneLine(o.Label) == "" || seen[id] {
			return nil, broken("every option has an id of its own and a label")
		}
		seen[id] = true
		q.Options = append(q.Options, koda.Option{ID: id, Label: oneLine(o.Label), Description: oneLine(o.Description)})
	}
	return q, nil
}

// violation is what is wrong with an answer. The model is told, and asked again.
type violation struct{ error }

func broken(format string, args ...any) error { return violation{fmt.Errorf(format, args...)} }

// decode reads the input of one of the author's own tools. Fields that the schema does
// not have do no harm.
func decode(input json.RawMessage, into any) error {
	err := json.Unmarshal(input, into)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		return broken("%s must be %s, not %s", cmp.Or(kind.Field, "the input"), kinds[kind.Type.Kind().String()], cmp.Or(kinds[kind.Value], kind.Value))
	case err != nil:
		return broken("the input does not fit the schema: %w", err)
	}
	return nil
}

// kinds are the words for kinds of JSON, and for the kinds of Go that are read from them.
var kinds = map[string]string{
	"string": "a string", "number": "a number", "bool": "a boolean", "array": "a list", "object": "an object",
	"float64": "a number", "int": "a number", "slice": "a list", "struct": "an object", "map": "an object",
}

// declined is the error by which the model declines.
func declined(input json.RawMessage, code koda.Code) error {
	var in declineInput
	if err := decode(input, &in); err != nil {
		return err
	}
	if oneLine(in.Reason) == "" {
		return broken("say the reason in one sentence")
	}
	return &koda.Error{Code: code, Op: oneLine(in.Reason), Hint: oneLine(in.Suggestion)}
}

// oneLine is a text of a model on one line, of a length that people read.
func oneLine(text string) string { return clip(strings.Join(strings.Fields(text), " "), 600) }

// clip shortens a text to n characters.
func clip(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}
