package live

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-sourcemap/sourcemap"

	"github.com/koda-video/koda/internal/koda"
)

// maxForm bounds the bytes of a form that is saved.
const maxForm = 1 << 20

// form answers with the fields of the form, or saves some.
func (v *viewer) form(w http.ResponseWriter, r *http.Request) {
	if v.src.Form == nil {
		http.NotFound(w, r)
		return
	}
	answer := func(status int, body any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body) //nolint:errcheck // the browser is gone
	}
	failed := func(status int, err error) {
		answer(status, map[string]string{"error": err.Error(), "hint": koda.HintOf(err), "code": string(koda.CodeOf(err))})
	}
	if r.Method == http.MethodGet {
		fields, err := v.src.Form.Fields(r.Context())
		if err != nil {
			failed(http.StatusConflict, err)
			return
		}
		if fields == nil {
			fields = []Field{}
		}
		answer(http.StatusOK, fields)
		return
	}
	var set map[string]string
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
	if err == nil {
		err = json.Unmarshal(body, &set)
	}
	if err == nil && len(set) == 0 {
		err = fmt.Errorf("no parameter is given")
	}
	if err != nil {
		failed(http.StatusBadRequest, &koda.Error{Code: koda.CodeInvalidInput, Op: "read the form", Err: err})
		return
	}
	said, err := v.src.Form.Save(r.Context(), set)
	v.mu.Lock()
	v.saved++
	v.wake()
	v.mu.Unlock()
	if err != nil {
		failed(http.StatusConflict, err)
		return
	}
	answer(http.StatusOK, map[string]string{"said": said})
}

// where says which place of the person's files a place of the page is.
func (v *viewer) where(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	page := v.last.Page
	v.mu.Unlock()
	q := r.URL.Query()
	line, _ := strconv.Atoi(q.Get("line"))     //nolint:errcheck // 0 is no line
	column, _ := strconv.Atoi(q.Get("column")) //nolint:errcheck // likewise
	path := q.Get("file")
	if _, rest, ok := strings.Cut(path, "://"); ok { // without its origin
		_, rest, _ = strings.Cut(rest, "/")
		path = "/" + rest
	}
	path, _, _ = strings.Cut(path, "?")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprint(w, origin(page, path, line, column))
}

// origin is "src/App.tsx:3:5: the line", or what is known of that; lines and columns count
// from 1, as browsers give them.
func origin(page koda.Page, path string, line, column int) string {
	if path == "" || path == "/" && line == 0 {
		return ""
	}
	if file, code := page.Origin(path, line-1); file != "" {
		at := file
		if m, err := sourcemap.Parse("", page.Maps[path]); err == nil {
			if name, _, l, c, ok := m.Source(line, column-1); ok && strings.HasSuffix(name, file) {
				at = fmt.Sprintf("%s:%d:%d", file, l, c+1)
			}
		}
		if code != "" && len(code) <= 300 {
			at += ": " + code
		}
		return at
	}
	name := strings.TrimPrefix(path, "/")
	if name == "" {
		name = "index.html"
	}
	return fmt.Sprintf("%s:%d:%d", name, line, column)
}
