package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/live"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/recipe"
)

// LivePage is a page in a person's browser. Close ends it.
type LivePage interface {
	URL() string
	Close() error
}

// PreviewOptions are the argument and flags of `koda preview`.
type PreviewOptions struct {
	Target string // project or directory
	Host   string
	Port   int
	ported bool // --port was given
	Open   bool
}

// previewResult is the result of `koda preview`, once it ended, and what its event
// LIVE_VIEW says.
type previewResult struct {
	head
	Project *koda.Project `json:"project,omitempty"`
	URL     string        `json:"url"`
}

// typeLive is the type of the envelope that says where the live page is.
const typeLive = "LIVE_VIEW"

func newPreviewCmd(a *app, runF func(context.Context, *PreviewOptions) error) *cobra.Command {
	o := &PreviewOptions{}
	if runF == nil {
		runF = func(ctx context.Context, o *PreviewOptions) error { return runPreview(ctx, a, o) }
	}
	c := &cobra.Command{
		Use:     "preview [PROJECT|DIRECTORY]",
		Short:   "Show the animation in your browser while you work on it",
		GroupID: groupWork,
		Long: `Show what lies in the directory now, in a browser: the picture at any time as a video
would show it, with its sound, its scenes, and the parameters of its recipe as a form.
When you save a file, the picture follows and keeps its time; a mistake is shown with its
file and line until it is mended. A parameter that you save there is a change as by
'koda edit', with a version of its own. koda prints the address; ctrl-c ends it.

The page listens on this machine only, and it is there for who has the address that koda
prints: the address holds a token, for other people of this machine reach its ports too.
With --open they may see the address in the list of processes. With --host the page
listens at another address: then everybody who reaches that address can read the files
of the page.`,
		Example: `  koda preview bouncing-ball
  koda preview ./my-page --open
  koda preview bouncing-ball --host 0.0.0.0 --port 8080`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := emptyFlags(cmd); err != nil {
				return err
			}
			o.Target, o.ported = first(args), cmd.Flags().Changed("port")
			return runF(cmd.Context(), o)
		},
		ValidArgsFunction: a.completeProjects,
	}
	f := c.Flags()
	f.StringVar(&o.Host, "host", "", "`ADDRESS` to listen at (default: this machine only)")
	f.IntVar(&o.Port, "port", 5173, "`PORT` to listen at; 0 is any (default: 5173 or the next that is free)")
	f.BoolVar(&o.Open, "open", false, "open the page in the browser of the desktop")
	return c
}

func runPreview(ctx context.Context, a *app, o *PreviewOptions) error {
	if err := checkAddress(&o.Host, o.Port); err != nil {
		return err
	}
	if plainDir(o.Target) {
		t, err := plainTarget(o.Target)
		if err != nil {
			return err
		}
		return a.preview(ctx, t, o, nil)
	}
	return a.withEngine(ctx, func(ctx context.Context, e Engine) error {
		t, err := projectTarget(ctx, e, o.Target)
		if err != nil {
			return err
		}
		return a.preview(ctx, t, o, e)
	})
}

// checkAddress checks where a page or a server is to listen, and takes the brackets off an
// address of IPv6.
func checkAddress(host *string, port int) error {
	if port < 0 || port > 65535 {
		return usage("give 1 to 65535, or 0 for any", "%d is no port", port)
	}
	bare := strings.Trim(*host, "[]")
	if bare != "" && bare != "localhost" && net.ParseIP(bare) == nil {
		return usage("0.0.0.0 is every address of this machine", "--host takes an address, not %q", *host)
	}
	*host = bare
	return nil
}

// preview shows t until ctx ends. If e is nil, t has no parameters to change.
func (a *app) preview(ctx context.Context, t target, o *PreviewOptions, e Engine) (err error) {
	cfg := live.Config{Host: o.Host, Port: o.Port, Exact: o.ported}
	if t.project != nil && e != nil {
		f := &form{a: a, ctx: ctx, engine: e, project: *t.project}
		if fields, err := f.Fields(ctx); err == nil && len(fields) > 0 {
			cfg.Source.Form = f
			defer f.working.Wait()
		}
	}
	page, err := a.deps.Preview(t.dir, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, page.Close()) }()
	a.result = &previewResult{Project: t.project, URL: page.URL()}
	a.tellPreview(t, o, page.URL())
	if o.Open {
		if err := a.openDesktop(ctx, page.URL()); err != nil {
			a.warn("the browser was not opened: " + err.Error())
		}
	}
	<-ctx.Done()
	return nil
}

// tellPreview says where the page is.
func (a *app) tellPreview(t target, o *PreviewOptions, url string) {
	if a.json {
		a.emit(koda.Event{Schema: koda.SchemaVersion, Type: typeLive, Payload: &struct {
			URL string `json:"url"`
		}{url}})
		return
	}
	if ip := net.ParseIP(o.Host); ip != nil && !ip.IsLoopback() {
		a.say("warning: ", "everybody who reaches "+o.Host+" can read the files of this page, without encryption; who has the address below can also change the project")
	}
	fmt.Fprintln(a.io.Out, url)
	a.say("", t.name()+" is shown there as it lies in "+t.dir+"; ctrl-c ends it")
}

// form is the parameters of a project's recipe in a live page.
type form struct {
	a       *app
	ctx     context.Context //nolint:containedctx // of the command: a change goes on when the browser leaves
	engine  Engine
	project koda.Project
	working sync.WaitGroup
}

// Fields implements [live.Form].
func (f *form) Fields(context.Context) (fields []live.Field, err error) {
	files, err := projectfs.Open(f.project.Dir)
	if err != nil {
		return nil, fmt.Errorf("open directory: %w", err)
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	m, values, err := f.a.deps.Params(files)
	if err != nil || m == nil {
		return nil, err
	}
	for i := range m.Params {
		fields = append(fields, fieldOf(&m.Params[i], values[m.Params[i].Name]))
	}
	return fields, nil
}

func fieldOf(p *recipe.Param, value string) live.Field {
	f := live.Field{Name: p.Name, Type: string(p.Type), Value: value, Help: p.Help, Unit: p.Unit}
	if p.Type == recipe.Choice {
		f.Choices = p.Choices.IDs()
		if p.Auto && !slices.Contains(f.Choices, recipe.Auto) {
			f.Choices = append([]string{recipe.Auto}, f.Choices...)
		}
	}
	if p.Type == recipe.Number || p.Type == recipe.Integer {
		f.Range = p.Range()
	}
	return f
}

// Save implements [live.Form]: the change is one of `koda edit`.
func (f *form) Save(_ context.Context, set map[string]string) (string, error) {
	f.working.Add(1)
	defer f.working.Done()
	var lines []string
	fields, err := f.Fields(f.ctx)
	if err != nil {
		return "", err
	}
	for _, field := range fields { // the order of the manifest
		if value, ok := set[field.Name]; ok {
			lines = append(lines, reading.Assignment(field.Name, value))
			delete(set, field.Name)
		}
	}
	for name := range set {
		return "", usage("load the page again", "there is no parameter %q", name)
	}
	text := strings.Join(lines, "\n")
	out, err := f.engine.Edit(f.ctx, f.project.ID, koda.Seen{}, text)
	if koda.CodeOf(err) == koda.CodeInUse {
		if _, err := say(f.ctx, f.engine, f.project, text); err != nil {
			return "", err
		}
		return "Another koda works on the project: it was told, and makes the change.", nil
	}
	if err != nil {
		return "", err
	}
	return saidOf(out), nil
}

// saidOf says what a change came to.
func saidOf(out engine.Outcome) string {
	if out.Version == 0 {
		return "Saved."
	}
	return fmt.Sprintf("Saved as v%d.", out.Version)
}
