package templates

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed prompts
var prompts embed.FS

//go:embed sandbox/README.md
var starterGuide string

// Prompts is what the author that asks a model tells the model. Its test draws the files
// that example.md holds.
func Prompts() fs.FS { return sub(prompts, "prompts") }

// PromptNames are the names of the texts in Prompts, sorted.
func PromptNames() []string {
	files, err := fs.Glob(Prompts(), "*.md")
	if err != nil {
		panic(err) // a constant, valid pattern
	}
	for i, name := range files {
		files[i] = strings.TrimSuffix(name, ".md")
	}
	return files
}

// StarterGuide is the contract between the starter project and authors.
func StarterGuide() string { return starterGuide }

//go:embed prompts/form.txt
var form string

// Form tells a model that has no tool calls how it writes them as text. The tools follow.
func Form() string { return form }
