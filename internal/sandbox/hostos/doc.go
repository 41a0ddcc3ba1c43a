// Package hostos is the sandbox.Host of this machine: it starts programs as
// child processes of koda and keeps their temporary files.
//
// It owns the temporary directories and the environment that programs get. That
// environment is a short list and not koda's own, so keys in koda's environment
// never reach a browser or an encoder. It refuses nothing else: whoever starts a
// program decides what the program may do.
//
// [Commands] runs the commands and terminals of a sandbox as children of this
// process. It confines nothing: it is for the program that koda puts into a
// container, and for tests.
//
// A temporary directory is named after the koda process and the machine that made
// it, koda-PID.STARTED-MACHINE-PREFIX-RANDOM, so that [Sweep] can remove what
// killed processes left behind, their browsers included. The time of its start
// tells a process from a later process of the same number. The machine is in the
// name because a temporary root may be shared with a container, where the same
// number is another process.
package hostos
