package templates

import (
	"embed"
	"io/fs"
)

//go:embed recipes
var recipes embed.FS

// Recipes is koda's own recipes, a folder each; see the package recipe. The folders
// classic and stage hold what recipes share, words the vocabulary of prompts.
func Recipes() fs.FS { return sub(recipes, "recipes") }

// Words is the vocabulary of prompts that all recipes share, a file for each language.
func Words() fs.FS { return sub(recipes, "recipes/words") }
