package guest

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/sandbox"
)

func named(path string) url.Values { return url.Values{"path": {path}} }

// WriteFile implements [sandbox.Files].
func (s *Sandbox) WriteFile(ctx context.Context, path string, data []byte) error {
	return s.post(ctx, s.bulk, "write "+path, http.MethodPut, "/file", named(path), bytes.NewReader(data))
}

// ReadFile implements [sandbox.Files].
func (s *Sandbox) ReadFile(ctx context.Context, path string) ([]byte, error) {
	return s.fetch(ctx, s.bulk, "read "+path, http.MethodGet, "/file", named(path), nil, projectfs.MaxFile)
}

// DeleteFile implements [sandbox.Files].
func (s *Sandbox) DeleteFile(ctx context.Context, path string) error {
	return s.post(ctx, s.bulk, "delete "+path, http.MethodDelete, "/file", named(path), nil)
}

// List implements [sandbox.Files].
func (s *Sandbox) List(ctx context.Context, dir string, recursive bool) ([]sandbox.Entry, error) {
	query := named(dir)
	if recursive {
		query.Set("recursive", "")
	}
	var entries []sandbox.Entry
	if err := s.get(ctx, s.bulk, "list "+dir, "/list", query, &entries); err != nil {
		return nil, err
	}
	for _, e := range entries {
		if err := checkFile(e.Path, e.Size); err != nil {
			return nil, err
		}
		if dir != "." && !strings.HasPrefix(e.Path, dir+"/") {
			return nil, foreign(e.Path)
		}
	}
	slices.SortFunc(entries, func(a, b sandbox.Entry) int { return cmp.Compare(a.Path, b.Path) })
	return entries, nil
}

// checkFile refuses what cannot be a file of a project.
func checkFile(path string, size int64) error {
	if !fs.ValidPath(path) || path == "." || !utf8.ValidString(path) || strings.ContainsAny(path, "\\\x00") || size < 0 {
		return foreign(path)
	}
	return nil
}

func foreign(path string) error {
	return &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("the sandbox sent %.200q, which is not a file of the project", path)}
}

// Fill implements [sandbox.Bulk].
func (s *Sandbox) Fill(ctx context.Context, r io.Reader) error {
	return s.post(ctx, s.bulk, "fill the sandbox", http.MethodPost, "/fill", nil, r)
}

// holdMost is how many bytes of files a client holds between two snapshots.
const holdMost = 64 << 20

// Snapshot implements [sandbox.Bulk]. It asks for those files that the last snapshot
// did not have.
func (s *Sandbox) Snapshot(ctx context.Context, paths []string, w io.Writer) error {
	const op = "read the sandbox's files"
	t := &tree{held: map[string][]byte{}, sums: map[string]string{}}
	digests, err := s.digests(ctx, op, paths)
	if err != nil {
		return err
	}
	s.mu.Lock()
	had := s.held
	s.mu.Unlock()
	present, missing := []string{}, []string(nil)
	for _, d := range digests {
		if err := checkFile(d.Path, d.Size); err != nil {
			return err
		}
		if d.Sum == "" {
			return tooLarge(d.Path, d.Size)
		}
		present = append(present, d.Path)
		t.sums[d.Path] = d.Sum
		if data, ok := had[d.Sum]; ok {
			t.hold(d.Sum, data)
		} else {
			missing = append(missing, d.Path)
		}
	}
	t.had = had
	if len(missing) > 0 {
		body, err := json.Marshal(missing)
		if err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
		var cancel context.CancelFunc
		ctx, cancel = patient(ctx)
		defer cancel()
		resp, err := s.ask(ctx, s.bulk, op, http.MethodPost, "/pack", nil, bytes.NewReader(body))
		if err != nil {
			return err
		}
		defer closeAnswer(resp)
		t.coming = tar.NewReader(resp.Body)
	}
	err = sandbox.Snapshot(ctx, t, present, w)
	if t.lost != nil {
		return s.broken(ctx, op, t.lost)
	}
	if err == nil {
		s.mu.Lock()
		s.held = t.held
		s.mu.Unlock()
	}
	return err
}

// digests asks for the digests of files; nil paths stand for all.
func (s *Sandbox) digests(ctx context.Context, op string, paths []string) (all []digest, err error) {
	method, body := http.MethodGet, []byte(nil)
	if paths != nil {
		method = http.MethodPost
		if body, err = json.Marshal(paths); err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
	}
	err = s.exchange(ctx, s.bulk, op, method, "/digests", nil, bytes.NewReader(body), &all)
	return all, err
}

// Unlisted implements [sandbox.Bulk].
func (s *Sandbox) Unlisted(ctx context.Context) (names []string, err error) {
	err = s.get(ctx, s.bulk, "look for what is no file", "/unlisted", nil, &names)
	return names, err
}

func tooLarge(path string, size int64) error {
	return &koda.Error{
		Code: koda.CodeReadFailed, Op: fmt.Sprintf("%.200q has %d MB, more than a file of a project can have", path, size>>20),
		Hint: "delete the files that the animation does not need",
	}
}

// tree is a sandbox's files, read in their order: some are held from the last time, the
// others come in a tar stream.
type tree struct {
	sandbox.Files
	sums   map[string]string // by path
	had    map[string][]byte
	coming *tar.Reader // nil: none
	next   *tar.Header // read ahead: its bytes come
	lost   error       // the stream broke off

	held map[string][]byte // for the next time
	size int
}

func (t *tree) hold(sum string, data []byte) {
	if _, ok := t.held[sum]; !ok && t.size+len(data) <= holdMost {
		t.held[sum] = data
		t.size += len(data)
	}
}

// ReadFile implements part of [sandbox.Files].
func (t *tree) ReadFile(_ context.Context, path string) ([]byte, error) {
	if data, ok := t.had[t.sums[path]]; ok {
		return data, nil
	}
	if t.next == nil {
		h, err := t.coming.Next()
		if errors.Is(err, io.EOF) {
			return nil, deleted(path)
		}
		if err != nil {
			t.lost = err
			return nil, err
		}
		t.next = h
	}
	if t.next.Name != path {
		return nil, deleted(path)
	}
	h := t.next
	t.next = nil
	switch {
	case h.Typeflag != tar.TypeReg:
		return nil, foreign(path)
	case h.Size > projectfs.MaxFile:
		return nil, tooLarge(path, h.Size)
	}
	data, err := io.ReadAll(t.coming)
	if err != nil {
		t.lost = err
		return nil, err
	}
	t.hold(sum(data), data)
	return data, nil
}

// deleted says that a file was deleted after it was listed.
func deleted(path string) error {
	return &koda.Error{Code: koda.CodeFileNotFound, Op: "there is no " + path}
}
