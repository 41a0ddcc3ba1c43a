package tool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// The answer of an edit says how its place was found; the error of an impossible edit says
// how to make the edit.
func TestEditFile(t *testing.T) {
	t.Parallel()
	text := "function a() {\n\treturn 1\n}\nfunction b() {\n\treturn 2\n}\n"
	for _, c := range []struct{ old, want string }{
		{"\treturn 2\n", `"line":5,"matched":"exact"`},
		{"function b() {\n  return 2\n}", `"line":4,"matched":"indentation-flexible"`},
		{"function b() {\r\n\treturn 2", `"line":4,"matched":"exact"`},
		{"function b() {\n\treturn 3 * 3", "edit_file src/a.ts: old_string is not in the file; the nearest lines are shown; Nearest are lines 3–6:\n}\nfunction b() {\n\treturn 2\n}"},
		{"class X", "nothing in the file is like it"},
		{"}", "include more of the surrounding text"},
	} {
		f := newFake()
		f.files["src/a.ts"] = []byte(text)
		input, err := json.Marshal(map[string]string{"path": "src/a.ts", "old_string": c.old, "new_string": "x"})
		if err != nil {
			t.Fatal(err)
		}
		out, err := tool.NewBox(everything(f)).Call(t.Context(), tool.NameEditFile, input)
		got := string(out)
		if err != nil {
			hint, _, _ := strings.Cut(koda.HintOf(err), " as they")
			got = err.Error() + "; " + hint + "; " + koda.DetailsOf(err)
		}
		if !strings.Contains(got, c.want) || err != nil && koda.CodeOf(err) != koda.CodeInvalidInput {
			t.Errorf("%q: got %s, want %q", c.old, got, c.want)
		}
	}
	f := newFake()
	f.files["koda.json"] = []byte(manifest)
	err := tool.EditFile(t.Context(), tool.NewBox(everything(f)), "koda.json", "640", "641")
	if koda.CodeOf(err) != koda.CodeInvalidInput || string(f.files["koda.json"]) != manifest {
		t.Errorf("an edit that breaks koda.json: %v", err)
	}
}
