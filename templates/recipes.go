package templates

import (
	"embed"
	"io/fs"
)

//go:embed recipes
var recipes embed.FS

// Recipe is the code of a recipe of the offline author, by path from the project's
// root: the files that all recipes share and the recipe's own files. They are laid
// over the starter's files. The code is the same for every project; the author
// writes what differs into src/theatre/params.json and state.json. For an unknown
// name only the shared files are returned.
func Recipe(name string) map[string]string {
	code := map[string]string{}
	for _, dir := range []string{"shared", name} {
		files := sub(recipes, "recipes/"+dir)
		_ = fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error { //nolint:errcheck // embedded; a missing directory has no files
			if err != nil || d.IsDir() {
				return err
			}
			content, err := fs.ReadFile(files, path)
			code[path] = string(content)
			return err
		})
	}
	return code
}
