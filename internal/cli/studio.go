package cli

import (
	"cmp"
	"context"
	"image"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/strip"
	"github.com/koda-video/koda/tui"
)

func newStudioCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "studio [PROJECT]",
		Short:   "Open the studio",
		GroupID: groupWork,
		Long: `Open the studio, koda on the whole screen: projects, the question, the plan, the
work, the preview as moving pictures, the versions as a tree and what differs
between two. Without PROJECT it shows all projects. F1 shows all keys of a screen,
ctrl+p finds what can be done. Everything the studio does, the other commands do as
well.

A new video has a prompt and, one tab away, the choices of koda new: recipe,
style, preset, data and assets. In the prompt @ completes a file: @sales.csv is
its data, @logo.png an asset.`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !a.roomForStudio() {
				return usage("koda list shows the projects, koda show PROJECT one of them", "the studio needs a terminal: %s", a.noStudio())
			}
			return a.studio(cmd.Context(), studioOptions{project: first(args)})
		},
		ValidArgsFunction: a.completeProjects,
	}
}

// roomForStudio reports whether the studio can run: on a terminal that can be painted.
func (a *app) roomForStudio() bool { return a.noStudio() == "" }

// noStudio says why the studio cannot run here; "" if it can.
func (a *app) noStudio() string {
	term, _ := a.io.Env("TERM")
	switch {
	case a.wantsLines():
		return "koda talks in lines, as it was told"
	case !a.io.InTTY:
		return "standard input is none"
	case !a.io.OutTTY:
		return "standard output is none"
	case !a.io.ErrTTY || a.io.Screen == nil:
		return "standard error is none"
	case term == "":
		return "TERM is not set"
	case term == "dumb":
		return "TERM=dumb is one that cannot be painted"
	}
	return ""
}

// wantsLines reports whether a person or a script told koda to talk in lines.
func (a *app) wantsLines() bool { return a.lines || a.json || a.quiet || a.aloud() }

// studioOptions say with what the studio begins.
type studioOptions struct {
	new     NewOptions         // flags for new projects; with a prompt, the studio begins with one
	begin   bool               // with a new prompt
	problem error              // why the prompt of new makes no video
	request *engine.NewRequest // the first new project, if all of it is known
	project string             // reference of a project
	resume  bool               // go on with the project at once, by the flags of more
	more    ResumeOptions
	timeout timeLimit
}

// studio runs the studio, and says at its end where the project stands, as the plain
// dialogue does.
func (a *app) studio(ctx context.Context, o studioOptions) error {
	return a.working(ctx, func(ctx context.Context, e Engine) error {
		if o.timeout != 0 {
			e.Limit(time.Duration(o.timeout))
		}
		_, settings, err := a.settings()
		if err != nil {
			return err
		}
		if o.project == "" && !o.resume {
			if err := a.settleAuthor(ctx, &o.new); err != nil {
				return err
			}
		}
		s := &studioSession{a: a, e: e, o: o}
		cfg := tui.Config{Session: s, Theme: a.screen(settings.Theme), Now: a.deps.Now, Begin: o.begin, Resume: o.resume}
		cfg.Asked = func(text string) tui.Asked { return tui.Asked(preset.Ask(text)) }
		cfg.Terminal = tui.DetectTerminal(a.io.Env, settings.Notify, a.way())
		if o.problem != nil {
			cfg.Prompt, cfg.Problem = o.new.Prompt, o.problem
		}
		if o.request != nil {
			cfg.Prompt = cmp.Or(o.request.Brief.Prompt, o.new.Recipe, o.new.Data)
		}
		p, err := a.findOrTakeUp(ctx, e, o.project)
		if o.resume && o.project == "" && koda.CodeOf(err) == koda.CodeNotFound {
			if some, listErr := listUnfinished(ctx, e, 2); len(some) == 1 && listErr == nil {
				p, err = some[0], nil
			}
		}
		switch {
		case o.project == "" && (!o.resume || koda.CodeOf(err) == koda.CodeNotFound): // the person chooses
			if !o.begin && !o.resume {
				all, err := s.Projects(ctx)
				cfg.Begin = err == nil && len(all) == 0
			}
		case err != nil:
			return err
		default:
			cfg.Project, cfg.Name = p.ID, p.Name
			if s.finals, err = o.more.Finals.of(p); err != nil {
				return err
			}
		}
		in, out := a.io.Screen()
		a.paint(true)
		_, err = tui.Run(ctx, cfg, in, out, func(show func(koda.Event)) func() {
			s.show = show
			sub := e.Watch(show)
			return sub.End
		})
		s.calls.Wait()
		a.paint(false)
		if err != nil || s.last == "" {
			return err
		}
		v, err := e.Show(context.WithoutCancel(ctx), s.last)
		if err != nil || v.Busy { // another koda goes on with it
			return err
		}
		c := &conversation{app: a, e: e, progress: a.follow(e)}
		c.remember(ctx, outcomeOf(v))
		return c.end(ctx, outcomeOf(v))
	})
}

// studioSession is the engine as the studio sees it.
type studioSession struct {
	a      *app
	e      Engine
	o      studioOptions
	finals []engine.Finals // of the project that goes on
	calls  sync.WaitGroup
	show   func(koda.Event) // shows an event
	last   string           // id of the project of the last call that worked; guarded by calls: one is made at a time
}

// stood makes of an outcome what the studio shows, and remembers the project.
func (s *studioSession) stood(ctx context.Context, id string, call func() (engine.Outcome, error)) (tui.Standing, error) {
	s.calls.Add(1)
	defer s.calls.Done()
	out, err := call()
	if out.Project.ID == "" && id != "" { // the call failed before it could say
		if stand, readErr := s.Stand(context.WithoutCancel(ctx), id); readErr == nil {
			return stand, err
		}
	}
	if out.Project.ID == "" {
		return tui.Standing{}, err
	}
	s.last = out.Project.ID
	return s.standing(ctx, out), err
}

func (s *studioSession) Answer(ctx context.Context, id string, seen koda.Seen, ans koda.Answer) (tui.Standing, error) {
	return s.stood(ctx, id, func() (engine.Outcome, error) { return s.e.Answer(ctx, id, seen, ans) })
}

func (s *studioSession) Accept(ctx context.Context, id string, seen koda.Seen, presets ...string) (tui.Standing, error) {
	return s.stood(ctx, id, func() (engine.Outcome, error) { return s.e.Accept(ctx, id, seen, engine.Finals{Presets: presets}) })
}

func (s *studioSession) Reject(ctx context.Context, id string, seen koda.Seen, why string) (tui.Standing, error) {
	return s.stood(ctx, id, func() (engine.Outcome, error) { return s.e.Reject(ctx, id, seen, why) })
}

func (s *studioSession) Edit(ctx context.Context, id string, seen koda.Seen, text string) (tui.Standing, error) {
	return s.stood(ctx, id, func() (engine.Outcome, error) { return s.e.Edit(ctx, id, seen, text) })
}

func (s *studioSession) Resume(ctx context.Context, id string) (tui.Standing, error) {
	return s.stood(ctx, id, func() (engine.Outcome, error) { return s.e.Resume(ctx, id, false, s.finals...) })
}

func (s *studioSession) Undo(ctx context.Context, id string) (tui.Standing, error) {
	return s.moved(ctx, id, s.e.Undo)
}

func (s *studioSession) Redo(ctx context.Context, id string) (tui.Standing, error) {
	return s.moved(ctx, id, s.e.Redo)
}

func (s *studioSession) moved(ctx context.Context, id string, move func(context.Context, string) (engine.Moved, error)) (tui.Standing, error) {
	return s.stood(ctx, id, func() (engine.Outcome, error) {
		m, err := move(ctx, id)
		if err != nil {
			return engine.Outcome{}, err
		}
		return movedTo(m), nil
	})
}

func (s *studioSession) Projects(ctx context.Context) ([]koda.Project, error) { return s.e.List(ctx) }

func (s *studioSession) Stand(ctx context.Context, id string) (tui.Standing, error) {
	v, err := s.e.Show(ctx, id)
	if err == nil {
		s.last = v.Project.ID
		err = engine.Present(v.Project)
	}
	return standingOf(v), err
}

func (s *studioSession) Say(ctx context.Context, id, text string) error {
	_, err := s.e.Say(ctx, id, text)
	return err
}

func (s *studioSession) Frames(ctx context.Context, id string, version int) (tui.Frames, error) {
	found, err := s.e.Strip(ctx, id, version)
	if err != nil {
		return nil, err
	}
	pictures, closed, err := found.Open()
	if err != nil {
		return nil, err
	}
	return stripFrames{pictures, found.Version, closed}, nil
}

// stripFrames are the pictures of a preview as the studio sees them.
type stripFrames struct {
	*strip.Strip
	version int
	close   func() error
}

func (f stripFrames) Version() int { return f.version }

func (f stripFrames) Duration() float64 { return f.Info().Duration }

func (f stripFrames) Step() float64 { return f.Info().Duration / float64(f.Len()) }

func (f stripFrames) At(seconds float64) (image.Image, error) {
	img, _, err := f.Strip.At(seconds)
	return img, err
}

func (f stripFrames) Close() error { return f.close() }

func (s *studioSession) Still(name string) image.Image {
	m, err := s.a.recipe(name)
	if name == "" || err != nil {
		return nil
	}
	return stillOf(m)
}
