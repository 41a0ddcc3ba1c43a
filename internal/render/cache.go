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

// lock is held on a cache. Renders share it, as they count on the files they found;
// whoever removes files holds it alone. It ends with the process. On file systems
// without locks nobody holds a lock, and a render that loses a file fails and is
// run again.
type lock struct{ file *os.File }

// lockCache takes a lock of the kind how. It returns false if another process has a
// lock and how says not to wait.
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

// Trimmed is what a trim of a cache removed, or would remove.
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

// cacheName matches the names of files of a cache: a digest, and an ending that
// says what the file is.
var cacheName = regexp.MustCompile(`^[0-9a-f]{64}\.(mp4|webm|mov|sound|ref|code|last|alpha|shots)(\.sum)?$`)

// named reports whether a name is koda's name for a file of a cache; half says that
// the file is not whole yet.
func named(name string) (ours, half bool) {
	if target, ok := atomicfile.Target(name); ok {
		return cacheName.MatchString(target), true
	}
	return cacheName.MatchString(name), false
}

// notLinked makes sure that neither a directory of segments nor its cache is a
// link: the files behind a link may be anybody's.
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

// Trim removes finished segments and sound tracks from a cache, the longest unused
// first, until the others have at most limit bytes. It also removes the
// half-written files of killed renders. A limit below 0 is no limit. While a render
// uses the cache nothing is touched. With dryRun nothing is removed. Files with
// other names than koda's are not counted and not removed, and nothing is removed
// in a directory that is a link.
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
	// Notes about segments go with the last segment of their age.
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
