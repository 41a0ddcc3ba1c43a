package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
)

// spoken is an answer whose calls are written as text. It names tools and files in other
// ways than koda does.
func spoken(s llmtest.Step) llmtest.Step {
	var b strings.Builder
	b.WriteString("Let me do that.\n\n")
	for _, u := range s.Response.Uses() {
		var in map[string]any
		if err := json.Unmarshal(u.Input, &in); err != nil {
			panic(err)
		}
		if u.Name == "sandbox_write_file" && strings.HasPrefix(in["path"].(string), "src/") {
			fmt.Fprintf(&b, "<write_file path=\"/project/%s\">\n%s</write_file>\n", in["path"], in["content"])
			continue
		}
		fmt.Fprintf(&b, "<%s>\n", u.Name)
		for name, v := range in {
			text, ok := v.(string)
			if !ok {
				raw, err := json.Marshal(v)
				if err != nil {
					panic(err)
				}
				text = string(raw)
			}
			fmt.Fprintf(&b, "<%s>%s</%s>\n", name, text, name)
		}
		fmt.Fprintf(&b, "</%s>\n", u.Name)
	}
	s.Response.Parts, s.Response.Stop = []llm.Part{{Text: b.String()}}, llm.StopEnd
	return s
}

// TestModelRun_form makes a video by a model that has no tool calls: by one whose service says
// so, and by one that ignores them. An answer that is cut, or leaves lines out, does nothing.
func TestModelRun_form(t *testing.T) {
	inModels(t)
	t.Parallel()
	for name, w := range map[string]llmtest.Wire{"anthropic": llmtest.Anthropic, "openai": llmtest.OpenAI.Mute()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			native := ballAndTitle()
			plan := native[0].Response.Parts[0].Use
			var files []fields
			for _, f := range []string{"src/look.ts", "src/scenes/Ball.tsx", "src/scenes/Title.tsx", "src/App.tsx"} {
				files = append(files, fields{"path": f, "about": "x"})
			}
			design, err := json.Marshal(fields{"intent": "x", "palette": []string{}, "typography": "x", "layout": "x", "files": files})
			must(t, err)
			plan.Input = append(plan.Input[:len(plan.Input)-1:len(plan.Input)-1], fmt.Sprintf(`,"design":%s}`, design)...)
			var steps []llmtest.Step
			for _, s := range native {
				steps = append(steps, spoken(s))
			}
			cut := spoken(native[1])
			cut.Response.Parts = []llm.Part{{Text: strings.TrimSuffix(steps[1].Response.Text(), "</finish>\n")}}
			lazy := spoken(native[1])
			lazy.Response.Parts = []llm.Part{{Text: "```ts src/look.ts\n// ... rest unchanged\n```\n"}}
			steps = append(steps[:1:1], append([]llmtest.Step{cut, lazy}, steps[1:]...)...)

			r := newModelRun(t, w, name, steps...)
			out, errs, status := r.koda("new", "a ball drops and a title rises", "--sandbox", "local", "--preset", "square", "--name", "demo", "--yes")
			if status != 0 || !strings.HasSuffix(out, filepath.Join("demo", "renders", "demo-v1-square.mp4")) || len(r.server.Asked()) != len(steps) {
				t.Fatalf("status %d, asked %d times: %s\n%s", status, len(r.server.Asked()), out, errs)
			}
			for n, want := range map[int][]string{
				1: {"How you call a tool", "sandbox_write_file"},
				2: {"FAILED: finish", "is not closed by"},
				3: {"leaves lines out"},
				4: {"BUILD_FAILED", "src/scenes/Title.tsx:8"},
				5: {`\"matched\":\"indentation-flexible\"`, "INVALID_PATH"},
			} {
				for _, text := range want {
					if told := string(r.server.Asked()[n]); !strings.Contains(told, text) {
						t.Errorf("before request %d the model was not told %q: %s", n, text, tail(told, 1500))
					}
				}
			}
			if _, err := os.Stat(filepath.Join(r.dir, "demo", "src", "App.tsx")); err != nil {
				t.Error(err)
			}
			if strings.Contains(errs, "write_file path=") {
				t.Errorf("a person was shown the form: %s", errs)
			}
		})
	}
}

// TestModelRun_inOnePiece makes a video by servers that do not stream: by one that takes no
// notice of what it is asked for, and by one that refuses it once and says no usage.
func TestModelRun_inOnePiece(t *testing.T) {
	inModels(t)
	t.Parallel()
	for name, refusing := range map[string]bool{"deaf": false, "refusing": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			steps, asked, cost := ballAndTitle(), 0, `"cost":{"usd":0,"inputTokens":800`
			if refusing {
				asked, cost = 1, `"cost":{"usd":0}`
				for i := range steps {
					steps[i].Response.Usage = llm.Usage{}
				}
			}
			r := newModelRun(t, llmtest.InOnePiece(refusing), "openai", steps...)
			out, errs, status := r.koda(asModel...)
			if status != 0 || !strings.HasSuffix(out, filepath.Join("demo", "renders", "demo-v1-square.mp4")) || len(r.server.Asked()) != len(steps)+asked {
				t.Fatalf("status %d, asked %d times: %s\n%s", status, len(r.server.Asked()), out, errs)
			}
			if shown, _, _ := r.koda("show", "demo", "--json"); !strings.Contains(shown, cost) {
				t.Errorf("koda show: %s", shown)
			}
		})
	}
}
