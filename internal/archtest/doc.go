// Package archtest tests the shape of koda: which package may import which, what
// only one place may do, how large files and functions may get, and that paths in
// the guides exist.
//
// The tables in its test files are the architecture. Each ban has a reason, which
// is printed with the finding. A package that is not in the table fails, so that
// every new package gets its place. Exceptions are listed with reasons, and an
// exception that nothing needs any more fails too.
//
// The rules read source files and run nothing, so they work on a tree that does not
// build yet. Floors bind only code that ships: test files may import any package.
//
// TestAction plays GitHub's runner for action.yml: it runs the scripts of .ci/action as
// the steps say.
package archtest
