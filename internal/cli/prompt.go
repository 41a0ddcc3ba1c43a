package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// The words that koda knows at a prompt. Everything else goes to the author.
const (
	wordAccept = "accept"
	wordChange = "change"
	wordReject = "reject"
	wordUndo   = "undo"
	wordShow   = "show"
	wordHelp   = "help"
	wordQuit   = "quit"
)

// wordsFor are the words of a prompt, in the order in which help explains them.
var wordsFor = map[engine.Waiting][]string{
	engine.WaitingAnswer:  {wordShow, wordQuit},
	engine.WaitingPlan:    {wordAccept, wordChange, wordReject, wordUndo, wordShow, wordQuit},
	engine.WaitingPreview: {wordAccept, wordChange, wordUndo, wordShow, wordQuit},
}

// otherWords have the same meaning.
var otherWords = map[string]string{
	"a": wordAccept, "y": wordAccept, "yes": wordAccept, "ok": wordAccept,
	"c": wordChange, "e": wordChange, "edit": wordChange,
	"r": wordReject, "n": wordReject, "no": wordReject,
	"?": wordHelp, "h": wordHelp,
	"q": wordQuit, "exit": wordQuit,
}

// wordOf finds one of koda's words in a line, and the text after it. A line is a wish if
// it has no such word, or if text follows a word that takes no text: "accept" is an
// order, "a red ball" and "no shadow" are wishes. Quotes around a line make the whole
// line a wish.
func wordOf(line string, waiting engine.Waiting) (word, rest string) {
	if n := len(line); n > 2 && line[0] == '"' && line[n-1] == '"' {
		return "", strings.TrimSpace(line[1 : n-1])
	}
	first, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	first = strings.ToLower(first)
	word = first
	if rest == "" {
		word = strings.TrimRight(word, ".!")
	}
	if other, ok := otherWords[word]; ok {
		word = other
	}
	switch {
	case waiting == engine.WaitingAnswer && (word == wordAccept || word == wordChange || word == wordReject):
		return "", line
	case word == wordChange, word == wordReject && (rest == "" || first == wordReject || first == "r"):
		return word, rest
	case rest == "" && (word == wordAccept || word == wordUndo || word == wordShow || word == wordHelp || word == wordQuit):
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
		case err != nil && next.Waiting == out.Waiting && c.mayAskAgain(ctx, next, err):
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
	case word == wordQuit:
		return out, errQuit
	case word == wordHelp:
		c.help(out)
		return out, errAgain
	case word == wordShow:
		return out, c.show(ctx, id)
	case word == wordUndo:
		return c.undo(ctx, out)
	case word == wordAccept:
		return c.e.Accept(ctx, id)
	case word == wordReject && out.Waiting != engine.WaitingPlan:
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
		return c.e.Answer(ctx, id, answer)
	}
	if rest == "" {
		if rest, err = c.prompt(ctx, map[string]string{wordChange: "change what?", wordReject: "why?"}[word]); err != nil {
			return out, err
		}
	}
	switch {
	case rest == "":
		c.say("", "nothing was said, and nothing is changed")
		return out, errAgain
	case word == wordReject:
		return c.e.Reject(ctx, id, rest)
	}
	return c.e.Edit(ctx, id, rest)
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
	about := map[string]string{
		wordAccept: "make the video of it; yes and ok mean the same",
		wordChange: "or only what should be different: bigger, a blue ball, 4 bounces",
		wordReject: "have another plan thought up",
		wordUndo:   "go back to the version before",
		wordShow:   "tell all about the project",
		wordQuit:   "leave; koda resume " + c.name + " comes back here",
	}
	if out.Waiting == engine.WaitingPreview {
		about[wordAccept] = "make the final video; yes and ok mean the same"
	}
	var facts []widget.Fact
	if out.Waiting == engine.WaitingAnswer {
		facts = append(facts, widget.Fact{Name: "a number", Value: "the answer beside it; its name will do"})
		if out.State.Question.CustomInput {
			facts = append(facts, widget.Fact{Name: "words", Value: "your own answer"})
		}
	}
	for _, word := range wordsFor[out.Waiting] {
		name := map[string]string{wordChange: "change WHAT", wordReject: "reject WHY"}[word]
		if name == "" {
			name = word
		}
		facts = append(facts, widget.Fact{Name: name, Value: about[word]})
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

// undo goes back to the version before, and waits for what that version waits for.
func (c *conversation) undo(ctx context.Context, out engine.Outcome) (engine.Outcome, error) {
	m, err := c.e.Undo(ctx, out.Project.ID)
	c.progress.rest()
	switch {
	case err != nil && c.mayAskAgain(ctx, out, err):
		// The hint does not fit a conversation.
		c.printError(errors.New("nothing can be undone: " + err.Error()))
		return out, errAgain
	case err != nil:
		return out, err
	}
	c.tellMove(m, c.name)
	return engine.Outcome{Project: m.Project, State: m.State, Waiting: m.Waiting}, nil
}

// refused tells why a line was refused, and names a word that the person may have
// mistyped.
func (c *conversation) refused(err error, line string) {
	c.printError(err)
	all := append([]string{wordHelp}, wordsFor[engine.WaitingPlan]...)
	if near := koda.Nearest(line, all); near != "" && !strings.EqualFold(near, line) {
		c.say("  ", "or did you mean "+near+"?")
	}
}
