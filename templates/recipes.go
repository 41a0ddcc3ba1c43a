package templates

import (
	"embed"
	"io/fs"
)

//go:embed recipes
var recipes embed.FS

// Recipe is the code of a recipe of the offline author, laid over the starter's
// files, its root at the project's root. It is the same for every project: what
// differs is in src/theatre/params.json and state.json, which the author writes.
// An unknown name is an empty file system.
func Recipe(name string) fs.FS { return sub(recipes, "recipes/"+name) }
