package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/koda-video/koda/internal/koda"
)

const indexName = "runtime.json"

// runtimeIndex describes a packed runtime; it is runtime.json at its root.
//
// A runtime holds two kinds of code. Below page/ are ready, minified ES modules
// that are put on the page as they are: a project's bundle imports them by URL,
// so bundling never parses react or three. Below source/ are modules a
// project's bundle includes as far as it uses them.
type runtimeIndex struct {
	Format  int                      `json:"format"`
	Modules map[string]runtimeModule `json:"modules"` // by import specifier
	Files   map[string]runtimeFile   `json:"files"`   // every other file of the runtime
}

// runtimeModule is what an import specifier stands for: names taken from page
// modules, or one source file.
type runtimeModule struct {
	Exports map[string][]string `json:"exports,omitempty"` // page module → names
	Source  string              `json:"source,omitempty"`
}

type runtimeFile struct {
	SHA256  string   `json:"sha256"`
	Imports []string `json:"imports,omitempty"` // further page modules it loads
	WebGL   bool     `json:"webgl,omitempty"`   // holds the WebGL renderer
}

// errDamaged means that a file of the runtime is not what was unpacked.
var errDamaged = errors.New("page runtime is damaged")

// pageRuntime is an unpacked runtime.
type pageRuntime struct {
	dir      string
	index    runtimeIndex
	packages []string // what people may import, sorted

	mu    sync.Mutex
	files map[string][]byte // verified content
}

// openRuntime reads the runtime unpacked in dir. A missing one is
// fs.ErrNotExist.
func openRuntime(dir string) (*pageRuntime, error) {
	data, err := os.ReadFile(filepath.Join(dir, indexName))
	if err != nil {
		return nil, err
	}
	r := &pageRuntime{dir: dir, files: map[string][]byte{}}
	if err := json.Unmarshal(data, &r.index); err != nil || r.index.Format != packFormat {
		return nil, fmt.Errorf("read %s: %w", indexName, errDamaged)
	}
	seen := map[string]bool{"three/addons/…": true}
	for spec := range r.index.Modules {
		seen[packageName(spec)] = true
	}
	for file := range r.index.Files {
		if font, ok := strings.CutPrefix(file, "source/@fontsource-variable/"); ok {
			seen["@fontsource-variable/"+font[:strings.IndexByte(font, '/')]] = true
		}
	}
	r.packages = slices.Sorted(maps.Keys(seen))
	return r, nil
}

// read returns a file of the runtime, verified.
func (r *pageRuntime) read(name string) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if data, ok := r.files[name]; ok {
		return data, nil
	}
	data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	sum := sha256.Sum256(data)
	if hex.EncodeToString(sum[:]) != r.index.Files[name].SHA256 {
		return nil, fmt.Errorf("%s: %w", name, errDamaged)
	}
	r.files[name] = data
	return data, nil
}

func (r *pageRuntime) has(name string) bool {
	_, ok := r.index.Files[name]
	return ok
}

// closure lists the page modules that those named load, themselves included,
// sorted.
func (r *pageRuntime) closure(names []string) []string {
	seen := map[string]bool{}
	for todo := slices.Clone(names); len(todo) > 0; {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[name] {
			seen[name] = true
			todo = append(todo, r.index.Files[name].Imports...)
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// facade is the module a project's import of spec resolves to: the names of a
// prebuilt package, each from the URL of the page module that has it.
func (r *pageRuntime) facade(spec string) string {
	var b strings.Builder
	exports := r.index.Modules[spec].Exports
	for _, file := range slices.Sorted(maps.Keys(exports)) {
		fmt.Fprintf(&b, "export {%s} from %s;\n", strings.Join(exports[file], ","), quoteJS(runtimeURL(file)))
	}
	return b.String()
}

// runtimeURL is where a page module is on the page.
func runtimeURL(file string) string { return outputs + "/runtime/" + strings.TrimPrefix(file, "page/") }

// runtime returns the unpacked runtime, unpacking or installing it first if
// need be.
func (b *Bundler) runtime(ctx context.Context) (*pageRuntime, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.unpacked != nil {
		return b.unpacked, nil
	}
	archive, digest, packed := b.archive()
	if !packed {
		digest = lockDigest()
	}
	parent := filepath.Join(b.cacheDir, "runtime")
	dir := filepath.Join(parent, digest)
	r, err := openRuntime(dir)
	if err == nil {
		b.unpacked = r
		return r, nil
	}
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errDamaged) {
		return nil, fmt.Errorf("open page runtime: %w", err)
	}
	fill := installRuntime
	if packed {
		fill = func(_ context.Context, dir string) error { return unpack(archive, dir) }
	}
	if err := publishDir(ctx, parent, digest, fill); err != nil {
		return nil, err
	}
	if b.unpacked, err = openRuntime(dir); err != nil {
		return nil, fmt.Errorf("open page runtime: %w", err)
	}
	return b.unpacked, nil
}

// forget drops a damaged runtime, so that the next build unpacks it again.
func (b *Bundler) forget(r *pageRuntime) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.unpacked == r {
		b.unpacked = nil
	}
	_ = os.Remove(filepath.Join(r.dir, indexName)) //nolint:errcheck // publishDir replaces the directory
}

func missingRuntime(err error) error {
	return &koda.Error{
		Code: koda.CodeMissingTool, Op: "this koda carries no page runtime and could not install one", Err: err,
		Hint: "build koda with `make`, which packs the runtime, or install node 20 or newer with npm",
	}
}
