package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

// Why a file of a sandbox is not kept in the project.
const (
	leftOutside = "outside src/, public/, scripts/ and the configuration files"
	leftName    = "a hidden name, or one that no file of a project can have"
	leftNoFile  = "a link, a pipe or a name that cannot be told"
	leftLarge   = "too large"
	leftMany    = "more than a project can have"
)

// keepable reads the files of a sandbox that a project can have. What is too much is left
// out, last what base has. Left says of each path that is not kept why, and its size.
func keepable(ctx context.Context, sb sandbox.Sandbox, base map[string]string) (tree map[string][]byte, left map[string]leftOver, err error) {
	var sizes map[string]int64
	tree, err = sandbox.Get(ctx, sb, nil, readLimits)
	switch {
	case err == nil:
		sizes = make(map[string]int64, len(tree))
		for path, data := range tree {
			sizes[path] = int64(len(data))
		}
	case koda.CodeOf(err) == koda.CodeReadFailed:
		if sizes, err = sizesIn(ctx, sb); err != nil {
			return nil, nil, err
		}
	default:
		return nil, nil, err
	}
	left = tooMuch(sizes, base)
	if tree == nil {
		maps.DeleteFunc(sizes, func(path string, _ int64) bool { return left[path] != leftOver{} })
		tree, err = sandbox.Get(ctx, sb, sortedKeys(sizes), readLimits)
	}
	maps.DeleteFunc(tree, func(path string, _ []byte) bool { return left[path] != leftOver{} })
	return tree, left, err
}

// leftOver is a file that is not kept.
type leftOver struct {
	why  string
	size int64
}

// tooMuch chooses which files are not kept.
func tooMuch(sizes map[string]int64, base map[string]string) map[string]leftOver {
	left := map[string]leftOver{}
	var want []string
	for path, size := range sizes {
		switch {
		case savable(path) && size <= projectfs.Limit(path):
			want = append(want, path)
		case savable(path):
			left[path] = leftOver{leftLarge, size}
		default:
			left[path] = leftOver{leftOutside, size}
			if _, err := tool.CleanPath(path); err != nil {
				left[path] = leftOver{leftName, size}
			}
		}
	}
	slices.SortFunc(want, func(a, b string) int {
		_, hasA := base[a]
		if _, hasB := base[b]; hasA != hasB {
			if hasA {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	var total int64
	for n, path := range want {
		if total += sizes[path]; n >= projectfs.MaxSaved || total > projectfs.MaxTotal {
			total -= sizes[path]
			left[path] = leftOver{leftMany, sizes[path]}
		}
	}
	return left
}

// mine reports whether a project could have the file, were it not too much.
func (l leftOver) mine() bool { return l.why == leftLarge || l.why == leftMany }

// tellLeft is a sentence about what is not kept; "" for nothing.
func tellLeft(left map[string]leftOver) string {
	groups := map[string]map[string]int{} // by reason, what is there and how many files of it
	for path, l := range left {
		name, why := path, l.why
		switch dir, _, nested := strings.Cut(path, "/"); {
		case l.why == leftLarge:
			why = fmt.Sprintf("%s: at most %d MB", leftLarge, projectfs.Limit(path)>>20)
			name = fmt.Sprintf("%s, %d MB", path, l.size>>20)
		case nested && dir == "dist": // what a build made can be made again
			continue
		case nested && (l.why == leftOutside || strings.HasPrefix(dir, ".")):
			name = dir + "/"
		case len(path) > 100:
			name = strings.ToValidUTF8(path[:100], "") + "…"
		}
		if strings.ContainsFunc(name, unicode.IsControl) {
			name = strconv.Quote(name)
		}
		if groups[why] == nil {
			groups[why] = map[string]int{}
		}
		groups[why][name]++
	}
	var all []string
	for _, why := range sortedKeys(groups) {
		var names []string
		for _, name := range sortedKeys(groups[why]) {
			if n := groups[why][name]; n > 1 {
				name = fmt.Sprintf("%s with %d files", name, n)
			}
			names = append(names, name)
		}
		all = append(all, fmt.Sprintf("%s (%s)", someOf(names), why))
	}
	return strings.Join(all, "; ")
}

// someOf lists the first of many names.
func someOf(names []string) string {
	const most = 4
	if more := len(names) - most; more > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}
