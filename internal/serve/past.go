package serve

import (
	"context"
	"net/http"
	"slices"
	"strconv"
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
	Webhook    *Webhook `json:"webhook,omitempty" doc:"is told once, when the video is done or has failed"`
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

// listed is an answer that lists things.
type listed[T any] struct {
	Body T
}

// Paged asks for a part of a list.
type Paged struct {
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"how long the part is at most"`
	After string `query:"after" maxLength:"4096" doc:"the next of the part before; without it the list begins"`
}

// part is the part of a list that was asked for, and what to ask for the next part; "" after
// the last one. Ids are unique in the list.
func part[T any](in Paged, all []T, id func(T) string) (items []T, next string, err error) {
	if in.After != "" {
		i := slices.IndexFunc(all, func(one T) bool { return id(one) == in.After })
		if i < 0 {
			return nil, "", problem(http.StatusUnprocessableEntity, koda.CodeUsage, "the list has nothing of the name that is given as after", "leave out after, to begin again")
		}
		all = all[i+1:]
	}
	if len(all) > in.Limit {
		all = all[:in.Limit]
		next = id(all[in.Limit-1])
	}
	return append([]T{}, all...), next, nil
}

type (
	// Renders is a part of a list.
	Renders struct {
		Renders []Render `json:"renders"`
		Next    string   `json:"next,omitempty" doc:"give it as after for the next part"`
	}
	// Versions is a part of a list.
	Versions struct {
		Current  int       `json:"current"`
		Versions []Version `json:"versions"`
		Next     string    `json:"next,omitempty" doc:"give it as after for the next part"`
	}
	// Turns is a part of a list.
	Turns struct {
		Turns []koda.Turn `json:"turns"`
		Next  string      `json:"next,omitempty" doc:"give it as after for the next part"`
	}
	// Blocks is a part of a list.
	Blocks struct {
		Blocks []koda.Block `json:"blocks"`
		Next   string       `json:"next,omitempty" doc:"give it as after for the next part"`
	}
	// Messages is a part of a list.
	Messages struct {
		Messages []koda.Message `json:"messages"`
		Next     string         `json:"next,omitempty" doc:"give it as after for the next part"`
	}
)

func (s *Server) renders(ctx context.Context, in *struct {
	One
	Paged
}) (*listed[Renders], error) {
	v, err := s.view(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	all, next, err := part(in.Paged, v.Renders, func(r koda.RenderRecord) string { return r.ID })
	out := &listed[Renders]{Renders{[]Render{}, next}}
	for _, r := range all {
		out.Body.Renders = append(out.Body.Renders, s.made(r, v.Project))
	}
	return out, err
}

// made is a render as clients see it.
func (s *Server) made(r koda.RenderRecord, p koda.Project) Render {
	one := Render{
		ID: r.ID, Version: r.Version, Kind: string(r.Kind), Status: r.Status, Error: s.scrub(r.Error, p),
		Width: r.Spec.Width, Height: r.Spec.Height, Format: r.Spec.Format, CreatedAt: r.CreatedAt,
	}
	if r.Result != nil {
		one.Video, one.Size, one.SHA256 = s.address(p, r.Spec.Output), r.Result.Size, r.Result.SHA256
	}
	return one
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
	hook, err := s.hook(in.Body.Webhook, true)
	if err != nil {
		return nil, err
	}
	if _, err := s.begin(ctx, p, seconds(in.Wait), job{render: &spec, draws: true, hook: hook, do: func(ctx context.Context) (engine.Outcome, error) {
		_, err := s.cfg.Engine.Render(ctx, p.ID, spec)
		return engine.Outcome{Project: p}, err
	}}); err != nil {
		return nil, err
	}
	return s.stands(ctx, p.ID)
}

func (s *Server) versions(ctx context.Context, in *struct {
	One
	Paged
}) (*listed[Versions], error) {
	p := projectIn(ctx)
	h, err := s.cfg.Engine.History(ctx, p.ID)
	if err != nil {
		return nil, s.problemOf(err, p)
	}
	all, next, err := part(in.Paged, h.Versions, func(v engine.Past) string { return strconv.Itoa(v.Number) })
	out := &listed[Versions]{Versions{h.Current, []Version{}, next}}
	for _, v := range all {
		out.Body.Versions = append(out.Body.Versions, Version{
			Number: v.Number, Parent: v.Parent, Prompt: v.Prompt, Author: v.Author, CreatedAt: v.CreatedAt,
			Added: some(v.Added), Changed: some(v.Changed), Deleted: some(v.Deleted),
			Preview: s.address(p, v.Preview), Video: s.address(p, v.Video),
		})
	}
	return out, err
}

// some is a list that is never null in JSON.
func some(list []string) []string { return append([]string{}, list...) }

func (s *Server) turns(ctx context.Context, in *struct {
	One
	Paged
}) (*listed[Turns], error) {
	v, err := s.view(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	all, next, err := part(in.Paged, v.Turns, func(t koda.Turn) string { return t.ID })
	for i, t := range all {
		all[i].Error = s.failure(t.Error, v.Project)
	}
	return &listed[Turns]{Turns{all, next}}, err
}

func (s *Server) blocks(ctx context.Context, in *struct {
	One
	Paged
	Turn string `path:"turn" maxLength:"100" doc:"id of the turn"`
}) (*listed[Blocks], error) {
	v, err := s.view(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(v.Turns, func(t koda.Turn) bool { return t.ID == in.Turn }) {
		return nil, problem(http.StatusNotFound, koda.CodeNotFound, "there is no such turn", "GET /api/projects/"+in.ID+"/turns lists them")
	}
	blocks, err := s.cfg.Engine.Blocks(ctx, in.Turn)
	if err != nil {
		return nil, s.problemOf(err, v.Project)
	}
	all, next, err := part(in.Paged, blocks, func(b koda.Block) string { return b.ID })
	return &listed[Blocks]{Blocks{all, next}}, err
}

func (s *Server) messages(ctx context.Context, in *struct {
	One
	Paged
}) (*listed[Messages], error) {
	p := projectIn(ctx)
	c, err := s.cfg.Engine.Conversation(ctx, p.ID)
	if err != nil {
		return nil, s.problemOf(err, p)
	}
	all, next, err := part(in.Paged, c.Messages, func(m koda.Message) string { return m.ID })
	return &listed[Messages]{Messages{all, next}}, err
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
