package control

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
)

// suffix ends the name of every socket.
const suffix = ".sock"

// maxPath is the longest path of a socket that systems take; with its final zero
// byte it fills the address.
const maxPath = len(syscall.RawSockaddrUnix{}.Path) - 1

// Path is where the owner of a project listens.
func Path(dir, project string) string { return filepath.Join(dir, project+suffix) }

// private makes the directory of the sockets, for this user alone.
func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || !proc.Own(info) {
		return fmt.Errorf("%s is not a directory of yours", dir)
	}
	if info.Mode().Perm() == 0o700 {
		return nil
	}
	return os.Chmod(dir, 0o700)
}

// listen makes the socket. A socket that is already there belongs to a dead owner.
func listen(dir, project string) (*net.UnixListener, error) {
	if err := private(dir); err != nil {
		return nil, err
	}
	path := Path(dir, project)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var l *net.UnixListener
	err := reach(path, func(path string) (err error) {
		if l, err = net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"}); err == nil {
			l.SetUnlinkOnClose(false) // the name may be a passing link
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close(), os.Remove(path))
	}
	return l, nil
}

// dial connects to the owner of a project.
func dial(ctx context.Context, dir, project string) (conn net.Conn, err error) {
	err = reach(Path(dir, project), func(path string) (err error) {
		conn, err = (&net.Dialer{}).DialContext(ctx, "unix", path)
		return err
	})
	return conn, err
}

// reach calls f with a name of the path that is short enough for a socket: the path
// itself, or a path through a link that exists only while f runs.
func reach(path string, f func(path string) error) (err error) {
	if len(path) <= maxPath {
		return f(path)
	}
	dir, err := os.MkdirTemp("", "koda-")
	if err == nil && len(filepath.Join(dir, "s", filepath.Base(path))) > maxPath {
		err = errors.Join(os.Remove(dir), errors.New("the directory of temporary files is too long for a socket"))
	}
	if err != nil {
		return err
	}
	link := filepath.Join(dir, "s")
	defer func() { err = errors.Join(err, ignoreMissing(os.Remove(link)), os.Remove(dir)) }()
	if err := os.Symlink(filepath.Dir(path), link); err != nil {
		return err
	}
	return f(filepath.Join(link, filepath.Base(path)))
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// nobody reports whether a failed dial says that no process listens.
func nobody(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)
}

// staleAge is the age from which no process can be about to listen on a socket.
const staleAge = time.Minute

// Stale lists the sockets in dir that killed owners left. The next owner of the
// same project replaces its socket; the other sockets may be removed.
func Stale(ctx context.Context, dir string, now time.Time) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // there is no directory yet
	}
	var stale []string
	for _, e := range entries {
		project, ok := strings.CutSuffix(e.Name(), suffix)
		info, err := e.Info()
		if !ok || err != nil || info.Mode().Type() != fs.ModeSocket || !proc.Own(info) || now.Sub(info.ModTime()) < staleAge {
			continue
		}
		conn, err := dial(ctx, dir, project)
		if err == nil {
			_ = conn.Close() //nolint:errcheck // nothing was sent
		} else if errors.Is(err, syscall.ECONNREFUSED) {
			stale = append(stale, filepath.Join(dir, e.Name()))
		}
	}
	return stale
}

// failed is the error when others cannot be reached.
func failed(op string, err error) error {
	return &koda.Error{Code: koda.CodeStorageFailed, Op: op, Err: err, Hint: "make $KODA_HOME a directory of yours that can be written"}
}
