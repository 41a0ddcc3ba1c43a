// Package hush keeps koda from asking the terminal anything before main.
//
// Bubble Tea asks the terminal for the colour of its background when the process
// starts, whatever the command is (tea_init.go of its v1). A terminal that never
// answers, as in a container with -t, would cost `koda version` five seconds, and its
// log would hold `ESC]11;?`. termenv, which asks, holds a stream for no terminal while
// the environment has CI. So this package sets CI when the process starts, and main
// calls [End] at once: no child process sees it.
//
// It owns that one variable, and refuses to change the value a person gave it.
//
// Invariant: it imports os only. Go initialises packages that wait for nothing in the
// order of their import paths, so this package comes before
// github.com/muesli/termenv, and thus before Bubble Tea, which needs that. With a
// further import it might come later.
package hush
