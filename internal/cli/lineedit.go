package cli

import (
	"context"
	"errors"
	"io"

	"github.com/peterh/liner"

	"github.com/koda-video/koda/internal/koda"
)

// lineEditor reads lines that a person can edit, with the keys of Emacs, the arrows, and
// earlier lines. Between two lines the terminal is in its own mode, so that ctrl-C ends
// the work, and the person sees what they type ahead. After a SIGKILL in the middle of a
// line, the shell restores the terminal.
//
// The editor itself writes to standard output: only koda's prompts, and what is typed.
type lineEditor struct {
	state         *liner.State
	between, edit liner.ModeApplier // modes of the terminal
}

// openLineEditor is the editor of this process's terminal; nil if the terminal is too
// simple for an editor. The caller closes it.
func openLineEditor(before []string) *lineEditor {
	if !liner.TerminalSupported() {
		return nil
	}
	e := &lineEditor{}
	var err error
	if e.between, err = liner.TerminalMode(); err != nil {
		return nil
	}
	e.state = liner.NewLiner()
	e.state.SetCtrlCAborts(true)
	e.state.SetMultiLineMode(true)
	e.state.SetBeep(false)
	if e.edit, err = liner.TerminalMode(); err != nil {
		e.close()
		return nil
	}
	for _, line := range before {
		e.state.AppendHistory(line)
	}
	return e
}

// line reads a line. The error is io.EOF for ctrl-D, INTERRUPTED for ctrl-C, or the cause
// of ctx. After the cause of ctx, the editor can only be closed.
func (e *lineEditor) line(ctx context.Context, prompt string) (string, error) {
	if err := e.edit.ApplyMode(); err != nil {
		return "", io.EOF // the terminal is gone
	}
	read := make(chan line, 1)
	go func() {
		text, err := e.state.Prompt(prompt)
		read <- line{text, err}
	}()
	defer func() { _ = e.between.ApplyMode() }() //nolint:errcheck // the terminal may be gone
	select {
	case l := <-read:
		if errors.Is(l.err, liner.ErrPromptAborted) {
			return "", &koda.Error{Code: koda.CodeInterrupted, Op: "interrupted"}
		}
		return l.text, l.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

func (e *lineEditor) close() {
	_ = e.state.Close()       //nolint:errcheck // it never fails
	_ = e.between.ApplyMode() //nolint:errcheck // the terminal may be gone
}
