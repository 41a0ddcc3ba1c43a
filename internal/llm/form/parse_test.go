package form_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/form"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/internal/tool"
)

var update = flag.Bool("update", false, "rewrite what comes of the answers")

// tools are some of koda's own.
func tools() []llm.Tool {
	type finish struct {
		Summary string `json:"summary"`
	}
	type check struct {
		Times []float64 `json:"times,omitempty" desc:"Seconds."`
	}
	var all []llm.Tool
	for _, t := range tool.Catalogue() {
		if slices.Contains([]string{tool.NameSandboxWriteFile, tool.NameSandboxReadFile, tool.NameEditFile}, t.Name) {
			all = append(all, llm.Tool{Name: t.Name, Description: t.Description, Input: t.Input})
		}
	}
	return append(all, llm.Tool{Name: "check", Description: "Look.", Input: tool.Schema[check]()}, llm.Tool{Name: "finish", Description: "End.", Input: tool.Schema[finish]()})
}

// TestParse reads the answers of testdata: each is followed by what is read.
func TestParse(t *testing.T) {
	t.Parallel()
	const file = "testdata/answers.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(archive.Files); i += 2 {
		said, uses, broken := form.Parse(strings.ReplaceAll(string(archive.Files[i].Data), "␍", "\r"), tools())
		var got strings.Builder
		for _, u := range uses {
			fmt.Fprintf(&got, "%s %s\n", u.Name, u.Input)
		}
		if broken != nil {
			fmt.Fprintf(&got, "BROKEN %s: %s\n", broken.Tool, broken.Problem)
		}
		for line := range strings.Lines(said) {
			fmt.Fprintf(&got, "| %s\n", strings.TrimRight(line, "\n"))
		}
		if *update {
			archive.Files[i+1] = txtar.File{Name: "read", Data: []byte(got.String())}
		} else if diff := cmp.Diff(string(archive.Files[i+1].Data), got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", archive.Files[i].Name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestParse_cut cuts an answer after each of its bytes: no call is ever half.
func TestParse_cut(t *testing.T) {
	t.Parallel()
	answer := "Now:\n<write_file>\n<path>a.ts</path>\n<content>\na\n</content>\n</write_file>\n<edit_file path=\"b.ts\">\n<search>a</search>\n<replace></replace>\n</edit_file>\n<finish/>\n"
	_, whole, broken := form.Parse(answer, tools())
	if len(whole) != 3 || broken != nil {
		t.Fatalf("%v, %v", whole, broken)
	}
	for n := range answer {
		_, uses, _ := form.Parse(answer[:n], tools())
		if diff := cmp.Diff(whole[:len(uses)], uses); diff != "" && len(uses) > 0 {
			t.Errorf("cut after %d bytes (-want +got):\n%s", n, diff)
		}
	}
}

// FuzzParse reads whatever a model may write. What is read are uses of the tools that there
// are, or one that says what is wrong; and the conversation goes on after it.
func FuzzParse(f *testing.F) {
	archive, err := txtar.ParseFile("testdata/answers.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for i := 0; i < len(archive.Files); i += 2 {
		f.Add(string(archive.Files[i].Data))
	}
	names := map[string]bool{}
	for _, t := range tools() {
		names[t.Name] = true
	}
	tools := tools()
	f.Fuzz(func(t *testing.T, text string) {
		_, uses, broken := form.Parse(text, tools)
		if broken != nil && broken.Problem == "" {
			t.Error("a broken call without a reason")
		}
		for _, u := range uses {
			var fields map[string]json.RawMessage
			if !names[u.Name] || json.Unmarshal(u.Input, &fields) != nil || fields == nil {
				t.Errorf("read %s %s", u.Name, u.Input)
			}
		}
		inner := llmtest.New(says(text), says("done"))
		m := form.New(inner, "", able(false))
		req := llm.Request{Tools: tools, Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: "a ball"}}}}}
		got, err := m.Answer(t.Context(), req, func(koda.TextDelta) {})
		if err != nil || broken == nil && len(got.Uses()) != len(uses) || broken != nil && (len(got.Uses()) != 1 || llm.Unread(got.Uses()[0].Input) == "") {
			t.Fatalf("%d uses, %v, the answer has %v, %v", len(uses), broken, got.Uses(), err)
		}
		reply := llm.Message{Role: llm.User}
		for _, u := range got.Uses() {
			reply.Parts = append(reply.Parts, llm.Part{Result: &llm.ToolResult{ID: u.ID}})
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Parts: got.Parts}, reply)
		if _, err := m.Answer(t.Context(), req, nil); err != nil {
			t.Fatal(err)
		}
	})
}
