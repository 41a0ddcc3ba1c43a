package templates

import (
	"embed"
	"io/fs"
)

//go:embed sandbox/starter sandbox/Dockerfile sandbox/package.json sandbox/package-lock.json sandbox/programs.txt sandbox/certificates
var sandbox embed.FS

// Starter is the project that every animation starts from. The project's root is
// the root of the file system. sandbox/README.md is the contract with authors.
func Starter() fs.FS { return sub(sandbox, "sandbox/starter") }

// SandboxImage is what the image of sandboxes is built of: its Dockerfile, the packages
// and programs in the image, and the starter project below starter.
func SandboxImage() fs.FS { return sub(sandbox, "sandbox") }

// Protected lists the starter's own files, as patterns of path.Match relative to
// the project's root. These files fulfil the page contract, so an author may not
// write to them.
func Protected() []string {
	return []string{"src/main.tsx", "src/koda/*", "vite.config.ts", "scripts/*"}
}

func sub(files fs.FS, dir string) fs.FS {
	below, err := fs.Sub(files, dir)
	if err != nil {
		panic(err) // a constant, valid path
	}
	return below
}
