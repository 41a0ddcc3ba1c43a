package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/templates"
)

// TestPromptExamples draws the worked examples that models are told, whole and alone, in
// three shapes. KODA_EXAMPLES=DIR keeps the pictures.
func TestPromptExamples(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	for _, name := range []string{"example.md", "example-3d.md"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "page")
			must(t, os.CopyFS(dir, templates.Starter()))
			for _, demo := range []string{"src/scenes/MainScene.tsx", "src/components/Disc.tsx"} {
				must(t, os.Remove(filepath.Join(dir, demo)))
			}
			text, err := fs.ReadFile(templates.Prompts(), name)
			must(t, err)
			for _, m := range exampleFile.FindAllStringSubmatch(string(text), -1) {
				file := filepath.Join(dir, m[1])
				must(t, os.MkdirAll(filepath.Dir(file), 0o755))
				must(t, os.WriteFile(file, []byte(m[2]), 0o644))
			}
			for shape, size := range map[string][2]int{"wide": {1280, 720}, "tall": {720, 1280}, "square": {720, 720}} {
				manifest, err := os.ReadFile(filepath.Join(dir, "koda.json"))
				must(t, err)
				m, err := koda.ParseManifest(manifest)
				must(t, err)
				m.Width, m.Height = size[0], size[1]
				manifest, err = m.Encode()
				must(t, err)
				must(t, os.WriteFile(filepath.Join(dir, "koda.json"), manifest, 0o644))
				out := filepath.Join(dir, "..", shape+".png")
				if keep := os.Getenv("KODA_EXAMPLES"); keep != "" {
					out = filepath.Join(keep, name+"-"+shape+".png")
				}
				cmd := exec.CommandContext(t.Context(), os.Args[0], "sheet", dir, "--count", "4", "-o", out)
				cmd.Env = append(os.Environ(), asKoda+"=1", "KODA_HOME="+filepath.Join(dir, "..", "home-"+shape))
				if said, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("koda %s: %v\n%s", shape, err, said)
				}
			}
		})
	}
}

// TestPromptKit draws the example of the kit, and every kind of its parts, from the files
// that a model's project takes.
func TestPromptKit(t *testing.T) {
	inModels(t)
	t.Parallel()
	needs.FFmpeg(t)
	dir := filepath.Join(t.TempDir(), "page")
	must(t, os.CopyFS(dir, templates.Starter()))
	write := func(name, text string) {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for name, text := range templates.Kit() {
		write(name, text)
	}
	text, err := fs.ReadFile(templates.Prompts(), "kit.md")
	must(t, err)
	for _, m := range exampleFile.FindAllStringSubmatch(string(text), -1) {
		write(m[1], m[2])
	}
	write("src/App.tsx", `import { Kit } from './stage/Kit'
import { Numbers } from './scenes/Numbers'
const rows = [{ label: 'A', value: 3 }, { label: 'B', value: 5 }]
const parts = [
  { id: 'a', kind: 'counter', from: 0, to: 100 }, { id: 'b', kind: 'pie', rows, donut: true }, { id: 'c', kind: 'line', rows },
  { id: 'd', kind: 'progress', value: 70 }, { id: 'e', kind: 'code', code: 'let a = 1', language: 'ts' },
  { id: 'f', kind: 'terminal', prompt: '$', lines: [{ type: 'command', text: 'koda new ball' }] },
]
export default function App() {
  return <><Numbers /><Kit start={4.3} end={5} stays style="playful" layout="grid" ground parts={parts} /><Kit start={4.4} end={5} stays parts={[
    { id: 'g', kind: 'particles', what: 'confetti', count: 20 }, { id: 'h', kind: 'figures', rows }, { id: 'i', kind: 'list', items: ['one', 'two'] }]} /></>
}
`)
	out := filepath.Join(dir, "..", "kit.png")
	if keep := os.Getenv("KODA_EXAMPLES"); keep != "" {
		out = filepath.Join(keep, "kit.png")
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "sheet", dir, "--count", "4", "-o", out)
	cmd.Env = append(os.Environ(), asKoda+"=1", "KODA_HOME="+filepath.Join(dir, "..", "home"))
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
}
