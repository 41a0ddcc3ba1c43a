package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/live"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/serve"
)

// Served is what `koda serve` works with.
type Served struct {
	Engine       serve.Engine
	Access       serve.Access
	Served       serve.Served
	Replies      serve.Replies
	Hooks        serve.Hooks
	Hook         koda.Hook
	PrivateHooks bool
	Limits       serve.Limits
	Queue        *serve.Queue
	Home, Parent string
}

// ServeOptions are the flags of `koda serve`.
type ServeOptions struct {
	Host        string
	Port        int
	AllowHosts  []string
	Certificate string
	Key         string
	OpenAPI     bool
	OpenMetrics bool
}

// serveResult is the result of `koda serve`, once it ended.
type serveResult struct {
	head
	URL string `json:"url"`
}

func newServeCmd(a *app) *cobra.Command {
	o := &ServeOptions{}
	c := &cobra.Command{
		Use:     "serve",
		Short:   "Answer programs and browsers over HTTP",
		GroupID: groupMachine,
		Long: `Make videos for programs and browsers: projects, answers, changes, renders and
files over HTTP, and events as they come. The routes are described at /api/openapi.json.

Every request carries a token: Authorization: Bearer TOKEN. The token printed at the
start, in an address for browsers, is valid until the server ends; 'koda token new'
makes others. The server listens on this machine only, unless --host names another
address. A proxy in front of it must pass the name by which people call it:
--allow-host koda.example.org.

Renewed files of --tls-cert and --tls-key are taken in without a restart. Limits are
settings: serve-writes, serve-body, serve-connections and serve-waiting. The setting
webhook names an address that is told of each video that is done and of work that failed.

Prometheus finds numbers at /metrics: turns, calls, tokens, cost, frames, the queue,
clients, requests. They are about all projects, so they need a token of yours that is
for all your projects; --open-metrics asks for none.

ctrl-c or SIGTERM takes no more requests, saves all work and ends with status 0. The
next server goes on with the work.`,
		Example: `  koda serve
  koda serve --port 8080
  koda serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem --allow-host koda.example.org`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), a, o) },
	}
	f := c.Flags()
	f.StringVar(&o.Host, "host", "127.0.0.1", "`ADDRESS` to listen at")
	f.IntVar(&o.Port, "port", 3000, "`PORT` to listen at; 0 is any")
	f.StringArrayVar(&o.AllowHosts, "allow-host", nil, "a further `NAME` by which people call the server; may be repeated")
	f.StringVar(&o.Certificate, "tls-cert", "", "`FILE` with the certificate, for https")
	f.StringVar(&o.Key, "tls-key", "", "`FILE` with the key of the certificate")
	f.BoolVar(&o.OpenMetrics, "open-metrics", false, "let everybody read /metrics who reaches the server, without a token")
	f.BoolVar(&o.OpenAPI, "openapi", false, "print the description of the routes (OpenAPI 3.1, YAML) and end")
	return c
}

func runServe(ctx context.Context, a *app, o *ServeOptions) (err error) {
	if (o.Certificate == "") != (o.Key == "") {
		return usage("give both --tls-cert and --tls-key", "https needs a certificate and its key")
	}
	if err := checkAddress(&o.Host, o.Port); err != nil {
		return err
	}
	if o.OpenAPI {
		data, err := serve.New(serve.Config{Version: a.deps.Build.Version}).OpenAPI()
		if err == nil {
			_, err = fmt.Fprintln(a.io.Out, string(data))
		}
		return err
	}
	with, closeAll, err := a.deps.Serve(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if closed := closeAll(); err == nil && closed != nil {
			err = fmt.Errorf("close: %w", closed)
		}
	}()
	if with.Hook.URL != "" && len(with.Hook.Secret) < 16 {
		return usage("koda config set webhook-secret SECRET, with at least 16 characters", "the setting webhook has no secret that signs what is told")
	}
	conf := a.serving(with)
	var certificate *serve.Certificate
	if o.Certificate != "" {
		if certificate, err = serve.OpenCertificate(o.Certificate, o.Key, conf.Log); err != nil {
			return err
		}
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", net.JoinHostPort(o.Host, strconv.Itoa(o.Port)))
	if err != nil {
		return live.Unbound(o.Host, o.Port, err)
	}
	secret := serve.NewSecret()
	conf.Access, conf.Hosts = serve.Guest{Access: with.Access, Secret: secret}, o.AllowHosts
	conf.OpenMetrics = o.OpenMetrics
	s := serve.New(conf)
	scheme := "http"
	if o.Certificate != "" {
		scheme = "https"
	}
	at := l.Addr().String()
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		at = net.JoinHostPort(live.Outward(), strconv.Itoa(tcp.Port))
	}
	url := scheme + "://" + at
	a.result = &serveResult{URL: url}
	a.say("", "koda listens at "+url)
	a.say("", "In a browser: "+url+"/?token="+secret)
	return s.Serve(ctx, l, certificate)
}

// serving is what a server of this process is made of.
func (a *app) serving(with Served) serve.Config {
	return serve.Config{
		Engine: with.Engine, Access: with.Access, Served: with.Served, Replies: with.Replies, Hooks: with.Hooks, Hook: with.Hook, PrivateHooks: with.PrivateHooks, Queue: with.Queue,
		Request: a.requestOf, Spec: specOf, Still: a.stillOf, Home: with.Home, Parent: with.Parent, Version: a.deps.Build.Version, Now: a.deps.Now,
		Limits: with.Limits,
		Say:    func(line string) { a.say("", line) }, Log: slog.New(slog.NewTextHandler(a.io.Err, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
}

func newMCPCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "mcp",
		Short:   "Let an agent make videos, by the Model Context Protocol",
		GroupID: groupMachine,
		Long: `Speak the Model Context Protocol over standard input and output. An agent then has the
tools new_animation, answer, accept, edit, render, still and show, and can read plans,
versions and videos as resources. koda works as you, on this machine; when the agent
leaves, the work is saved. Over HTTP agents reach 'koda serve' at /mcp, with a token.`,
		Example: `  koda mcp
  claude mcp add koda -- koda mcp`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd.Context(), a) },
	}
}

func runMCP(ctx context.Context, a *app) (err error) {
	if a.json {
		return usage("leave out --json", "standard output is for the protocol")
	}
	with, closeAll, err := a.deps.Serve(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	return serve.New(a.serving(with)).ServeMCP(ctx, io.NopCloser(a.io.In), out{a.io.Out})
}

// out is a stream that stays open.
type out struct{ io.Writer }

// Close implements io.Closer.
func (out) Close() error { return nil }

// requestOf makes of a brief that came over HTTP what the engine takes, by the same way as
// the flags of `koda new`. Of this machine only its assets are read; its data goes to dir.
func (a *app) requestOf(ctx context.Context, b serve.Brief, assets []string, dir string) (engine.NewRequest, error) {
	if p := strings.TrimSpace(b.Prompt); p == "-" || p == "" && b.Data == "" && (b.Recipe == "" || len(b.Params) == 0) {
		return engine.NewRequest{}, usage("say what the video should show, or send data", "the prompt is empty")
	}
	o := &NewOptions{
		Prompt: b.Prompt, Name: b.Name, named: b.Name != "", Style: b.Style, Author: b.Author, Recipe: b.Recipe, Yes: b.Yes,
		Duration: seconds(b.Duration), timed: b.Duration != 0, stranger: true, Assets: assets,
	}
	o.Finals.Presets = b.Presets
	for name, value := range b.Params {
		o.Set = append(o.Set, name+"="+value)
	}
	if b.Data != "" {
		name := filepath.Base(filepath.Clean("/" + b.DataName))
		if name == "/" {
			name = "data.csv"
			if t := strings.TrimSpace(b.Data); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
				name = "data.json"
			}
		}
		o.Data = filepath.Join(dir, name)
		if err := atomicfile.Write(o.Data, []byte(b.Data), 0o600); err != nil {
			return engine.NewRequest{}, fmt.Errorf("take in data: %w", err)
		}
	}
	return newRequest(ctx, a, o)
}

// specOf plans a render that came over HTTP, as the flags of `koda render` do.
func specOf(p koda.Project, ask serve.RenderAsk) (koda.RenderSpec, error) {
	presets, err := lookupPresets(nonempty(ask.Preset))
	if err != nil {
		return koda.RenderSpec{}, err
	}
	t := target{project: &p, dir: p.Dir}
	if t.manifest, err = readManifest(p.Dir); err != nil {
		return koda.RenderSpec{}, err
	}
	o := &RenderOptions{Overrides: preset.Overrides{Format: ask.Format, Resolution: ask.Resolution, FPS: ask.FPS, From: ask.From, To: ask.To}}
	return renderSpec(t, presets[0], o)
}

func nonempty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// stillOf draws a frame of a project.
func (a *app) stillOf(ctx context.Context, p koda.Project, at float64) (pic koda.Picture, err error) {
	t := target{project: &p, dir: p.Dir}
	if t.manifest, err = readManifest(p.Dir); err != nil {
		return pic, err
	}
	if at > t.manifest.Duration {
		return pic, usage(fmt.Sprintf("give 0 to %s", number(t.manifest.Duration)), "%g s is outside the animation", at)
	}
	err = a.drawing(ctx, t, func(r engine.Renderer, files fs.FS) error {
		pic, err = r.Still(ctx, files, at, t.manifest.Width, t.manifest.Height)
		return err
	})
	return pic, err
}
