package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
)

// agent is an agent that makes videos by the Model Context Protocol. A local agent sees this
// machine's files, so it is told paths; others get addresses.
type agent struct {
	s     *Server
	token koda.Token
	local bool
}

// mcpPath is where agents speak the protocol over HTTP.
const mcpPath = "/mcp"

// toolFor is how long a tool waits for work to end; then the agent asks by show.
const toolFor = 30 * time.Minute

// ServeMCP speaks the Model Context Protocol over in and out, as the local user, until in or
// ctx ends; the work is saved then. It begins with what was left in the middle before.
func (s *Server) ServeMCP(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	end := s.start(ctx)
	defer end()
	if err := s.goOn(ctx); err != nil {
		return err
	}
	a := agent{s: s, token: koda.Token{ID: "mcp", UserID: koda.LocalUser, Write: true}, local: true}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	told := newAnswers(out)
	asks := newLines(in, told, func() { time.AfterFunc(leaveWithin, cancel) })
	if err := a.server().Run(ctx, &mcp.IOTransport{Reader: asks, Writer: told}); err != nil && ctx.Err() == nil {
		return fmt.Errorf("speak with the agent: %w", err)
	}
	return nil
}

// mcpHandler speaks the protocol over HTTP, with whoever has a token.
func (s *Server) mcpHandler() http.Handler {
	return mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		return agent{s: s, token: tokenIn(r.Context())}.server()
	}, &mcp.StreamableHTTPOptions{Stateless: true, DisableLocalhostProtection: true, MaxRequestBodyBytes: s.cfg.Limits.Body}) // the server checks the names it is called by
}

const instructions = `koda turns a sentence into an animated video. new_animation begins a project; koda then asks one question about style (answer), proposes a plan of scenes (accept, or edit to change it), shows a preview (still shows a frame; edit changes it; accept makes the final video). Each tool returns once koda waits again; "waiting" and "next" say for what. With yes, new_animation goes all the way.`

// server has the tools and resources of the agent.
func (a agent) server() *mcp.Server {
	m := mcp.NewServer(&mcp.Implementation{Name: "koda", Version: a.s.cfg.Version}, &mcp.ServerOptions{
		Instructions: instructions, Logger: a.s.cfg.Log, SchemaCache: a.s.schemas,
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = scope },
	})
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true}
	mcp.AddTool(m, &mcp.Tool{Name: "new_animation", Description: "Begin an animated video of a sentence."}, a.begin)
	mcp.AddTool(m, &mcp.Tool{Name: "answer", Description: "Answer koda's question by the id of an option, or in words."}, a.answer)
	mcp.AddTool(m, &mcp.Tool{Name: "accept", Description: "Accept the plan, which makes a preview; or accept the preview, which makes the final video."}, a.accept)
	mcp.AddTool(m, &mcp.Tool{Name: "edit", Description: "Change the plan, or the animation, in words."}, a.edit)
	mcp.AddTool(m, &mcp.Tool{Name: "render", Description: "Make another video of the project: another size, rate, format or part."}, a.render)
	mcp.AddTool(m, &mcp.Tool{Name: "still", Description: "Look at one frame of the animation, as a picture.", Annotations: reads}, a.still)
	mcp.AddTool(m, &mcp.Tool{Name: "show", Description: "Show where a project stands; without project, list the projects.", Annotations: reads}, a.show)
	a.resources(m)
	return m
}

type (
	// AgentProject is the project that a tool is about.
	AgentProject struct {
		Project string `json:"project" jsonschema:"name or id of the project"`
	}
	newAsk struct {
		Prompt   string   `json:"prompt" jsonschema:"what should move, in words"`
		Style    string   `json:"style,omitempty" jsonschema:"such as playful, smooth or cinematic"`
		Duration float64  `json:"duration,omitempty" jsonschema:"seconds"`
		Presets  []string `json:"presets,omitempty" jsonschema:"of the final videos, such as reels or square"`
		Recipe   string   `json:"recipe,omitempty"`
		Data     string   `json:"data,omitempty" jsonschema:"CSV, JSON, YAML or Markdown to show"`
		DataName string   `json:"dataName,omitempty" jsonschema:"of the data, such as sales.csv"`
		Yes      bool     `json:"yes,omitempty" jsonschema:"give every approval now"`
	}
	answerAsk struct {
		AgentProject
		Option string `json:"option,omitempty" jsonschema:"id of an option"`
		Text   string `json:"text,omitempty" jsonschema:"or an answer in words"`
	}
	acceptAsk struct {
		AgentProject
		Presets []string `json:"presets,omitempty" jsonschema:"of the final videos, such as reels or square"`
	}
	editAsk struct {
		AgentProject
		Text string `json:"text" jsonschema:"what should be different"`
	}
	stillAsk struct {
		AgentProject
		At float64 `json:"at" jsonschema:"seconds of the animation"`
	}
	renderAsk struct {
		AgentProject
		Preset     string   `json:"preset,omitempty"`
		Format     string   `json:"format,omitempty" jsonschema:"mp4, webm, mov, gif, apng or png"`
		Resolution string   `json:"resolution,omitempty" jsonschema:"such as 720p or 1280x720"`
		FPS        string   `json:"fps,omitempty"`
		From       *float64 `json:"from,omitempty" jsonschema:"seconds"`
		To         *float64 `json:"to,omitempty" jsonschema:"seconds"`
	}
	showAsk struct {
		Project string `json:"project,omitempty" jsonschema:"name or id of the project; leave it out for a list"`
		Wait    int    `json:"wait,omitempty" jsonschema:"seconds to wait for koda's work on the project to end, at most 600"`
	}
)

// told is where a project stands, for agents.
type told struct {
	Standing
	Next string `json:"next,omitempty"`
}

// next says what an agent can do.
func next(b Standing) string {
	switch b.Waiting {
	case engine.WaitingAnswer:
		return "answer with the id of an option, or in words"
	case engine.WaitingPlan:
		return "accept the plan, or edit it"
	case engine.WaitingPreview:
		return "look at it by still; accept it, or edit it"
	case engine.WaitingRetry:
		return "accept tries again; edit asks for something else"
	case engine.WaitingNothing:
	}
	if b.Busy {
		return "koda works on it: show with wait says when it is done"
	}
	return "edit changes it, render makes another video"
}

// project finds a project of the agent's user by name or id.
func (a agent) project(ctx context.Context, ref string) (koda.Project, error) {
	all, err := a.s.seen(ctx, a.token)
	if err != nil {
		return koda.Project{}, err
	}
	i := slices.IndexFunc(all, func(p koda.Project) bool { return p.ID == ref || p.Name == ref })
	if i < 0 {
		return koda.Project{}, problem(http.StatusNotFound, koda.CodeNotFound, fmt.Sprintf("there is no project %.100q", ref), "show lists them")
	}
	return all[i], nil
}

// said is an error with its hint, as agents read it.
func said(err error) error {
	var p *Problem
	if errors.As(err, &p) {
		return saying(p.Code, p.Detail, p.Hint)
	}
	return err
}

func saying(code koda.Code, what, hint string) error {
	if hint != "" {
		what += " (" + hint + ")"
	}
	return fmt.Errorf("%s: %s", code, what)
}

// work does work on a project, tells the agent how it goes on, and returns when it ends, or
// when the agent does not wait any more: the work goes on then.
func (a agent) work(ctx context.Context, req *mcp.CallToolRequest, p koda.Project, render *koda.RenderSpec, do call) (over bool, id string, err error) {
	if !a.token.Write {
		return false, "", saying(koda.CodeUnauthorized, "the token only reads", "`koda token new --write` makes one that writes")
	}
	if wait := a.s.rates.take(a.token.ID, a.s.cfg.Now()); wait > 0 && !a.local {
		return false, "", said(busy("too many requests that write", wait))
	}
	p, ended, err := a.s.launch(ctx, p, job{render: render, draws: render != nil || p.ID != "" && a.s.draws(p, true), do: do})
	if err != nil {
		return false, "", said(err)
	}
	quiet := a.progress(ctx, req, p)
	defer quiet()
	over, err = a.s.await(ctx, ended, p, toolFor)
	return over, p.ID, said(err)
}

// worked tells where a project stands after work on it.
func (a agent) worked(ctx context.Context, id string, err error) (*mcp.CallToolResult, any, error) {
	if err != nil {
		return nil, nil, err
	}
	return a.stands(ctx, id)
}

// stands tells where a project stands. A failure of the work is an error of the tool.
func (a agent) stands(ctx context.Context, id string) (*mcp.CallToolResult, any, error) {
	v, err := a.s.cfg.Engine.Show(ctx, id)
	if err != nil {
		return nil, nil, said(a.s.problemOf(err, v.Project))
	}
	p, b := v.Project, a.s.standing(v).Body
	if f := b.Error; f != nil {
		return nil, nil, saying(f.Code, f.Message, f.Hint)
	}
	if a.local {
		b.Preview = a.path(p, b.Preview)
		if b.Output != nil {
			b.Output.Video, b.Output.Thumbnail = a.path(p, b.Output.Video), a.path(p, b.Output.Thumbnail)
		}
	}
	return nil, told{b, next(b)}, nil
}

// path is the path of a file on this machine, of its address.
func (a agent) path(p koda.Project, address string) string {
	rel, ok := strings.CutPrefix(address, filesOf(p))
	if rel, err := url.PathUnescape(rel); ok && err == nil {
		return filepath.Join(p.Dir, filepath.FromSlash(rel))
	}
	return address
}

// progress tells the agent what koda does, if it asked for it, until quiet is called.
func (a agent) progress(ctx context.Context, req *mcp.CallToolRequest, p koda.Project) (quiet func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	h, leave := a.s.join(p)
	done := 0.0
	sub := h.feed.Subscribe(feed.Subscriber{Project: p.ID, Missed: func(_ string, _, last int64) int64 { return last }, Show: func(ev koda.Event) {
		message := ""
		f, _ := ev.Payload.(frame)
		switch about := f.payload.(type) {
		case koda.Thinking:
			message = about.Message
		case koda.Progress:
			message = fmt.Sprintf("frame %d of %d", about.Frame, about.Frames)
		}
		if message != "" {
			done++
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: a.s.scrub(message, p), Progress: done}) //nolint:errcheck // the agent has left
		}
	}})
	return func() {
		sub.End()
		leave()
	}
}

func (a agent) begin(ctx context.Context, req *mcp.CallToolRequest, in newAsk) (*mcp.CallToolResult, any, error) {
	if a.token.ProjectID != "" {
		return nil, nil, saying(koda.CodeUnauthorized, "the token is for one project", "")
	}
	do, err := a.s.making(ctx, a.token.UserID, Brief{
		Prompt: in.Prompt, Style: in.Style, Duration: in.Duration, Presets: in.Presets, Recipe: in.Recipe, Data: in.Data, DataName: in.DataName, Yes: in.Yes,
	})
	if err != nil {
		return nil, nil, said(err)
	}
	_, id, err := a.work(ctx, req, koda.Project{}, nil, do)
	return a.worked(ctx, id, err)
}

// on does work on a project that the agent names.
func (a agent) on(ctx context.Context, req *mcp.CallToolRequest, ref string, do func(context.Context, string) (engine.Outcome, error)) (*mcp.CallToolResult, any, error) {
	p, err := a.project(ctx, ref)
	if err != nil {
		return nil, nil, said(err)
	}
	_, id, err := a.work(ctx, req, p, nil, func(ctx context.Context) (engine.Outcome, error) { return do(ctx, p.ID) })
	return a.worked(ctx, id, err)
}

func (a agent) answer(ctx context.Context, req *mcp.CallToolRequest, in answerAsk) (*mcp.CallToolResult, any, error) {
	return a.on(ctx, req, in.Project, func(ctx context.Context, id string) (engine.Outcome, error) {
		return a.s.cfg.Engine.Answer(ctx, id, koda.Seen{}, koda.Answer{OptionID: in.Option, Text: in.Text})
	})
}

func (a agent) accept(ctx context.Context, req *mcp.CallToolRequest, in acceptAsk) (*mcp.CallToolResult, any, error) {
	return a.on(ctx, req, in.Project, func(ctx context.Context, id string) (engine.Outcome, error) {
		if v, err := a.s.cfg.Engine.Stand(ctx, id); err == nil && v.Waiting == engine.WaitingRetry {
			return a.s.cfg.Engine.Resume(ctx, id, false, finals(in.Presets)...)
		}
		return a.s.cfg.Engine.Accept(ctx, id, koda.Seen{}, finals(in.Presets)...)
	})
}

func (a agent) edit(ctx context.Context, req *mcp.CallToolRequest, in editAsk) (*mcp.CallToolResult, any, error) {
	return a.on(ctx, req, in.Project, func(ctx context.Context, id string) (engine.Outcome, error) {
		return a.s.cfg.Engine.Edit(ctx, id, koda.Seen{}, in.Text)
	})
}

func (a agent) render(ctx context.Context, req *mcp.CallToolRequest, in renderAsk) (*mcp.CallToolResult, any, error) {
	p, err := a.project(ctx, in.Project)
	if err != nil {
		return nil, nil, said(err)
	}
	spec, err := a.s.cfg.Spec(p, RenderAsk{Preset: in.Preset, Format: in.Format, Resolution: in.Resolution, FPS: in.FPS, From: in.From, To: in.To})
	if err != nil {
		return nil, nil, said(a.s.problemOf(err, p))
	}
	over, id, err := a.work(ctx, req, p, &spec, func(ctx context.Context) (engine.Outcome, error) {
		_, err := a.s.cfg.Engine.Render(ctx, p.ID, spec)
		return engine.Outcome{Project: p}, err
	})
	if err != nil || !over {
		return a.worked(ctx, id, err)
	}
	v, err := a.s.cfg.Engine.Show(ctx, p.ID)
	if err != nil {
		return nil, nil, said(a.s.problemOf(err, p))
	}
	var made Render
	for _, r := range v.Renders { // the newest comes last
		if r.Spec.Output == spec.Output {
			made = a.s.made(r, v.Project)
		}
	}
	if a.local {
		made.Video = a.path(v.Project, made.Video)
	}
	return nil, made, nil
}

func (a agent) still(ctx context.Context, _ *mcp.CallToolRequest, in stillAsk) (*mcp.CallToolResult, any, error) {
	p, err := a.project(ctx, in.Project)
	if err != nil {
		return nil, nil, said(err)
	}
	pic, err := a.s.look(ctx, p, in.At)
	if err != nil {
		return nil, nil, said(a.s.problemOf(err, p))
	}
	out := &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: pic.PNG, MIMEType: "image/png"}}}
	for _, w := range pic.Warnings {
		out.Content = append(out.Content, &mcp.TextContent{Text: a.s.scrub(w, p)})
	}
	return out, nil, nil
}

func (a agent) show(ctx context.Context, _ *mcp.CallToolRequest, in showAsk) (*mcp.CallToolResult, any, error) {
	if in.Project != "" {
		p, err := a.project(ctx, in.Project)
		if err != nil {
			return nil, nil, said(err)
		}
		a.s.jobs.await(ctx, p.ID, seconds(min(in.Wait, 600)))
		return a.stands(ctx, p.ID)
	}
	all, err := a.s.seen(ctx, a.token)
	if err != nil {
		return nil, nil, said(err)
	}
	out := Projects{Projects: []Project{}}
	for _, p := range all {
		out.Projects = append(out.Projects, a.s.project(p))
	}
	return nil, out, nil
}
