package model

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/tool"
)

// aligned is the input of a call whose path means a file of the project, or of the design,
// and is written in another way: /project/src/App.tsx, ./src/app.tsx.
func (j *job) aligned(input json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	var given string
	if json.Unmarshal(input, &fields) != nil || json.Unmarshal(fields["path"], &given) != nil {
		return input
	}
	meant := alignPath(given, j.paths)
	if meant == given {
		return input
	}
	fields["path"], _ = json.Marshal(meant) //nolint:errcheck // a text
	out, _ := json.Marshal(fields)          //nolint:errcheck // of valid JSON
	return out
}

// alignPath is the one of paths that a path means: it differs by case, or by a directory
// before it, or by all that stands before it if it is absolute. If there is none, the path
// itself. A path that leads out of the project, or into another place of it, means no other.
func alignPath(given string, paths []string) string {
	clean, err := tool.CleanPath(strings.TrimLeft(given, "/"))
	switch {
	case err != nil:
		return given
	case slices.Contains(paths, clean):
		return clean
	}
	_, outside := tool.WritablePath(clean, nil)
	for _, same := range []func(p string) bool{
		func(p string) bool { return strings.EqualFold(clean, p) },
		func(p string) bool {
			n := len(clean) - len(p)
			return outside != nil && n > 0 && clean[n-1] == '/' && strings.EqualFold(clean[n:], p) &&
				(given[0] == '/' || strings.Count(clean[:n], "/") == 1)
		},
	} {
		if i := slices.IndexFunc(paths, same); i >= 0 { // the project's files come first
			return paths[i]
		}
	}
	return given
}
