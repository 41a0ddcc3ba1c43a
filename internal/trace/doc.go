// Package trace tells a collector of OpenTelemetry what takes time in koda's work: a turn, its
// calls of models and tools, and the bundles, renders and segments in it.
//
// It owns the spans and the exporter. It refuses to tell what people said, made or own: a span
// has numbers, names of koda's own words, and ids, never a prompt, a text of a model, a key, a
// path or the message of an error.
//
// Invariants:
//
//   - Until [Export] is called, a span costs one look at a variable.
//   - A collector that is slow or gone holds up no work and fails no work: spans are sent from
//     a queue that drops what it cannot take, and the end waits for [flushFor] at most.
//   - The global provider of the OpenTelemetry library stays as it is, so no library that koda
//     uses adds spans of its own.
package trace
