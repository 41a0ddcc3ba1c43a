// Package recipe is the offline author: it reads a prompt, fills a parametric
// template and writes a Theatre.js project, with no key and no network.
//
// A recipe is constant code plus data. The code (templates/recipes) never
// changes from project to project. Two files of the project hold what differs:
// src/theatre/params.json (colours, sizes, texts) and src/theatre/state.json (the
// keyframes, in the form @theatre/core loads). So an edit such as "make it blue"
// rewrites one value, and a person who opens the project finds every number in one
// of two places.
//
// A change may concern one scene: "navy background in the outro". A scene can
// have its own colours and shade, and its own shape, as these move nothing.
// params.json holds them under "scenes", by the scene's number. They cover exactly
// the frames of that scene of koda.json. The frame keys of other scenes stay as
// they are, so other scenes are not drawn again. Any other change of one scene is
// refused; it is never made to the whole instead. A change of the whole goes over
// the scenes' own values: a value that is set is set in every scene (a background
// with its shade), and a value that is made more or less is made so in every scene.
// The parameters of a render stand above all. A scene's own values stay with its
// number when scenes move, and go when the scene goes, with a note. A project keeps
// the code it was made with: a project made before scenes could differ refuses.
//
// The package owns the reading of prompts (subject, style, durations, counts,
// colours, texts), the parameters with their ranges, the motion, and the words
// of plans. Reading and planning are pure functions of their arguments; the same
// brief and answer give the same bytes.
//
// It refuses to pretend. A prompt that asks for no animation is NOT_ANIMATION. A
// subject the recipes cannot draw becomes a title, and the plan says so. Words
// that were not used are named. A change it does not understand is an error that
// lists what can be changed, and changes nothing.
//
// The author builds on files the person edited: parameters and keyframes are read
// back from the project before every step, keyframes are merged track by track,
// and code files that were changed by hand stay as they are.
package recipe
