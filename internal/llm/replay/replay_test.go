package replay_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/internal/llm/replay"
)

func record(t *testing.T, dir string, m llm.Model) llm.Model {
	t.Helper()
	r, err := replay.Record(dir, m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func open(t *testing.T, dir string) *replay.Player {
	t.Helper()
	p, err := replay.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestContract: a recorder is a model as good as the one it asks.
func TestContract(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, func(t *testing.T, steps ...llmtest.Step) llm.Model {
		t.Helper()
		return record(t, filepath.Join(t.TempDir(), "answers"), llmtest.New(steps...))
	})
}

// request is a conversation: what koda says, and what was answered, in turn.
func request(texts ...string) llm.Request {
	req := llm.Request{System: "You animate.", Tools: []llm.Tool{{Name: "write", Description: "Write.", Input: json.RawMessage(`{"type":"object"}`)}}}
	for i, text := range texts {
		req.Messages = append(req.Messages, llm.Message{Role: []string{llm.User, llm.Assistant}[i%2], Parts: []llm.Part{{Text: text}}})
	}
	return req
}

func say(text string) llmtest.Step {
	return llmtest.Step{Thinking: "hm", Response: llm.Response{Parts: []llm.Part{{Text: text}}, Stop: llm.StopEnd, Usage: llm.Usage{Output: 3, USD: 0.5, Unpriced: 1}}}
}

type said struct {
	Resp llm.Response
	Code koda.Code
	Hint string
}

func talk(t *testing.T, m llm.Model, all ...llm.Request) (got []said) {
	t.Helper()
	for _, req := range all {
		resp, err := m.Answer(t.Context(), req, nil)
		resp.Usage.USD, resp.Usage.Unpriced = 0, 0
		got = append(got, said{resp, koda.CodeOf(err), koda.HintOf(err)})
	}
	return got
}

// TestReplay: what was recorded comes again, errors too, and nobody is asked or paid. What
// two exchanges have in common is written once, and no pixels are.
func TestReplay(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "answers")
	service := llmtest.New(say("first"), llmtest.Step{Fail: koda.CodeLimitReached}, say("second"), say("third"))
	picture := request("a", "first", "look")
	picture.Messages[2].Parts = append(picture.Messages[2].Parts, llm.Part{Picture: &llm.Picture{MediaType: "image/png", Data: []byte("pixels")}})
	asked := []llm.Request{request("a"), request("b"), request("a"), picture}
	recorded := talk(t, record(t, dir, service), asked...)
	picture.Messages[2].Parts[1].Picture.Data = []byte("drawn elsewhere")
	p := open(t, dir)
	if diff := cmp.Diff(recorded, talk(t, p, asked...)); diff != "" || len(service.Asked()) != 4 {
		t.Errorf("asked %d times; (-recorded +replayed):\n%s", len(service.Asked()), diff)
	}
	if got, err := p.Answer(t.Context(), request("a"), nil); koda.CodeOf(err) != koda.CodeNotFound || !strings.Contains(err.Error(), "all 4 answers") {
		t.Errorf("a third answer where two are recorded: %v, %v", got, err)
	}
	if got, err := open(t, dir).Answer(t.Context(), request("a"), nil); err != nil || got.Usage.Cost().Price() != "free" || got.Usage.Output != 3 {
		t.Errorf("it cost %+v, %v", got.Usage, err)
	}
	for n := 1; n <= 4; n++ {
		name := filepath.Join(dir, fmt.Sprintf("%04d.json", n))
		text, err := os.ReadFile(name)
		if err != nil || strings.Contains(string(text), "cGl4ZWxz") || (n > 1) == strings.Contains(string(text), "You animate.") {
			t.Errorf("%v, %s", err, text)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
}

// TestReplay_changed: a request that is not recorded fails, and the error says what changed.
// The recorded answers can be given the keys of the new requests, in one run or in two.
func TestReplay_changed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "answers")
	talk(t, record(t, dir, llmtest.New(say("first"), say("second"))), request("a"), request("a", "first", "b"))
	change := func(f func(*llm.Request)) llm.Request {
		req := request("a", "first", "b")
		f(&req)
		return req
	}
	for want, req := range map[string]llm.Request{
		"the system prompt changed":              change(func(r *llm.Request) { r.System = "You animate well." }),
		"the contract of the tool write changed": change(func(r *llm.Request) { r.Tools[0].Description = "Write it." }),
		"the tool read is new":                   change(func(r *llm.Request) { r.Tools = append(r.Tools, llm.Tool{Name: "read"}) }),
		"the tool write is gone":                 change(func(r *llm.Request) { r.Tools = nil }),
		"message 3 changed":                      change(func(r *llm.Request) { r.Messages[2].Parts[0].Text = "c" }),
		"it has 4 messages, not 3":               change(func(r *llm.Request) { r.Messages = append(r.Messages, r.Messages[1]) }),
		"its bounds changed":                     change(func(r *llm.Request) { r.MaxTokens = 7 }),
	} {
		_, err := open(t, dir).Answer(t.Context(), req, nil)
		if koda.CodeOf(err) != koda.CodeNotFound || !strings.Contains(err.Error(), want) || !strings.Contains(koda.HintOf(err), "KODA_RECORD") {
			t.Errorf("%v, not %q", err, want)
		}
		if strings.HasSuffix(want, "prompt changed") && !strings.Contains(koda.DetailsOf(err), `now:      "You animate well."`) {
			t.Errorf("details: %s", koda.DetailsOf(err))
		}
	}
	next := filepath.Join(t.TempDir(), "next")
	now := []llm.Request{change(func(r *llm.Request) { r.Messages, r.System = r.Messages[:1], "Other." }), change(func(r *llm.Request) { r.System = "Other." })}
	for i, req := range now {
		got := talk(t, record(t, next, open(t, dir)), req)
		if want := []string{"first", "second"}[i]; got[0].Resp.Text() != want {
			t.Errorf("answer %d is %+v, not %s", i+1, got[0], want)
		}
	}
	if got := talk(t, open(t, next), now...); got[0].Resp.Text() != "first" || got[1].Resp.Text() != "second" {
		t.Errorf("with new keys: %+v", got)
	}
}

// TestReplay_interrupted: nobody answered, so nothing is kept.
func TestReplay_interrupted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "answers")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := record(t, dir, llmtest.New(llmtest.Step{})).Answer(ctx, request("a"), nil); koda.CodeOf(err) != koda.CodeInterrupted {
		t.Error(err)
	}
	if _, err := replay.Open(dir); koda.CodeOf(err) != koda.CodeNotFound || koda.HintOf(err) == "" {
		t.Errorf("something was kept: %v", err)
	}
}

func TestReplay_otherFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, text := range []string{"a photo", `{"request":{}}`, `{"like":1,"response":{}}`, `{"like":-1,"response":{}}`} {
		if err := os.WriteFile(filepath.Join(dir, "0001.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := replay.Open(dir); koda.CodeOf(err) != koda.CodeUsage || koda.HintOf(err) == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := replay.Record(filepath.Join(dir, "0001.json"), nil); koda.CodeOf(err) != koda.CodeUsage {
		t.Errorf("a file: %v", err)
	}
}
