package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/mirror"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/tui/widget"
)

// pullResult is the result of `koda pull` and of `koda watch --exec`.
type pullResult struct {
	head
	Project koda.Project `json:"project"`
	Dir     string       `json:"dir"`
	mirror.Report
	Status int          `json:"status,omitempty"` // of the command
	Agent  *agentResult `json:"agent,omitempty"`
}

// tokenName is the variable with the token for a server.
const tokenName = "KODA_TOKEN"

func newPullCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "pull PROJECT [DIR]",
		Short:   "Bring the files of a project into a directory",
		GroupID: groupLook,
		Long: `Bring the files that make a project's animation into DIR, which is made if it is not
there, and must be empty the first time; without DIR into a directory of the project's name, or into the working directory
if it has the project's files already. PROJECT is a project of this
machine, or the address of one that a 'koda serve' has: http://HOST:3000/NAME, with a
token in the variable KODA_TOKEN.

The first time all files come, later only those that changed. What you changed in DIR
stays: if the project changed the same file, the project's text is put into
DIR/.koda/conflicts, koda names the file and ends with status 9. Nothing is written
outside of DIR, and no link is followed. After an interruption the same command goes on.
Videos are not brought.`,
		Example: `  koda pull bouncing-ball copy
  KODA_TOKEN=... koda pull https://koda.example.org/bouncing-ball
  koda pull https://koda.example.org/bouncing-ball .`,
		Args: between(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			ref, dir := first(args), ""
			if len(args) == 2 {
				dir = args[1]
			}
			return runPull(cmd.Context(), a, ref, dir)
		},
		ValidArgsFunction: a.completeProjects,
	}
}

func runPull(ctx context.Context, a *app, ref, dir string) error {
	return a.mirrored(ctx, ref, dir, false, func(ctx context.Context, m *mirroring) error {
		m.OneWay = true
		err := m.sync(ctx)
		if err != nil {
			return err
		}
		text := "nothing changed"
		if n := m.result.Brought; n > 0 {
			text = fmt.Sprintf("%s brought, %s", count(n, "change"), size(m.result.Bytes))
		}
		a.say("", fmt.Sprintf("%s from %s", text, m.result.Project.Name))
		if !a.json {
			if _, err := fmt.Fprintln(a.io.Out, widget.Line(m.result.Dir)); err != nil {
				return err
			}
		}
		return m.partial()
	})
}

// mirroring is a project and a directory that are kept the same; if it has no directory, the
// agent works in the project's own.
type mirroring struct {
	mirror.Job
	a      *app
	result *pullResult
	begun  bool // the directory has the state of a sync
	take   takeDown
	also   func(context.Context) error // done with each sync; may be nil
}

// sync syncs once, and tells what is left out and what was kept.
func (m *mirroring) sync(ctx context.Context) error {
	if m.Job.Dir == nil {
		return m.also(ctx)
	}
	if m.begun && !exists(filepath.Join(m.result.Dir, pullState)) { // then its files are not deleted, but gone
		err := error(&koda.Error{
			Code: koda.CodeStorageFailed, Op: m.result.Dir + " or its .koda was removed; nothing is deleted in the project for that",
			Hint: "koda pull brings the files again, into a new directory",
		})
		if m.also != nil {
			err = errors.Join(m.also(ctx), err)
		}
		return err
	}
	m.begun = true
	rep, err := m.Job.Sync(ctx)
	if m.also != nil {
		err = cmp.Or(err, m.also(ctx))
	}
	r := m.result
	r.Brought, r.Sent, r.Bytes, r.Odd = r.Brought+rep.Brought, r.Sent+rep.Sent, r.Bytes+rep.Bytes, rep.Odd
	for _, odd := range rep.Odd {
		m.a.warn("left out: " + odd)
	}
	r.Kept = append(r.Kept, rep.Kept...)
	for _, path := range rep.Kept {
		where := "the project's text is in .koda/conflicts of the directory"
		if !m.OneWay {
			where = "each side keeps its own, and has the other's in .koda/conflicts"
		}
		m.a.say("kept: ", widget.Line(path)+" was changed on both sides; "+where)
	}
	return err
}

// partial is the error of files that were not made the same; nil if all were.
func (m *mirroring) partial() error {
	if n := len(m.result.Kept); n > 0 {
		return &koda.Error{
			Code: koda.CodePartial, Op: fmt.Sprintf("%s changed on both sides, and kept as they are", count(n, "file")),
			Hint: "compare them with " + filepath.Join(m.result.Dir, ".koda", "conflicts"),
		}
	}
	return nil
}

const pullState = ".koda/pull.json"

// pulled reads what is remembered of a directory.
func pulled(dir string) (s mirror.State, ok bool) {
	data, err := projectfs.ReadFile(dir, pullState)
	return s, err == nil && json.Unmarshal(data, &s) == nil && s.Project != ""
}

// mirrored finds project and directory, and makes the directory ready, for f. What lies in the
// directory never names the server: it may have come along with a clone. InPlace: a project of
// this machine needs no directory beside it.
func (a *app) mirrored(ctx context.Context, ref, dir string, inPlace bool, f func(context.Context, *mirroring) error) error {
	from, remote := "", strings.Contains(ref, "://")
	with := func(ctx context.Context, p koda.Project, side mirror.Side, take takeDown) error {
		if remote {
			scheme, rest, _ := strings.Cut(ref, "://")
			host, _, _ := strings.Cut(rest, "/")
			from = scheme + "://" + host
			a.takeUp(ctx, p, from, take)
		}
		if s, ok := pulled("."); dir == "" && ok && s.Project == p.ID {
			dir = "."
		}
		if inPlace && !remote && dir == "" {
			m := &mirroring{a: a, result: &pullResult{Project: p, Dir: p.Dir}, take: take}
			a.result = m.result
			return f(ctx, m)
		}
		m, release, err := a.beside(p, side, from, cmp.Or(dir, p.Name))
		if err != nil {
			return err
		}
		m.take = take
		return errors.Join(f(ctx, m), release())
	}
	if remote {
		side, p, err := a.deps.Remote(ctx, ref, os.Getenv(tokenName))
		if err != nil {
			return err
		}
		return with(ctx, p, side, side.TakeDown)
	}
	return a.withProject(ctx, ref, func(ctx context.Context, e Engine, p koda.Project) error {
		side, err := e.Side(ctx, p.ID)
		if err != nil {
			return err
		}
		return with(ctx, p, side, func(ctx context.Context, log koda.AgentLog) (int, error) { return e.TakeDown(ctx, p.ID, log) })
	})
}

// beside puts a directory beside a project.
func (a *app) beside(p koda.Project, side mirror.Side, from, name string) (*mirroring, func() error, error) {
	dir, err := filepath.Abs(name)
	if err != nil {
		return nil, nil, fmt.Errorf("find directory: %w", err)
	}
	s, known := pulled(dir)
	if known && (s.Project != p.ID || s.From != from) {
		return nil, nil, usage("choose another directory", "%s has the files of another project, %s", name, koda.Quote(s.Name))
	}
	there := a.deps.Mirror(dir)
	if err := there.Prepare(); err != nil {
		return nil, nil, err
	}
	release, err := there.Lock()
	if err != nil {
		return nil, nil, err
	}
	if s, known = pulled(dir); known && s.Watched {
		a.warn("koda watch was killed while somebody worked in " + dir + "; nothing there is lost, and koda watch syncs it")
	}
	s.Schema, s.Project, s.Name, s.From = koda.SchemaVersion, p.ID, p.Name, from
	m := &mirroring{a: a, result: &pullResult{Project: p, Dir: dir}}
	m.Job = mirror.Job{Project: side, Dir: there, State: &s, Save: func(s mirror.State) error {
		data, err := json.Marshal(s)
		if err == nil {
			err = atomicfile.Write(filepath.Join(dir, pullState), data, 0o600)
		}
		if err != nil {
			return koda.DiskError("note what was brought", err)
		}
		return nil
	}}
	a.result = m.result
	return m, release, nil
}

// watched notes that somebody works in the directory, or that this is over.
func (m *mirroring) watched(on bool) error {
	m.State.Watched = on
	if !on && !exists(filepath.Join(m.result.Dir, pullState)) {
		return nil // there is no directory any more
	}
	return m.Save(*m.State)
}
