// Package score runs the scores of recipes: pure JavaScript that turns parameters into
// scenes and keyframes.
//
// A score has no clock, no randomness, no files and no network: the engine is goja, an
// interpreter in Go, and koda takes Date and Math.random away. So a score gives the same
// keyframes on every machine, on every day.
//
// Goja bounds neither steps nor memory. Koda's own scores run in this process. Any other
// score runs in a child process with limits: see [Runner.Run].
package score
