package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/tool"
)

// maxPrompt is the length of the longest prompt that is read, in bytes.
const maxPrompt = 64 << 10

// Scorer runs the scores of recipes.
type Scorer interface {
	// Compile makes a script of the score in files, which lie as in a project.
	// BUILD_FAILED: the score has a mistake.
	Compile(ctx context.Context, files fs.FS) (script string, err error)
	// Run runs a script. Ours says that the script is koda's own; any other runs with
	// limits. BUILD_FAILED: the score fails or goes beyond a limit.
	Run(ctx context.Context, script string, params json.RawMessage, env recipe.Env, ours bool) (recipe.Score, error)
}

// Author is the offline author. It holds no state of projects and may be shared.
type Author struct {
	// Letters says, in a sentence, which characters of texts no font has; "" means none.
	// Nil knows of no fonts.
	Letters func(ctx context.Context, texts string) (string, error)

	library *recipe.Library
	scorer  Scorer
	reader  *reading.Reader

	mu       sync.Mutex
	compiled map[string]string // scores of the library, by the recipe's name
}

// New returns the offline author. Words is the folder with the vocabulary of everybody.
// INVALID_INPUT: a word file or a recipe has a mistake.
func New(library *recipe.Library, words fs.FS, scorer Scorer) (*Author, error) {
	reader, err := reading.New(words, library.Manifests())
	if err != nil {
		return nil, err
	}
	return &Author{library: library, scorer: scorer, reader: reader, compiled: map[string]string{}}, nil
}

// Clarify asks for the style, or for the words if a text is missing. It asks nothing if
// the prompt names a style, if the prompt is so specific that a default is no surprise,
// or if the feedback on a rejected plan says what to change. NOT_ANIMATION: the prompt
// asks for no animation, or for what no recipe draws. INVALID_INPUT: the prompt is empty
// or too long. USAGE: a value is out of range.
func (a *Author) Clarify(ctx context.Context, b koda.Brief, rev *koda.Revision, _ tool.Desk) (*koda.Question, error) {
	d, err := a.draft(b)
	if err != nil {
		return nil, err
	}
	if d.req.Recipe == nil {
		if q := d.offer(); q != nil && rev == nil {
			return q, nil
		}
		return nil, d.unfit()
	}
	if !d.missing() {
		if d, _, _, err = a.scoreAny(ctx, d, koda.Answer{}); err != nil {
			return nil, err
		}
	}
	m := d.req.Recipe
	if rev != nil {
		return a.askAgain(m, rev)
	}
	switch {
	case d.missing():
		return d.askWords(), nil
	case d.style != "" || len(d.req.Styles) == 1:
		return nil, nil
	case len(d.req.Styles) > 1:
		return question(m, fmt.Sprintf("You named %s. Which style leads?", join(d.req.Styles))), nil
	case d.req.Settled >= 4:
		return nil, nil
	}
	return question(m, "What style should the animation have?"), nil
}

func question(m *recipe.Manifest, text string) *koda.Question {
	q := &koda.Question{Text: text, CustomInput: true}
	for _, s := range m.Styles {
		q.Options = append(q.Options, koda.Option{ID: s.ID, Label: s.Label, Description: s.Description})
	}
	return q
}

// askWords asks for the words of a text that is missing. A style that the brief names
// stands: an answer that only takes an option must not change it.
func (d *draft) askWords() *koda.Question {
	m := d.req.Recipe
	asks := "What should it say (%s), and in which style? Answer with the words in quotation marks."
	named := append([]string{d.style}, d.req.Styles...)
	if d.style == "" {
		named = named[1:]
	}
	if len(named) > 0 {
		asks = "What should it say (%s)? Answer with the words in quotation marks."
	}
	q := question(m, fmt.Sprintf(asks, m.Param(d.req.Missing).Help))
	if len(named) > 0 {
		q.Options = slices.DeleteFunc(q.Options, func(o koda.Option) bool { return o.ID != named[0] })
	}
	return q
}

// askAgain asks after a plan was rejected: nothing if the feedback says what to change,
// else which way to go.
func (a *Author) askAgain(m *recipe.Manifest, rev *koda.Revision) (*koda.Question, error) {
	feedback := strings.TrimSpace(rev.Feedback)
	if feedback == "" {
		return question(m, "What should the new plan be like?"), nil
	}
	before, known := m.Defaults(m.Styles[0].ID), reading.Known{}
	if rev.Plan != nil {
		planned, v, err := a.planValues(*rev.Plan)
		if err != nil {
			return nil, err
		}
		m, before = planned, v
		known.Scenes = func(recipe.Values) ([]koda.SceneStart, error) { return rev.Plan.Starts(), nil }
	}
	c, err := a.reader.Change(m, before, known, feedback)
	if named := a.reader.Named(feedback); len(named) > 0 && (len(c.Left) > 0 || !c.Understood || err != nil) && !slices.Contains(named, m) {
		return askWhich(m, named[0]), nil
	}
	if err == nil && c.Understood {
		return nil, nil
	}
	asks := "You said %s, of which koda can take in nothing for a plan of %s. Which style should the new plan have? Or say a change, such as %s."
	return question(m, fmt.Sprintf(asks, koda.Quote(feedback), m.Name, join(a.reader.Suggest(m, before)))), nil
}

// askWhich asks which of two recipes a new plan shall be of.
func askWhich(m, other *recipe.Manifest) *koda.Question {
	option := func(m *recipe.Manifest, about string) koda.Option {
		return koda.Option{ID: m.Name, Label: m.Title, Description: about, Recipe: m.Name}
	}
	return &koda.Question{
		Text: fmt.Sprintf("Shall it be another kind of video: %s?", other.Title), CustomInput: true,
		Options: []koda.Option{option(other, other.About), option(m, "The plan stays as it was.")},
	}
}

// Plan fills a recipe's parameters and tells the scenes that follow from them. With a
// revision, it changes the plan before by what the person said and keeps the rest. Words
// that change nothing are INVALID_INPUT, and the plan before still holds.
func (a *Author) Plan(ctx context.Context, b koda.Brief, ans koda.Answer, rev *koda.Revision, _ tool.Desk) (koda.Plan, error) {
	d, err := a.draft(b)
	if err != nil {
		return koda.Plan{}, err
	}
	switch other := a.named(ans); {
	case rev == nil || rev.Plan == nil:
	case other == nil || ans == rev.Answer:
		return a.replan(ctx, d, ans, rev)
	case other.Name == rev.Plan.Data[recipeKey]:
		return *rev.Plan, nil
	default:
		if d, err = a.turn(b, other, rev); err != nil {
			return koda.Plan{}, err
		}
	}
	if d.req.Recipe == nil {
		if ans, err = a.take(d, ans); err != nil {
			return koda.Plan{}, err
		}
	}
	d, v, s, err := a.scoreAny(ctx, d, ans)
	if err != nil {
		return koda.Plan{}, err
	}
	notes := append(v.notes, a.settings(d.req.Recipe, v.values, s, v.notes)...)
	notes, err = a.lettersOf(ctx, v.values, append(notes, d.remarks(v.values)...))
	return newPlan(d.req.Recipe, v.values, s, b.FPS, notes, d.req.Left), err
}

// Work writes the project. The set-up writes the code and the parameters, each scene its
// keyframes, and the finish whatever is left. A change edits parameters and keyframes
// only. An update also replaces the code of the recipe; see [Author.CheckUpdate].
func (a *Author) Work(ctx context.Context, t koda.Task, desk tool.Desk) error {
	w, err := a.open(ctx, t, desk)
	if err != nil {
		return err
	}
	switch t.Kind {
	case koda.TaskSetup:
		return w.setup(ctx)
	case koda.TaskScene:
		return w.scene(ctx, t.Scene)
	case koda.TaskFinish:
		return w.finish(ctx)
	case koda.TaskChange:
		return w.change(ctx, t.Message)
	case koda.TaskUpdate:
		return w.update(ctx)
	case koda.TaskTodo: // a recipe's plans have no todos of their own
	}
	return &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("unknown kind of task %q", t.Kind)}
}

// join writes a list as people do: "a, b and c".
func join(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// clipped is a list of at most eight.
func clipped(list []string) string {
	if len(list) > 8 {
		return strings.Join(list[:8], ", ") + " and others"
	}
	return strings.Join(list, ", ")
}
