package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// maxBlob is the most bytes of a video that are handed to an agent.
const maxBlob = 32 << 20

// perList is how many projects one part of the list of resources tells of.
const perList = 100

// scope says who may keep an answer to an agent: nobody but the agent, as it may tell of a
// project.
const scope = "private"

// root begins the addresses of all resources.
const root = "koda://projects/"

// readable is what an agent can read of a project, and whether a project has it.
var readable = []struct {
	name, mime, about string
	has               func(engine.View) bool
}{
	{"plan", "application/json", "the plan of scenes", func(v engine.View) bool { return v.State.Plan != nil }},
	{"versions", "application/json", "the versions of the files", func(v engine.View) bool { return len(v.Versions) > 0 }},
	{"video", "", "the final video", func(v engine.View) bool { return v.State.Output != nil }},
	{"preview", "", "the preview video", func(v engine.View) bool { return v.State.Preview != nil }},
}

// resources lets agents read of projects.
func (a agent) resources(m *mcp.Server) {
	for _, k := range readable {
		m.AddResourceTemplate(&mcp.ResourceTemplate{Name: k.name, URITemplate: root + "{id}/" + k.name, MIMEType: k.mime, Description: k.about}, a.resource)
	}
	m.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "resources/list" {
				asked, _ := req.GetParams().(*mcp.ListResourcesParams)
				return a.listed(ctx, asked)
			}
			return next(ctx, method, req)
		}
	})
}

// listed lists what there is to read of the projects, the most recently updated first.
func (a agent) listed(ctx context.Context, asked *mcp.ListResourcesParams) (mcp.Result, error) {
	all, err := a.s.seen(ctx, a.token)
	if err != nil {
		return nil, said(err)
	}
	from := Paged{Limit: perList}
	if asked != nil {
		from.After = asked.Cursor
	}
	some, next, err := part(from, all, func(p koda.Project) string { return p.ID })
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the list has no such cursor: leave it out to begin again"}
	}
	out := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}, NextCursor: next, Cacheable: mcp.Cacheable{CacheScope: scope}}
	for _, p := range some {
		v, err := a.s.cfg.Engine.Show(ctx, p.ID)
		if koda.CodeOf(err) == koda.CodeNotFound { // deleted meanwhile, or its directory is gone
			continue
		}
		if err != nil {
			return nil, said(a.s.problemOf(err, p))
		}
		for _, k := range readable {
			if k.has(v) {
				out.Resources = append(out.Resources, &mcp.Resource{Name: p.Name + " " + k.name, URI: root + p.ID + "/" + k.name, MIMEType: k.mime, Description: k.about + " of " + p.Name})
			}
		}
	}
	return out, nil
}

// resource reads the plan, the versions or a video of a project.
func (a agent) resource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	id, what, _ := strings.Cut(strings.TrimPrefix(uri, root), "/")
	p, err := a.project(ctx, id)
	if err != nil {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	v, err := a.s.cfg.Engine.Show(ctx, p.ID)
	if err != nil {
		return nil, said(a.s.problemOf(err, p))
	}
	video := ""
	switch what {
	case "plan":
		return asJSON(uri, v.State.Plan)
	case "versions":
		return asJSON(uri, v.Versions)
	case "video":
		if v.State.Output != nil {
			video = v.State.Output.VideoURL
		}
	case "preview":
		if v.State.Preview != nil {
			video = v.State.Preview.VideoURL
		}
	}
	rel, err := filepath.Rel(p.Dir, video)
	if video == "" || err != nil {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	f, _, err := open(p, filepath.ToSlash(rel))
	if err != nil {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	defer func() { _ = f.Close() }() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(f, maxBlob+1))
	if err != nil || len(data) > maxBlob {
		return nil, fmt.Errorf("the video is longer than %d MB: GET %s gets it", maxBlob>>20, a.s.address(p, video))
	}
	kind := "video/" + strings.TrimPrefix(filepath.Ext(video), ".")
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: kind, Blob: data}}}, nil
}

func asJSON(uri string, v any) (*mcp.ReadResourceResult, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", uri, err)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "application/json", Text: string(data)}}}, nil
}
