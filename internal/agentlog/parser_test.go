package agentlog_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/agentlog"
	"github.com/koda-video/koda/internal/koda"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// steps reads lines in parts of a size, and writes the steps as lines of JSON.
func steps(t *testing.T, p *agentlog.Parser, text []byte, part int) string {
	t.Helper()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	tell := func() {
		for _, s := range p.Steps() {
			if err := enc.Encode(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	for len(text) > 0 {
		n := min(part, len(text))
		if _, err := p.Write(text[:n]); err != nil {
			t.Fatal(err)
		}
		text = text[n:]
		tell()
	}
	p.Close(nil)
	tell()
	return out.String()
}

// TestParser reads what agents print, each in testdata/NAME.lines, and gives the steps of
// testdata/NAME.steps, in whatever parts it comes.
func TestParser(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.lines")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := steps(t, &agentlog.Parser{Dir: "/home/anna/ball"}, text, len(text))
			golden := strings.TrimSuffix(file, ".lines") + ".steps"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("check the difference, then run with -update (-want +got):\n%s", diff)
			}
			for _, part := range []int{1, 7, 4096} {
				if again := steps(t, &agentlog.Parser{Dir: "/home/anna/ball"}, text, part); again != got {
					t.Errorf("in parts of %d bytes: %s", part, cmp.Diff(got, again))
				}
			}
		})
	}
}

// FuzzParser: nothing breaks it, no line is lost, and every step is one that a project takes.
func FuzzParser(f *testing.F) {
	files, err := filepath.Glob("testdata/*.lines")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		for line := range bytes.Lines(text) {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var p agentlog.Parser
		if _, err := p.Write(text); err != nil {
			t.Fatal(err)
		}
		p.Close(nil)
		open, lines := false, 0
		for _, s := range p.Steps() {
			data, err := json.Marshal(s)
			if err != nil || len(data) > koda.MaxAgentBlock {
				t.Fatalf("%.200s: %v", data, err)
			}
			switch {
			case s.Begin != nil && open, s.Begin == nil && !open:
				t.Fatalf("a turn is begun: %v, and then %s", open, data)
			case s.Begin != nil:
				open = true
			case s.End != nil:
				open = false
			case s.Block.Type == koda.BlockLine:
				lines++
			}
		}
		if open && !bytes.Contains(text, []byte("type")) && lines == 0 && p.Odd > 0 {
			t.Fatal("lines are lost")
		}
		if p.Odd > lines {
			t.Fatalf("%d lines were not understood, and %d are kept", p.Odd, lines)
		}
	})
}

// TestParser_long keeps the beginning and the length of what is too long.
func TestParser_long(t *testing.T) {
	t.Parallel()
	var p agentlog.Parser
	long := strings.Repeat("\x01é", 10<<20)
	said, err := json.Marshal(map[string]any{"type": "message", "role": "assistant", "content": strings.Repeat("\x01", 1<<20)})
	if err != nil {
		t.Fatal(err)
	}
	tool, err := json.Marshal(map[string]any{"type": "tool", "content": map[string]any{"name": "x", "output": strings.Split(strings.Repeat("x", 200_000), "")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{long, string(said), string(tool), "last"} {
		if _, err := p.Write([]byte(line + "\n")); err != nil {
			t.Fatal(err)
		}
	}
	p.Close(nil)
	all := p.Steps()
	if len(all) != 6 || p.Lines != 4 || p.Odd != 2 {
		t.Fatalf("%d steps of %d lines, %d odd", len(all), p.Lines, p.Odd)
	}
	for i, want := range []string{`"bytes":31457280`, `"bytes":6291489`, `"bytes":`, `{"text":"last"}`} {
		data, err := json.Marshal(all[i+1])
		if err != nil || len(data) > koda.MaxAgentBlock || !strings.Contains(string(data), want) {
			t.Errorf("block %d has %d bytes: %.100s … %s", i+1, len(data), data, data[max(0, len(data)-100):])
		}
	}
}
