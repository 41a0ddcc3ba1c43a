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
	MaxFile  = projectfs.MaxFile  // bytes of one file; less for code, see there
	MaxTotal = projectfs.MaxTotal // bytes of all files of a checkpoint
	MaxFiles = projectfs.MaxSaved
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

// Storage keeps project directories. Several goroutines may use one *Storage. Only the
// holder of a directory's lock may call methods that write to it (Checkpoint, AddAsset,
// Remove).
type Storage struct {
	Now     func() time.Time // the time in lock files
	Release string           // the version of koda in lock files

	mu sync.Mutex // one checkpoint at a time
}

// Create makes a new project directory below parent, which must exist. A derived name
// that is taken gets "-2", "-3", …; if an exact name is taken, the error is EXISTS. A
// directory in which no project began does not count as taken: it is empty, or its maker
// was killed before the first checkpoint, and no journal knows it. If the maker lives,
// Lock tells it that another process was faster. Create returns the absolute directory,
// whose base name is the project's name.
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

// Furnish adds to an existing directory whatever a new project's directory has and this
// directory lacks. After a crash, the same call goes on.
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

// ignored are the files that hide videos and koda's own files from a person's git.
var ignored = map[string]string{ignoreName: "*\n", videosIgnore: "/" + rendersDir + "/\n/" + previewsDir + "/\n"}

// ignore writes the files of ignored, unless the person has such a file. If a faster
// maker owns the same directory, it may remove an unfinished file as a leftover. Then its
// own file is there.
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

// ignores reports whether a file of dir is one of ignored, exactly as koda writes it.
func ignores(dir, name string) bool {
	text, ok := ignored[name]
	if !ok {
		return false
	}
	data, err := projectfs.ReadFile(dir, name)
	return err == nil && string(data) == text
}

// meta makes sure that dir is one of koda's project directories. If not, the error is
// NOT_FOUND. If its .koda, or a directory of koda's in it, is a link, the error is
// INVALID_PATH.
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
		Code: koda.CodeNotFound, Op: fmt.Sprintf("%s: %s is not a koda project", op, dir), Hint: "koda list shows all projects",
	}
}

// fail turns err into an error that a person can act on. An error that already is one
// passes unchanged.
func fail(op, path string, err error) error {
	var known *koda.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	if full := koda.DiskFull(op, err, fmt.Sprintf("free space on the disk that holds %s, then go on", path)); full != nil {
		return full
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return &koda.Error{Code: koda.CodeStorageFailed, Op: op, Err: err, Hint: fmt.Sprintf("make %s writable, or choose another directory", path)}
	}
	return &koda.Error{Code: koda.CodeStorageFailed, Op: op, Err: err}
}

// writeFile writes a file of the project and makes its directories durable too.
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
