package llmtest

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// testdata has what services really send, one case a file, by wire. A file begins with
// a sentence. "=== 200" begins a response: headers, an empty line, and the body, in
// which the line "!cut" ends the connection. "=== want" begins what must come of it.
// The nth request gets the nth response, and then the last one again.
//
//go:embed testdata
var testdata embed.FS

// want is what comes of a case. Empty fields must come out empty.
type want struct {
	Code     koda.Code     // of the error
	Says     string        // a part of the error or of its hint
	Text     string        // all that passed since the last Again, too
	Thinking string        // that passed
	Uses     []llm.ToolUse // of the response
	Stop     llm.Stop
	Usage    llm.Usage
	Asked    int             // requests; 0 is 1
	Paused   string          // the longest pause: "7s"; "": under 10 s
	Back     json.RawMessage // the answer as it goes back with the next request
}

type exchange struct {
	status  int
	headers []string
	body    string
}

// Fixtures runs every case of a wire. Start makes a model of a service at an address;
// between tries the model calls wait.
func Fixtures(t *testing.T, w Wire, start func(t *testing.T, address string, wait func(context.Context, time.Duration)) llm.Model) {
	t.Helper()
	dir := path.Join("testdata", w.name)
	files, err := testdata.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(f.Name(), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := testdata.ReadFile(path.Join(dir, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			sent, wanted := parse(t, string(text))
			runFixture(t, w, sent, wanted, start)
		})
	}
}

// parse reads a file.
func parse(t *testing.T, text string) (sent []exchange, wanted want) {
	t.Helper()
	for _, section := range strings.Split(text, "\n=== ")[1:] {
		head, rest, _ := strings.Cut(section, "\n")
		if head == "want" {
			dec := json.NewDecoder(strings.NewReader(rest))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&wanted); err != nil {
				t.Fatal(err)
			}
			continue
		}
		status, err := strconv.Atoi(head)
		if err != nil {
			t.Fatal(err)
		}
		headers, body, _ := strings.Cut("\n"+rest, "\n\n")
		sent = append(sent, exchange{status, strings.Split(strings.TrimSpace(headers), "\n"), body + "\n"})
	}
	return sent, wanted
}

// do sends a response.
func (e exchange) do(rw http.ResponseWriter) error {
	rw.Header().Set("Content-Type", "text/event-stream")
	for _, h := range e.headers {
		if name, value, ok := strings.Cut(h, ": "); ok {
			rw.Header().Set(name, value)
		}
	}
	rw.WriteHeader(e.status)
	for line := range strings.Lines(e.body) {
		if strings.TrimSpace(line) == "!cut" {
			return hangUp(rw)
		}
		if err := write(rw, line); err != nil {
			return err
		}
	}
	return nil
}

func runFixture(t *testing.T, w Wire, sent []exchange, wanted want, begin func(*testing.T, string, func(context.Context, time.Duration)) llm.Model) {
	t.Helper()
	server := start(t, w, func(n int, _ []byte, rw http.ResponseWriter, _ *http.Request) error {
		return sent[min(n, len(sent)-1)].do(rw)
	})
	longest := time.Duration(0)
	m := begin(t, server.URL, func(_ context.Context, d time.Duration) { longest = max(longest, d) })
	var text, thinking string
	got, err := m.Answer(t.Context(), ask, func(d koda.TextDelta) {
		if d.Again {
			text, thinking = "", ""
		}
		text, thinking = text+d.Text, thinking+d.Thinking
	})
	if said := fmt.Sprint(err, koda.HintOf(err)); koda.CodeOf(err) != wanted.Code || !strings.Contains(said, wanted.Says) || strings.Contains(said, Key) {
		t.Errorf("error %s: %v (%s)", koda.CodeOf(err), err, koda.HintOf(err))
	}
	paused := ""
	if longest >= 10*time.Second {
		paused = longest.String()
	}
	came := want{
		Code: wanted.Code, Says: wanted.Says, Back: wanted.Back, Asked: len(server.Asked()), Text: got.Text(), Thinking: thinking,
		Uses: got.Uses(), Stop: got.Stop, Usage: got.Usage, Paused: paused,
	}
	wanted.Asked = max(1, wanted.Asked)
	if diff := cmp.Diff(wanted, came, cmp.Transformer("json", func(m json.RawMessage) any { return value(t, m) })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err == nil && text != got.Text() {
		t.Errorf("passed %q, returned %q", text, got.Text())
	}
	if wanted.Back != nil {
		goesBack(t, m, server, got, wanted.Back)
	}
}

// goesBack checks the answer in the request that follows it.
func goesBack(t *testing.T, m llm.Model, server *Server, got llm.Response, wanted json.RawMessage) {
	t.Helper()
	next := ask
	next.Messages = append(next.Messages[:1:1], llm.Message{Role: llm.Assistant, Parts: got.Parts}, llm.Message{Role: llm.User})
	said := &next.Messages[2]
	for _, u := range got.Uses() {
		said.Parts = append(said.Parts, llm.Part{Result: &llm.ToolResult{ID: u.ID, Parts: []llm.Part{{Text: "done"}}}})
	}
	said.Parts = append(said.Parts, llm.Part{Text: "go on"})
	if _, err := m.Answer(t.Context(), next, nil); err != nil {
		t.Fatal(err)
	}
	asked := server.Asked()
	var req struct {
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(asked[len(asked)-1], &req); err != nil {
		t.Fatal(err)
	}
	for _, raw := range req.Messages {
		if !bytes.Contains(raw, []byte(`"role":"assistant"`)) {
			continue
		}
		if diff := cmp.Diff(value(t, wanted), value(t, raw)); diff != "" {
			t.Errorf("it goes back as (-want +got):\n%s", diff)
		}
		return
	}
	t.Error("the answer does not go back")
}

func value(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	var v any
	if len(raw) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}
