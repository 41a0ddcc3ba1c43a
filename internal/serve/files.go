package serve

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// File is a file of a project.
type File struct {
	Path    string `json:"path" doc:"in the project"`
	Size    int64  `json:"size" doc:"bytes"`
	Address string `json:"address"`
	SHA256  string `json:"sha256,omitempty" doc:"of a file that was just written; in quotes it is the ETag"`
}

// filesOf is where clients get the files of a project.
func filesOf(p koda.Project) string { return "/api/projects/" + p.ID + "/files/" }

// address is where clients get a file of a project; "" for a file outside of it.
func (s *Server) address(p koda.Project, file string) string {
	rel, err := filepath.Rel(p.Dir, file)
	if file == "" || err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filesOf(p) + strings.ReplaceAll(url.PathEscape(filepath.ToSlash(rel)), "%2F", "/")
}

// hidden reports whether clients do not get a file: what begins with a dot, as .koda does,
// and packages.
func hidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return strings.HasPrefix(part, ".") || part == "node_modules"
	})
}

// maxListed is how many files are listed at most.
const maxListed = 100_000

// Files is a part of the list of a project's files.
type Files struct {
	Files []File `json:"files"`
	Next  string `json:"next,omitempty" doc:"give it as after for the next part"`
}

func (s *Server) files(ctx context.Context, in *struct {
	One
	Paged
}) (*listed[Files], error) {
	p := projectIn(ctx)
	all, err := s.filesIn(ctx, p, ".")
	if err != nil {
		return nil, s.problemOf(err, p)
	}
	some, next, err := part(in.Paged, all, func(f File) string { return f.Path })
	return &listed[Files]{Files{some, next}}, err
}

// filesIn lists the files of a project below a directory of it.
func (s *Server) filesIn(ctx context.Context, p koda.Project, dir string) (all []File, err error) {
	tree, err := projectfs.Open(p.Dir)
	if err != nil {
		return nil, err //nolint:wrapcheck // it says which directory
	}
	defer func() { _ = tree.Close() }() //nolint:errcheck // it was only read
	err = fs.WalkDir(tree, dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case name == dir && errors.Is(err, fs.ErrNotExist):
			return fs.SkipAll
		case err != nil || ctx.Err() != nil:
			return errors.Join(err, ctx.Err())
		case name != "." && hidden(name) && d.IsDir():
			return fs.SkipDir
		case hidden(name) && name != "." || !d.Type().IsRegular():
			return nil
		case len(all) == maxListed:
			return fs.SkipAll
		}
		info, err := d.Info()
		if err == nil {
			all = append(all, File{Path: name, Size: info.Size(), Address: s.address(p, filepath.Join(p.Dir, name))})
		}
		return nil
	})
	return all, err //nolint:wrapcheck // likewise
}

// kinds are the content types of the files of projects, by their endings. All others are
// bytes.
var kinds = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".apng": "image/apng", ".avif": "image/avif",
	".mp4": "video/mp4", ".webm": "video/webm", ".mov": "video/quicktime",
	".mp3": "audio/mpeg", ".wav": "audio/wav", ".ogg": "audio/ogg", ".flac": "audio/flac", ".aac": "audio/aac", ".m4a": "audio/mp4",
	".svg": "image/svg+xml", ".json": "application/json", ".csv": "text/csv; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".md": "text/plain; charset=utf-8",
	".ts": "text/plain; charset=utf-8", ".tsx": "text/plain; charset=utf-8", ".js": "text/plain; charset=utf-8", ".css": "text/plain; charset=utf-8", ".html": "text/plain; charset=utf-8",
}

// shown are the beginnings of the content types that browsers show in place. All others
// are downloads: a page of a project must not act in the name of the server.
func shown(kind string) bool {
	return kind != "image/svg+xml" && slices.ContainsFunc([]string{"image/", "video/", "audio/"}, func(s string) bool { return strings.HasPrefix(kind, s) })
}

// open opens a regular file of a project, by its path with slashes. It follows no link. The
// caller closes the file.
func open(p koda.Project, name string) (*os.File, fs.FileInfo, error) {
	if !fs.ValidPath(name) || hidden(name) {
		return nil, nil, fs.ErrNotExist
	}
	if err := projectfs.NoLinks(p.Dir, name); err != nil {
		return nil, nil, err //nolint:wrapcheck // the caller tells only that there is none
	}
	f, err := os.OpenInRoot(p.Dir, filepath.FromSlash(name))
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // likewise
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

func (s *Server) file(ctx context.Context, in *struct {
	Source
}) (*huma.StreamResponse, error) {
	p := projectIn(ctx)
	none := problem(http.StatusNotFound, koda.CodeFileNotFound, "there is no such file", "GET /api/projects/"+p.ID+"/files lists them")
	name := in.Path
	f, info, err := open(p, name)
	if err != nil {
		return nil, none
	}
	return &huma.StreamResponse{Body: func(hctx huma.Context) {
		defer func() { _ = f.Close() }() //nolint:errcheck // it was only read
		r, w := humago.Unwrap(hctx)
		kind := cmp.Or(kinds[strings.ToLower(path.Ext(name))], "application/octet-stream")
		if !shown(kind) {
			w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": path.Base(name)}))
		}
		w.Header().Set("Content-Type", kind)
		if tag := tagOf(name, f, info); tag != "" {
			w.Header().Set("ETag", tag)
		}
		w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'")
		if unit, _, _ := strings.Cut(r.Header.Get("Range"), "="); !strings.EqualFold(strings.TrimSpace(unit), "bytes") {
			r.Header.Del("Range") // RFC 9110, section 14.2: a unit that is not known is left out
		}
		http.ServeContent(w, r, "", info.ModTime(), f)
	}}, nil
}
