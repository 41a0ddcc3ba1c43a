// Package hostos is the sandbox.Host of this machine: it starts programs as
// child processes of koda and keeps their temporary files.
//
// It owns the environment programs get (a short list, not koda's own: keys in
// koda's environment never reach a browser or an encoder) and the temporary
// directories. It refuses nothing else: what a program may do is the business
// of whoever starts it.
//
// [Commands] runs the commands and terminals of a sandbox as children of this
// process. It builds no walls: it is for the program that koda puts into a container,
// and for tests.
//
// A temporary directory is named after the koda process and the machine that
// made it, koda-PID.STARTED-MACHINE-PREFIX-RANDOM, so that [Sweep] can remove
// what processes killed before their time left behind, their browsers included.
// When a process was started tells it from a later one of the same number. The
// machine is in the name because a temporary root may be shared with a
// container, where the same number is another process.
package hostos
