package tool

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// The limits of paths. A name leaves room for the suffix of a temporary file.
const (
	maxPath  = 512 // bytes
	maxName  = 200 // bytes of one segment
	maxDepth = 16  // segments
)

// ManifestPath is the file that holds a [koda.Manifest]. It may be written, but
// never deleted.
const ManifestPath = "koda.json"

// folders are the directories authors may write in.
var folders = []string{"src", "public", "scripts"}

// rootFiles are the patterns of configuration files authors may write at the
// root of a project.
var rootFiles = []string{"index.html", "*.json", "*.config.ts", "*.config.js", "*.config.mjs", "*.config.cjs", "README.md"}

// CleanPath returns the normal form of a path inside a project, or INVALID_PATH
// with the reason. These rules hold for everything a tool touches: the path is
// relative and slash-separated, has no ".." and no backslash, no invisible
// character, no name that begins with a dot, and does not go into node_modules. "."
// is the project root.
//
// The rules read the text only. The sandbox makes sure that no directory on the way
// is a link.
func CleanPath(p string) (string, error) {
	switch {
	case p == "":
		return "", badPath(p, "is empty", "")
	case len(p) > maxPath:
		return "", badPath(p, fmt.Sprintf("is longer than %d bytes", maxPath), "")
	case !utf8.ValidString(p):
		return "", badPath(p, "is not UTF-8", "")
	case strings.Contains(p, `\`):
		return "", badPath(p, "has a backslash", "separate directories with /")
	case strings.Contains(p, ":"):
		return "", badPath(p, "has a colon", "give a path relative to the project root, such as src/App.tsx")
	case strings.ContainsFunc(p, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "", badPath(p, "has a character that cannot be printed", "")
	case strings.HasPrefix(p, "/"):
		return "", badPath(p, "is absolute", "give it relative to the project root, without the leading /")
	}
	if slices.Contains(strings.Split(p, "/"), "..") {
		return "", badPath(p, `has ".."`, "give it relative to the project root")
	}
	clean := path.Clean(p)
	if clean == "." {
		return clean, nil
	}
	segments := strings.Split(clean, "/")
	if len(segments) > maxDepth {
		return "", badPath(p, fmt.Sprintf("is more than %d directories deep", maxDepth-1), "")
	}
	for _, s := range segments {
		switch {
		case strings.HasPrefix(s, "."):
			return "", badPath(p, fmt.Sprintf("has the hidden name %q", s), "names that begin with a dot are koda's and the person's own")
		case strings.EqualFold(s, "node_modules"):
			return "", badPath(p, "goes into node_modules", "what can be imported is fixed by the runtime")
		case len(s) > maxName:
			return "", badPath(p, fmt.Sprintf("has a name longer than %d bytes", maxName), "")
		case strings.TrimSpace(s) != s || strings.HasSuffix(s, "."):
			return "", badPath(p, fmt.Sprintf("has the name %q with a space or dot at its end", s), "")
		}
	}
	return clean, nil
}

// WritablePath returns the normal form of a path an author may write, or
// INVALID_PATH. Beyond the rules of [CleanPath], the file lies in src/, public/ or
// scripts/, or is a configuration file at the root, and is not reserved.
//
// Reserved holds patterns of path.Match over whole paths. A pattern that ends in
// "/**" stands for everything below a directory. Case is ignored, because some file
// systems ignore it.
func WritablePath(p string, reserved []string) (string, error) {
	clean, err := CleanPath(p)
	if err != nil {
		return "", err
	}
	folder, _, nested := strings.Cut(clean, "/")
	switch {
	case strings.HasSuffix(p, "/"), clean == ".", !nested && slices.Contains(folders, clean):
		return "", badPath(p, "is a directory, not a file", "directories are made with the files in them")
	case nested && !slices.Contains(folders, folder), !nested && !matchesAny(rootFiles, clean):
		return "", badPath(p, "is outside what can be written",
			"write to src/, public/ or scripts/, or a configuration file at the root")
	}
	if matchesAny(reserved, clean) {
		return "", badPath(p, "belongs to the starter and cannot be changed", "put your code in src/App.tsx and the files it imports")
	}
	return clean, nil
}

// matchesAny reports whether a pattern matches the path, in any case. The patterns
// are koda's own; the test of the package shows that they are well formed.
func matchesAny(patterns []string, p string) bool {
	p = strings.ToLower(p)
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		pattern = strings.ToLower(pattern)
		if dir, ok := strings.CutSuffix(pattern, "/**"); ok {
			return strings.HasPrefix(p, dir+"/")
		}
		ok, err := path.Match(pattern, p)
		return ok && err == nil
	})
}

func badPath(p, what, hint string) error {
	return &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("path %q %s", clip(p, 80), what), Hint: hint}
}
