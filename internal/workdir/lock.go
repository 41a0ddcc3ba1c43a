package workdir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/projectfs"
)

// holder is what a lock file says about the project's owner.
type holder struct {
	PID     int       `json:"pid"`
	Host    string    `json:"host"`
	Since   time.Time `json:"since"`
	Version string    `json:"version"`
	Started string    `json:"started,omitempty"` // when that process started, see proc.Started
	// Brief says that the owner will be done in a moment, so that others wait for it.
	Brief bool `json:"brief,omitempty"`
	// Socket is where other processes reach the owner. It is for people to read: a
	// process that connects knows the path, and never trusts what a directory says about
	// it.
	Socket string `json:"socket,omitempty"`
}

// Lock makes this process the owner of the directory until release is called. IN_USE
// names the present owner. The lock is the kernel's, so it ends with its process, however
// the process ends. Lock finishes or cleans up what a dead owner left half done.
func (s *Storage) Lock(dir string) (release func() error, err error) { return s.lock(dir, false) }

// Hold is Lock for work that takes a moment: another process that wants the directory
// waits and does not get IN_USE.
func (s *Storage) Hold(dir string) (release func() error, err error) { return s.lock(dir, true) }

// Announce notes where other processes reach this process, the owner of the directory.
func (s *Storage) Announce(dir, socket string) error {
	h, ok := readHolder(dir)
	if !ok || h.PID != os.Getpid() {
		return nil // the owner could not sign
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_WRONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return fmt.Errorf("announce owner: %w", err)
	}
	h.Socket = socket
	return errors.Join(write(f, h), f.Close())
}

// InUse reports whether a living process owns the directory for more than a moment. InUse
// takes no lock.
func (s *Storage) InUse(dir string) bool {
	h, ok := readHolder(dir)
	if !ok || h.Brief {
		return false
	}
	host, err := os.Hostname()
	return err != nil || h.Host != host || proc.Lives(h.PID, h.Started)
}

func (s *Storage) lock(dir string, brief bool) (release func() error, err error) {
	const op = "lock project"
	if err := meta(op, dir); err != nil {
		return nil, err
	}
	f, err := flock(dir)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, inUse(dir)
	}
	if err != nil {
		return nil, fail(op, dir, err)
	}
	// The name of the holder is a courtesy. On a full disk the lock holds without it.
	_ = s.sign(f, brief) //nolint:errcheck // see above
	s.mu.Lock()
	defer s.mu.Unlock()
	removeTemps(dir)
	// If the disk is full, the checkpoint cannot be finished now. It still holds, and the
	// next checkpoint finishes it. The project must open all the same.
	_ = s.finish(dir) //nolint:errcheck // see above
	return func() error {
		// The file stays, because removing it would let two owners lock two files.
		// Emptying the file says that nobody is there; that is for people only.
		_ = f.Truncate(0) //nolint:errcheck // closing is what unlocks
		if err := f.Close(); err != nil && !errors.Is(err, fs.ErrClosed) {
			return fmt.Errorf("unlock project: %w", err)
		}
		return nil
	}, nil
}

// Lock waits for another owner that will be done in a moment, or that is just coming or
// going. These are the bounds of the waiting.
const (
	lockTries = 100
	lockPause = 10 * time.Millisecond
)

// flock opens the lock file of dir and locks it. If a Remove replaces the file between
// the two, flock begins again.
func flock(dir string) (*os.File, error) {
	path := filepath.Join(dir, lockName)
	for try := 0; ; {
		if info, err := os.Lstat(path); err == nil {
			if err := projectfs.Readable(lockName, info); err != nil {
				return nil, err
			}
		}
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o644)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != nil {
			err = errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
			if h, signed := readHolder(dir); errors.Is(err, syscall.EWOULDBLOCK) && (h.Brief || !signed) && try < lockTries {
				try++
				<-time.After(lockPause)
				continue
			}
			return nil, err
		}
		mine, err1 := f.Stat()
		named, err2 := os.Lstat(path)
		if err1 == nil && err2 == nil && os.SameFile(mine, named) {
			return f, nil
		}
		if err := errors.Join(err1, f.Close()); err != nil {
			return nil, err
		}
		if err2 != nil && !errors.Is(err2, fs.ErrNotExist) {
			return nil, err2
		}
	}
}

// readHolder reads who owns a directory; false if no owner signed.
func readHolder(dir string) (h holder, ok bool) {
	data, err := projectfs.ReadFile(dir, lockName)
	return h, err == nil && json.Unmarshal(data, &h) == nil && h.PID > 0
}

// sign writes the holder of the lock into the lock file. The file is written in place,
// because the lock is on the file, not on its name.
func (s *Storage) sign(f *os.File, brief bool) error {
	h := holder{PID: os.Getpid(), Version: s.Release, Started: proc.Started(os.Getpid()), Brief: brief}
	if s.Now != nil {
		h.Since = s.Now()
	}
	if host, err := os.Hostname(); err == nil {
		h.Host = host
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	return write(f, h)
}

// write puts h into an empty file. A reader sees nothing, a part of h, or h.
func write(f *os.File, h holder) error {
	data, err := json.Marshal(h)
	if err != nil {
		return fmt.Errorf("describe owner: %w", err)
	}
	_, err = f.WriteAt(append(data, '\n'), 0)
	return err
}

func inUse(dir string) error {
	e := &koda.Error{
		Code: koda.CodeInUse, Op: fmt.Sprintf("project %q is in use by another process", filepath.Base(dir)),
		Hint: "wait until it is done, or end it",
	}
	// If the owner could not sign, the sentence has no name.
	if h, ok := readHolder(dir); ok {
		e.Op = fmt.Sprintf("project %q is in use by koda %s, process %d on %s since %s",
			filepath.Base(dir), h.Version, h.PID, h.Host, h.Since.Local().Format("2006-01-02 15:04:05"))
		e.Hint = fmt.Sprintf("wait until it is done, or end it with: kill %d", h.PID)
		if h.Socket != "" {
			name := filepath.Base(dir)
			e.Hint = fmt.Sprintf("`koda follow %s` shows what it does, `koda cancel %s` ends it, saved", name, name)
		}
	}
	return e
}

// tempName matches the names that atomicfile gives to unfinished files. It is stricter
// than atomicfile.IsTemp, which also matches a person's own ".notes.tmp".
var tempName = regexp.MustCompile(`^\..+\.[0-9]+\.tmp$`)

// removeTemps removes files that dead writers left behind. Only the owner calls it, so
// nobody writes such a file now. A file that cannot be removed stays and harms nobody.
func removeTemps(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { //nolint:errcheck // the function returns no error
		switch {
		case err != nil:
			return fs.SkipDir
		case d.IsDir() && path != dir && (d.Name() == "node_modules" || d.Name() == ".git"):
			return fs.SkipDir
		case d.Type().IsRegular() && tempName.MatchString(d.Name()) && atomicfile.IsTemp(d.Name()):
			_ = os.Remove(path) //nolint:errcheck // see above
		}
		return nil
	})
}
