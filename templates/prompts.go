package templates

import (
	"embed"
	"io/fs"
)

//go:embed prompts
var prompts embed.FS

//go:embed sandbox/README.md
var starterGuide string

// Prompts is what the author that asks a model tells the model. Its test draws the files
// that example.md holds.
func Prompts() fs.FS { return sub(prompts, "prompts") }

// StarterGuide is the contract between the starter project and authors.
func StarterGuide() string { return starterGuide }

//go:embed prompts/form.md
var form string

// Form tells a model that has no tool calls how it writes them as text. The tools follow.
func Form() string { return form }
