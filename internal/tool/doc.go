// Package tool is the catalogue of tools an author acts through, and the
// [Box] that executes them.
//
// It owns names, JSON schemas, path rules, time limits and error codes. Both
// authors use the same tools, so todos, thinking lines, messages, files and
// errors look the same whoever works: a model calls [Toolbox.Call], a recipe
// the typed helpers ([WriteFile], [ReadFile], [EditFile], …) that go through
// the same Call.
//
// It refuses to act. It touches no disk, process, network or clock. Tools act
// through the narrow interfaces of [Deps], which the engine and the sandbox
// implement.
//
// Invariants:
//
//   - Schema and decoder of an input are both made from one Go type of io.go,
//     so a model is told exactly what is accepted.
//   - An input is accepted whole or refused whole, before anything is done.
//     The refusal names every wrong field, up to a bound.
//   - Every failure is a *koda.Error: UNKNOWN_TOOL, INVALID_INPUT, or a code of
//     the tool; INTERRUPTED when the caller gave up. LIMIT_REACHED and the like
//     from parts below pass as they are.
//   - Only paths of [WritablePath] are ever written or deleted, and every
//     koda.json that is written is valid.
//
// The rules for paths and commands here are a courtesy to authors, who get a
// sentence to act on. The sandbox is the boundary: it resolves paths without
// following links and keeps commands away from the host.
package tool
