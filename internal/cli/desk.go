package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/tui/theme"
)

// Typed are the texts of the file that the plain dialogue keeps as well.
func (s *studioSession) Typed() []string {
	kept, err := s.a.typedLines()
	if err != nil {
		return nil
	}
	lines, _ := kept.load() //nolint:errcheck // earlier lines are only a comfort
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], newline, "\n")
	}
	return lines
}

func (s *studioSession) Keep(text string) {
	text = strings.ReplaceAll(theme.Clean(text), "\n", newline)
	if kept, err := s.a.typedLines(); err == nil && toKeep(text) {
		_ = kept.add(text) //nolint:errcheck // likewise
	}
}

func (s *studioSession) Compose(text string) (func() (string, error), error) {
	env := func(name string) string {
		v, _ := s.a.io.Env(name)
		return strings.TrimSpace(v)
	}
	set := "EDITOR"
	if env("VISUAL") != "" {
		set = "VISUAL"
	}
	hint := "export " + set + "=nano, or whatever you write with"
	editor := env(set)
	if editor == "" {
		return nil, usage(hint, "no editor is set")
	}
	return func() (string, error) {
		left, err := s.write(editor, text)
		var exit *proc.ExitError
		switch {
		case !errors.As(err, &exit):
		case exit.Status == 127: // of the shell: there is no such program
			err = usage(hint, "there is no editor %s", editor)
		case exit.Status == 126:
			err = usage(hint, "the editor %s cannot be run", editor)
		default:
			err = &koda.Error{Code: koda.CodeFailed, Op: fmt.Sprintf("the editor %s failed with exit status %d", editor, exit.Status), Hint: "the text is as it was"}
		}
		return left, err
	}, nil
}

// Install prepares a run of commands.
func (s *studioSession) Install(commands []string) func() error {
	return func() error {
		in, out := s.a.io.Screen()
		s.a.io.away.Store(true)
		defer s.a.io.away.Store(false)
		for _, c := range commands {
			_, _ = fmt.Fprintf(out, "\n$ %s\n", c) //nolint:errcheck // the terminal is gone
			if err := proc.Foreground(proc.Spec{Path: "/bin/sh", Args: []string{"-c", "trap : INT\n" + c}, Env: os.Environ()}, in, out); err != nil {
				return &koda.Error{Code: koda.CodeFailed, Op: "`" + c + "` failed", Err: err, Hint: "in a terminal of your own you see why"}
			}
		}
		return nil
	}
}

// write runs the editor on a text and returns what the person left. As in a shell, editor
// may have arguments.
func (s *studioSession) write(editor, text string) (string, error) {
	dir, err := os.MkdirTemp("", "koda-")
	if err != nil {
		return "", fmt.Errorf("write the text for the editor: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() //nolint:errcheck // the system removes it later
	const name = "koda.txt"
	file := filepath.Join(dir, name)
	if err := atomicfile.Write(file, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("write the text for the editor: %w", err)
	}
	in, out := s.a.io.Screen()
	s.a.io.away.Store(true)
	defer s.a.io.away.Store(false)
	shell := proc.Spec{Path: "/bin/sh", Args: []string{"-c", "trap : INT\n" + editor + ` "$1"`, "sh", file}, Env: os.Environ()}
	if err := proc.Foreground(shell, in, out); err != nil {
		return "", fmt.Errorf("run the editor: %w", err)
	}
	left, err := projectfs.ReadFile(dir, name)
	if err == nil && len(left) > maxTypedSize {
		err = usage("bring longer material with --asset", "the text is longer than koda can take")
	}
	if err != nil {
		return "", fmt.Errorf("read the edited text: %w", err)
	}
	return strings.TrimRight(string(left), "\n"), nil
}
