package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

type messagesResult struct {
	head
	Project  koda.Project   `json:"project"`
	Messages []koda.Message `json:"messages"`
	Told     []koda.Message `json:"told"`
	Warning  string         `json:"warning,omitempty"`
}

// MessagesOptions are the arguments and flags of `koda messages`.
type MessagesOptions struct {
	Project string
	Told    bool // show what the author is told
}

func newMessagesCmd(a *app, runF func(context.Context, *MessagesOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *MessagesOptions) error { return runMessages(ctx, a, o) }
	}
	o := &MessagesOptions{}
	cmd := &cobra.Command{
		Use:     "messages [PROJECT]",
		Short:   "Show what was said about a project",
		GroupID: groupLook,
		Long: `Show what was said about a project, by you and by its author, in order. Without
PROJECT it is that of the working directory.

With --told it is what the author would be told of it now: the last ten messages
in full, those before in short, and a summary of the project's files.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Project = first(args)
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	cmd.Flags().BoolVar(&o.Told, "told", false, "show it as the author is told it")
	return cmd
}

func runMessages(ctx context.Context, a *app, o *MessagesOptions) error {
	return a.withProject(ctx, o.Project, func(ctx context.Context, e Engine, p koda.Project) error {
		c, err := e.Conversation(ctx, p.ID)
		if err != nil {
			return err
		}
		a.result = &messagesResult{
			Project: p, Messages: append([]koda.Message{}, c.Messages...), Told: append([]koda.Message{}, c.Told...), Warning: c.Warning,
		}
		if a.json {
			return nil
		}
		if c.Warning != "" {
			a.warn(c.Warning)
		}
		messages := c.Messages
		if o.Told {
			messages = c.Told
		}
		if len(messages) == 0 && c.Warning == "" {
			a.say("", "nothing was said yet")
		}
		_, err = fmt.Fprint(a.io.Out, a.messagesText(messages))
		return err
	})
}

// speakers are the names of the roles for people.
var speakers = map[string]string{koda.RoleUser: "you", koda.RoleAssistant: "author", koda.RoleSystem: "koda"}

// messagesText shows each message as a paragraph: who said it, how long ago, and what.
func (a *app) messagesText(messages []koda.Message) string {
	var b strings.Builder
	now := a.deps.Now()
	for i, m := range messages {
		if i > 0 {
			b.WriteByte('\n')
		}
		who, ok := speakers[m.Role]
		if !ok {
			who = widget.Line(m.Role)
		}
		if !m.Timestamp.IsZero() {
			who += ", " + ago(now.Sub(m.Timestamp))
		}
		b.WriteString(who + "\n")
		for line := range strings.Lines(m.Content) {
			if strings.TrimSpace(line) == "" {
				b.WriteByte('\n')
				continue
			}
			for _, l := range widget.Wrap(strings.TrimRight(line, "\n"), max(20, a.io.Columns()-2)) {
				b.WriteString("  " + l + "\n")
			}
		}
	}
	return b.String()
}
