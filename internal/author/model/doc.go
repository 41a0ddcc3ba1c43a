// Package model is the author that asks a language model: it asks the question, proposes
// the plan, and builds the animation by tools.
//
// It also answers questions about a project, of whichever author: the model reads the files
// and the history, by tools that write nothing.
//
// It owns what the model is told and how an answer is judged. A question and a plan are
// calls of tools with a schema; an answer that breaks a rule of plans goes back with the
// violation. A todo is a conversation: the model calls tools, gets their results, and ends
// the todo by a call of finish, which koda grants once the page builds and draws.
//
// It refuses to know services, files and prices: it asks through the desk's model and
// acts through the desk's toolbox. What the model is told comes from templates/prompts.
//
// Invariants:
//
//   - Every request follows from what the author was given and from journaled answers, so
//     that a todo done again after a crash pays no answer twice. The author keeps nothing
//     between two calls of its methods.
//   - What never changes stands first in a request: tools, then the texts for all todos.
//     Then comes the project, and then the todo.
//   - An answer that was cut is never acted upon: adapters return whole answers only, and of an
//     answer that reached its length the last call is missing.
//   - Text of files, data and tools is put between tags, and the model is told that it is
//     material.
//   - Everything ends: calls of the model, tries of an error, and calls repeated in vain are
//     counted.
package model
