package model_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
)

// size is the length of a request without its system prompt and tools.
func size(req llm.Request) (n int) {
	for _, m := range req.Messages {
		for _, p := range m.Parts {
			if n += len(textOf([]llm.Part{p})); p.Use != nil {
				n += len(p.Use.Input)
			}
		}
	}
	return n
}

// TestWork_prunes works with models that take less and less. Whatever is left out, these
// stay: the system prompt, the code as it is now, the last message, the todo, and what the
// person asked for. No result loses its call.
func TestWork_prunes(t *testing.T) {
	t.Parallel()
	const wish, older = "the ball is called Bob, always", "keep the ground calm"
	work := task(koda.TaskTodo)
	work.Messages = []koda.Message{{Role: koda.RoleUser, Content: older}}
	for i := range 14 {
		work.Messages = append(work.Messages, koda.Message{Role: koda.RoleAssistant, Content: fmt.Sprintf("Done with %d. %s", i, strings.Repeat("and so on ", 60))})
	}
	work.Messages = append(work.Messages, koda.Message{Role: koda.RoleUser, Content: wish})
	for name, tt := range map[string]struct {
		window int
		most   int    // messages of a request
		gone   string // what is left out at the end
		kept   string
	}{
		"enough":        {1 << 20, 29, "Earlier steps", "Done with 13"},
		"ten messages":  {34_000, 29, `"content":"0 `, "Done with 13"},
		"one exchange":  {16_000, 25, `"content":"5 `, "Done with 13"},
		"hardly a talk": {9_000, 15, "Done with 12", "Done with 13"},
		"no long files": {9_000, 15, "long long", "src/long.ts ("},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk()
			d.files["src/long.ts"] = []byte(strings.Repeat("short ", 10))
			if name == "no long files" {
				d.files["src/long.ts"] = []byte(strings.Repeat("long ", 6000))
			}
			done, most := 0, 0
			d.model.Script = func(_ int, req llm.Request) llmtest.Step {
				if size(req) > tt.window {
					return llmtest.Step{Response: llm.Response{Stop: llm.StopContext}}
				}
				most = max(most, len(req.Messages))
				if done++; done <= 13 {
					return calls("sandbox_write_file", write("src/now.ts", fmt.Sprintf("%d %s", done-1, strings.Repeat("code ", 400))))
				}
				return calls("finish", finish)
			}
			if err := author(t).Work(t.Context(), work, d.open()); err != nil {
				t.Fatal(err)
			}
			asked := d.model.Asked()
			final := asked[len(asked)-1]
			first := textOf(final.Messages[0].Parts)
			for _, want := range []string{"Your todo: Animate the drop.", wish, older, "Scene 2, Rest", tt.kept} {
				if !strings.Contains(first, want) {
					t.Errorf("%q was left out of %s", want, first)
				}
			}
			text := first
			for _, m := range final.Messages[1:] {
				text += textOf(m.Parts)
				for _, p := range m.Parts {
					if p.Use != nil {
						text += string(p.Use.Input)
					}
				}
			}
			if strings.Contains(text, tt.gone) || most > tt.most {
				t.Errorf("%d messages, with %q", most, tt.gone)
			}
			if pruned := strings.Contains(first, "Earlier steps of this todo"); pruned && (!strings.Contains(first, "- sandbox_write_file src/now.ts") || !strings.Contains(first, `path="src/now.ts">`)) {
				t.Errorf("what was done, or what is there now, is not told: %s", first)
			}
			for _, req := range asked {
				paired(t, req)
			}
		})
	}
}

// paired: roles alternate, and every result follows its call.
func paired(t *testing.T, req llm.Request) {
	t.Helper()
	open := ""
	for i, m := range req.Messages {
		if m.Role != []string{llm.User, llm.Assistant}[i%2] {
			t.Fatalf("message %d is of %s", i, m.Role)
		}
		for _, p := range m.Parts {
			if p.Use != nil {
				open = p.Use.ID
			} else if p.Result != nil && p.Result.ID != open {
				t.Fatalf("a result of %s, not of %s", p.Result.ID, open)
			}
		}
	}
}
