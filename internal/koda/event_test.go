package koda_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
)

// TestEventTypes: every declared type is in the table that all readers of events
// use.
func TestEventTypes(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared []koda.EventType
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			if of, ok := spec.Type.(*ast.Ident); ok && of.Name == "EventType" {
				value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Error(err)
				}
				declared = append(declared, koda.EventType(value))
			}
		}
		return true
	})
	slices.Sort(declared)
	if diff := cmp.Diff(declared, koda.EventTypes()); diff != "" || len(declared) < 14 {
		t.Errorf("declared and known (-declared +known):\n%s", diff)
	}
}

// TestEvent_JSON: an event is read as it was written, even if this koda does not
// know its type.
func TestEvent_JSON(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, ev := range []koda.Event{
		{Schema: 1, Project: "p", At: at, Seq: 7, Type: koda.EventTodoUpdate, Payload: koda.TodoUpdate{TodoID: "1", Status: koda.TodoDone}},
		{Schema: 1, Type: koda.EventRenderProgress, Payload: koda.Progress{Frame: 3, ETAMS: 1500, Remaining: 1500 * time.Millisecond}},
		{Schema: 1, Type: "NEWS", Payload: json.RawMessage(`{"a":1}`)},
	} {
		data, err := json.Marshal(ev)
		if err != nil {
			t.Fatal(err)
		}
		var got koda.Event
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(ev, got); diff != "" {
			t.Errorf("%s: %s", data, diff)
		}
	}
}
