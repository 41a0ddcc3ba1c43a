package eye

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// suspects are what makes a picture follow from more than its time, the likeliest first.
var suspects = []struct {
	code *regexp.Regexp
	what string
}{
	{regexp.MustCompile(`\bMath\.random\s*\(`), "Math.random() gives other numbers each time; make numbers from an index"},
	{regexp.MustCompile(`\bDate\.now\s*\(|\bnew Date\s*\(\s*\)|\bperformance\.now\s*\(|\bgetElapsedTime\s*\(|\bgetDelta\s*\(`), "a clock of its own; take the time that is shown"},
	{regexp.MustCompile(`\buseFrame\s*\(\s*\(\s*\w*\s*,\s*\w+`), "a step from frame to frame (delta); compute the state from the time"},
	{regexp.MustCompile(`\.current\s*(\+=|-=|\*=)|\.current(\+\+|--)|\.(rotation|position|scale)\.\w+\s*(\+=|-=|\*=)`), "adds to what was there before; compute it from the time"},
	{regexp.MustCompile(`\bset(Interval|Timeout)\s*\(|\brequestAnimationFrame\s*\(`), "a timer of its own; compute the state from the time"},
	{regexp.MustCompile(`\bset[A-Z]\w*\s*\(\s*\(?\s*\w+\s*\)?\s*=>`), "a state made from the state before; compute it from the time"},
	{regexp.MustCompile(`\btransition(Property|Duration)?\s*:`), "a CSS transition depends on what was shown before"},
	{regexp.MustCompile(`^(export )?(let|var)\s+\w+`), "a variable of the module that remembers; compute it from the time"},
}

const (
	mostCauses = 5
	mostSource = 1 << 20 // bytes of a file
)

// Causes names the lines in the code of a project that may make a frame depend on more
// than its time: "src/Ball.tsx:12: Math.random() …". The likeliest come first.
func Causes(files fs.FS) []string {
	found := make([][]string, len(suspects))
	// A file that cannot be read is no cause that can be named.
	_ = fs.WalkDir(files, "src", func(name string, d fs.DirEntry, err error) error { //nolint:errcheck // see above
		if err != nil || !d.Type().IsRegular() || strings.HasPrefix(name, "src/koda/") || strings.HasPrefix(name, "src/vendor/") ||
			!slices.Contains([]string{".ts", ".tsx", ".js", ".jsx", ".css"}, path.Ext(name)) {
			return nil //nolint:nilerr // see above
		}
		data, err := fs.ReadFile(files, name)
		if err != nil || len(data) > mostSource {
			return nil //nolint:nilerr // see above
		}
		for i, line := range strings.Split(string(data), "\n") {
			if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "//") || strings.HasPrefix(trimmed, "*") {
				continue
			}
			for k, s := range suspects {
				if s.code.MatchString(line) {
					found[k] = append(found[k], fmt.Sprintf("%s:%d: %s", name, i+1, s.what))
				}
			}
		}
		return nil
	})
	all := slices.Concat(found...)
	return all[:min(len(all), mostCauses)]
}
