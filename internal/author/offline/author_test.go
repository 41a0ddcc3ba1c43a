package offline_test

import (
	"flag"
	"sync"

	"github.com/koda-video/koda/internal/author/offline"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/score"
	"github.com/koda-video/koda/templates"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// author is the author with koda's own recipes.
var author = sync.OnceValue(func() *offline.Author {
	library, err := recipe.Load(templates.Recipes())
	if err != nil {
		panic(err)
	}
	a, err := offline.New(library, templates.Words(), score.NewRunner(bundler().Score, proc.Self(score.ChildArg)))
	if err != nil {
		panic(err)
	}
	return a
})
