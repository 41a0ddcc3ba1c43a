package tool_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// The error of an impossible edit says how to make the edit.
func TestEditFile_hints(t *testing.T) {
	t.Parallel()
	text := "function a() {\n\treturn 1\n}\nfunction b() {\n\treturn 2\n}\n"
	for _, c := range []struct{ old, hint string }{
		{"function b() {\n  return 2\n}", "line 4 of src/a.ts differs in white space only"},
		{"function b() {\r\n\treturn 2", "line 4 of src/a.ts differs in white space only"},
		{"function b() {\n\treturn 3", `line 4 of src/a.ts is "function b() {", what surrounds it differs`},
		{"class X", "it may have changed"},
		{"}", "include more of the surrounding text"},
	} {
		f := newFake()
		f.files["src/a.ts"] = []byte(text)
		err := tool.EditFile(t.Context(), tool.NewBox(everything(f)), "src/a.ts", c.old, "x")
		if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(koda.HintOf(err), c.hint) {
			t.Errorf("%q: got %v with hint %q, want %q", c.old, err, koda.HintOf(err), c.hint)
		}
	}
	f := newFake()
	f.files["src/a.ts"] = []byte("aaa")
	if err := tool.EditFile(t.Context(), tool.NewBox(everything(f)), "src/a.ts", "aa", "b"); koda.CodeOf(err) != koda.CodeInvalidInput {
		t.Errorf("overlapping places: %v", err)
	}
	f.files["koda.json"] = []byte(manifest)
	err := tool.EditFile(t.Context(), tool.NewBox(everything(f)), "koda.json", "640", "641")
	if koda.CodeOf(err) != koda.CodeInvalidInput || string(f.files["koda.json"]) != manifest {
		t.Errorf("an edit that breaks koda.json: %v", err)
	}
}
