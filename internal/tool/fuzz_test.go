package tool_test

import (
	"encoding/json"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// FuzzCall calls the tools with whatever input a model may write. The output is of JSON, or
// there is an error with a code; and only files are written that may be.
func FuzzCall(f *testing.F) {
	for name, input := range map[string]string{
		"sandbox_write_file": `{"path":"src/a.ts","content":"YQ==","encoding":"base64"}`, "edit_file": `{"path":"src/a.ts","old_string":"a\n  b","new_string":"c"}`,
		"sandbox_read_file": `{"path":"src/a.ts","offset":1e99}`, "sandbox_list_files": `{"path":".","recursive":1}`, "sandbox_delete_file": `{"path":"koda.json"}`,
		"sandbox_run_command": `{"command":"ls","timeout_ms":-1}`, "feed_chars": `{"chars":"\u0003","columns":3}`, "sandbox_screenshot": `{"seek_to":-0}`,
		"update_todo": `{"todo_id":"1","status":"done","status":"x"}`, "render_final": `{"INVALID_JSON":"{"}`, "write_file": `[]`,
	} {
		f.Add(name, input)
	}
	f.Fuzz(func(t *testing.T, name, input string) {
		fake := newFake()
		fake.files["src/a.ts"], fake.files["koda.json"] = []byte("a\r\n\tb\r\n"), []byte(manifest)
		out, err := tool.NewBox(everything(fake)).Call(t.Context(), name, json.RawMessage(input))
		if err != nil && (koda.CodeOf(err) == "" || out != nil) || err == nil && !json.Valid(out) {
			t.Fatalf("%s %s: %s, %v", name, input, out, err)
		}
		for p := range fake.files {
			if _, err := tool.WritablePath(p, reserved); err != nil {
				t.Errorf("%s %s wrote %q", name, input, p)
			}
		}
		if _, err := koda.ParseManifest(fake.files["koda.json"]); err != nil {
			t.Errorf("%s %s broke koda.json: %v", name, input, err)
		}
	})
}
