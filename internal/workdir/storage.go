package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// Limits of a project's files. They keep a mistake (a database dropped into
// public/) from filling memory and disk, and are far above what animations need.
const (
	MaxFile  = projectfs.MaxFile  // bytes of one file; of code, see there
	MaxTotal = projectfs.MaxTotal // bytes of all files of a checkpoint
	MaxFiles = 5000
)

// Names inside a project directory.
const (
	metaDir      = ".koda"
	stateName    = metaDir + "/state.json"
	prevName     = metaDir + "/state.prev.json"
	pendingName  = metaDir + "/pending.json"
	ignoreName   = metaDir + "/.gitignore"
	videosIgnore = ".gitignore"
	assetsName   = metaDir + "/assets.json"
	lockName     = metaDir + "/lock"
	logName      = metaDir + "/log"
	versionsDir  = metaDir + "/versions"
	objectsDir   = versionsDir + "/objects"
	conflictsDir = metaDir + "/conflicts"
	rendersDir   = "renders"
	previewsDir  = "previews"
)

// Storage keeps project directories. It is used by pointer, by several
// goroutines if need be. What writes to a directory (Checkpoint, AddAsset,
// Remove) is for the holder of its lock to call.
type Storage struct {
	Now     func() time.Time // for what locks say
	Release string           // version of koda, for what locks say

	mu sync.Mutex // one checkpoint at a time
}

// Create makes a new project directory below parent, which must exist. A
// derived name that is taken gets "-2", "-3", …; an exact one is EXISTS. A
// directory in which no project began takes no name: one that is empty, or whose
// maker was killed before there was a checkpoint, unless it is known to a
// journal. A maker that lives finds by Lock that another process was faster. It
// returns the absolute directory, whose base name is the project's name.
func (s *Storage) Create(parent, name string, exact bool, known func(dir string) bool) (string, error) {
	const op = "create project directory"
	if err := ValidName(name); err != nil {
		return "", err
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return "", fmt.Errorf("%s: %w", op, err)
	}
	info, err := os.Stat(parent)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", &koda.Error{
			Code: koda.CodeNotFound, Op: fmt.Sprintf("%s: %s does not exist", op, parent),
			Hint: fmt.Sprintf("create it with: mkdir -p %s", parent),
		}
	case err == nil && !info.IsDir():
		return "", &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("%s: %s is not a directory", op, parent), Hint: "give a directory with --dir"}
	case err != nil:
		return "", fail(op, parent, err)
	}
	dir, err := claim(parent, name, exact, known)
	if err != nil {
		return "", fail(op, parent, err)
	}
	if err := s.Furnish(dir); err != nil {
		return "", err
	}
	return dir, fail(op, parent, atomicfile.SyncDir(parent))
}

// Furnish gives a directory that is there what a new project's has, as far as it
// is missing. The same call after a crash goes on.
func (s *Storage) Furnish(dir string) error {
	const op = "create project directory"
	for _, sub := range []string{metaDir, rendersDir, previewsDir} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fail(op, dir, err)
		}
	}
	if err := meta(op, dir); err != nil {
		return err
	}
	if err := ignore(dir); err != nil {
		return fail(op, dir, err)
	}
	return fail(op, dir, atomicfile.SyncDir(dir))
}

// ignored is what keeps koda's own, and videos, out of sight of a person's git.
var ignored = map[string]string{ignoreName: "*\n", videosIgnore: "/" + rendersDir + "/\n/" + previewsDir + "/\n"}

// ignore writes what is in ignored, unless the person has such a file. A maker of
// the same directory that was faster, and owns it, takes an unfinished file for
// one that was left behind: then its own is there.
func ignore(dir string) error {
	for _, name := range []string{ignoreName, videosIgnore} {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		err := atomicfile.Write(path, []byte(ignored[name]), 0o644)
		if _, there := os.Lstat(path); err != nil && (!errors.Is(err, fs.ErrNotExist) || there != nil) {
			return err
		}
	}
	return nil
}

// ignores reports whether a file of dir is one of ignored, as koda writes it.
func ignores(dir, name string) bool {
	text, ok := ignored[name]
	if !ok {
		return false
	}
	data, err := projectfs.ReadFile(dir, name)
	return err == nil && string(data) == text
}

// meta makes sure that dir is a project directory of koda's: NOT_FOUND when
// not, INVALID_PATH when its .koda, or a directory of koda's own in it, is a link.
func meta(op, dir string) error {
	info, err := os.Lstat(filepath.Join(dir, metaDir))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return notProject(op, dir)
	case err != nil:
		return fail(op, dir, err)
	case !info.IsDir():
		return &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("%s: %s in %s is not a directory", op, metaDir, dir), Hint: "put the directory itself there"}
	}
	for _, own := range []string{objectsDir, conflictsDir} {
		if err := projectfs.NoLinks(dir, own); err != nil {
			return fail(op, dir, err)
		}
	}
	return nil
}

func notProject(op, dir string) error {
	return &koda.Error{
		Code: koda.CodeNotFound, Op: fmt.Sprintf("%s: %s is no koda project", op, dir), Hint: "koda list shows all projects",
	}
}

// fail turns err into what a person can act on; errors that already are pass
// unchanged.
func fail(op, path string, err error) error {
	var known *koda.Error
	var reason syscall.Errno
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case errors.As(err, &reason) && (reason == syscall.ENOSPC || reason == syscall.EDQUOT):
		// Which of its files did not fit helps nobody.
		return &koda.Error{
			Code: koda.CodeDiskFull, Op: op, Err: reason, Details: err.Error(),
			Hint: fmt.Sprintf("free space on the disk that holds %s, then go on", path),
		}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return &koda.Error{Code: koda.CodeStorageFailed, Op: op, Err: err, Hint: fmt.Sprintf("make %s writable, or choose another directory", path)}
	}
	return &koda.Error{Code: koda.CodeStorageFailed, Op: op, Err: err}
}

// writeFile writes a file of the project, making its directories durable too.
func writeFile(dir, rel string, data []byte, perm fs.FileMode) error {
	if err := mkdirAll(dir, parentOf(rel)); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, rel), data, perm)
}

func parentOf(rel string) string {
	if i := strings.LastIndexByte(rel, '/'); i >= 0 {
		return rel[:i]
	}
	return ""
}

// mkdirAll makes the directory rel below dir. A link on the way is refused.
func mkdirAll(dir, rel string) error {
	if rel == "" {
		return nil
	}
	abs := filepath.Join(dir, rel)
	info, err := os.Lstat(abs)
	switch {
	case err == nil && info.IsDir():
		return projectfs.NoLinks(dir, rel)
	case err == nil:
		return notDirectory(rel, info)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := mkdirAll(dir, parentOf(rel)); err != nil {
		return err
	}
	if err := os.Mkdir(abs, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return atomicfile.SyncDir(filepath.Dir(abs))
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func notDirectory(rel string, info fs.FileInfo) error {
	if err := projectfs.Readable(rel, info); err != nil {
		return err
	}
	return &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("%s is not a directory", rel), Hint: "move it away"}
}
