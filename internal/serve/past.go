package serve

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// RenderAsk is what a client asks of a render.
type RenderAsk struct {
	Preset     string   `json:"preset,omitempty" maxLength:"100" doc:"default: final"`
	Format     string   `json:"format,omitempty" maxLength:"20"`
	Resolution string   `json:"resolution,omitempty" maxLength:"40" doc:"such as 720p or 1280x720"`
	FPS        string   `json:"fps,omitempty" maxLength:"40"`
	From       *float64 `json:"from,omitempty" doc:"seconds"`
	To         *float64 `json:"to,omitempty" doc:"seconds"`
}

// Render is a video that was made, or failed.
type Render struct {
	ID        string    `json:"id"`
	Version   int       `json:"version"`
	Kind      string    `json:"kind" doc:"preview or final"`
	Status    string    `json:"status" doc:"done or failed"`
	Error     string    `json:"error,omitempty"`
	Video     string    `json:"video,omitempty" doc:"address"`
	Width     int       `json:"width"`
	Height    int       `json:"height"`
	Format    string    `json:"format"`
	Size      int64     `json:"size,omitempty" doc:"bytes"`
	SHA256    string    `json:"sha256,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
}

// Version is a version of a project's files.
type Version struct {
	Number    int       `json:"number"`
	Parent    int       `json:"parent,omitempty" doc:"the version it was made from"`
	Prompt    string    `json:"prompt" doc:"what was asked"`
	Author    string    `json:"author"`
	CreatedAt time.Time `json:"createdAt"`
	Added     []string  `json:"added" doc:"paths that differ from the parent"`
	Changed   []string  `json:"changed"`
	Deleted   []string  `json:"deleted"`
	Preview   string    `json:"preview,omitempty" doc:"address"`
	Video     string    `json:"video,omitempty" doc:"address"`
}

// listed is the body of an answer that lists things.
type listed[T any] struct {
	Body T
}

func (s *Server) renders(ctx context.Context, in *One) (*listed[struct {
	Renders []Render `json:"renders"`
}], error) {
	v, err := s.view(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out := &listed[struct {
		Renders []Render `json:"renders"`
	}]{}
	out.Body.Renders = []Render{}
	for _, r := range v.Renders {
		one := Render{
			ID: r.ID, Version: r.Version, Kind: string(r.Kind), Status: r.Status, Error: s.scrub(r.Error, v.Project),
			Width: r.Spec.Width, Height: r.Spec.Height, Format: r.Spec.Format, CreatedAt: r.CreatedAt,
		}
		if r.Result != nil {
			one.Video, one.Size, one.SHA256 = s.address(v.Project, r.Spec.Output), r.Result.Size, r.Result.SHA256
		}
		out.Body.Renders = append(out.Body.Renders, one)
	}
	return out, nil
}

func (s *Server) render(ctx context.Context, in *struct {
	One
	Waits
	Body RenderAsk
}) (*standing, error) {
	p := projectIn(ctx)
	spec, err := s.cfg.Spec(p, in.Body)
	if err != nil {
		return nil, s.problemOf(err, p)
	}
	if err := s.room(); err != nil {
		return nil, err
	}
	if _, err := s.begin(ctx, p, seconds(in.Wait), &spec, func(ctx context.Context) (engine.Outcome, error) {
		_, err := s.cfg.Engine.Render(ctx, p.ID, spec)
		return engine.Outcome{Project: p}, err
	}); err != nil {
		return nil, err
	}
	return s.stands(ctx, p.ID)
}

// room refuses one more render if too many wait for their turn.
func (s *Server) room() error {
	if n := s.cfg.Queue.Waiting(); s.cfg.Limits.Waiting > 0 && n >= s.cfg.Limits.Waiting {
		return busy("too many renders wait for their turn", time.Minute)
	}
	return nil
}

func (s *Server) versions(ctx context.Context, in *One) (*listed[struct {
	Current  int       `json:"current"`
	Versions []Version `json:"versions"`
}], error) {
	p := projectIn(ctx)
	h, err := s.cfg.Engine.History(ctx, p.ID)
	if err != nil {
		return nil, s.problemOf(err, p)
	}
	out := &listed[struct {
		Current  int       `json:"current"`
		Versions []Version `json:"versions"`
	}]{}
	out.Body.Current, out.Body.Versions = h.Current, []Version{}
	for _, v := range h.Versions {
		out.Body.Versions = append(out.Body.Versions, Version{
			Number: v.Number, Parent: v.Parent, Prompt: v.Prompt, Author: v.Author, CreatedAt: v.CreatedAt,
			Added: some(v.Added), Changed: some(v.Changed), Deleted: some(v.Deleted),
			Preview: s.address(p, v.Preview), Video: s.address(p, v.Video),
		})
	}
	return out, nil
}

// some is a list that is never null in JSON.
func some(list []string) []string { return append([]string{}, list...) }

func (s *Server) turns(ctx context.Context, in *One) (*listed[struct {
	Turns []koda.Turn `json:"turns"`
}], error) {
	v, err := s.view(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out := &listed[struct {
		Turns []koda.Turn `json:"turns"`
	}]{}
	out.Body.Turns = append([]koda.Turn{}, v.Turns...)
	for i, t := range out.Body.Turns {
		out.Body.Turns[i].Error = s.failure(t.Error, v.Project)
	}
	return out, nil
}

func (s *Server) blocks(ctx context.Context, in *struct {
	One
	Turn string `path:"turn" maxLength:"100" doc:"id of the turn"`
}) (*listed[struct {
	Blocks []koda.Block `json:"blocks"`
}], error) {
	v, err := s.view(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(v.Turns, func(t koda.Turn) bool { return t.ID == in.Turn }) {
		return nil, problem(http.StatusNotFound, koda.CodeNotFound, "there is no such turn", "GET /api/projects/"+in.ID+"/turns lists them")
	}
	blocks, err := s.cfg.Engine.Blocks(ctx, in.Turn)
	out := &listed[struct {
		Blocks []koda.Block `json:"blocks"`
	}]{}
	out.Body.Blocks = append([]koda.Block{}, blocks...)
	return out, s.problemOf(err, v.Project)
}

func (s *Server) messages(ctx context.Context, in *One) (*listed[struct {
	Messages []koda.Message `json:"messages"`
}], error) {
	p := projectIn(ctx)
	c, err := s.cfg.Engine.Conversation(ctx, p.ID)
	out := &listed[struct {
		Messages []koda.Message `json:"messages"`
	}]{}
	out.Body.Messages = append([]koda.Message{}, c.Messages...)
	return out, s.problemOf(err, p)
}

// say tells the author at work something; it becomes a todo.
func (s *Server) say(ctx context.Context, in *struct {
	One
	Body struct {
		Text string `json:"text" minLength:"1" maxLength:"65536"`
	}
}) (*listed[koda.Heard], error) {
	p := projectIn(ctx)
	heard, err := s.cfg.Engine.Say(ctx, p.ID, in.Body.Text)
	return &listed[koda.Heard]{heard}, s.problemOf(err, p)
}

func (s *Server) cancel(ctx context.Context, in *One) (*standing, error) {
	p := projectIn(ctx)
	if err := s.cfg.Engine.Cancel(ctx, p.ID); err != nil {
		return nil, s.problemOf(err, p)
	}
	return s.stands(ctx, p.ID)
}

// move goes to another version.
func (s *Server) move(to func(ctx context.Context, id string) (engine.Moved, error)) func(context.Context, *One) (*standing, error) {
	return func(ctx context.Context, in *One) (*standing, error) {
		p := projectIn(ctx)
		if _, err := to(ctx, p.ID); err != nil {
			return nil, s.problemOf(err, p)
		}
		return s.stands(ctx, p.ID)
	}
}

func (s *Server) checkout(ctx context.Context, in *struct {
	One
	Body struct {
		Version int `json:"version" minimum:"1"`
	}
}) (*standing, error) {
	return s.move(func(ctx context.Context, id string) (engine.Moved, error) {
		return s.cfg.Engine.Checkout(ctx, id, in.Body.Version)
	})(ctx, &in.One)
}

// view reads everything of a project, if the token of the request allows it.
func (s *Server) view(ctx context.Context, id string) (engine.View, error) {
	p := projectIn(ctx)
	v, err := s.cfg.Engine.Show(ctx, p.ID)
	return v, s.problemOf(err, p)
}
