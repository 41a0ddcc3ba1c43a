package render

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// The names below Config.CacheDir.
const (
	segmentsName = "segments"
	lockName     = "segments.lock"
)

// lock is held on a cache: shared by renders, which count on the files they
// found, exclusive by whoever removes some. It ends with the process. On file
// systems without locks nobody holds any, and a render that loses a file fails
// and is run again.
type lock struct{ file *os.File }

// lockCache takes a lock of the kind how; false means that another has one and
// how says not to wait.
func lockCache(dir string, how int) (lock, bool) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return lock{}, errors.Is(err, fs.ErrNotExist)
	}
	for {
		err = syscall.Flock(int(f.Fd()), how) //nolint:gosec // a descriptor fits an int
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		_ = f.Close() //nolint:errcheck // nothing was written
		return lock{}, false
	}
	return lock{f}, true
}

func (l lock) release() {
	if l.file != nil {
		_ = l.file.Close() //nolint:errcheck // nothing was written; the lock goes with it
	}
}

// Trimmed is what a trim of a cache did, or would do.
type Trimmed struct {
	Files     int   `json:"files"` // removed
	Bytes     int64 `json:"bytes"`
	Kept      int   `json:"kept"`
	KeptBytes int64 `json:"keptBytes"`
	Partial   int   `json:"partial"` // half-written files removed, not in Files
	Busy      bool  `json:"busy"`    // a render is at work: nothing was touched
}

// cached is a file of the cache.
type cached struct {
	path string
	size int64
	used time.Time
}

// cacheName is what a file of a cache is called: by a digest, and what it is.
var cacheName = regexp.MustCompile(`^[0-9a-f]{64}\.(mp4|webm|mov|sound|ref|code|last|alpha|shots)(\.sum)?$`)

// named reports whether koda gives that name to a file of a cache; half: until
// it is whole.
func named(name string) (ours, half bool) {
	if target, ok := atomicfile.Target(name); ok {
		return cacheName.MatchString(target), true
	}
	return cacheName.MatchString(name), false
}

// notLinked makes sure that neither a directory of segments nor the cache it is
// in is a link: what lies at its end may be anybody's.
func notLinked(segments string) error {
	cache := filepath.Dir(segments)
	if err := projectfs.NoLinks(filepath.Dir(cache), filepath.Base(cache)+"/"+filepath.Base(segments)); err != nil {
		return &koda.Error{
			Code: koda.CodeStorageFailed, Op: "trim the cache " + cache, Err: err,
			Hint: "nothing is removed through a link: to keep the cache elsewhere, set KODA_HOME",
		}
	}
	return nil
}

// Trim removes the finished segments and sound tracks in a cache that were not
// used for the longest time until the others have at most limit bytes, and what killed
// renders left half written. A limit below 0 is none. While a render is at work
// on the cache nothing is touched. With dryRun nothing is removed. Files whose
// names koda does not give are not counted and not removed, and nothing is
// removed in a directory that is a link.
func Trim(ctx context.Context, dir string, limit int64, dryRun bool) (Trimmed, error) {
	if err := notLinked(filepath.Join(dir, segmentsName)); err != nil {
		return Trimmed{}, err
	}
	held, free := lockCache(dir, syscall.LOCK_EX|syscall.LOCK_NB)
	defer held.release()
	t := Trimmed{Busy: !free}
	entries, err := os.ReadDir(filepath.Join(dir, segmentsName))
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return t, &koda.Error{Code: koda.CodeReadFailed, Op: "read the cache", Err: err}
	}
	var files, notes, sums []cached
	for _, e := range entries {
		info, err := e.Info()
		ours, half := named(e.Name())
		if err != nil || !info.Mode().IsRegular() || !ours {
			continue
		}
		file := cached{filepath.Join(dir, segmentsName, e.Name()), info.Size(), info.ModTime()}
		switch {
		case half:
			if free && remove(file.path, dryRun) == nil {
				t.Partial++
			}
		case isNote(e.Name()):
			notes = append(notes, file)
		case filepath.Ext(e.Name()) == sumExt:
			sums = append(sums, file)
		default:
			files = append(files, file)
			t.Kept, t.KeptBytes = t.Kept+1, t.KeptBytes+file.size
		}
	}
	if t.Busy || limit < 0 {
		return t, nil
	}
	slices.SortFunc(files, func(a, b cached) int { return a.used.Compare(b.used) })
	for _, f := range files {
		if t.KeptBytes <= limit {
			break
		}
		if ctx.Err() != nil {
			return t, ctx.Err()
		}
		if err := remove(f.path, dryRun); err != nil {
			return t, koda.DiskError("trim the cache", err)
		}
		t.Files, t.Bytes = t.Files+1, t.Bytes+f.size
		t.Kept, t.KeptBytes = t.Kept-1, t.KeptBytes-f.size
	}
	for _, sum := range sums {
		if _, err := os.Stat(strings.TrimSuffix(sum.path, sumExt)); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := remove(sum.path, dryRun); err != nil {
			return t, koda.DiskError("trim the cache", err)
		}
	}
	// What is noted about segments goes with the last of its age.
	for _, n := range notes {
		if t.Files > 0 && (t.Kept == 0 || n.used.Before(files[t.Files].used)) {
			if err := remove(n.path, dryRun); err != nil {
				return t, koda.DiskError("trim the cache", err)
			}
		}
	}
	return t, nil
}

func remove(path string, dryRun bool) error {
	if dryRun {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s: %w", path, err)
	}
	return nil
}
