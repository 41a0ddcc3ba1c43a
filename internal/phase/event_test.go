package phase_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// TestEvents_AllKnown: every declared event is in the table of kinds, can be
// journaled and read, and is handled by the machine.
func TestEvents_AllKnown(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if s, ok := spec.Type.(*ast.StructType); ok && slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool {
			name, ok := f.Type.(*ast.Ident)
			return ok && f.Names == nil && name.Name == "Stamp"
		}) {
			declared = append(declared, spec.Name.Name)
		}
		return true
	})
	slices.Sort(declared)
	if diff := cmp.Diff(declared, phase.Names()); diff != "" {
		t.Fatalf("declared and known (-declared +known):\n%s", diff)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	effects := []string{
		phase.EffectClarify, phase.EffectPlan, phase.EffectSandbox, phase.EffectWork, phase.EffectVersion, phase.EffectPreview,
		phase.EffectFinal, phase.EffectRelease, phase.EffectPlace, phase.EffectFork, phase.EffectInquire,
	}
	for _, name := range declared {
		body, err := json.Marshal(map[string]any{"name": name, "body": map[string]any{"at": at}})
		if err != nil {
			t.Fatal(err)
		}
		ev, err := phase.Decode(body)
		if err != nil || phase.Name(ev) != name {
			t.Errorf("%s is read as %v, %v", name, ev, err)
			continue
		}
		again, err := phase.Encode(ev)
		if err != nil {
			t.Error(err)
		}
		if back, err := phase.Decode(again); err != nil || !cmp.Equal(ev, back) {
			t.Errorf("%s comes back as %v, %v", name, back, err)
		}
		_ = ev.Told()
		taken := false
		for _, pending := range append(effects, "") {
			s := phase.State{Version: 1, Turn: 1}
			s.Node.ProjectID, s.Node.Phase = "p", koda.PhaseExecuting
			s.Node.Execution = &koda.Execution{Todos: []koda.Todo{{ID: "1", Status: koda.TodoActive}}}
			if pending != "" {
				s.Pending = &koda.Effect{ID: "e1", Kind: pending}
			}
			_, _, err := phase.Step(s, ev)
			if err != nil && strings.Contains(err.Error(), "unknown event") {
				t.Errorf("no place in the machine for %s: %v", name, err)
			}
			taken = taken || err == nil || koda.CodeOf(err) == koda.CodeWrongPhase || koda.CodeOf(err) == koda.CodeUsage || koda.CodeOf(err) == koda.CodeNotFound || koda.CodeOf(err) == koda.CodeInvalidInput
		}
		if !taken {
			t.Errorf("%s is possible nowhere", name)
		}
	}
}
