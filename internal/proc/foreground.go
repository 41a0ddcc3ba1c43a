package proc

import (
	"os"
	"os/exec"
)

// Foreground runs a child that has koda's own terminal, such as an editor, until it ends:
// nil, or an *ExitError. Unlike other children it stays in koda's process group, so that
// the keys of the terminal reach it, and ctrl+z stops both. The keys that interrupt reach
// koda as well: the caller does not heed them meanwhile. Spec's Pipe and Stdin mean
// nothing here.
func Foreground(spec Spec, in, out *os.File) error {
	cmd := exec.Command(spec.Path, spec.Args...)
	cmd.Env, cmd.Dir = spec.Env, spec.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	return exitError(cmd, cmd.Run(), "")
}
