// Package recipe knows recipes as data: folders with a manifest, a score and page
// code, from which the offline author makes projects. No Go code knows a certain recipe.
//
// A folder NAME holds recipe.json, the manifest: what the recipe is about, the words by
// which people mean it, and its parameters with type, range, defaults by style and
// words. It holds score.ts, pure code from parameters to scenes and keyframes, and may
// hold src/, page code of its own. A manifest names a base, a folder beside it with
// base.json (styles and the parameters that all its recipes share) and src/, the page
// code that lies beneath.
//
// A project carries what made it: the manifest in src/recipe/recipe.json, the score
// beside it, the base's and the recipe's page code in src. So a later koda, with other
// recipes, still edits the project by the rules that made it.
//
// Values of parameters are canonical strings: numbers in their shortest form, colours as
// #rrggbb, lists and rows as JSON. [Param.Parse] makes them, [Param.JSON] gives them the
// type that the score and the page read.
package recipe
