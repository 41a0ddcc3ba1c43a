package projectfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/koda-video/koda/internal/koda"
)

// NoLinks refuses a path in the project of dir of which an element is a link, as
// far as it exists, with INVALID_PATH. It is asked before something is written to
// or removed at that path. Name is slash-separated and must not leave dir.
func NoLinks(dir, name string) error {
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

// NoLinksTo is NoLinks for an absolute path that may lie outside of dir: then
// the person named it, and it is theirs to have links. It lies in dir by whichever
// name dir is reached, be it a link.
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

func notRegular(name string) error {
	return &koda.Error{Code: koda.CodeInvalidPath, Op: name + " is not a regular file", Hint: "move it away"}
}
