package proc

import (
	"fmt"
	"io"
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

// gate becomes the child when a line comes. If koda is killed before its keeper knows the child, none comes, and the child does not begin.
const gate = `read -r go <&3 && exec 3<&- && exec "$@"`

// Relay runs a child on the streams given until it ends: nil, or an *ExitError. The child
// stays in koda's process group, as in Foreground, and gets the signals that come from the
// channel. If koda is killed, a keeper ends the child and all that it started. Spec's Pipe,
// Stdin and Stderr mean nothing here.
func Relay(spec Spec, in, out, errs *os.File, signals <-chan os.Signal) error {
	hear, tell, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("start %s: %w", spec.Path, err)
	}
	defer tell.Close() //nolint:errcheck // a pipe end
	cmd := exec.Command("/bin/sh", append([]string{"-c", gate, "sh", spec.Path}, spec.Args...)...)
	cmd.Env, cmd.Dir, cmd.ExtraFiles = spec.Env, spec.Dir, []*os.File{hear}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
	k := newKeeper()
	defer k.done()
	err = cmd.Start()
	_ = hear.Close() //nolint:errcheck // a pipe end
	if err != nil {
		return fmt.Errorf("start %s: %w", spec.Path, err)
	}
	k.of(cmd.Process.Pid)
	_, _ = io.WriteString(tell, "\n") //nolint:errcheck // then it has ended
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
