// Package repo reads commits out of git repositories of the person.
//
// It owns how koda speaks to git. A repository is only read, and nothing that its
// configuration names is run: a clone may come from anybody.
//
// In the repository itself only `git rev-parse` runs, to find the object that a reference
// means. The files come by `git archive` in a git directory of koda's own, which has the
// repository's objects and nothing else of it. So filters, textconv, hooks, fsmonitor,
// promisor remotes, GPG programs, replaced objects and attributes of the repository have no
// say, and the files are the bytes of the commit: Git LFS pointers stay pointers, `$Format$`
// stays as it is, and export-ignore leaves nothing out.
//
// It refuses references that look like options. Links and submodules are left out, and links
// are told. Sizes are those of projects: see package projectfs.
//
// Invariants: nothing is written into the repository or its work tree; no file lies outside of
// the directory of the copy; a copy appears whole under its name, or not at all.
package repo
