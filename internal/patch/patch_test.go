package patch_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/patch"
)

var update = flag.Bool("update", false, "rewrite what comes of the cases")

// What cannot be seen in a file of cases is written as signs. The last sign stands for a
// text that ends without a line end.
var (
	seen   = strings.NewReplacer("→", "\t", "␍", "\r", "␠", " ", "⊣\n", "")
	unseen = strings.NewReplacer("\t", "→", "\r", "␍", " \n", "␠\n")
)

func shown(text string) string {
	text = unseen.Replace(text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "⊣\n"
	}
	return text
}

// TestApply does the cases of testdata. A case has four parts: the text, what is quoted,
// what replaces it, and what comes of it. The name of the last part is the strategy that
// matched and the line, or "refused" with the error.
func TestApply(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil || len(archive.Files)%4 != 0 {
			t.Fatalf("%s: %d parts, %v", file, len(archive.Files), err)
		}
		for parts := range slices.Chunk(archive.Files, 4) {
			cases++
			text, old, replacement := seen.Replace(string(parts[0].Data)), seen.Replace(string(parts[1].Data)), seen.Replace(string(parts[2].Data))
			got, err := patch.Apply(text, old, replacement)
			name, body := fmt.Sprintf("%s %d", got.Strategy, got.Line), shown(got.Text)
			if err != nil {
				if koda.CodeOf(err) != koda.CodeInvalidInput {
					t.Errorf("%s: %s: %v", file, parts[0].Name, err)
				}
				name, body = "refused", shown(err.Error()+"\n"+koda.HintOf(err)+"\n"+koda.DetailsOf(err))
			}
			if *update {
				i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == parts[0].Name })
				archive.Files[i+3] = txtar.File{Name: name, Data: []byte(body)}
				continue
			}
			if diff := cmp.Diff(parts[3].Name+"\n"+string(parts[3].Data), name+"\n"+body); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", file, parts[0].Name, diff)
			}
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if cases < 60 {
		t.Errorf("there are %d cases", cases)
	}
}

// big is a file of many lines that differ little.
func big(lines int) string {
	var b bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&b, "  const value%d = progress(t, %d, %d, easeOutBack) * scale + offset[%d]\n", i, i, i+1, i%7)
	}
	return b.String()
}

// BenchmarkApply is the worst that a quote can do in a file of 10,000 lines.
func BenchmarkApply(b *testing.B) {
	text := big(10_000)
	for name, old := range map[string]string{
		"one line":   "  const valeu5000 = progress(t, 5000, 5001, easeOutBack) * scale + offset[2] // moved\n",
		"100 lines":  strings.ReplaceAll(big(100), "easeOutBack", "easeInOutQuart"),
		"5000 lines": strings.ReplaceAll(big(5000), "scale", "sclae"),
		"nothing":    strings.Repeat("entirely different words, of about the length of a line in the file, more or less\n", 40),
		"permuted":   strings.ReplaceAll(big(100), "const", "tsnoc"),
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				_, _ = patch.Apply(text, old, "x\n") //nolint:errcheck // whether it is found is no matter
			}
		})
	}
}
