// Package offline is the author without a model: it makes Theatre.js projects from
// recipes, with no key and no network.
//
// A prompt is read into wishes, a recipe is chosen that fits them, its parameters are
// filled, and the recipe's score says which scenes and keyframes follow. A project then
// is constant code plus data. Two files hold what differs from project to project:
// src/theatre/params.json (texts, colours, data) and src/theatre/state.json (the
// keyframes, in the form that @theatre/core loads). So an edit such as "make it blue"
// rewrites one value, and a person who opens the project finds every number in one of
// two places.
//
// No code here knows a certain recipe: recipes are data, see the package recipe. A
// project carries what made it. Edits and the rows of a batch use the manifest and the
// score of the project, not those of this koda. Projects of older versions, which carry
// neither, use the recipe of the same name.
//
// The author refuses to pretend. A prompt that asks for no animation, or for what no
// recipe draws, is NOT_ANIMATION, and the hint names the nearest recipes. Words that were
// not used are named. A change that is not understood is an error that says what can be
// changed, and changes nothing.
//
// The author builds on files that the person edited: parameters and keyframes are read
// back from the project before every step, keyframes are merged track by track, and code
// that was changed by hand stays as it is.
package offline
