package cli

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/serve"
	"github.com/koda-video/koda/tui/widget"
)

// Tokens are the tokens and users of servers.
type Tokens interface {
	// SaveToken keeps a token; of the secret it keeps a digest. NOT_FOUND: there is no such
	// user, project or session.
	SaveToken(ctx context.Context, t koda.Token, secret string) error
	// Tokens lists those valid at now.
	Tokens(ctx context.Context, now time.Time) ([]koda.Token, error)
	// DeleteToken ends a token at once. NOT_FOUND: there is none.
	DeleteToken(ctx context.Context, id string, now time.Time) error
	Users(ctx context.Context) ([]koda.User, error)
	// AddUser makes a user. EXISTS: the id is taken.
	AddUser(ctx context.Context, u koda.User) error
	// DeleteUser removes a user, who has no projects any more, and all their tokens.
	DeleteUser(ctx context.Context, id string) error
	// Session is the newest session of a project that is not closed; false if there is none.
	Session(ctx context.Context, projectID string) (koda.Session, bool, error)
}

type (
	tokenResult struct {
		head
		Token  *koda.Token  `json:"token,omitempty"`
		Secret string       `json:"secret,omitempty"`
		Tokens []koda.Token `json:"tokens,omitempty"`
	}
	userResult struct {
		head
		User    *koda.User  `json:"user,omitempty"`
		Users   []koda.User `json:"users,omitempty"`
		Deleted []string    `json:"deleted,omitempty"` // names of projects
	}
)

// withTokens opens tokens and users for f.
func (a *app) withTokens(ctx context.Context, f func(Tokens) error) error {
	t, closeAll, err := a.deps.Tokens(ctx)
	if err != nil {
		return err
	}
	return errors.Join(f(t), closeAll())
}

func newTokenCmd(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "token", Short: "Make, list and revoke tokens for koda serve", GroupID: groupMachine,
		Long: `Tokens let programs reach 'koda serve'. A token is bound to a user, and to a project
and its session if you name one; it reads, or writes as well. It is valid for an hour,
unless --for says how long. The secret is printed once and kept nowhere.`,
		Example: `  koda token new --write
  koda token new bouncing-ball --session --for 20m
  koda token list
  koda token revoke 3f2a91c0`,
		Args: subcommandOnly,
		Run:  func(cmd *cobra.Command, _ []string) { _ = cmd.Help() }, //nolint:errcheck // the page is built in
	}
	var t koda.Token
	var valid time.Duration
	var session bool
	make := &cobra.Command{
		Use: "new [PROJECT]", Short: "Make a token, and print its secret", Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if valid <= 0 || valid > 366*24*time.Hour {
				return usage("give a time such as 20m, 8h or 720h", "a token is valid for at most a year")
			}
			if session && len(args) == 0 {
				return usage("koda token new PROJECT --session", "a session is that of a project")
			}
			return runTokenNew(cmd.Context(), a, t, first(args), valid, session)
		},
		ValidArgsFunction: a.completeProjects,
	}
	make.Flags().StringVar(&t.UserID, "user", koda.LocalUser, "`USER` whose projects it reaches")
	make.Flags().BoolVar(&t.Write, "write", false, "it may change things, too")
	make.Flags().DurationVar(&valid, "for", serve.TokenFor, "how long it is valid")
	make.Flags().BoolVar(&session, "session", false, "it ends with the session of the project")
	make.Flags().StringVar(&t.Note, "note", "", "what it is for, in your words")
	c.AddCommand(make, &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List the tokens that are valid", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runTokenList(cmd.Context(), a) },
	}, &cobra.Command{
		Use: "revoke ID...", Short: "End tokens at once", Args: between(1, 1000),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withTokens(cmd.Context(), func(all Tokens) error {
				a.result = &tokenResult{}
				for _, id := range args {
					if err := all.DeleteToken(cmd.Context(), id, a.deps.Now()); err != nil {
						return err
					}
				}
				return nil
			})
		},
	})
	return c
}

func runTokenNew(ctx context.Context, a *app, t koda.Token, project string, valid time.Duration, session bool) error {
	secret := serve.NewSecret()
	t.ID, t.CreatedAt = serve.NewTokenID(), a.deps.Now()
	t.ExpiresAt = t.CreatedAt.Add(valid)
	if project != "" {
		if err := a.withProject(ctx, project, func(_ context.Context, _ Engine, p koda.Project) error {
			t.ProjectID, t.UserID = p.ID, p.UserID
			return nil
		}); err != nil {
			return err
		}
	}
	return a.withTokens(ctx, func(all Tokens) error {
		if session {
			s, ok, err := all.Session(ctx, t.ProjectID)
			if err != nil {
				return err
			}
			if !ok {
				return &koda.Error{Code: koda.CodeWrongPhase, Op: "the project has no session now", Hint: "leave out --session"}
			}
			t.SessionID = s.ID
		}
		if err := all.SaveToken(ctx, t, secret); err != nil {
			return err
		}
		a.result = &tokenResult{Token: &t, Secret: secret}
		a.say("", fmt.Sprintf("token %s of %s, valid until %s", t.ID, t.UserID, t.ExpiresAt.Local().Format("2006-01-02 15:04")))
		if a.json {
			return nil
		}
		_, err := fmt.Fprintln(a.io.Out, secret)
		return err
	})
}

func runTokenList(ctx context.Context, a *app) error {
	return a.withTokens(ctx, func(all Tokens) error {
		tokens, err := all.Tokens(ctx, a.deps.Now())
		if err != nil {
			return err
		}
		a.result = &tokenResult{Tokens: tokens}
		if len(tokens) == 0 {
			a.say("", "There is no token; koda token new makes one.")
		}
		if a.json {
			return nil
		}
		w := tabwriter.NewWriter(a.io.Out, 0, 0, 2, ' ', 0)
		for _, t := range tokens {
			may, of := "reads", "all projects"
			if t.Write {
				may = "writes"
			}
			if t.ProjectID != "" {
				of = "project " + t.ProjectID
			}
			fmt.Fprintln(w, strings.TrimRight(strings.Join([]string{t.ID, t.UserID, may, of, "until " + t.ExpiresAt.Local().Format("2006-01-02 15:04"), widget.Line(t.Note)}, "\t"), "\t"))
		}
		return w.Flush()
	})
}

// userName is what a user can be called.
var userName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,62}$`)

func newUserCmd(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "user", Short: "Add, list and delete users of koda serve", GroupID: groupMachine,
		Long: `Users of 'koda serve' see their own projects only. You are the user "local".
To delete a user ends their work, and deletes all their projects, videos and tokens.`,
		Example: `  koda user add anna
  koda token new --user anna --write
  koda user delete anna --yes`,
		Args: subcommandOnly,
		Run:  func(cmd *cobra.Command, _ []string) { _ = cmd.Help() }, //nolint:errcheck // the page is built in
	}
	var yes bool
	remove := &cobra.Command{
		Use: "delete USER", Short: "Delete a user, and all that is theirs", Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return runUserDelete(cmd.Context(), a, args[0], yes) },
	}
	remove.Flags().BoolVarP(&yes, "yes", "y", false, "delete it without a question")
	c.AddCommand(&cobra.Command{
		Use: "add USER", Short: "Add a user", Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			u := koda.User{ID: args[0], Name: args[0]}
			if !userName.MatchString(u.ID) {
				return usage("use small letters, digits, dots and dashes", "%q is no name of a user", u.ID)
			}
			a.result = &userResult{User: &u}
			return a.withTokens(cmd.Context(), func(all Tokens) error { return all.AddUser(cmd.Context(), u) })
		},
	}, &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List the users", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withTokens(cmd.Context(), func(all Tokens) error {
				users, err := all.Users(cmd.Context())
				a.result = &userResult{Users: users}
				for _, u := range users {
					if !a.json {
						_, _ = fmt.Fprintln(a.io.Out, u.ID) //nolint:errcheck // the pipe was closed
					}
				}
				return err
			})
		},
	}, remove)
	return c
}

func runUserDelete(ctx context.Context, a *app, id string, yes bool) error {
	if !yes {
		return usage("koda user delete "+id+" --yes", "this deletes all projects and videos of %s", id)
	}
	out := &userResult{}
	a.result = out
	// Tokens end first: nothing new begins while projects are deleted.
	err := a.withTokens(ctx, func(t Tokens) error {
		all, err := t.Tokens(ctx, a.deps.Now())
		for _, one := range all {
			if err == nil && one.UserID == id && id != koda.LocalUser {
				err = t.DeleteToken(ctx, one.ID, a.deps.Now())
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	err = a.withEngine(ctx, func(ctx context.Context, e Engine) error {
		all, err := e.List(ctx)
		for _, p := range all {
			if err == nil && p.UserID == id && id != koda.LocalUser {
				out.Deleted = append(out.Deleted, p.Name)
				_, err = e.Delete(ctx, p.ID)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return a.withTokens(ctx, func(t Tokens) error { return t.DeleteUser(ctx, id) })
}
