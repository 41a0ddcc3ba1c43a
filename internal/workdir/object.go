package workdir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
)

// digestOf is the hex SHA-256 of data.
func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func objectName(digest string) string { return objectsDir + "/" + digest[:2] + "/" + digest }

// putObject stores data under its digest, unless it is there already.
func putObject(dir, digest string, data []byte) error {
	info, err := os.Lstat(filepath.Join(dir, objectName(digest)))
	if err == nil && info.Mode().IsRegular() && info.Size() == int64(len(data)) {
		return nil
	}
	if err := writeFile(dir, objectName(digest), data, 0o444); err != nil {
		return fmt.Errorf("store content: %w", err)
	}
	return nil
}

// getObject reads a content and checks it against its digest.
func getObject(dir, digest string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(dir, objectName(digest)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &koda.Error{
			Code: koda.CodeStorageFailed, Op: "read stored content", Err: lost{objectName(digest)},
			Hint: "restore it from a backup",
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read stored content: %w", err)
	}
	if digestOf(data) != digest {
		return nil, &koda.Error{
			Code: koda.CodeStorageFailed, Op: "read stored content", Err: fmt.Errorf("%s is damaged", objectName(digest)),
			Hint: "restore it from a backup",
		}
	}
	return data, nil
}

// lost is the error of a content that is not there any more.
type lost struct{ name string }

func (l lost) Error() string { return l.name + " is missing" }
func (l lost) Unwrap() error { return fs.ErrNotExist }

// onDisk is what a directory holds at a path.
type onDisk struct {
	digest string // of a regular file; "" when there is none
	dir    bool   // a directory stands there
	file   string // path of a regular file that stands on the way
}

// look reads what is at path below dir. Links are INVALID_PATH, and so is what
// is neither file nor directory.
func look(dir, path string) (onDisk, error) {
	for at := parentOf(path); at != ""; at = parentOf(at) {
		info, err := os.Lstat(filepath.Join(dir, at))
		if err != nil {
			continue // missing: then all below is, too
		}
		if info.Mode().IsRegular() {
			return onDisk{file: at}, nil
		}
		if !info.IsDir() {
			return onDisk{}, notDirectory(at, info)
		}
	}
	info, err := os.Lstat(filepath.Join(dir, path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return onDisk{}, nil
	case err != nil:
		return onDisk{}, err
	case info.IsDir():
		return onDisk{dir: true}, nil
	case info.Mode().Type() == fs.ModeSymlink:
		return onDisk{}, isLink(path)
	case !info.Mode().IsRegular():
		return onDisk{}, notRegular(path)
	}
	digest, err := hashFile(filepath.Join(dir, path))
	return onDisk{digest: digest}, err
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// replaceFile gives a project file new content and keeps its mode.
func replaceFile(dir, path string, data []byte) error {
	perm := fs.FileMode(0o644)
	if info, err := os.Lstat(filepath.Join(dir, path)); err == nil && info.Mode().IsRegular() {
		perm = info.Mode().Perm()
	}
	return writeFile(dir, path, data, perm)
}

// removeFile removes a project file; the directories that are empty then go
// too, but not the project's own.
func removeFile(dir, path string) error {
	if err := os.Remove(filepath.Join(dir, path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for at := parentOf(path); at != ""; at = parentOf(at) {
		if os.Remove(filepath.Join(dir, at)) != nil {
			return atomicfile.SyncDir(filepath.Join(dir, at))
		}
	}
	return atomicfile.SyncDir(dir)
}

// removeEmptyDirs removes root and the directories below it; a file in one of
// them is an error.
func removeEmptyDirs(root string) error {
	var dirs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, path)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for i := len(dirs) - 1; i >= 0 && err == nil; i-- {
		err = os.Remove(dirs[i])
	}
	return err
}
