package templates

import (
	"embed"
	"io/fs"
)

//go:embed bench
var bench embed.FS

// Bench is a small page for measuring a machine: text, a gradient, moving boxes and
// a shadow.
func Bench() fs.FS { return sub(bench, "bench") }
