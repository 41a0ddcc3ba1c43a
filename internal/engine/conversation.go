package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/prompt"
)

// Conversation is what was said about a project.
type Conversation struct {
	// Messages are all messages, in the order they were said.
	Messages []koda.Message
	// Told are the messages a model would be told now: see [prompt.Conversation].
	Told []koda.Message
	// heard and files are what an author gets of it.
	heard []koda.Message
	files []koda.FileNote
	// Warning says why a part could not be read; "" when everything was.
	Warning string
}

// Conversation reads what was said about a project; it takes no lock. What cannot
// be read is left out with a warning: an author can work without it.
func (r *Reader) Conversation(ctx context.Context, id string) (Conversation, error) {
	_, s, err := r.read(ctx, id)
	if err != nil {
		return Conversation{}, err
	}
	return r.conversation(ctx, s), nil
}

// conversation is the talk of a project in state s. An author at work is told what
// had been said when its todo began. A todo done again after a crash is therefore
// told the same and makes the same calls.
func (r *Reader) conversation(ctx context.Context, s phase.State) Conversation {
	id := s.Node.ProjectID
	messages, err := r.journal.Messages(ctx, id)
	if err != nil {
		return Conversation{Warning: fmt.Sprintf("what was said before could not be read (%v); the author works without it", err)}
	}
	c := Conversation{Messages: messages}
	versions, err := r.journal.Versions(ctx, id)
	if err != nil {
		c.Warning = fmt.Sprintf("the versions could not be read (%v); the author is not told of the files", err)
	}
	c.heard, c.files = slices.Clone(messages[:min(s.Heard(), len(messages))]), fileNotes(versions, s)
	turns, err := r.journal.Turns(ctx, id)
	if err != nil {
		c.Warning = fmt.Sprintf("the turns before could not be read (%v); the author is not told what failed in them", err)
	}
	if f := failedBefore(turns, s); f != nil {
		text := strings.TrimSpace("What was done before this failed: " + f.Message + "\n" + f.Details)
		c.heard = append(c.heard, koda.Message{ID: "failed", Role: koda.RoleSystem, Content: text, Timestamp: s.Node.CreatedAt})
	}
	c.Told = prompt.Conversation(c.heard, c.files)
	return c
}

// failedBefore is why the turn before the turn of the pending effect failed, if it
// did. The turn before is the same when the effect is done again, so the author is
// told the same.
func failedBefore(turns []koda.Turn, s phase.State) *koda.Failure {
	if s.Pending == nil {
		return nil
	}
	turns = ofWork(turns)
	i := slices.IndexFunc(turns, func(t koda.Turn) bool { return t.ID == s.Pending.TurnID })
	if i < 1 || turns[i-1].Status != "failed" {
		return nil
	}
	return turns[i-1].Error
}

// fileNotes says of each file of the current version since which version the file
// is unchanged, and what that version had been asked for.
func fileNotes(versions []koda.Version, s phase.State) []koda.FileNote {
	byNumber := map[int]koda.Version{}
	for _, v := range versions {
		byNumber[v.Number] = v
	}
	current, ok := byNumber[s.Version]
	if !ok {
		return nil
	}
	notes := make([]koda.FileNote, 0, len(current.Files))
	for _, path := range sortedKeys(current.Files) {
		since := current
		for {
			parent, ok := byNumber[since.Parent]
			if !ok || parent.Number >= since.Number || parent.Files[path] != current.Files[path] {
				break
			}
			since = parent
		}
		note := fmt.Sprintf("since v%d", since.Number)
		switch {
		case since.Prompt != "":
			note += ", " + prompt.Short(since.Prompt)
		case since.Parent == 0: // the turn of v1 only accepted the plan
			note += ", " + prompt.Short(s.Brief.Prompt)
		}
		notes = append(notes, koda.FileNote{Path: path, Description: note})
	}
	return notes
}

// tell gives the author of a task the conversation so far.
func (r *run) tell(ctx context.Context, task *koda.Task) {
	c := r.e.conversation(ctx, r.state)
	task.Messages, task.Files = c.heard, c.files
	if c.Warning != "" && ctx.Err() == nil {
		r.log("warning: %s", c.Warning)
		r.pass(koda.EventWarning, koda.Warned{Message: c.Warning})
	}
}
