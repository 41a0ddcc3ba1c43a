package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// outputFile says where a file goes. Given is what the person said: "" means
// home/base.format; otherwise given is a directory, or a path that has the ending of
// format or no ending. The directory need not exist, but makeDir must be able to make it.
// In the directory of t, koda writes nothing through a link, because the link may have
// come with the directory.
func (t target) outputFile(given, base, format string, noClobber bool) (string, error) {
	path := given
	switch {
	case given == "":
		path = filepath.Join(t.home(), base+"."+format)
	case given == "-":
		return "", usage("give a file: --output "+base+"."+format, "nothing can be written to standard output")
	case isDir(given) || strings.HasSuffix(given, string(filepath.Separator)):
		path = filepath.Join(given, base+"."+format)
	case isDevice(given):
		return "", usage("give a file: --output "+base+"."+format, "%s is not a file that can be replaced", given)
	case filepath.Ext(given) == "":
		path = given + "." + format
	case formatOf(given) != format:
		return "", usage("give the file the ending ."+format, "%s is not a name for a %s file", given, format)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find directory: %w", err)
	}
	if err := projectfs.NoLinksTo(t.dir, path); err != nil {
		return "", err
	}
	if err := canHold(filepath.Dir(path), given, filepath.Base(path)); err != nil {
		return "", err
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "", usage("give a shorter one with --output", "the name of the output is too long, it has %d bytes", len(filepath.Base(path)))
	case err != nil:
		return "", fmt.Errorf("look at %s: %w", path, err)
	case noClobber:
		return "", &koda.Error{Code: koda.CodeExists, Op: path + " exists", Hint: "leave out --no-clobber to replace it, or give another --output"}
	case !info.Mode().IsRegular() && info.Mode().Type() != fs.ModeSymlink:
		return "", usage("give another --output", "%s is not a file that can be replaced", path)
	}
	return path, nil
}

// severalIn reports whether the person gave a directory for the videos of several
// presets. The directory need not exist.
func severalIn(given string, presets int) (bool, error) {
	if presets < 2 || given == "" {
		return false, nil
	}
	if !isDir(given) && (filepath.Ext(given) != "" || exists(given)) {
		return false, usage("give a directory, or leave it out", "%s cannot be the output of %d presets", given, presets)
	}
	return true, nil
}

// outputDir says where a directory of frames goes: to the place the person said, or to
// otherwise.
func (t target) outputDir(given, otherwise string) (string, error) {
	if given == "-" {
		return "", usage("give a directory: --output "+filepath.Base(otherwise), "nothing can be written to standard output")
	}
	path, err := filepath.Abs(cmp.Or(given, otherwise))
	if err != nil {
		return "", fmt.Errorf("find directory: %w", err)
	}
	if err := projectfs.NoLinksTo(t.dir, path); err != nil {
		return "", err
	}
	if err := canHold(filepath.Dir(path), given, filepath.Base(path)); err != nil {
		return "", err
	}
	if exists(path) && !isDir(path) {
		return "", usage("png is a directory of frames: give another --output", "%s is not a directory", path)
	}
	return path, nil
}

// canHold refuses a directory for the file name if the directory is not a directory,
// cannot be made, or cannot be written to. Given is what the person said; "" means
// nothing.
func canHold(dir, given, name string) error {
	hint := "give another --output"
	if given == "" {
		hint = "say where it goes: -o " + name
	}
	for at := dir; ; at = filepath.Dir(at) {
		switch info, err := os.Stat(at); {
		case (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) && at != filepath.Dir(at):
			continue
		case err != nil:
			return usage(hint, "%s cannot be written to: %v", dir, reason(err))
		case !info.IsDir():
			return usage(hint, "%s is not a directory", at)
		}
		if err := unwritable(at); err != nil {
			return usage(hint, "%s cannot be written to: %v", dir, err)
		}
		return nil
	}
}

// unwritable says why koda can make nothing in a directory; nil if it can.
func unwritable(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }

// reason is what the system says about a path, without the path.
func reason(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// writeFailed is WRITE_FAILED with a hint, or DISK_FULL.
func writeFailed(op string, err error, hint string) error {
	if full := koda.DiskFull(op, err, "make room, then try again"); full != nil {
		return full
	}
	return &koda.Error{Code: koda.CodeWriteFailed, Op: op, Err: reason(err), Hint: hint}
}

// makeDir makes the directory of a file, once the file will certainly be made.
func makeDir(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return writeFailed("make the directory of the output", err, "give another --output")
	}
	return nil
}
