package projectfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// NoLinks refuses a path in the project of dir if an existing part of the path is a link;
// the error is INVALID_PATH. Callers ask before they write or remove something at the
// path. Name is slash-separated and must not leave dir.
func NoLinks(dir, name string) error {
	if err := isText(name); err != nil {
		return err
	}
	if !fs.ValidPath(name) {
		return &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("path %.80q leads out of the project", name)}
	}
	for end := range len(name) + 1 {
		if end < len(name) && name[end] != '/' {
			continue
		}
		info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name[:end])))
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			return nil
		case err != nil:
			return err
		case info.Mode().Type() == fs.ModeSymlink:
			return isLink(name[:end])
		}
	}
	return nil
}

// NoLinksTo is NoLinks for an absolute path. If the path lies outside dir, the person
// named it and may have links on it. If dir itself is reached through a link, the path
// still counts as inside dir.
func NoLinksTo(dir, file string) error {
	project, err := os.Stat(dir)
	if err != nil || !filepath.IsAbs(file) {
		return nil //nolint:nilerr // then nothing is in it
	}
	file, name := filepath.Clean(file), ""
	for at := filepath.Dir(file); ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && os.SameFile(info, project) {
			name = filepath.ToSlash(strings.TrimPrefix(file[len(at):], string(filepath.Separator)))
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if name == "" {
		return nil
	}
	return NoLinks(dir, name)
}

func isLink(name string) error {
	return &koda.Error{
		Code: koda.CodeInvalidPath, Op: name + " is a symbolic link",
		Hint: "koda neither follows nor replaces links in a project; put the file itself there",
	}
}

// isText refuses a name whose bytes are no text: no page can ask for it.
func isText(name string) error {
	if utf8.ValidString(name) {
		return nil
	}
	return &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("path %q is not UTF-8", name), Hint: "rename it, or move it out of the project"}
}

func notRegular(name string) error {
	return &koda.Error{Code: koda.CodeInvalidPath, Op: name + " is not a regular file", Hint: "move it away"}
}
