package projectfs

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/koda-video/koda/internal/koda"
)

// The limits, in bytes unless a comment says otherwise.
const (
	MaxSettings = 1 << 20   // of koda.json, .env and .koda/config.json
	MaxState    = 64 << 20  // of a checkpoint's state: state.json, state.prev.json, pending.json
	MaxList     = 8 << 20   // of another file of koda's own in .koda, such as the list of a version's files
	MaxCode     = 32 << 20  // of HTML, a script or a style
	MaxFile     = 200 << 20 // of any other file
	MaxTotal    = 1 << 30   // of all files one FS reads into memory
	MaxFiles    = 20_000    // files one FS reads into memory
	MaxSaved    = 5000      // files of one checkpoint
	MaxNames    = 100_000   // names in one directory
)

// contents are the directories in .koda that hold copies of a project's files.
var contents = []string{".koda/versions/objects/", ".koda/conflicts/"}

var states = []string{".koda/state.json", ".koda/state.prev.json", ".koda/pending.json"}

var code = []string{".html", ".js", ".mjs", ".jsx", ".ts", ".mts", ".tsx", ".css"}

// Limit is the most bytes that a file of that name may have.
func Limit(name string) int64 {
	switch {
	case name == "koda.json" || name == ".env" || name == ".koda/config.json":
		return MaxSettings
	case slices.ContainsFunc(contents, func(dir string) bool { return strings.HasPrefix(name, dir) }):
		return MaxFile
	case slices.Contains(states, name):
		return MaxState
	case strings.HasPrefix(name, ".koda/"):
		return MaxList
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

// Budget bounds everything that is read into memory. The zero value means MaxTotal and
// MaxFiles.
type Budget struct {
	Bytes int64
	Files int

	mu    sync.Mutex
	sizes map[string]int64
	total int64
}

// Count adds a file of that name. A file that is read twice counts once. USAGE: the file
// exceeds the budget.
func (b *Budget) Count(name string, size int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sizes == nil {
		b.sizes = map[string]int64{}
	}
	old, known := b.sizes[name]
	total, mostBytes, mostFiles := b.total+size-old, cmp.Or(b.Bytes, MaxTotal), cmp.Or(b.Files, MaxFiles)
	switch {
	case !known && len(b.sizes) >= mostFiles:
		return tooMany("the project has too many files: %s is number %d, at most %d are read", name, mostFiles+1, mostFiles)
	case total > mostBytes:
		return tooMany("the project's files are too large: with %s they have %d MB, at most %d are read", name, total>>20, mostBytes>>20)
	}
	b.sizes[name], b.total = size, total
	return nil
}

func tooMany(format string, args ...any) error {
	return &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf(format, args...), Hint: "move what the animation does not need out of the project"}
}
