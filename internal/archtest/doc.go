// Package archtest tests the shape of koda: which package may import which, what
// only one place may do, how large files and functions may get, and that paths in
// the guides exist.
//
// The tables in its test files are the architecture. Each ban has a reason, which
// is printed with the finding. A package that is not in the table fails, so that
// every new package gets its place. Exceptions are listed with reasons, and an
// exception that nothing needs any more fails too.
//
// It reads source files and runs nothing, so it works on a tree that does not build
// yet. Floors bind only code that ships: test files may import any package.
package archtest
