// Package sandboxtest tests the contract of sandboxes: every kind passes [Run].
//
// It checks what the comments of package sandbox promise, with real files and,
// where a kind can run them, real commands. It is imported by tests only.
package sandboxtest
