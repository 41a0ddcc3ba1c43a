package serve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// Brief is what a client asks a new project for.
type Brief struct {
	Prompt   string            `json:"prompt" maxLength:"65536" doc:"what should move, in words"`
	Name     string            `json:"name,omitempty" maxLength:"100" doc:"of the project; default: from the prompt"`
	Style    string            `json:"style,omitempty" maxLength:"1000"`
	Duration float64           `json:"duration,omitempty" minimum:"0" maximum:"3600" doc:"seconds; default: the author decides"`
	Presets  []string          `json:"presets,omitempty" maxItems:"20" doc:"of the final videos"`
	Author   string            `json:"author,omitempty" maxLength:"100"`
	Recipe   string            `json:"recipe,omitempty" maxLength:"100"`
	Params   map[string]string `json:"params,omitempty" doc:"parameters of the recipe"`
	Data     string            `json:"data,omitempty" maxLength:"33554432" doc:"CSV, JSON, YAML or Markdown to show"`
	DataName string            `json:"dataName,omitempty" maxLength:"255" doc:"of the data, such as sales.csv: the ending tells the format"`
	Assets   []Upload          `json:"assets,omitempty" maxItems:"100" doc:"pictures, sounds and data to bring"`
	Webhook  *Webhook          `json:"webhook,omitempty" doc:"is told when a video is done, and when work fails"`
	Yes      bool              `json:"yes,omitempty" doc:"give every approval now"`
}

// Upload is a file that comes with a brief.
type Upload struct {
	Name string `json:"name" minLength:"1" maxLength:"255" doc:"such as logo.png"`
	Data []byte `json:"data" doc:"in base64"`
}

// Project is a project as clients see it.
type Project struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Phase     koda.Phase     `json:"phase"`
	Prompt    string         `json:"prompt"`
	Author    string         `json:"author"`
	Seq       int64          `json:"seq" doc:"number of the newest durable event"`
	CreatedAt time.Time      `json:"createdAt"`
	UpdatedAt time.Time      `json:"updatedAt"`
	Waiting   engine.Waiting `json:"waiting,omitempty" doc:"answer, plan, preview or retry: what it waits for"`
	Busy      bool           `json:"busy,omitempty" doc:"koda works on it"`
}

// Projects is a page of the list of projects.
type Projects struct {
	Projects []Project `json:"projects"`
	Next     string    `json:"next,omitempty" doc:"give it as after for the next page"`
}

// Standing is where a project stands.
type Standing struct {
	Project
	Version  int           `json:"version" doc:"the current one; 0 before the first"`
	Question *koda.Asked   `json:"question,omitempty"`
	Plan     *koda.Plan    `json:"plan,omitempty"`
	Todos    []koda.Todo   `json:"todos,omitempty"`
	Preview  string        `json:"preview,omitempty" doc:"address of the preview video"`
	Output   *Output       `json:"output,omitempty"`
	Error    *koda.Failure `json:"error,omitempty"`
	Position int           `json:"position,omitempty" doc:"place among the renders that wait for their turn, from 1"`
	Seen     koda.Seen     `json:"seen" doc:"send it back with a decision: the decision is refused if the project stands elsewhere"`
}

// Output is a final video.
type Output struct {
	Video      string  `json:"video" doc:"address"`
	Thumbnail  string  `json:"thumbnail,omitempty" doc:"address"`
	Duration   float64 `json:"duration"`
	Resolution string  `json:"resolution" doc:"such as 1920x1080"`
	Size       int64   `json:"size" doc:"bytes"`
	SHA256     string  `json:"sha256"`
}

// One is the path of a project.
type One struct {
	ID string `path:"id" maxLength:"64" doc:"of the project"`
}

// Waits is how long a request that works may wait for the end.
type Waits struct {
	Wait int `query:"wait" minimum:"0" maximum:"600" doc:"seconds to wait for the work to end; else the answer comes once the work has begun"`
}

// picture is an answer that is a PNG.
type picture struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

type standing struct {
	Status int
	Body   Standing
}

// routes registers every operation.
func (s *Server) routes() {
	huma.Register(s.api, op(http.MethodGet, "/api/projects", "listProjects", "List your projects"), s.list)
	huma.Register(s.api, op(http.MethodPost, "/api/projects", "newProject", "Begin a project"), s.newProject)
	huma.Register(s.api, op(http.MethodGet, "/api/projects/{id}", "showProject", "Show where a project stands"), s.show)
	huma.Register(s.api, op(http.MethodDelete, "/api/projects/{id}", "deleteProject", "Delete a project"), s.delete)
	huma.Register(s.api, op(http.MethodPost, "/api/projects/{id}/answer", "answer", "Answer the question"), decide(s, false, false, func(ctx context.Context, id string, b struct {
		Seen   koda.Seen `json:"seen,omitzero"`
		Option string    `json:"option,omitempty" doc:"id of an option"`
		Text   string    `json:"text,omitempty" maxLength:"65536" doc:"or an answer in words"`
	}) (engine.Outcome, error) {
		return s.cfg.Engine.Answer(ctx, id, b.Seen, koda.Answer{OptionID: b.Option, Text: b.Text})
	}))
	huma.Register(s.api, op(http.MethodPost, "/api/projects/{id}/accept", "accept", "Accept the plan, then the preview"), decide(s, true, true, func(ctx context.Context, id string, b struct {
		Seen    koda.Seen `json:"seen,omitzero"`
		Presets []string  `json:"presets,omitempty" maxItems:"20" doc:"of the final videos"`
	}) (engine.Outcome, error) {
		return s.cfg.Engine.Accept(ctx, id, b.Seen, finals(b.Presets)...)
	}))
	huma.Register(s.api, op(http.MethodPost, "/api/projects/{id}/reject", "reject", "Reject the plan"), decide(s, false, false, func(ctx context.Context, id string, b struct {
		Seen koda.Seen `json:"seen,omitzero"`
		Why  string    `json:"why" maxLength:"65536"`
	}) (engine.Outcome, error) {
		return s.cfg.Engine.Reject(ctx, id, b.Seen, b.Why)
	}))
	huma.Register(s.api, op(http.MethodPost, "/api/projects/{id}/edit", "edit", "Change the plan, or the animation"), decide(s, true, false, func(ctx context.Context, id string, b struct {
		Seen koda.Seen `json:"seen,omitzero"`
		Text string    `json:"text" minLength:"1" maxLength:"65536"`
	}) (engine.Outcome, error) {
		return s.cfg.Engine.Edit(ctx, id, b.Seen, b.Text)
	}))
	huma.Register(s.api, op(http.MethodPost, "/api/projects/{id}/resume", "resume", "Go on after a failure or an interruption"), decide(s, true, true, func(ctx context.Context, id string, b struct {
		Yes bool `json:"yes,omitempty" doc:"give every approval now"`
	}) (engine.Outcome, error) {
		return s.cfg.Engine.Resume(ctx, id, b.Yes)
	}))
	get, post := http.MethodGet, http.MethodPost
	huma.Register(s.api, op(post, "/api/projects/{id}/message", "say", "Say something to the author at work"), s.say)
	huma.Register(s.api, op(post, "/api/projects/{id}/cancel", "cancel", "End the work, saved"), s.cancel)
	huma.Register(s.api, op(post, "/api/projects/{id}/undo", "undo", "Go back to the version before"), s.move(func(ctx context.Context, id string) (engine.Moved, error) { return s.cfg.Engine.Undo(ctx, id) }))
	huma.Register(s.api, op(post, "/api/projects/{id}/redo", "redo", "Take back an undo"), s.move(func(ctx context.Context, id string) (engine.Moved, error) { return s.cfg.Engine.Redo(ctx, id) }))
	huma.Register(s.api, op(post, "/api/projects/{id}/checkout", "checkout", "Go to a version"), s.checkout)
	huma.Register(s.api, op(post, "/api/projects/{id}/renders", "render", "Make another video"), s.render)
	huma.Register(s.api, op(get, "/api/projects/{id}/renders", "listRenders", "List the videos"), s.renders)
	huma.Register(s.api, op(get, "/api/projects/{id}/versions", "listVersions", "List the versions"), s.versions)
	huma.Register(s.api, op(get, "/api/projects/{id}/turns", "listTurns", "List the turns: what was asked, one after the other"), s.turns)
	huma.Register(s.api, op(get, "/api/projects/{id}/turns/{turn}/blocks", "listBlocks", "List what happened in a turn"), s.blocks)
	huma.Register(s.api, op(get, "/api/projects/{id}/messages", "listMessages", "List what was said"), s.messages)
	huma.Register(s.api, op(get, "/api/projects/{id}/files", "listFiles", "List the files"), s.files)
	still := op(get, "/api/projects/{id}/still", "still", "Look at one frame")
	still.Responses = map[string]*huma.Response{"200": {Description: "the frame", Content: map[string]*huma.MediaType{"image/png": {}}}}
	huma.Register(s.api, still, s.still)
	file := op(get, "/api/projects/{id}/files/{path...}", "file", "Get a file, whole or in ranges")
	file.Responses = map[string]*huma.Response{"200": {Description: "the file", Content: map[string]*huma.MediaType{"application/octet-stream": {}}}}
	huma.Register(s.api, file, s.file)
	s.writeRoutes()
	s.streamRoutes()
}

// op describes an operation. The server itself bounds the length of all bodies.
func op(method, path, id, summary string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, MaxBodyBytes: -1, BodyReadTimeout: bodyWithin}
}

// describe brings what the routes say of themselves into the form of OpenAPI: the name of a
// path's last parts, and the statuses of answers that come before the work has ended.
func describe(api *huma.OpenAPI) {
	for path, item := range api.Paths {
		if short := strings.Replace(path, "...}", "}", 1); short != path {
			delete(api.Paths, path)
			api.Paths[short] = item
		}
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put} {
			if op == nil || op.Responses["200"] == nil || op.Responses["200"].Content["application/json"] == nil {
				continue
			}
			told := op.Responses["200"].Content
			if op.OperationID == "newProject" || op.OperationID == "putFile" {
				op.Responses["201"] = &huma.Response{Description: "Created", Content: told}
			}
			if told["application/json"].Schema.Ref == "#/components/schemas/Standing" {
				op.Responses["202"] = &huma.Response{Description: "Accepted: the work goes on", Content: told}
			}
		}
	}
}

func finals(presets []string) []engine.Finals {
	if len(presets) == 0 {
		return nil
	}
	return []engine.Finals{{Presets: presets}}
}

// decide answers a decision about a project, which takes effect in the background. It draws
// a video if it leads to one, and accepts what was made.
func decide[B any](s *Server, draws, accepts bool, do func(ctx context.Context, id string, b B) (engine.Outcome, error)) func(context.Context, *struct {
	One
	Waits
	Body B
}) (*standing, error) {
	return func(ctx context.Context, in *struct {
		One
		Waits
		Body B
	}) (*standing, error) {
		p := projectIn(ctx)
		if _, err := s.begin(ctx, p, seconds(in.Wait), job{draws: draws && s.draws(p, accepts), do: func(ctx context.Context) (engine.Outcome, error) { return do(ctx, p.ID, in.Body) }}); err != nil {
			return nil, err
		}
		return s.stands(ctx, p.ID)
	}
}

func (s *Server) newProject(ctx context.Context, in *struct {
	Waits
	Body Brief
}) (*standing, error) {
	t := tokenIn(ctx)
	if t.ProjectID != "" {
		return nil, problem(http.StatusForbidden, koda.CodeUnauthorized, "the token is for one project", "`koda token new --write` makes one for all your projects")
	}
	hook, err := s.hook(in.Body.Webhook, false)
	if err != nil {
		return nil, err
	}
	do, err := s.making(ctx, t.UserID, in.Body)
	if err != nil {
		return nil, err
	}
	id, err := s.begin(ctx, koda.Project{}, seconds(in.Wait), job{do: do, hook: hook, draws: in.Body.Yes && cmp.Or(in.Body.Author, engine.AuthorRecipe) == engine.AuthorRecipe})
	if err != nil {
		return nil, err
	}
	out, err := s.stands(ctx, id)
	if err == nil && out.Status == http.StatusOK {
		out.Status = http.StatusCreated
	}
	return out, err
}

// making checks a brief, and returns what makes the project.
func (s *Server) making(ctx context.Context, user string, b Brief) (call, error) {
	dir, err := os.MkdirTemp("", "koda-")
	if err != nil {
		return nil, s.problemOf(fmt.Errorf("take in the brief: %w", err), koda.Project{})
	}
	var files []string
	for i, a := range b.Assets {
		at := filepath.Join(dir, strconv.Itoa(i)) // of equal names, too
		if err = os.Mkdir(at, 0o700); err == nil {
			var file string
			file, err = taken(at, a.Name, a.Data)
			files = append(files, file)
		}
		if err != nil {
			break
		}
	}
	var r engine.NewRequest
	if err == nil {
		r, err = s.cfg.Request(ctx, b, files, dir)
	}
	if err != nil {
		_ = os.RemoveAll(dir)                                  //nolint:errcheck // the system removes it later
		told, _ := s.problemOf(err, koda.Project{}).(*Problem) //nolint:errorlint // problemOf made it
		for i := range b.Assets {
			told.Detail = strings.ReplaceAll(told.Detail, filepath.Join(dir, strconv.Itoa(i))+string(filepath.Separator), "")
		}
		return nil, told
	}
	r.User = user
	return func(ctx context.Context) (engine.Outcome, error) {
		defer func() { _ = os.RemoveAll(dir) }() //nolint:errcheck // likewise
		return s.cfg.Engine.New(ctx, r)
	}, nil
}

// mostLooks is how many stills are drawn at a time: each takes a browser.
const mostLooks = 2

// look draws a frame once fewer others are drawn.
func (s *Server) look(ctx context.Context, p koda.Project, at float64) (koda.Picture, error) {
	select {
	case s.looks <- struct{}{}:
		defer func() { <-s.looks }()
		return s.cfg.Still(ctx, p, at)
	case <-ctx.Done():
		return koda.Picture{}, &koda.Error{Code: koda.CodeInterrupted, Op: "draw a frame", Err: context.Cause(ctx)}
	}
}

// still draws one frame.
func (s *Server) still(ctx context.Context, in *struct {
	One
	At float64 `query:"at" minimum:"0" doc:"seconds of the animation"`
}) (*picture, error) {
	p := projectIn(ctx)
	if math.IsNaN(in.At) || math.IsInf(in.At, 0) {
		return nil, problem(http.StatusUnprocessableEntity, koda.CodeUsage, "query.at: expected a number", "send seconds, such as 1.5")
	}
	pic, err := s.look(ctx, p, in.At)
	if err != nil {
		return nil, s.problemOf(err, p)
	}
	return &picture{"image/png", pic.PNG}, nil
}

func (s *Server) list(ctx context.Context, in *Paged) (*listed[Projects], error) {
	all, err := s.seen(ctx, tokenIn(ctx))
	if err != nil {
		return nil, err
	}
	some, next, err := part(*in, all, func(p koda.Project) string { return p.ID })
	out := &listed[Projects]{Projects{[]Project{}, next}}
	for _, p := range some {
		out.Body.Projects = append(out.Body.Projects, s.project(p))
	}
	return out, err
}

func (s *Server) project(p koda.Project) Project {
	return Project{
		ID: p.ID, Name: p.Name, Phase: p.Phase, Prompt: p.Prompt, Author: p.Author, Seq: p.Seq,
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt, Busy: s.jobs.works(p.ID),
	}
}

func (s *Server) show(ctx context.Context, in *struct {
	One
	Waits
}) (*standing, error) {
	s.jobs.await(ctx, in.ID, seconds(in.Wait))
	return s.stands(ctx, in.ID)
}

// stands is where a project stands: with status 202 while koda works on it.
func (s *Server) stands(ctx context.Context, id string) (*standing, error) {
	v, err := s.cfg.Engine.Stand(ctx, id)
	if err != nil {
		return nil, s.problemOf(err, v.Project)
	}
	return s.standing(v), nil
}

// standing is what clients see of a view.
func (s *Server) standing(v engine.View) *standing {
	out := &standing{Status: http.StatusOK, Body: Standing{
		Project: s.project(v.Project), Version: v.Version, Question: v.State.Question, Plan: v.State.Plan, Seen: v.Seen, Error: v.State.Error,
	}}
	b := &out.Body
	b.Waiting, b.Busy = v.Waiting, b.Busy || v.Busy
	b.Position = s.cfg.Queue.position(v.Project.Dir)
	if b.Busy {
		out.Status, b.Waiting = http.StatusAccepted, engine.WaitingNothing
	}
	if x := v.State.Execution; x != nil {
		b.Todos = x.Todos
	}
	if p := v.State.Preview; p != nil {
		b.Preview = s.address(v.Project, p.VideoURL)
	}
	if o := v.State.Output; o != nil {
		made := s.output(v.Project, *o)
		b.Output = &made
	}
	b.Error = s.failure(b.Error, v.Project)
	return out
}

// output is a final video as clients see it.
func (s *Server) output(p koda.Project, o koda.Output) Output {
	return Output{
		Video: s.address(p, o.VideoURL), Thumbnail: s.address(p, o.ThumbnailURL), Duration: o.Duration,
		Resolution: o.Resolution, Size: o.FileSize, SHA256: o.SHA256,
	}
}

func (s *Server) delete(ctx context.Context, in *One) (*struct{}, error) {
	p := projectIn(ctx)
	_, err := s.cfg.Engine.Delete(ctx, p.ID)
	return nil, s.problemOf(err, p)
}
