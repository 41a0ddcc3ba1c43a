package engine_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// replays checks that replaying the journal of every project leads to the project's
// stored state. Every test of the engine ends with this check.
func (b *bench) replays() {
	b.t.Helper()
	if b.t.Failed() {
		return
	}
	projects, err := b.db.List(context.Background())
	if err != nil {
		return // the test closed or damaged its database
	}
	for _, p := range projects {
		journal, err := b.db.Causes(context.Background(), p.ID)
		if err != nil || !phase.Begins(journal) {
			continue
		}
		_, want, err := b.db.Load(context.Background(), p.ID)
		if err != nil {
			b.t.Error(err)
		}
		s, err := phase.Replay(journal)
		if err != nil {
			b.t.Errorf("project %s: %v", p.Name, err)
		}
		got, err := json.Marshal(s)
		if err != nil {
			b.t.Error(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			b.t.Errorf("project %s: its journal leads to another state (-stored +replayed):\n%s", p.Name, diff)
		}
	}
}

// find returns the finding of that name and whether another finding is bad.
func (b *bench) find(id, name string) engine.Finding {
	b.t.Helper()
	findings, err := b.engine.Examine(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	var found engine.Finding
	for _, f := range findings {
		if f.Name == name {
			found = f
		} else if f.Bad {
			b.t.Errorf("%s: %s", f.Name, f.Detail)
		}
	}
	return found
}

func TestExamine(t *testing.T) {
	t.Parallel()
	b, p := newSandboxBench(t)
	ctx := t.Context()
	id := b.upToPlan()
	dir := b.must(b.engine.Accept(ctx, id, koda.Seen{})).Project.Dir
	for name, want := range map[string]string{
		"journal": "steps lead to the state", "directory": "0 of them changed by hand", "versions": "1, every file", "sandbox": "is alive",
	} {
		if f := b.find(id, name); f.Bad || !strings.Contains(f.Detail, want) {
			t.Errorf("%s: %+v", name, f)
		}
	}
	b.lose()
	if f := b.find(id, "sandbox"); f.Bad || !strings.Contains(f.Detail, "is gone") {
		t.Errorf("%+v", f)
	}
	p.connect = &koda.Error{Code: koda.CodeProviderError, Op: "docker does not answer", Hint: "start it"}
	if f := b.find(id, "sandbox"); !f.Bad || f.Fix != "start it" {
		t.Errorf("%+v", f)
	}
	p.connect = nil
	view, err := b.engine.Show(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	digest := view.Versions[0].Files["koda.json"]
	object := filepath.Join(dir, ".koda", "versions", "objects", digest[:2], digest)
	whole := b.read(object)
	damage(t, object, whole+"!")
	if f := b.find(id, "versions"); f.Bad {
		t.Errorf("the directory still has the file: %+v", f)
	}
	damage(t, filepath.Join(dir, "koda.json"), whole+"\n")
	if f := b.find(id, "versions"); !f.Bad || !strings.Contains(f.Detail, "version 1") || f.Fix == "" {
		t.Errorf("%+v", f)
	}
	damage(t, object, whole)
	manifest := filepath.Join(dir, ".koda", "versions", "v1.json")
	text := b.read(manifest)
	if err := os.Remove(manifest); err != nil {
		t.Fatal(err)
	}
	if f := b.find(id, "versions"); !f.Bad || !strings.Contains(f.Detail, "version 1 is missing") || f.Fix == "" {
		t.Errorf("%+v", f)
	}
	if err := os.WriteFile(manifest, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	damage(t, filepath.Join(dir, ".koda", "state.json"), "{")
	if f := b.find(id, "directory"); !f.Bad || f.Fix == "" {
		t.Errorf("%+v", f)
	}
	if _, err := b.engine.Examine(ctx, "nobody"); koda.CodeOf(err) != koda.CodeNotFound {
		t.Error(err)
	}
}

func damage(t *testing.T, path, text string) {
	t.Helper()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
