// Package hostos is the sandbox.Host of this machine: it starts programs as
// child processes of koda and keeps their temporary files.
//
// It owns the temporary directories and the environment that programs get. That
// environment is a short list and not koda's own, so keys in koda's environment
// never reach a browser or an encoder. It refuses nothing else: whoever starts a
// program decides what the program may do.
//
// [Files] are the files of a sandbox in a directory. They keep these invariants:
//
//   - Files are opened through os.Root, which cannot leave the directory, and a path
//     with a symbolic link on the way is refused: no link is ever followed or made.
//   - A file is whole or unchanged. It is written under a temporary name, synced
//     and renamed. Package atomicfile does the same by path, but it cannot work
//     within an os.Root. It also syncs the directory, which a sandbox does not
//     need, as it may vanish at any moment.
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
