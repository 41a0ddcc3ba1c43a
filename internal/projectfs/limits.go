package projectfs

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// The limits, in bytes where nothing else is said.
const (
	MaxSettings = 1 << 20   // of koda.json, .env and .koda/config.json
	MaxState    = 64 << 20  // of another file of koda's own in .koda
	MaxCode     = 32 << 20  // of HTML, a script or a style
	MaxFile     = 200 << 20 // of any other file
	MaxTotal    = 1 << 30   // of all files read through one FS
	MaxFiles    = 20_000    // files read through one FS
	MaxNames    = 100_000   // names in one directory
)

// contents are the directories in .koda that hold copies of a project's files.
var contents = []string{".koda/versions/objects/", ".koda/conflicts/"}

var code = []string{".html", ".js", ".mjs", ".jsx", ".ts", ".mts", ".tsx", ".css"}

// limitOf is how many bytes a file of that name may have.
func limitOf(name string) int64 {
	switch {
	case name == "koda.json" || name == ".env" || name == ".koda/config.json":
		return MaxSettings
	case slices.ContainsFunc(contents, func(dir string) bool { return strings.HasPrefix(name, dir) }):
		return MaxFile
	case strings.HasPrefix(name, ".koda/"):
		return MaxState
	case slices.Contains(code, strings.ToLower(path.Ext(name))):
		return MaxCode
	}
	return MaxFile
}

func tooLarge(name string, size, limit int64) error {
	return &koda.Error{
		Code: koda.CodeUsage, Op: fmt.Sprintf("%s is too large (%.4g MB, at most %d)", name, float64(size)/(1<<20), limit>>20),
		Hint: "make it smaller, or move it out of the project",
	}
}

// count adds a file to what was read, once however often it is read.
func (f *FS) count(name string, size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	old, known := f.sizes[name]
	switch {
	case !known && len(f.sizes) == MaxFiles:
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("the project has too many files: %s would be number %d, at most %d are read", name, MaxFiles+1, MaxFiles),
			Hint: "move what the animation does not need out of the project",
		}
	case f.total+size-old > MaxTotal:
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("the project's files are too large: with %s they have %d MB, at most %d are read", name, (f.total+size-old)>>20, MaxTotal>>20),
			Hint: "move what the animation does not need out of the project",
		}
	}
	f.sizes[name] = size
	f.total += size - old
	return nil
}
