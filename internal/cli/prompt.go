package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/tui/widget"
)

// wordsFor are the words of a prompt, in the order in which help explains them.
var wordsFor = map[engine.Waiting][]koda.Word{
	engine.WaitingAnswer:  {koda.WordUndo, koda.WordRedo, koda.WordShow, koda.WordQuit},
	engine.WaitingPlan:    {koda.WordAccept, koda.WordChange, koda.WordReject, koda.WordUndo, koda.WordRedo, koda.WordShow, koda.WordQuit},
	engine.WaitingPreview: {koda.WordAccept, koda.WordChange, koda.WordUndo, koda.WordRedo, koda.WordVersions, koda.WordShow, koda.WordQuit},
}

// wordOf finds one of koda's words in a line, and the text after it. A line is a wish if
// it has no such word, or if text follows a word that takes no text: "accept" is an
// order, "a red ball" and "no shadow" are wishes. Quotes around a line make the whole
// line a wish.
func wordOf(line string, waiting engine.Waiting) (word koda.Word, rest string) {
	if wish, quoted := koda.Unquote(line); quoted {
		return "", wish
	}
	first, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if whole := koda.WordOf(line); whole != "" {
		word, rest = whole, ""
	} else if !strings.ContainsAny(first, ".!") {
		word = koda.WordOf(first)
	}
	switch {
	case waiting == engine.WaitingAnswer && (word == koda.WordAccept || word == koda.WordChange || word == koda.WordReject):
		return "", line
	case word == koda.WordChange, word == koda.WordReject && (rest == "" || !strings.HasPrefix(strings.ToLower(first), "n")):
		return word, rest
	case rest == "" && word != "" && word != koda.WordProjects && word != koda.WordStop:
		return word, ""
	}
	return "", line
}

// ask shows what a project waits for, asks the person at the terminal, and calls the
// engine with the answer.
func (c *conversation) ask(ctx context.Context, out engine.Outcome) (engine.Outcome, error) {
	th, width := c.look().err, c.io.Columns()
	text := ""
	switch out.Waiting {
	case engine.WaitingAnswer:
		q := out.State.Question.Question
		if stills := c.stills(th, q, width); stills != "" {
			fmt.Fprintf(c.io.Err, "\n%s\n", stills)
		}
		fmt.Fprintf(c.io.Err, "\n%s\n\n", widget.Question(th, q, width))
		text = fmt.Sprintf("1-%d?", len(q.Options))
		if q.CustomInput {
			text = fmt.Sprintf("1-%d, or in your own words?", len(q.Options))
		}
	case engine.WaitingPlan:
		c.progress.shown()
		fmt.Fprintf(c.io.Err, "\n%s\n\n", widget.Plan(th, *out.State.Plan, width))
		text = "accept, change WHAT, or reject WHY?"
	case engine.WaitingPreview:
		fmt.Fprintln(c.io.Err)
		c.say("preview: ", out.State.Preview.VideoURL)
		c.noteOf(*out.State.Preview)
		text = "accept, change WHAT, or quit?"
	case engine.WaitingNothing, engine.WaitingRetry:
		return out, errQuit
	}
	for {
		line, err := c.prompt(ctx, text)
		if err != nil {
			return out, err
		}
		next, err := c.heed(ctx, out, line)
		switch {
		case errors.Is(err, errAgain):
		case err != nil && next.Waiting == out.Waiting && !errors.Is(err, engine.ErrElsewhere) && c.mayAskAgain(ctx, next, err):
			// Refused. The screen still shows what the project waits for.
			c.progress.rest()
			c.refused(err, line)
			out = next
		default:
			return next, err
		}
	}
}

// errAgain: koda answered the line itself, and the prompt comes again.
var errAgain = errors.New("ask again")

// heed does what a line says. Every line gets a reply.
func (c *conversation) heed(ctx context.Context, out engine.Outcome, line string) (_ engine.Outcome, err error) {
	id := out.Project.ID
	word, rest := wordOf(line, out.Waiting)
	switch {
	case line == "":
		c.say("", "nothing was said: help tells what can be")
		return out, errAgain
	case word == koda.WordQuit:
		return out, errQuit
	case word == koda.WordHelp:
		c.help(out)
		return out, errAgain
	case word == koda.WordShow:
		return out, c.show(ctx, id)
	case word == koda.WordUndo:
		return c.move(ctx, out, "undone", c.e.Undo)
	case word == koda.WordRedo:
		return c.move(ctx, out, "redone", c.e.Redo)
	case word == koda.WordVersions:
		return out, c.versions(ctx, id)
	case word == koda.WordAccept:
		return c.e.Accept(ctx, id, out.Seen)
	case word == koda.WordReject && out.Waiting != engine.WaitingPlan:
		c.say("", "a plan is rejected, a video is changed: say what should be different, or undo")
		return out, errAgain
	case out.Waiting == engine.WaitingAnswer:
		answer, err := readAnswer(out.State.Question.Question, rest)
		if near := nearestOption(out.State.Question.Question, answer); rest == line && near != "" {
			err = usage(fmt.Sprintf("or %q, in quotes, to say just that", rest), "did you mean %s?", near)
		}
		if err != nil {
			c.printError(err)
			return out, errAgain
		}
		return c.e.Answer(ctx, id, out.Seen, answer)
	}
	if rest == "" {
		if rest, err = c.prompt(ctx, map[koda.Word]string{koda.WordChange: "change what?", koda.WordReject: "why?"}[word]); err != nil {
			return out, err
		}
	}
	asked := preset.Ask(rest)
	switch {
	case word == "" && asked.Unknown != "":
		_, err := preset.Lookup(asked.Unknown)
		c.printError(err)
		return out, errAgain
	case word == "" && len(asked.Presets) > 0 && (asked.Now || out.Waiting == engine.WaitingPreview):
		return c.e.Accept(ctx, id, out.Seen, engine.Finals{Presets: asked.Presets})
	case rest == "":
		c.say("", "nothing was said, and nothing is changed")
		return out, errAgain
	case word == koda.WordReject:
		return c.e.Reject(ctx, id, out.Seen, rest)
	}
	return c.e.Edit(ctx, id, out.Seen, rest)
}

// prompt asks for a line; the end of the input means quit. If the person stays away for
// long, koda saves the project and removes its sandbox.
func (c *conversation) prompt(ctx context.Context, text string) (string, error) {
	c.say("", text)
	away, back := context.WithCancel(ctx)
	idle := make(chan error, 1)
	go func() { idle <- c.e.Idle(away, c.id) }()
	l, err := c.io.Ask(ctx, "> ")
	back()
	if failed := <-idle; failed != nil {
		c.printError(fmt.Errorf("save while you were away: %w", failed))
	}
	if errors.Is(err, io.EOF) {
		return "", errQuit
	}
	return strings.TrimSpace(l), err
}

// nearestOption is the option that a person's own word probably means; "" if there is
// none.
func nearestOption(q koda.Question, a koda.Answer) string {
	var ids []string
	for _, o := range q.Options {
		ids = append(ids, o.ID)
	}
	return koda.Nearest(a.Text, ids)
}

// help tells what the person can type.
func (c *conversation) help(out engine.Outcome) {
	about := map[koda.Word]string{
		koda.WordAccept:   "make the video of it; yes and ok mean the same",
		koda.WordChange:   "or only what should be different: bigger, a blue ball, 4 bounces",
		koda.WordReject:   "have another plan thought up",
		koda.WordUndo:     "go back to the version before",
		koda.WordRedo:     "come back from an undo",
		koda.WordShow:     "tell all about the project",
		koda.WordVersions: "tell which versions there are",
		koda.WordQuit:     "leave; koda resume " + c.name + " comes back here",
	}
	switch out.Waiting {
	case engine.WaitingPreview:
		about[koda.WordAccept] = "make the final video; yes and ok mean the same"
	case engine.WaitingAnswer, engine.WaitingPlan:
		about[koda.WordUndo] = "go back to the plan or the question before"
	case engine.WaitingNothing, engine.WaitingRetry:
	}
	var facts []widget.Fact
	if out.Waiting == engine.WaitingAnswer {
		facts = append(facts, widget.Fact{Name: "a number", Value: "the answer beside it; its name will do"})
		if out.State.Question.CustomInput {
			facts = append(facts, widget.Fact{Name: "words", Value: "your own answer"})
		}
	}
	for _, word := range wordsFor[out.Waiting] {
		name := map[koda.Word]string{koda.WordChange: "change WHAT", koda.WordReject: "reject WHY"}[word]
		facts = append(facts, widget.Fact{Name: cmp.Or(name, string(word)), Value: about[word]})
	}
	fmt.Fprintf(c.io.Err, "\n%s\n\n", widget.Facts(c.look().err, facts, c.io.Columns()))
}

// show tells everything about the project.
func (c *conversation) show(ctx context.Context, id string) error {
	v, err := c.e.Show(ctx, id)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.io.Err, "\n%s\n", c.showText(c.look().err, v, nil))
	return errAgain
}

// versions tells which versions there are.
func (c *conversation) versions(ctx context.Context, id string) error {
	h, err := c.e.History(ctx, id)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.io.Err, "\n%s\n\n", widget.History(c.look().err, c.versionRows(h), c.io.Columns()))
	return errAgain
}

// move goes to another version or plan, and waits for what that waits for.
func (c *conversation) move(ctx context.Context, out engine.Outcome, how string, to func(context.Context, string) (engine.Moved, error)) (engine.Outcome, error) {
	m, err := to(ctx, out.Project.ID)
	c.progress.rest()
	switch {
	case err != nil && c.mayAskAgain(ctx, out, err):
		// The hint does not fit a conversation.
		c.printError(errors.New("nothing can be " + how + ": " + err.Error()))
		return out, errAgain
	case err != nil:
		return out, err
	}
	c.tellMove(m, c.name)
	return movedTo(m), nil
}

// refused tells why a line was refused, and names a word that the person may have
// mistyped.
func (c *conversation) refused(err error, line string) {
	c.printError(err)
	all := []string{string(koda.WordHelp)}
	for _, word := range wordsFor[engine.WaitingPlan] {
		all = append(all, string(word))
	}
	if near := koda.Nearest(line, all); near != "" && !strings.EqualFold(near, line) {
		c.say("  ", "or did you mean "+near+"?")
	}
}
