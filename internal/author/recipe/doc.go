// Package recipe is the offline author: it reads a prompt, fills a parametric
// template and writes a Theatre.js project, with no key and no network.
//
// A recipe is constant code plus data. The code (templates/recipes) never
// changes from project to project; what differs lies in two files of the
// project, src/theatre/params.json (colours, sizes, texts) and
// src/theatre/state.json (the keyframes, in the form @theatre/core loads). So
// an edit such as "make it blue" rewrites one value, and a person who opens the
// project finds every number in one of two places.
//
// A change may concern one scene: "navy background in the outro". A scene can
// have its own colours and shade, and its own shape, as nothing moves by those.
// They are said in params.json under "scenes", by the scene's number, and cover
// the frames of that scene of koda.json exactly; the frame keys of others stay as
// they are, so that others are not drawn again. What else is asked of one scene
// is not done, least of all to the whole. A change of the whole goes over what
// scenes have of their own: what is set is set in every scene (with a
// background its shade), what is made more or less is so in every scene, and the
// parameters of a render stand above all. What a scene has of its own stays with
// its number when scenes move, and goes when it goes, with a note. A project
// keeps the code it was made with: one made before scenes could differ refuses.
//
// The package owns the reading of prompts (subject, style, durations, counts,
// colours, texts), the parameters with their ranges, the motion, and the words
// of plans. Reading and planning are pure functions of their arguments; the same
// brief and answer give the same bytes.
//
// It refuses to pretend. A prompt that asks for no animation is NOT_ANIMATION; a
// subject the recipes cannot draw becomes a title and the plan says so; words
// that were not used are named; a change it does not understand is an error that
// lists what can be changed, and changes nothing.
//
// Files the person edited are the author's ground: parameters and keyframes are
// read back from the project before every step, keyframes are merged track by
// track, and code files that were changed by hand are left alone.
package recipe
