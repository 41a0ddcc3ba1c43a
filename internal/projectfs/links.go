package projectfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
// the person named it, and it is theirs to have links.
func NoLinksTo(dir, file string) error {
	if name, ok := Inside(dir, file); ok {
		return NoLinks(dir, name)
	}
	return nil
}

// Inside gives the slash-separated path of an absolute path below dir; false when
// it is not below dir. It reads the texts only.
func Inside(dir, file string) (name string, ok bool) {
	rel, err := filepath.Rel(dir, file)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
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
