package guest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Scratch is a directory of a sandbox on a disk that has no bound of its own.
type Scratch struct {
	Dir  string
	Most int64 // bytes of disk that its files may use
	// Full ends all that may write there. The error is DISK_FULL.
	Full func(error)
}

const (
	lookEvery = time.Second
	// mostEntries bounds the files of a scratch directory, and so the time to look at
	// them.
	mostEntries = 100_000
	// spare is what may be written while the scratch directory is full: enough to delete
	// files.
	spare = 16 << 20
)

// Watch looks at the use of the directory every second until ctx ends. If it is more than
// allowed, Watch calls Full, and again whenever it has grown since.
func (s Scratch) Watch(ctx context.Context) {
	allowed := s.Most
	again := time.NewTimer(lookEvery)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
		used := s.used()
		if used > allowed {
			s.Full(&koda.Error{Code: koda.CodeDiskFull, Op: fmt.Sprintf("the sandbox used more than %d MB of disk in %s; all that ran there was ended", s.Most>>20, s.Dir)})
			used = s.used()
			allowed = math.MaxInt64
		}
		allowed = max(s.Most, min(allowed, used+min(spare, math.MaxInt64-used)))
		again.Reset(lookEvery)
	}
}

// used is how many bytes of disk the files use, those without a name included. What cannot
// be looked at counts as too much.
func (s Scratch) used() int64 {
	top, err := os.Lstat(s.Dir)
	if err != nil {
		return 0
	}
	device := top.Sys().(*syscall.Stat_t).Dev
	seen := map[uint64]bool{} // files with several names, or none
	var used int64
	count := func(info fs.FileInfo) {
		st := info.Sys().(*syscall.Stat_t)
		if st.Dev != device || st.Nlink != 1 && seen[st.Ino] {
			return
		}
		if st.Nlink != 1 && !info.IsDir() {
			seen[st.Ino] = true
		}
		used += st.Blocks * 512
	}
	entries := 0
	for dirs := []string{s.Dir}; len(dirs) > 0; {
		dir := dirs[len(dirs)-1]
		dirs = dirs[:len(dirs)-1]
		err := each(dir, func(info fs.FileInfo) error {
			if entries++; entries > mostEntries {
				return errors.New("there are too many files")
			}
			count(info)
			if info.IsDir() {
				dirs = append(dirs, filepath.Join(dir, info.Name()))
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return math.MaxInt64
		}
	}
	open, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return used
	}
	for _, fd := range open {
		if info, err := os.Stat(fd); err == nil && info.Mode().IsRegular() && info.Sys().(*syscall.Stat_t).Nlink == 0 {
			count(info)
		}
	}
	return used
}

// each calls do for the entries of a directory. If the directory's owner may not read it,
// he may from now on.
func each(dir string, do func(fs.FileInfo) error) error {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) {
		if err := os.Chmod(dir, 0o700); err != nil {
			return err
		}
		f, err = os.Open(dir)
	}
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	for {
		entries, err := f.ReadDir(1000)
		for _, e := range entries {
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue // deleted meanwhile
			}
			if err == nil {
				err = do(info)
			}
			if err != nil {
				return err
			}
		}
		if err != nil {
			if err == io.EOF { //nolint:errorlint // as ReadDir promises
				return nil
			}
			return err
		}
	}
}
