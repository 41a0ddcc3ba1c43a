package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/tui/theme"
)

// Bounds for the file of typed lines.
const (
	maxTyped     = 500
	maxTypedSize = 1 << 20
)

// typedFile is the name of the file, in koda's home.
const typedFile = "typed"

// newline stands for a new line within a text in the file.
const newline = "␤"

// typedLines are the lines that a person typed at prompts, in this run and in earlier
// runs, the latest last. Only the person can read them, and they are only a comfort: a
// broken file counts as empty.
type typedLines struct{ file string }

// load reads the lines; there are none if the file does not exist.
func (t typedLines) load() ([]string, error) {
	info, err := os.Lstat(t.file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Size() > maxTypedSize) {
		return nil, nil
	}
	data, err := os.ReadFile(t.file)
	if err != nil {
		return nil, fmt.Errorf("read typed lines: %w", err)
	}
	var lines []string
	for line := range strings.SplitSeq(string(data), "\n") {
		if strings.TrimSpace(line) != "" && theme.Clean(line) == line {
			lines = append(lines, line)
		}
	}
	return lines[max(0, len(lines)-maxTyped):], nil
}

// toKeep reports whether a line is kept. A line that begins with a blank is not kept,
// because the blank asks for it, nor is a line that looks like a secret.
func toKeep(line string) bool {
	return len(line) >= 3 && !unicode.IsSpace([]rune(line)[0]) && !config.LooksSecret(line)
}

// add keeps a line, unless it equals the last line.
func (t typedLines) add(line string) error {
	if t.file == "" {
		return nil
	}
	lines, err := t.load()
	if err != nil {
		return err
	}
	if n := len(lines); n > 0 && lines[n-1] == line {
		return nil
	}
	lines = append(lines, line)
	lines = lines[max(0, len(lines)-maxTyped):]
	if err := os.MkdirAll(filepath.Dir(t.file), 0o700); err != nil {
		return fmt.Errorf("make koda's home: %w", err)
	}
	var data bytes.Buffer
	for _, l := range lines {
		data.WriteString(l + "\n")
	}
	if err := atomicfile.Write(t.file, data.Bytes(), 0o600); err != nil {
		return fmt.Errorf("keep the typed line: %w", err)
	}
	return nil
}
