package tool_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

var update = flag.Bool("update", false, "write the golden files")

// Models are told the catalogue, so a golden file makes every change of it visible in
// review.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	for _, tl := range tool.Catalogue() {
		fmt.Fprintf(&b, "# %s\n%s\n\ntimeout: %v\ncodes: %v\n", tl.Name, tl.Description, tl.Timeout, tl.Codes)
		for _, s := range []struct {
			what   string
			schema json.RawMessage
		}{{"input", tl.Input}, {"output", tl.Output}} {
			fmt.Fprintf(&b, "%s: ", s.what)
			if err := json.Indent(&b, s.schema, "", "  "); err != nil {
				t.Fatalf("%s %s: %v", tl.Name, s.what, err)
			}
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
	}
	golden := filepath.Join("testdata", "catalogue.golden")
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("the catalogue changed; go test ./internal/tool -update rewrites the golden file (-want +got):\n%s", diff)
	}
}

func TestCatalogue_limits(t *testing.T) {
	t.Parallel()
	for _, tl := range tool.Catalogue() {
		if tl.Timeout <= 0 || tl.Description == "" {
			t.Errorf("%s has no time limit or no description", tl.Name)
		}
		var s struct {
			Properties map[string]struct{ Maximum *float64 }
		}
		if err := json.Unmarshal(tl.Input, &s); err != nil {
			t.Fatal(err)
		}
		if d, ok := s.Properties["duration"]; ok && (d.Maximum == nil || *d.Maximum != koda.MaxDuration) {
			t.Errorf("%s: the longest duration is %v, not %d", tl.Name, d.Maximum, koda.MaxDuration)
		}
	}
}

// A tool that a sandbox cannot run is not offered, and calling it is an error that
// says so.
func TestBox_offer(t *testing.T) {
	t.Parallel()
	f := newFake()
	all := everything(f)
	if got, want := names(tool.NewBox(all)), names(nil); !slices.Equal(got, want) {
		t.Errorf("with everything, %v is offered, want %v", got, want)
	}
	for _, c := range []struct {
		without func(*tool.Deps)
		name    string
		code    koda.Code
	}{
		{func(d *tool.Deps) { d.Files = nil }, "sandbox_write_file", koda.CodeUnknownTool},
		{func(d *tool.Deps) { d.Commands = nil }, "sandbox_run_command", koda.CodeCommandBlocked},
		{func(d *tool.Deps) { d.Can.Commands = false }, "sandbox_run_command", koda.CodeCommandBlocked},
		{func(d *tool.Deps) { d.Lifecycle = nil }, "sandbox_create", koda.CodeUnknownTool},
		{func(d *tool.Deps) { d.Live = nil }, "sandbox_start_preview", koda.CodeUnknownTool},
		{func(d *tool.Deps) { d.Pictures = nil }, "sandbox_screenshot", koda.CodeUnknownTool},
		{func(d *tool.Deps) { d.Renders = nil }, "render_final", koda.CodeUnknownTool},
		{func(d *tool.Deps) { d.MayFinish = false }, "render_final", koda.CodeUnknownTool},
		{func(d *tool.Deps) { d.Reports = nil }, "add_message", koda.CodeUnknownTool},
		{func(d *tool.Deps) { d.Todos = nil }, "update_todo", koda.CodeUnknownTool},
	} {
		deps := all
		c.without(&deps)
		box := tool.NewBox(deps)
		if tool.Offers(box, c.name) {
			t.Errorf("%s is offered without what it needs", c.name)
		}
		_, err := call(t, box, c.name, `{}`)
		if koda.CodeOf(err) != c.code {
			t.Errorf("%s: got %v, want %s", c.name, err, c.code)
		}
	}
	// Changing the offer does not change the catalogue.
	box := tool.NewBox(all)
	box.Tools()[0].Name = "x"
	if box.Tools()[0].Name == "x" {
		t.Error("the offer can be changed from outside")
	}
}

func names(b *tool.Box) []string {
	tools := tool.Catalogue()
	if b != nil {
		tools = b.Tools()
	}
	var ns []string
	for _, tl := range tools {
		ns = append(ns, tl.Name)
	}
	return ns
}
