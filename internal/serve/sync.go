package serve

import (
	"bytes"
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/mirror"
	"github.com/koda-video/koda/internal/projectfs"
)

// syncRoutes are the routes by which `koda pull` and `koda watch` keep the files of a project
// and of a directory elsewhere the same.
func (s *Server) syncRoutes() {
	huma.Register(s.api, op(http.MethodGet, "/api/projects/{id}/sync", "listDigests", "List the files that make the animation, with their digests"), s.digests)
	read := op(http.MethodPost, "/api/projects/{id}/sync/read", "readBatch", "Get many files at once, as a tar in gzip")
	read.Responses = map[string]*huma.Response{"200": {Description: "the files that are there", Content: map[string]*huma.MediaType{mirror.MediaType: {}}}}
	huma.Register(s.api, read, s.readBatch)
	change := op(http.MethodPost, "/api/projects/{id}/sync", "changeBatch", "Change many files at once")
	change.Description = "The body is a tar in gzip, an entry a file. The PAX record KODA.base is the digest of the file that the change began from, without it there was no file; KODA.deleted deletes the file. " +
		"A file that has another digest by now stays, and the text of the change goes to .koda/conflicts."
	huma.Register(s.api, change, s.changeBatch)
	agent := op(http.MethodPost, "/api/projects/{id}/agent", "takeDown", "Take down what an outside agent did")
	agent.Description = "What 'AGENT | koda watch' sends: steps of the agent become turns of kind agent and their blocks. The steps of a run are numbered from 0, and a step that is known is left out, so the same part may be sent again."
	huma.Register(s.api, agent, s.takeDown)
}

// asks reports whether a request only asks, although its question is too long for an address.
func asks(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/api/projects/") && strings.HasSuffix(r.URL.Path, "/sync/read")
}

// mostOf is how many bytes the body of a request may have. A batch may be one large file.
func (s *Server) mostOf(r *http.Request) int64 {
	if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/sync") {
		return max(s.cfg.Limits.Body, projectfs.MaxFile+1<<20)
	}
	return s.cfg.Limits.Body
}

// Taken is how much of the log of an outside agent is known.
type Taken struct {
	Taken int `json:"taken" doc:"steps of the run that are known"`
}

func (s *Server) takeDown(ctx context.Context, in *struct {
	One
	Body koda.AgentLog
}) (*listed[Taken], error) {
	p := projectIn(ctx)
	taken, err := s.cfg.Engine.TakeDown(ctx, p.ID, in.Body)
	return &listed[Taken]{Taken{taken}}, s.problemOf(err, p)
}

// Digests are the files that make the animation.
type Digests struct {
	Files map[string]koda.FileStat `json:"files" doc:"by path"`
	Odd   []string                 `json:"odd,omitempty" doc:"what is left out, and why"`
}

// Kept is what a batch of changes did not change.
type Kept struct {
	Kept []string `json:"kept" doc:"paths of files that were changed here as well, and stay"`
}

func (s *Server) digests(ctx context.Context, _ *One) (*listed[Digests], error) {
	p := projectIn(ctx)
	out := &listed[Digests]{}
	side, err := s.cfg.Engine.Side(ctx, p.ID)
	if err == nil {
		out.Body.Files, out.Body.Odd, err = side.Files(ctx)
	}
	for i, text := range out.Body.Odd {
		out.Body.Odd[i] = s.scrub(text, p)
	}
	return out, s.problemOf(err, p)
}

func (s *Server) readBatch(ctx context.Context, in *struct {
	One
	Body struct {
		Paths []string `json:"paths" maxItems:"5000"`
	}
}) (*huma.StreamResponse, error) {
	p := projectIn(ctx)
	side, err := s.cfg.Engine.Side(ctx, p.ID)
	if err != nil {
		return nil, s.problemOf(err, p)
	}
	var all []koda.FileChange
	var total int64
	err = side.Read(ctx, in.Body.Paths, func(path string, data []byte) error {
		if total += int64(len(data)); total > max(projectfs.MaxFile, s.cfg.Limits.Body) {
			return &koda.Error{Code: koda.CodeInvalidInput, Op: "these files are too much for one answer", Hint: "ask for fewer"}
		}
		all = append(all, koda.FileChange{Path: path, Data: data})
		return nil
	})
	if err != nil {
		return nil, s.problemOf(err, p)
	}
	return &huma.StreamResponse{Body: func(hctx huma.Context) {
		hctx.SetHeader("Content-Type", mirror.MediaType)
		_ = mirror.WriteBatch(hctx.BodyWriter(), all, nil) //nolint:errcheck // the client is gone
	}}, nil
}

func (s *Server) changeBatch(ctx context.Context, in *struct {
	One
	RawBody []byte `contentType:"application/gzip"`
}) (*listed[Kept], error) {
	p := projectIn(ctx)
	var changes []koda.FileChange
	base := map[string]string{}
	err := mirror.ReadBatch(bytes.NewReader(in.RawBody), projectfs.Limit, projectfs.MaxFile+1<<20, func(c koda.FileChange, from string) error {
		changes, base[c.Path] = append(changes, c), from
		return nil
	})
	out := &listed[Kept]{Kept{[]string{}}}
	if err != nil {
		return nil, s.problemOf(err, p)
	}
	side, err := s.cfg.Engine.Side(ctx, p.ID)
	if err == nil {
		var kept []string
		kept, err = side.Change(ctx, changes, base)
		out.Body.Kept = append(out.Body.Kept, kept...)
	}
	return out, s.problemOf(err, p)
}
