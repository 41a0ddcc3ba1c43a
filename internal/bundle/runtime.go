package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/koda-video/koda/internal/fonts"
	"github.com/koda-video/koda/internal/koda"
)

const indexName = "runtime.json"

// runtimeIndex describes a packed runtime. It is runtime.json, the first file of the
// runtime.
//
// A runtime holds two kinds of code. Below page/ are finished, minified ES modules that
// go on the page unchanged: a project's bundle imports them by URL, so bundling never
// parses react or three. Below source/ are modules of which a project's bundle includes
// the part it uses.
type runtimeIndex struct {
	Format  int                      `json:"format"`
	Modules map[string]runtimeModule `json:"modules"` // by import specifier
	Files   map[string]runtimeFile   `json:"files"`   // every other file of the runtime
	Frames  []span                   `json:"frames"`
}

// runtimeModule is what an import specifier stands for: names from page modules.
type runtimeModule struct {
	Exports map[string][]string `json:"exports"` // page module → names
}

type runtimeFile struct {
	location
	Imports []string `json:"imports,omitempty"` // further page modules that it loads
	WebGL   bool     `json:"webgl,omitempty"`   // holds the WebGL renderer
}

// pageRuntime is an open runtime.
type pageRuntime struct {
	index    *runtimeIndex
	body     []byte   // the frames
	packages []string // what people may import, sorted

	mu     sync.Mutex
	frames map[int][]byte // decompressed

	lettersOnce sync.Once
	letters     []fonts.Family // the slices of Inter
	lettersErr  error
}

func openRuntime(archive []byte) (*pageRuntime, error) {
	index, body, err := readArchive(archive)
	if err != nil {
		return nil, err
	}
	r := &pageRuntime{index: index, body: body, frames: map[int][]byte{}}
	seen := map[string]bool{addonsName: true}
	for spec := range index.Modules {
		seen[packageName(spec)] = true
	}
	for file := range index.Files {
		if font, ok := strings.CutPrefix(file, "source/@fontsource-variable/"); ok {
			seen["@fontsource-variable/"+font[:strings.IndexByte(font, '/')]] = true
		}
	}
	r.packages = slices.Sorted(maps.Keys(seen))
	return r, nil
}

// read returns a file of the runtime. The caller must not change the bytes.
func (r *pageRuntime) read(name string) ([]byte, error) {
	file, ok := r.index.Files[name]
	if !ok {
		return nil, fmt.Errorf("read %s of the page runtime: %w", name, fs.ErrNotExist)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	frame, ok := r.frames[file.Frame]
	if !ok {
		at := r.index.Frames[file.Frame]
		var err error
		if frame, err = decompress(r.body[at.At : at.At+at.Size]); err != nil {
			return nil, fmt.Errorf("%w: %w", errDamaged, err)
		}
		r.frames[file.Frame] = frame
	}
	if file.Offset+file.Size > len(frame) {
		return nil, errDamaged
	}
	return frame[file.Offset : file.Offset+file.Size : file.Offset+file.Size], nil
}

func (r *pageRuntime) has(name string) bool {
	_, ok := r.index.Files[name]
	return ok
}

// closure lists page modules and all page modules they load, sorted.
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

// facade is the module that a project gets for an import of spec: the names of a prebuilt
// package, each from the URL of the page module that has the name.
func (r *pageRuntime) facade(spec string) string {
	var b strings.Builder
	exports := r.index.Modules[spec].Exports
	for _, file := range slices.Sorted(maps.Keys(exports)) {
		fmt.Fprintf(&b, "export {%s} from %s;\n", strings.Join(exports[file], ","), quoteJS(runtimeURL(file)))
	}
	return b.String()
}

// runtimeURL is the URL of a page module.
func runtimeURL(file string) string { return outputs + "/runtime/" + strings.TrimPrefix(file, "page/") }

// runtime returns the page runtime. If this program carries no runtime, it is installed
// first.
func (b *Bundler) runtime(ctx context.Context) (*pageRuntime, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open != nil {
		return b.open, nil
	}
	var err error
	if archive, _, ok := b.archive(); ok {
		b.open, err = openRuntime(archive)
	} else {
		b.open, err = b.installed(ctx)
	}
	return b.open, err
}

// installed opens the runtime in the cache. If there is no runtime, or it is damaged, npm
// installs the packages and they are packed again.
func (b *Bundler) installed(ctx context.Context) (*pageRuntime, error) {
	name := filepath.Join(b.cacheDir, "runtime", lockDigest()+".tar.zst")
	archive, err := os.ReadFile(name)
	if err == nil {
		if r, err := openRuntime(archive); err == nil {
			return r, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read page runtime: %w", err)
	}
	if err := install(ctx, name); err != nil {
		return nil, err
	}
	if archive, err = os.ReadFile(name); err != nil {
		return nil, fmt.Errorf("read page runtime: %w", err)
	}
	return openRuntime(archive)
}

func missingRuntime(err error) error {
	return &koda.Error{
		Code: koda.CodeMissingTool, Op: "this koda carries no page runtime and could not install one", Err: err,
		Hint: "build koda with `make`, which packs the runtime, or install node 20 or newer with npm",
	}
}
