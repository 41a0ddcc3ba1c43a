// Package tool is the catalogue of tools an author acts through: names, JSON
// schemas, path rules, time limits and error codes, and the [Toolbox] that
// executes them.
//
// Both authors use the same tools, so todos, thinking lines, messages, files
// and errors look the same whoever works. The package validates every call and
// routes it to narrow interfaces that the engine implements; it touches no
// disk, process or network itself.
package tool
