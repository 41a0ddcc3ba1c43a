package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// maxTagged is the longest file, in bytes, whose digest is told with it.
const maxTagged = 16 << 20

// tagOf is the entity tag of a file that can be changed: its SHA-256 in quotes; "" for all
// other files. F is at its beginning afterwards.
func tagOf(name string, f io.ReadSeeker, info fs.FileInfo) string {
	if _, err := tool.WritablePath(name, nil); err != nil || info.Size() > maxTagged {
		return ""
	}
	sum := sha256.New()
	_, err := io.Copy(sum, f)
	if _, back := f.Seek(0, io.SeekStart); err != nil || back != nil {
		return ""
	}
	return `"` + hex.EncodeToString(sum.Sum(nil)) + `"`
}

// Source is the path of a file of a project.
type Source struct {
	One
	Path string `path:"path" maxLength:"4096" doc:"of the file in the project, with slashes"`
}

// Matches is which file a change began from.
type Matches struct {
	IfMatch     string `header:"If-Match" maxLength:"200" doc:"the ETag of the file to change; * is any"`
	IfNoneMatch string `header:"If-None-Match" maxLength:"200" doc:"*: only if there is no such file"`
}

// stored is the answer about a file that was written.
type stored struct {
	Status int
	ETag   string `header:"ETag"`
	Body   File
}

// writeRoutes registers the changes of files.
func (s *Server) writeRoutes() {
	put := op(http.MethodPut, "/api/projects/{id}/files/{path...}", "putFile", "Change a file, as a person's edit")
	put.Description = "A file that is there is changed only with its ETag as If-Match. The next step takes the file in as the person's, who wins over the author."
	put.RequestBody = &huma.RequestBody{}
	huma.Register(s.api, put, s.put)
	put.RequestBody.Required = false // a file may be empty
	huma.Register(s.api, op(http.MethodDelete, "/api/projects/{id}/files/{path...}", "deleteFile", "Delete a file, as a person's edit"), s.drop)
	up := op(http.MethodPost, "/api/projects/{id}/assets", "addAsset", "Bring a picture, a sound or data")
	up.Description = "The file is the body, with name as the parameter, or the part file of multipart/form-data. Its content decides what it is."
	up.RequestBody, up.DefaultStatus = &huma.RequestBody{}, http.StatusCreated
	huma.Register(s.api, up, s.addAsset)
	up.RequestBody.Required = false // that an asset is not empty, koda says itself
	up.RequestBody.Content["multipart/form-data"] = &huma.MediaType{Schema: &huma.Schema{Type: "object", Properties: map[string]*huma.Schema{"file": {Type: "string", Format: "binary"}}}}
	huma.Register(s.api, op(http.MethodGet, "/api/projects/{id}/assets", "listAssets", "List the assets"), s.assets)
}

// began finds the digest of the file from which a change may begin; "" if there is no file.
func (m Matches) began(p koda.Project, name string) (digest string, err error) {
	f, info, err := open(p, name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && m.IfMatch == "":
		return "", nil
	case errors.Is(err, fs.ErrNotExist):
		return "", problem(http.StatusPreconditionFailed, koda.CodeFileNotFound, "there is no such file", "leave out If-Match to make it")
	case err != nil:
		return "", &koda.Error{Code: koda.CodeInvalidPath, Op: "the path leads through a link, or to no file", Hint: "choose another path"}
	}
	defer func() { _ = f.Close() }() //nolint:errcheck // it was only read
	tag := tagOf(name, f, info)
	switch {
	case tag == "":
		return "", problem(http.StatusUnprocessableEntity, koda.CodeInvalidPath, "this file cannot be changed", "change files in src/, public/ and scripts/, and configuration files at the root")
	case m.IfNoneMatch == "*":
		return "", problem(http.StatusPreconditionFailed, koda.CodeExists, "there is such a file", "send its ETag as If-Match to change it")
	case m.IfMatch == "":
		return "", problem(http.StatusPreconditionRequired, koda.CodeExists, "there is such a file", "send its ETag as If-Match to change it")
	case m.IfMatch != "*" && m.IfMatch != tag:
		return "", problem(http.StatusPreconditionFailed, koda.CodeExists, "the file is another one by now", "GET it again, and send its ETag as If-Match")
	}
	return strings.Trim(tag, `"`), nil
}

// change changes a file, and returns the status of success.
func (s *Server) change(ctx context.Context, c koda.FileChange, m Matches) (made bool, err error) {
	p := projectIn(ctx)
	if _, err := tool.WritablePath(c.Path, nil); err != nil {
		return false, s.problemOf(err, p)
	}
	was, err := m.began(p, c.Path)
	var told *Problem
	if errors.As(err, &told) {
		return false, told
	}
	if err == nil {
		err = s.cfg.Engine.Put(ctx, p.ID, c, was)
	}
	if koda.CodeOf(err) == koda.CodeExists { // somebody was faster
		return false, problem(http.StatusPreconditionFailed, koda.CodeExists, "the file is another one by now", "GET it again, and send its ETag as If-Match")
	}
	return was == "", s.problemOf(err, p)
}

func (s *Server) put(ctx context.Context, in *struct {
	Source
	Matches
	RawBody []byte `contentType:"application/octet-stream"`
}) (*stored, error) {
	made, err := s.change(ctx, koda.FileChange{Path: in.Path, Data: in.RawBody}, in.Matches)
	if err != nil {
		return nil, err
	}
	p, sum := projectIn(ctx), sha256.Sum256(in.RawBody)
	digest := hex.EncodeToString(sum[:])
	out := &stored{http.StatusOK, `"` + digest + `"`, File{in.Path, int64(len(in.RawBody)), s.address(p, filepath.Join(p.Dir, in.Path)), digest}}
	if made {
		out.Status = http.StatusCreated
	}
	return out, nil
}

func (s *Server) drop(ctx context.Context, in *struct {
	Source
	Matches
}) (*struct{}, error) {
	in.IfNoneMatch = ""
	f, _, err := open(projectIn(ctx), in.Path)
	if err != nil {
		return nil, problem(http.StatusNotFound, koda.CodeFileNotFound, "there is no such file", "GET /api/projects/"+in.ID+"/files lists them")
	}
	_ = f.Close() //nolint:errcheck // it was only looked for
	_, err = s.change(ctx, koda.FileChange{Path: in.Path, Deleted: true}, in.Matches)
	return nil, err
}

// Asset is a file that a person brought.
type Asset struct {
	File
	ID   string `json:"id"`
	Name string `json:"name" doc:"as it was brought"`
	Kind string `json:"kind" doc:"image, audio or data"`
}

func (s *Server) addAsset(ctx context.Context, in *struct {
	One
	Name    string `query:"name" maxLength:"255" doc:"of the file, such as logo.png"`
	Type    string `header:"Content-Type" maxLength:"300" doc:"multipart/form-data if the file is a part of a form; any other says nothing"`
	RawBody []byte `contentType:"application/octet-stream"`
}) (*struct {
	Status int
	Body   Asset
}, error) {
	p := projectIn(ctx)
	name, data, err := uploaded(in.Name, in.Type, in.RawBody)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "koda-")
	if err != nil {
		return nil, s.problemOf(fmt.Errorf("take in the file: %w", err), p)
	}
	defer func() { _ = os.RemoveAll(dir) }() //nolint:errcheck // the system removes it later
	source, err := taken(dir, name, data)
	var made koda.Asset
	if err == nil {
		made, err = s.cfg.Engine.AddAsset(ctx, p.ID, source)
	}
	if err != nil {
		told, _ := s.problemOf(err, p).(*Problem) //nolint:errorlint // problemOf made it
		told.Detail = strings.ReplaceAll(told.Detail, dir+string(filepath.Separator), "")
		return nil, told
	}
	out := &struct {
		Status int
		Body   Asset
	}{http.StatusCreated, Asset{File{made.Path, made.Size, s.address(p, filepath.Join(p.Dir, made.Path)), made.SHA256}, made.ID, made.Name, made.Kind}}
	return out, nil
}

// uploaded finds name and bytes of a file in the body of a request.
func uploaded(name, kind string, body []byte) (string, []byte, error) {
	media, params, err := mime.ParseMediaType(kind)
	if media != "multipart/form-data" {
		if name == "" {
			return "", nil, problem(http.StatusUnprocessableEntity, koda.CodeUsage, "the file has no name", "send ?name=logo.png")
		}
		return name, body, nil
	}
	bad := problem(http.StatusUnprocessableEntity, koda.CodeInvalidInput, "the form holds no part that is called file", "send it as curl -F file=@logo.png does")
	if err != nil {
		return "", nil, bad
	}
	form := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	for {
		part, err := form.NextPart()
		if err != nil {
			return "", nil, bad
		}
		if part.FormName() != "file" {
			continue
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return "", nil, bad
		}
		if name == "" {
			name = part.FileName()
		}
		if name == "" {
			return "", nil, problem(http.StatusUnprocessableEntity, koda.CodeUsage, "the file has no name", "send ?name=logo.png")
		}
		return name, data, nil
	}
}

// taken writes a file that a client sent into a directory of koda's own, under the last part
// of its name.
func taken(dir, name string, data []byte) (string, error) {
	name = filepath.Base(filepath.Clean("/" + strings.ReplaceAll(name, `\`, "/")))
	if name == "/" || strings.ContainsRune(name, 0) {
		return "", &koda.Error{Code: koda.CodeUsage, Op: "the name of the file is not usable", Hint: "send a name such as logo.png"}
	}
	file := filepath.Join(dir, name)
	if err := atomicfile.Write(file, data, 0o600); err != nil {
		return "", fmt.Errorf("take in %s: %w", name, err)
	}
	return file, nil
}

// assetDirs are where the assets of a project lie.
var assetDirs = map[string]string{"public/audio": "audio", "public/data": "data", "public/images": "image"}

func (s *Server) assets(ctx context.Context, in *struct {
	One
	Paged
}) (*listed[Files], error) {
	p := projectIn(ctx)
	all, err := s.filesIn(ctx, p, "public")
	if err != nil {
		return nil, s.problemOf(err, p)
	}
	var found []File
	for _, f := range all {
		if dir := strings.Split(f.Path, "/"); len(dir) > 2 && assetDirs[dir[0]+"/"+dir[1]] != "" {
			found = append(found, f)
		}
	}
	some, next, err := part(in.Paged, found, func(f File) string { return f.Path })
	return &listed[Files]{Files{some, next}}, err
}
