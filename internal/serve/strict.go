package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/koda-video/koda/internal/koda"
)

// What can be read in two ways is refused: koda would take the one way, and a proxy or the
// client itself perhaps the other.

// clean reports whether an address needs no change before it is looked up: it has no empty
// part, and none that leads up.
func clean(u *url.URL) bool {
	parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(u.EscapedPath(), "/"), "/"), "/")
	return len(parts) == 1 || !slices.ContainsFunc(parts, func(part string) bool { return part == "" || part == "." || part == ".." })
}

// unclear is what can be read in two ways in a request for an operation; nil if nothing can.
func unclear(r *http.Request, op *huma.Operation) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return problem(http.StatusUnprocessableEntity, koda.CodeUsage, "the query of the address is not well formed", "separate parameters by &, and write % as %25")
	}
	for name, values := range query {
		if len(values) > 1 {
			return problem(http.StatusUnprocessableEntity, koda.CodeUsage, fmt.Sprintf("the query has the parameter %.100q more than once", name), "send it once")
		}
	}
	if op.RequestBody == nil {
		return nil
	}
	if c := r.Header.Get("Content-Encoding"); c != "" && !strings.EqualFold(c, "identity") {
		return problem(http.StatusUnsupportedMediaType, koda.CodeInvalidInput, fmt.Sprintf("bodies in the encoding %.100q are not read", c), "send the body as it is, without Content-Encoding")
	}
	if op.RequestBody.Content["application/json"] == nil {
		return nil
	}
	if c := r.Header.Get("Content-Type"); c != "" {
		media, params, err := mime.ParseMediaType(c)
		if charset := params["charset"]; err != nil || media != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
			return problem(http.StatusUnsupportedMediaType, koda.CodeInvalidInput, fmt.Sprintf("bodies of the type %.100q are not read here", c), "send JSON in UTF-8, with Content-Type: application/json")
		}
	}
	return nil
}

// readJSON reads a body. It must be one JSON value in UTF-8, without a name that comes twice
// in an object.
func readJSON(data []byte, v any) error {
	if _, first := v.(*any); first { // huma reads each body again, once it fits the description
		d := jsontext.NewDecoder(bytes.NewReader(data))
		_, err := d.ReadValue()
		if err == nil {
			if _, err = d.ReadToken(); err == nil {
				err = errors.New("more than one value")
			} else if errors.Is(err, io.EOF) {
				err = nil
			}
		}
		if err != nil {
			return fmt.Errorf("this is no JSON that koda reads: %s", strings.TrimPrefix(err.Error(), "jsontext: "))
		}
	}
	err := json.Unmarshal(data, v)
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		return fmt.Errorf("%s does not fit at byte %d", kind.Value, kind.Offset)
	case err != nil:
		return errors.New("a text in it is not in base64") // no other text is decoded, and the JSON is right
	}
	return nil
}

// hints say what to do about problems whose place knows no better.
var hints = map[koda.Code]string{
	koda.CodeUsage: "GET /api/openapi.json describes what each address takes", koda.CodeInvalidInput: "GET /api/openapi.json describes what each address takes",
	koda.CodeInvalidPath: "GET /api/projects/ID/files lists the files", koda.CodeFileNotFound: "GET /api/projects/ID/files lists the files",
	koda.CodeNotFound: "GET /api/projects lists your projects", koda.CodeUnauthorized: "`koda token new` makes a token; send it as Authorization: Bearer TOKEN",
	koda.CodeInUse: "send it again once the work has ended", koda.CodeInterrupted: "send it again once the server runs again",
	koda.CodeWrongPhase: "GET /api/projects/ID says what the project waits for", koda.CodeNeedsPerson: "GET /api/projects/ID says what the project waits for",
	koda.CodeFailed: "the log of the server says more",
}

// hinted is a problem with a hint.
func hinted(p *Problem) *Problem {
	if p.Hint == "" {
		p.Hint = hints[p.Code]
	}
	if p.Hint == "" {
		p.Hint = "GET /api/projects/ID says where the project stands"
	}
	return p
}

// plainly is the problem that a library answered in plain text.
func plainly(status int, text string) *Problem {
	code, hint := codeOf(status), ""
	switch text = strings.TrimSpace(text); {
	case status == http.StatusRequestedRangeNotSatisfiable:
		text, hint = "the file has no such part", "Content-Range tells how long the file is"
	case text == "" || len(text) > 300 || status >= http.StatusInternalServerError:
		text = strings.ToLower(http.StatusText(status))
	}
	return hinted(problem(status, code, text, hint))
}

// anyMethod are the methods by which something can be asked.
var anyMethod = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete}

// nowhere answers a request that no route answers.
func (s *Server) nowhere(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range anyMethod {
		other := *r
		other.Method = method
		if _, route := s.mux.Handler(&other); route != "/" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) > 0 {
		list := strings.Join(allowed, ", ")
		w.Header().Set("Allow", list)
		s.refuse(w, problem(http.StatusMethodNotAllowed, koda.CodeUsage, fmt.Sprintf("this address does not take %.100q", r.Method), "it takes "+list))
		return
	}
	s.refuse(w, problem(http.StatusNotFound, koda.CodeNotFound, "there is no such address", "GET /api/openapi.json describes them"))
}
