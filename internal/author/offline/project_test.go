package offline_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/author/offline"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
	"github.com/koda-video/koda/templates"
)

var _ engine.Author = (*offline.Author)(nil)

// project is a sandbox in memory with the real toolbox over it.
type project struct {
	files map[string]string
	calls []string // "write src/App.tsx", "think …", "say …"
	said  []string
}

// newProject holds the starter's files, as a new sandbox does.
func newProject(t testing.TB) *project {
	t.Helper()
	p := &project{files: map[string]string{}}
	starter := templates.Starter()
	err := fs.WalkDir(starter, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(starter, name)
		p.files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *project) box() tool.Desk {
	return tool.Desk{Toolbox: tool.NewBox(tool.Deps{Files: p, Reports: p, Todos: p, Reserved: templates.Protected()})}
}

func (p *project) WriteFile(_ context.Context, name string, data []byte) error {
	p.calls = append(p.calls, "write "+name)
	p.files[name] = string(data)
	return nil
}

func (p *project) ReadFile(_ context.Context, name string) ([]byte, error) {
	p.calls = append(p.calls, "read "+name)
	s, ok := p.files[name]
	if !ok {
		return nil, &koda.Error{Code: koda.CodeFileNotFound, Op: "read " + name}
	}
	return []byte(s), nil
}

func (p *project) DeleteFile(_ context.Context, name string) error {
	p.calls = append(p.calls, "delete "+name)
	if _, ok := p.files[name]; !ok {
		return &koda.Error{Code: koda.CodeFileNotFound, Op: "delete " + name}
	}
	delete(p.files, name)
	return nil
}

func (p *project) List(context.Context, string, bool) ([]sandbox.Entry, error) { return nil, nil }

func (p *project) UpdateTodo(_ context.Context, id string, status koda.TodoStatus) error {
	p.calls = append(p.calls, fmt.Sprintf("todo %s %s", id, status))
	return nil
}

func (p *project) SetThinking(_ context.Context, message string) error {
	p.calls = append(p.calls, "think "+message)
	return nil
}

func (p *project) AddMessage(_ context.Context, content string) (string, error) {
	p.calls = append(p.calls, "say "+content)
	p.said = append(p.said, content)
	return fmt.Sprint(len(p.said)), nil
}

// written lists the files written since the last call of it, in order.
func (p *project) written() []string {
	var out []string
	for _, c := range p.calls {
		if name, ok := strings.CutPrefix(c, "write "); ok {
			out = append(out, name)
		}
	}
	p.calls = nil
	return out
}

// tree is the project as a bundler reads it.
func (p *project) tree() fs.FS {
	tree := fstest.MapFS{}
	for name, s := range p.files {
		tree[name] = &fstest.MapFile{Data: []byte(s), Mode: 0o644}
	}
	return tree
}

// brief is a prompt as the commands pass it on.
// brief is a brief for the ball or the title, which are drawn on one sheet.
func brief(prompt string, change ...func(*koda.Brief)) koda.Brief {
	b := koda.Brief{Prompt: prompt, Width: 1920, Height: 1080, FPS: koda.FPS{Num: 60, Den: 1}}
	if strings.HasPrefix(prompt, "title ") {
		b.Recipe = "title"
	}
	for _, f := range change {
		f(&b)
	}
	return b
}

func sized(w, h int) func(*koda.Brief) { return func(b *koda.Brief) { b.Width, b.Height = w, h } }

func plan(t testing.TB, b koda.Brief, a koda.Answer) koda.Plan {
	t.Helper()
	p, err := author().Plan(context.Background(), b, a, nil, tool.Desk{})
	if err != nil {
		t.Fatalf("Plan(%q): %v", b.Prompt, err)
	}
	return p
}

// tasks are the todos of a plan, in order.
func tasks(b koda.Brief, p koda.Plan) []koda.Task {
	list := []koda.Task{{Kind: koda.TaskSetup}}
	for _, s := range p.Scenes {
		list = append(list, koda.Task{Kind: koda.TaskScene, Scene: s.Number})
	}
	list = append(list, koda.Task{Kind: koda.TaskFinish})
	for i := range list {
		list[i].Brief, list[i].Plan = b, p
	}
	return list
}

// make1 does all the work of a brief.
func build(t testing.TB, b koda.Brief, a koda.Answer) *project {
	t.Helper()
	p := newProject(t)
	for _, task := range tasks(b, plan(t, b, a)) {
		p.work(t, task)
	}
	return p
}

func (p *project) work(t testing.TB, task koda.Task) {
	t.Helper()
	if err := author().Work(context.Background(), task, p.box()); err != nil {
		t.Fatalf("Work(%s): %v", task.Kind, err)
	}
}

// change asks for a change of what stands.
func (p *project) change(b koda.Brief, pl koda.Plan, said string, hand ...string) error {
	task := koda.Task{Kind: koda.TaskChange, Message: said, Brief: b, Plan: pl, HandEdited: hand}
	return author().Work(context.Background(), task, p.box())
}

// snapshot remembers the files, to compare.
func (p *project) snapshot() map[string]string { return maps.Clone(p.files) }

// changed lists the files that differ from a snapshot.
func (p *project) changed(before map[string]string) []string {
	var out []string
	for name, s := range p.files {
		if before[name] != s {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
