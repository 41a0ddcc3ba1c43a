package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/koda-video/koda/internal/llm"
)

// hardness is how much of a conversation is left out, because the model said that it is too
// long. What is never left out: the system prompt, the code of the project as it is now, the
// last message, and what the person asked for.
type hardness int

const (
	whole    hardness = iota
	recent            // of the todo, the last ten messages; what was done before is summed up
	latest            // of the todo, the last exchange
	talkless          // and of what was said before, all but the person's last message in short
	bare              // and no pictures, and no file that is very long
)

// exchanges are how many exchanges of the todo are left. An exchange is an answer and what
// was said to it, so that no result loses its call.
var exchanges = map[hardness]int{recent: 5, latest: 1, talkless: 1, bare: 1}

// prune shortens the conversation, and harder if it was as short before; false if it cannot
// be shorter.
func (t *talk) prune(ctx context.Context) (bool, error) {
	for hard := max(t.hard, recent); hard <= bare; hard++ {
		out := (len(t.req.Messages)-1)/2 - exchanges[hard]
		harder := hard > t.hard && hard >= talkless && t.first != nil
		if out <= 0 && !harder {
			continue
		}
		t.hard = hard
		if out > 0 {
			t.done = append(t.done, doneIn(t.req.Messages[1:1+2*out])...)
			t.req.Messages = append(t.req.Messages[:1:1], t.req.Messages[1+2*out:]...)
		}
		if hard == bare {
			t.blind()
		}
		return true, t.begin(ctx)
	}
	return false, nil
}

// begin makes the first message anew, with what was left out in short.
func (t *talk) begin(ctx context.Context) error {
	parts := t.req.Messages[0].Parts[:1:1]
	if t.first != nil {
		var err error
		if parts, err = t.first(ctx, t.hard); err != nil {
			return err
		}
	}
	if len(t.done) > 0 {
		parts = append(parts, llm.Part{Text: "(Earlier steps of this todo are left out here. In them you did:\n- " + strings.Join(t.done, "\n- ") + "\nThe files are told as they are now.)"})
	}
	t.req.Messages[0].Parts = parts
	return nil
}

// doneIn says what was done in exchanges: a line for each call, none twice in a row.
func doneIn(messages []llm.Message) (lines []string) {
	failed := map[string]bool{}
	for _, m := range messages {
		for _, p := range m.Parts {
			if p.Result != nil {
				failed[p.Result.ID] = p.Result.Failed
			}
		}
	}
	for _, m := range messages {
		for _, p := range m.Parts {
			if p.Use == nil {
				continue
			}
			var in struct{ Path, Command string }
			_ = json.Unmarshal(p.Use.Input, &in) //nolint:errcheck // a call of another shape is told by its name
			line := clip(strings.TrimSpace(p.Use.Name+" "+oneLine(in.Path+in.Command)), 100)
			if failed[p.Use.ID] {
				line += " (failed)"
			}
			if n := len(lines); n == 0 || lines[n-1] != line {
				lines = append(lines, line)
			}
		}
	}
	const most = 60
	if n := len(lines); n > most {
		lines = append([]string{fmt.Sprintf("%d more calls before", n-most)}, lines[n-most:]...)
	}
	return lines
}
