package replay_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/internal/llm/replay"
)

func open(t *testing.T, path string, m llm.Model) *replay.Model {
	t.Helper()
	r, err := replay.Open(path, m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestContract(t *testing.T) {
	t.Parallel()
	llmtest.Run(t, func(t *testing.T, steps ...llmtest.Step) llm.Model {
		t.Helper()
		return open(t, filepath.Join(t.TempDir(), "answers"), llmtest.New(steps...))
	})
}

func request(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: text}}}}}
}

// TestReplay: what was recorded comes again, errors too, and nobody is asked.
func TestReplay(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "answers")
	say := func(text string) llmtest.Step {
		return llmtest.Step{Thinking: "hm", Response: llm.Response{Parts: []llm.Part{{Text: text}}, Stop: llm.StopEnd, Usage: llm.Usage{Output: 3}}}
	}
	service := llmtest.New(say("first"), llmtest.Step{Fail: koda.CodeLimitReached}, say("second"), say("later"))
	type said struct {
		Resp llm.Response
		Code koda.Code
		Hint string
	}
	talk := func(m llm.Model) (all []said) {
		for _, text := range []string{"a", "b", "a"} {
			got, err := m.Answer(t.Context(), request(text), nil)
			all = append(all, said{got, koda.CodeOf(err), koda.HintOf(err)})
		}
		return all
	}
	recorded := talk(open(t, path, service))
	m := open(t, path, nil)
	if diff := cmp.Diff(recorded, talk(m)); diff != "" || len(service.Asked()) != 3 {
		t.Errorf("asked %d times; (-recorded +replayed):\n%s", len(service.Asked()), diff)
	}
	if _, err := m.Answer(t.Context(), request("a"), nil); koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("a third answer where two are recorded: %v", err)
	}
	// What is missing is asked and added.
	if got, err := open(t, path, service).Answer(t.Context(), request("c"), nil); err != nil || got.Text() != "later" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := open(t, path, nil).Answer(t.Context(), request("c"), nil); err != nil || got.Text() != "later" {
		t.Errorf("%+v, %v", got, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestReplay_interrupted: nobody answered, so nothing is kept.
func TestReplay_interrupted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "answers")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := open(t, path, llmtest.New(llmtest.Step{})).Answer(ctx, request("a"), nil); koda.CodeOf(err) != koda.CodeInterrupted {
		t.Error(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("something was kept: %v", err)
	}
}

func TestReplay_otherFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "answers")
	for _, text := range []string{"a photo", `{"digest":"x"}`, `{"digest":"x","response":{}}` + "\n{"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := replay.Open(path, nil); koda.CodeOf(err) != koda.CodeUsage || koda.HintOf(err) == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
}
