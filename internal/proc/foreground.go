package proc

import (
	"fmt"
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

// Relay runs a child on the streams given until it ends: nil, or an *ExitError. The child
// stays in koda's process group, as in Foreground, and gets the signals that come from the
// channel. If koda is killed, a keeper ends the child and all that it started. Spec's Pipe,
// Stdin and Stderr mean nothing here.
func Relay(spec Spec, in, out, errs *os.File, signals <-chan os.Signal) error {
	cmd := exec.Command(spec.Path, spec.Args...)
	cmd.Env, cmd.Dir = spec.Env, spec.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
	k := newKeeper()
	defer k.done()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", spec.Path, err)
	}
	k.of(cmd.Process.Pid)
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case <-ended:
				return
			case sig := <-signals:
				_ = cmd.Process.Signal(sig) //nolint:errcheck // it has ended
			}
		}
	}()
	return exitError(cmd, cmd.Wait(), "")
}
