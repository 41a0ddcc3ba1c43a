package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/tui/widget"
)

// Sandboxes is what koda keeps in a container engine. Errors of all methods:
// PROVIDER_ERROR, and NOT_FOUND for a name that is not there.
type Sandboxes interface {
	// Build makes the image of sandboxes, if it is not there, or again. Tell gets each
	// step before it is done. TEMPLATE_NOT_FOUND: an image of the person is not there, or
	// lacks what the error names.
	Build(ctx context.Context, again bool, tell func(koda.BuildStep)) (sandbox.Image, error)
	// Inventory lists images and sandboxes.
	Inventory(ctx context.Context) (sandbox.Inventory, error)
	// Remove removes a sandbox by its id, or an image by its tag or the beginning of its id.
	Remove(ctx context.Context, ref string) error
	// Prune removes what nobody needs, and returns it; with dryRun it removes nothing. Of
	// the sandboxes without a koda it asks which to keep.
	Prune(ctx context.Context, dryRun bool, keep func(sandbox.Kept) bool) (sandbox.Inventory, error)
	// Logs copies what a sandbox's own process wrote; with follow until the sandbox ends.
	Logs(ctx context.Context, id string, follow bool, stdout, stderr io.Writer) error
}

// builtResult is the result of `koda sandbox build`.
type builtResult struct {
	head
	Image *sandbox.Image `json:"image,omitempty"`
	Built bool           `json:"built"` // false: it was there
}

// inventoryResult is the result of `koda sandbox ls` and, with what was removed, of rm and
// prune.
type inventoryResult struct {
	head
	sandbox.Inventory
	Removed []string       `json:"removed,omitempty"`
	Kept    []sandbox.Kept `json:"kept,omitempty"` // by prune, though no koda is in it
	DryRun  bool           `json:"dryRun,omitempty"`
}

// logResult is the result of `koda sandbox logs`.
type logResult struct {
	head
	Log string `json:"log"`
}

func newSandboxCmd(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "sandbox",
		Short:   "Build, list and remove the images and containers of sandboxes",
		GroupID: groupMachine,
		Long: `Look after what koda keeps in a container engine, such as Docker: the image of
sandboxes, and the containers in which the code of a model runs. The engine is the
one that the docker command would use.

The image holds Chromium's headless shell, ffmpeg, fonts, Node.js, Bun and the
packages of projects. koda builds it when a sandbox needs it first, or by
'koda sandbox build'. SANDBOX_IMAGE names an image of yours instead. The settings
sandbox-setup and sandbox-env add to either: a shell command that root runs once,
and an environment. See 'koda config show'.`,
		Example: `  koda sandbox build
  koda sandbox ls
  KODA_SANDBOX_SETUP='apt-get update && apt-get install -y fonts-inter' koda sandbox build`,
		Args: subcommandOnly,
		Run:  func(cmd *cobra.Command, _ []string) { _ = cmd.Help() }, //nolint:errcheck // the page is built in
	}
	var again, all, dryRun, follow bool
	build := &cobra.Command{
		Use: "build", Short: "Build the image of sandboxes, if it is not there", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withSandboxes(cmd.Context(), func(s Sandboxes) error { return runSandboxBuild(cmd.Context(), a, s, again) })
		},
	}
	build.Flags().BoolVar(&again, "again", false, "build it anew, with the newest packages of Debian")
	list := &cobra.Command{
		Use: "ls", Short: "List images and sandboxes", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withSandboxes(cmd.Context(), func(s Sandboxes) error { return runSandboxList(cmd.Context(), a, s) })
		},
	}
	remove := &cobra.Command{
		Use: "rm ID|IMAGE...", Short: "Remove sandboxes and images", Args: between(1, 64),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.finishVisits(cmd.Context())
			return a.withSandboxes(cmd.Context(), func(s Sandboxes) error { return runSandboxRemove(cmd.Context(), a, s, args) })
		},
	}
	prune := &cobra.Command{
		Use: "prune", Short: "Remove sandboxes of killed processes, and images nobody needs", Args: noArgs,
		Long: `Remove the sandboxes of koda processes that were killed, those that have stopped, and
the images that the settings do not ask for.

A sandbox that a project comes back to is kept, and so is for a day one of a project
that this koda does not know. 'koda gc' puts the sandboxes of projects away that
nobody came back to, saved first. --all removes them all, but for those in which a
koda works: what was not saved in them is lost.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !dryRun {
				a.finishVisits(cmd.Context())
			}
			return a.withSandboxes(cmd.Context(), func(s Sandboxes) error { return runSandboxPrune(cmd.Context(), a, s, all, dryRun) })
		},
	}
	prune.Flags().BoolVar(&all, "all", false, "also remove sandboxes that projects come back to")
	prune.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be removed, and remove nothing")
	logs := &cobra.Command{
		Use: "logs ID", Short: "Show what a sandbox's own process wrote", Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withSandboxes(cmd.Context(), func(s Sandboxes) error { return runSandboxLogs(cmd.Context(), a, s, args[0], follow) })
		},
	}
	logs.Flags().BoolVarP(&follow, "follow", "f", false, "go on until the sandbox ends")
	seccomp := &cobra.Command{
		Use: "seccomp", Short: "Print the seccomp profile with which koda draws fast in a container", Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return runSandboxSeccomp(a) },
	}
	c.AddCommand(build, list, remove, prune, logs, seccomp)
	return c
}

// withSandboxes opens the engine for the length of a command.
func (a *app) withSandboxes(ctx context.Context, run func(Sandboxes) error) error {
	s, closeEngine, err := a.deps.Sandboxes(ctx)
	if err != nil {
		return err
	}
	return errors.Join(run(s), closeEngine())
}

// finishVisits saves what people changed in sandboxes before their shells were killed. A
// sandbox that cannot be reached is removed without.
func (a *app) finishVisits(ctx context.Context) {
	err := a.withEngine(ctx, func(ctx context.Context, e Engine) error {
		e.FinishVisits(ctx)
		return nil
	})
	if err != nil {
		a.warn(fmt.Sprintf("what a killed shell changed could not be looked for: %v", err))
	}
}

// buildNote is said before an image is built.
func buildNote(s koda.BuildStep) string { return "koda builds " + widget.Line(s.Image) + " …" }

// tellBuild tells each step of building an image, and first how long the image takes.
func (a *app) tellBuild() func(koda.BuildStep) {
	told := ""
	return func(step koda.BuildStep) {
		if step.Image != told {
			told = step.Image
			a.say("", buildNote(step))
		}
		if a.json {
			a.emit(koda.Event{Schema: koda.SchemaVersion, Type: koda.EventBuild, Payload: step})
		} else if step.Text != "" {
			a.say("", widget.Line(step.String()))
		}
	}
}

func runSandboxBuild(ctx context.Context, a *app, s Sandboxes, again bool) error {
	r := &builtResult{}
	a.result = r
	tell := a.tellBuild()
	image, err := s.Build(ctx, again, func(step koda.BuildStep) {
		r.Built = true
		tell(step)
	})
	if err != nil {
		return err
	}
	r.Image = &image
	if a.json {
		return nil
	}
	if !r.Built {
		a.say("", "the image of sandboxes is there already")
	}
	_, err = fmt.Fprintf(a.io.Out, "%s  %s\n", widget.Line(image.Tag), size(image.Size))
	return err
}

func runSandboxList(ctx context.Context, a *app, s Sandboxes) error {
	have, err := s.Inventory(ctx)
	if err != nil {
		return err
	}
	housed := map[string]engine.Housed{}
	if len(have.Sandboxes) > 0 {
		if housed, _, err = a.housed(ctx); err != nil {
			a.warn(fmt.Sprintf("the projects of the sandboxes cannot be looked up: %v", err))
		}
	}
	for i, k := range have.Sandboxes {
		at, known := housed[k.ID]
		if have.Sandboxes[i].Project = at.Project.Name; known && at.Busy && k.State == koda.SandboxReady {
			have.Sandboxes[i].State = koda.SandboxBusy
		}
	}
	a.result = &inventoryResult{Inventory: have}
	if a.json {
		return nil
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	current := false
	for _, i := range have.Images {
		use := "not needed"
		if i.Current {
			use, current = "in use", true
		}
		fmt.Fprintf(w, "image\t%s\t%s\t%s\t%s\n", widget.Line(i.Tag), size(i.Size), ago(a.deps.Now().Sub(i.Created)), use)
	}
	for _, k := range have.Sandboxes {
		state := string(k.State) + ": " + widget.Line(k.Status)
		if k.Orphan && k.Project == "" {
			state += ", no koda works in it"
		}
		fmt.Fprintf(w, "sandbox\t%s\t%s\t%s\t%s\n", widget.Line(k.ID), whose(k), ago(a.deps.Now().Sub(k.Created)), state)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("lay out sandboxes: %w", err)
	}
	if !current {
		a.say("", "koda sandbox build builds the image of sandboxes.")
	}
	_, err = fmt.Fprint(a.io.Out, b.String())
	return err
}

// whose says for people whose a sandbox is.
func whose(k sandbox.Kept) string {
	switch {
	case k.ProjectID == "":
		return "draws"
	case k.Project == "":
		return "project " + widget.Line(k.ProjectID)
	}
	return widget.Line(k.Project)
}

// housed are the projects of this koda's home: by the sandboxes they come back to, and by
// their ids.
func (a *app) housed(ctx context.Context) (sandboxes map[string]engine.Housed, projects map[string]bool, err error) {
	e, closeEngine, err := a.deps.Engine(ctx)
	if err != nil {
		return nil, nil, err
	}
	sandboxes, err = e.Housed(ctx)
	all, failed := e.List(ctx)
	projects = map[string]bool{}
	for _, p := range all {
		projects[p.ID] = true
	}
	return sandboxes, projects, errors.Join(err, failed, closeEngine())
}

// strangerAge is how long the sandbox of a project that nobody knows is kept: it may be of
// another home.
const strangerAge = 24 * time.Hour

func runSandboxRemove(ctx context.Context, a *app, s Sandboxes, refs []string) error {
	r := &inventoryResult{Removed: []string{}}
	a.result = r
	for _, ref := range refs {
		if err := s.Remove(ctx, ref); err != nil {
			return err
		}
		r.Removed = append(r.Removed, ref)
		if !a.json {
			if _, err := fmt.Fprintf(a.io.Out, "removed %s\n", widget.Line(ref)); err != nil {
				return err
			}
		}
	}
	return nil
}

func runSandboxPrune(ctx context.Context, a *app, s Sandboxes, all, dryRun bool) error {
	var kept []sandbox.Kept
	keep := func(sandbox.Kept) bool { return false }
	if !all {
		housed, projects, err := a.housed(ctx)
		if err != nil {
			return err
		}
		keep = func(k sandbox.Kept) bool {
			at, used := housed[k.ID]
			stranger := k.ProjectID != "" && !projects[k.ProjectID] && a.deps.Now().Sub(k.Created) < strangerAge
			if used || stranger {
				k.Project = at.Project.Name
				kept = append(kept, k)
			}
			return used || stranger
		}
	}
	gone, err := s.Prune(ctx, dryRun, keep)
	a.result = &inventoryResult{Inventory: gone, Kept: kept, DryRun: dryRun}
	if a.json {
		return err
	}
	verb := "removed"
	if dryRun {
		verb = "would remove"
	}
	var b strings.Builder
	for _, k := range gone.Sandboxes {
		fmt.Fprintf(&b, "%s sandbox %s (%s)\n", verb, widget.Line(k.ID), whose(k))
	}
	for _, i := range gone.Images {
		fmt.Fprintf(&b, "%s image %s (%s)\n", verb, widget.Line(i.Tag), size(i.Size))
	}
	if b.Len() == 0 && err == nil {
		b.WriteString("nothing to remove\n")
	}
	for _, k := range kept {
		if k.Project != "" {
			fmt.Fprintf(&b, "kept sandbox %s: %s comes back to it\n", widget.Line(k.ID), whose(k))
		} else {
			fmt.Fprintf(&b, "kept sandbox %s: this koda does not know its %s\n", widget.Line(k.ID), whose(k))
		}
	}
	if len(kept) > 0 {
		a.say("", "koda gc saves and puts away what nobody comes back to; koda sandbox prune --all removes it now, unsaved.")
	}
	_, printErr := fmt.Fprint(a.io.Out, b.String())
	return errors.Join(err, printErr)
}

func runSandboxLogs(ctx context.Context, a *app, s Sandboxes, id string, follow bool) error {
	if !a.json {
		return s.Logs(ctx, id, follow, a.io.Out, a.io.Err)
	}
	var log strings.Builder
	err := s.Logs(ctx, id, follow, &log, &log)
	a.result = &logResult{Log: log.String()}
	return err
}

// seccompResult is the result of `koda sandbox seccomp`.
type seccompResult struct {
	head
	Profile json.RawMessage `json:"profile"`
}

func runSandboxSeccomp(a *app) error {
	profile, err := a.deps.Seccomp()
	if err == nil && profile == "" {
		err = &koda.Error{Code: koda.CodeUsage, Op: "there is no seccomp profile on this system", Hint: "run it on Linux, or in koda's own image"}
	}
	if err != nil {
		return err
	}
	a.result = &seccompResult{Profile: json.RawMessage(profile)}
	if a.json {
		return nil
	}
	_, err = fmt.Fprintln(a.io.Out, profile)
	return err
}
