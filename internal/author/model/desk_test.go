package model_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/author/model"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/templates"
)

// desk is a project in memory, and a model that follows a script.
type desk struct {
	model *llmtest.Model
	files map[string][]byte
	said  []string
	drawn int
	// page draws the page: what is found, and an error of the page, or nil.
	page func(files map[string][]byte) ([]koda.Finding, error)
}

func newDesk(steps ...llmtest.Step) *desk {
	return &desk{model: llmtest.New(steps...), files: map[string][]byte{
		"koda.json":   []byte(`{"schema": 1, "name": "ball", "width": 640, "height": 360, "fps": 30, "duration": 5}`),
		"src/App.tsx": []byte("export default function App() { return null }\n"),
	}}
}

func (d *desk) open() tool.Desk {
	return tool.Desk{Model: d.model, Toolbox: tool.NewBox(tool.Deps{Files: d, Pictures: d, Reports: d, Reserved: templates.Protected()})}
}

func (d *desk) WriteFile(_ context.Context, p string, data []byte) error {
	d.files[p] = data
	return nil
}

func (d *desk) ReadFile(_ context.Context, p string) ([]byte, error) {
	if data, ok := d.files[p]; ok {
		return data, nil
	}
	return nil, &koda.Error{Code: koda.CodeFileNotFound, Op: "read " + p}
}

func (d *desk) DeleteFile(_ context.Context, p string) error {
	delete(d.files, p)
	return nil
}

func (d *desk) List(context.Context, string, bool) (all []sandbox.Entry, err error) {
	for _, p := range slices.Sorted(maps.Keys(d.files)) {
		all = append(all, sandbox.Entry{Path: p, Size: int64(len(d.files[p]))})
	}
	return all, nil
}

func (d *desk) Screenshot(context.Context, float64, int, int) (string, error) { return "", nil }

func (d *desk) Look(_ context.Context, times []float64) (seen koda.Look, err error) {
	d.drawn++
	if d.page != nil {
		if seen.Findings, err = d.page(d.files); err != nil {
			return seen, err
		}
	}
	for _, at := range times {
		seen.Sights = append(seen.Sights, koda.Sight{Seconds: at, Colours: []string{"#101010"}, Texts: []koda.SeenText{{Text: "Hello", Left: 10, Right: 90, Top: 40, Bottom: 60}}})
	}
	seen.Sheet = []byte("a sheet")
	return seen, nil
}

func (d *desk) SetThinking(context.Context, string) error { return nil }

func (d *desk) AddMessage(_ context.Context, text string) (string, error) {
	d.said = append(d.said, text)
	return "m1", nil
}

// author is the author with koda's own texts.
func author(t *testing.T) *model.Author {
	t.Helper()
	a, err := model.New(templates.Prompts(), templates.Starter(), templates.StarterGuide(), model.Kit{Files: templates.Kit(), Guide: templates.KitGuide()})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// calls is an answer that calls tools: name and input in turn.
func calls(nameAndInput ...string) llmtest.Step {
	s := llmtest.Step{Response: llm.Response{Stop: llm.StopTools}}
	for i := 0; i < len(nameAndInput); i += 2 {
		s.Response.Parts = append(s.Response.Parts, llm.Part{Use: &llm.ToolUse{
			ID: fmt.Sprint("u", i), Name: nameAndInput[i], Input: json.RawMessage(nameAndInput[i+1]),
		}})
	}
	return s
}

// says is an answer of text only.
func says(text string) llmtest.Step {
	return llmtest.Step{Response: llm.Response{Stop: llm.StopEnd, Parts: []llm.Part{{Text: text}}}}
}

func write(name, content string) string {
	raw, err := json.Marshal(map[string]string{"path": name, "content": content})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// heard is what the model was told last, before its nth request.
func (d *desk) heard(n int) string {
	messages := d.model.Asked()[n].Messages
	return textOf(messages[len(messages)-1].Parts)
}

func textOf(parts []llm.Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
		if p.Picture != nil {
			b.WriteString("[picture]")
		}
		if p.Result != nil {
			fmt.Fprintf(&b, "{failed %v: %s}", p.Result.Failed, textOf(p.Result.Parts))
		}
	}
	return b.String()
}

func brief(prompt string) koda.Brief {
	return koda.Brief{Prompt: prompt, Width: 640, Height: 360, FPS: koda.DefaultFPS}
}
