package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/tui/widget"
)

type gcResult struct {
	head
	Collected
	DryRun bool `json:"dryRun"`
}

// GCOptions are the arguments and flags of `koda gc`.
type GCOptions struct {
	DryRun bool
}

func newGCCmd(a *app, runF func(context.Context, *GCOptions) error) *cobra.Command {
	o := &GCOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *GCOptions) error { return runGC(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "gc",
		Short:   "Remove what killed processes left and nobody needs any more",
		GroupID: groupMachine,
		Long: `Remove what koda keeps and nobody needs any more:

  - temporary directories, half-written files and browsers of koda processes
    that were killed
  - sandboxes that no project uses, and, saved first, those of projects you have
    been away from for longer than the setting idle-timeout
  - preview videos older than a day and their strips, but for the one a project waits with
  - copies of commits that --ref made and nobody used for 30 days
  - contents of files a project stored and no version of it needs
  - of the journals of finished projects what only a resume needed: the answers of
    tools, and large parts of what is shown of them
  - sessions: those in which nothing was done for 30 days, or whose sandbox is
    gone, are closed; those closed for 30 days are forgotten
  - of the cache what is over the setting cache-max, those parts of videos first
    that were not used for the longest time

Files you made or changed are never touched, nor is anything a koda at work uses.
Commands that work do the same beside their work, once an hour; every render
trims the cache when it ends.`,
		Example: `  koda gc --dry-run
  KODA_CACHE_MAX=0 koda gc`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runF(cmd.Context(), o) },
	}
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "say what would be removed, and remove nothing")
	return c
}

func runGC(ctx context.Context, a *app, o *GCOptions) error {
	c, err := a.deps.Collect(ctx, o.DryRun)
	a.result = &gcResult{Collected: c, DryRun: o.DryRun}
	if a.json || c.Cache == "" { // nothing was examined
		return err
	}
	for _, w := range c.NotDone {
		a.warn(w)
	}
	if c.Busy && err == nil {
		a.say("", "a render is at work: finished parts of videos are left alone")
	}
	text := gcText(c, o.DryRun)
	if a.io.OutTTY {
		text = widget.Sentence("", text, a.io.Columns()) + "\n"
	}
	_, printErr := fmt.Fprint(a.io.Out, text)
	return errors.Join(err, printErr)
}

// gcText lists what was or would be removed, a line each, and then what was kept.
func gcText(c Collected, dryRun bool) string {
	verb := "removed"
	if dryRun {
		verb = "would remove"
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, verb+" "+format+"\n", args...) }
	for _, s := range c.Sandboxes {
		of := ""
		if s.Project != "" {
			of = " of " + widget.Line(s.Project)
		}
		line("sandbox %s%s: %s", s.ID, of, s.Why)
	}
	for _, p := range c.Previews {
		line("preview %s (%s)", widget.Line(p.Path), size(p.Size))
	}
	for _, o := range c.Contents {
		line("%s of %s that no version needs (%s)", count(o.Files, "stored file"), widget.Line(o.Project), size(o.Size))
	}
	for _, j := range c.Journals {
		line("%s of the journal of %s that only a resume needed", size(j.Size), widget.Line(j.Project))
	}
	for _, pid := range c.Browsers {
		line("process %d, a browser of a killed process", pid)
	}
	for _, dir := range c.Leftovers {
		line("directory %s of a killed process", dir)
	}
	for _, dir := range c.Commits {
		line("copy %s of a commit, not used for 30 days", dir)
	}
	for _, path := range c.Sockets {
		line("socket %s of a killed process", path)
	}
	for _, file := range c.Temps {
		line("half-written file %s", file)
	}
	if c.Sessions > 0 {
		line("%s nobody works in", count(c.Sessions, "session"))
	}
	if c.Partial > 0 {
		line("%s of videos", count(c.Partial, "half-written part"))
	}
	if c.Removed > 0 {
		line("%s of videos from the cache (%s)", count(c.Removed, "part"), size(c.RemovedBytes))
	}
	if b.Len() == 0 {
		b.WriteString("nothing to remove\n")
	}
	if c.Freed > 0 {
		fmt.Fprintf(&b, "the database is %s smaller\n", size(c.Freed))
	}
	bound := "without a bound"
	if c.Limit >= 0 {
		bound = "of at most " + size(c.Limit)
	}
	fmt.Fprintf(&b, "the cache holds %s of videos (%s %s) in %s\n", count(c.Kept, "part"), size(c.KeptBytes), bound, c.Cache)
	return b.String()
}
