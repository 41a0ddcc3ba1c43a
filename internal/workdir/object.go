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
	"syscall"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// digestOf is the hex SHA-256 of data.
func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func objectName(digest string) string { return objectsDir + "/" + digest[:2] + "/" + digest }

// putObject stores data under its digest, unless the data is stored already.
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
	f, err := projectfs.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("read stored content: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	return getObjectIn(f, digest)
}

func getObjectIn(f *projectfs.FS, digest string) ([]byte, error) {
	data, err := f.ReadFile(objectName(digest))
	var refused *koda.Error
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = lost{objectName(digest), "missing", err}
	case errors.As(err, &refused):
		err = lost{objectName(digest), "damaged", err}
	case err != nil:
		return nil, fmt.Errorf("read stored content: %w", err)
	case digestOf(data) != digest:
		err = lost{objectName(digest), "damaged", nil}
	default:
		return data, nil
	}
	return nil, &koda.Error{Code: koda.CodeStorageFailed, Op: "read stored content", Err: err, Hint: "restore it from a backup"}
}

// lost is the error about a stored content that is gone.
type lost struct {
	name, what string
	cause      error // fs.ErrNotExist is in the chain if the content is missing
}

func (l lost) Error() string { return l.name + " is " + l.what }
func (l lost) Unwrap() error { return l.cause }

// onDisk is what lies at a path of a directory.
type onDisk struct {
	digest string // of a regular file; "" if there is no file
	dir    bool   // the path is a directory
	file   string // path of a regular file that is in the way
}

// look reads what is at path. INVALID_PATH: it is a link, or neither a file nor a
// directory.
func look(f *projectfs.FS, path string) (onDisk, error) {
	info, err := f.Stat(path)
	var way *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return onDisk{}, nil
	case errors.Is(err, syscall.ENOTDIR) && errors.As(err, &way) && way.Path != path:
		info, err := f.Stat(way.Path)
		if err == nil && !info.Mode().IsRegular() {
			err = notDirectory(way.Path, info)
		}
		return onDisk{file: way.Path}, err
	case err != nil:
		return onDisk{}, err
	case info.IsDir():
		return onDisk{dir: true}, nil
	}
	digest, err := hashFile(f, path)
	return onDisk{digest: digest}, err
}

// unknown replaces the digest of a file that is too large to be koda's.
const unknown = "too large"

func hashFile(files *projectfs.FS, path string) (string, error) {
	f, err := files.Open(path)
	if koda.CodeOf(err) == koda.CodeUsage {
		return unknown, nil
	}
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

// replaceFile gives a project file new content. The file keeps its mode.
func replaceFile(dir, path string, data []byte) error {
	perm := fs.FileMode(0o644)
	if info, err := os.Lstat(filepath.Join(dir, path)); err == nil && info.Mode().IsRegular() {
		perm = info.Mode().Perm()
	}
	return writeFile(dir, path, data, perm)
}

// removeFile removes a project file, and then the directories that are empty, except the
// project's own.
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

// removeEmptyDirs removes root and the directories below it. If one of them holds a file,
// removeEmptyDirs fails.
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
