// Package archtest is the shape of koda as tests: which package may import
// which, what only one place may do, how large things get, and that what the
// guides name exists.
//
// The tables in its test files are the architecture; each ban has its reason,
// which is printed with the finding. A package the table does not know fails,
// so that a new one is given its place. What may differ stands in a list of
// exceptions with reasons, and an exception nothing needs any more fails too.
//
// It reads source files and runs nothing, so it works on a tree that does not
// build yet. Floors bind what ships: test files may import what they like.
package archtest
