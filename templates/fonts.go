package templates

import (
	"embed"
	"io/fs"
)

//go:embed fonts/package.json fonts/package-lock.json
var fontFiles embed.FS

// FontsLock is package.json and package-lock.json of the fonts of further scripts, which
// are not part of the program: people install them with `koda fonts add`.
func FontsLock() (manifest, lock []byte) {
	read := func(name string) []byte {
		data, err := fs.ReadFile(fontFiles, name)
		if err != nil {
			panic(err) // embedded
		}
		return data
	}
	return read("fonts/package.json"), read("fonts/package-lock.json")
}
