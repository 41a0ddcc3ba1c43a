package templates

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed recipes
var recipes embed.FS

// Recipe is the page code of a recipe of the offline author by path from the
// project's root, to be laid over the starter's files: what the classic recipes share,
// and what is its own. It is the same for every project: what differs is in
// src/theatre/params.json and state.json, which the author writes. An unknown
// name has no code of its own.
func Recipe(name string) map[string]string {
	code := map[string]string{}
	for _, dir := range []string{"classic", name} {
		files := sub(recipes, "recipes/"+dir)
		_ = fs.WalkDir(files, "src", func(path string, d fs.DirEntry, err error) error { //nolint:errcheck // embedded; a missing directory has no files
			if err != nil || d.IsDir() || strings.HasPrefix(path, "src/classic/") {
				return err // src/classic belongs to the scores
			}
			content, err := fs.ReadFile(files, path)
			code[path] = string(content)
			return err
		})
	}
	return code
}
