package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/tool"
)

// mostApart bounds the files that are read one by one.
const mostApart = 2000

// look reads the files of the sandbox that a project can have. If there are too many, or one
// is too large, look leaves those out and says so once: what it leaves out counts as
// unchanged.
func (v *visit) look(ctx context.Context) (map[string][]byte, error) {
	tree, err := readTree(ctx, v.sb)
	if koda.CodeOf(err) != koda.CodeReadFailed {
		return tree, err
	}
	entries, failed := v.sb.List(ctx, ".", true)
	if failed != nil {
		return nil, err
	}
	tree = map[string][]byte{}
	var left []string
	var total int64
	for _, e := range entries {
		if clean, err := tool.WritablePath(e.Path, nil); e.Dir || err != nil || clean != e.Path {
			continue
		}
		old, known := v.base[e.Path]
		if e.Size > projectfs.MaxFile || total+e.Size > projectfs.MaxTotal || len(tree) >= mostApart && !known {
			if left = append(left, e.Path); known {
				tree[e.Path] = old
			}
			continue
		}
		data, err := v.sb.ReadFile(ctx, e.Path)
		if koda.CodeOf(err) == koda.CodeFileNotFound || koda.CodeOf(err) == koda.CodeInvalidPath {
			continue // it was deleted, or became a link
		}
		if err != nil {
			return nil, err
		}
		tree[e.Path], total = data, total+int64(len(data))
	}
	if len(left) > 0 && !v.told {
		v.told = true
		v.warn(some(left) + " too large or too many for a project, and not saved")
	}
	return tree, nil
}

// strays are the files of the sandbox at places that a project does not have. They end with
// the sandbox.
func (v *visit) strays(ctx context.Context) []string {
	entries, err := v.sb.List(ctx, ".", true)
	if err != nil {
		return nil
	}
	var paths []string
	for _, e := range entries {
		if clean, err := tool.WritablePath(e.Path, nil); !e.Dir && (err != nil || clean != e.Path) && !strings.HasPrefix(e.Path, "dist/") {
			paths = append(paths, e.Path)
		}
	}
	return paths
}

// tellStrays says which files this visit made that are not saved.
func (v *visit) tellStrays(ctx context.Context) {
	made := slices.DeleteFunc(v.strays(ctx), func(path string) bool { return slices.Contains(v.stray, path) })
	if len(made) > 0 {
		v.warn(some(made) + " not saved: a project has its files in src/, public/ and scripts/, and its configuration beside them")
	}
}

// some names the first of some files, and counts the others.
func some(paths []string) string {
	if n := len(paths) - 1; n > 0 {
		return fmt.Sprintf("%s and %d more are", paths[0], n)
	}
	return paths[0] + " is"
}
