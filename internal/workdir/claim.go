package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// claim makes the directory, or takes a directory that is empty.
func claim(parent, name string, exact bool, known func(dir string) bool) (string, error) {
	for n := 1; ; n++ {
		dir := filepath.Join(parent, name)
		if n > 1 {
			dir = filepath.Join(parent, fmt.Sprintf("%s-%d", name, n))
		}
		err := os.Mkdir(dir, 0o755)
		switch {
		case err == nil:
			return dir, nil
		case !errors.Is(err, fs.ErrExist) || n > 100_000:
			return "", err
		case untouched(dir), !known(dir) && forsaken(dir):
			return dir, nil
		case exact:
			return "", &koda.Error{
				Code: koda.CodeExists, Op: fmt.Sprintf("there already is a %s", dir),
				Hint: "choose another --name or --dir, or leave --name out to get a free one",
			}
		}
	}
}

// newDirs are the directories of a project before any work on it.
var newDirs = []string{".", metaDir, rendersDir, previewsDir}

// ignoreTemp matches the name of an unfinished .gitignore. Whoever locks the directory
// removes such a file.
var ignoreTemp = regexp.MustCompile(`^(\.koda/)?\.\.gitignore\.[0-9]+\.tmp$`)

// untouched reports whether dir is empty, or was only made (or half made) for a project
// and never locked. Then no project began in dir, and no journal names it.
func untouched(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return false
	}
	return only(dir, func(name string, d fs.DirEntry) bool {
		return d.IsDir() && slices.Contains(newDirs, name) || d.Type().IsRegular() && (ignores(dir, name) || ignoreTemp.MatchString(name))
	})
}

// only reports whether everything in dir, and dir itself as ".", fits.
func only(dir string, fits func(name string, d fs.DirEntry) bool) bool {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil && !fits(filepath.ToSlash(name), d) {
			err = fs.ErrExist
		}
		return err
	})
	return err == nil
}

// forsaken reports whether a process locked dir and was killed before the first
// checkpoint. It removes what that process had copied into dir.
func forsaken(dir string) bool {
	if info, err := os.Lstat(filepath.Join(dir, lockName)); err != nil || !info.Mode().IsRegular() || !unbegun(dir, nil) {
		return false
	}
	f, err := flock(dir)
	if err != nil {
		return false // the owner lives
	}
	defer f.Close() //nolint:errcheck // closing is what unlocks
	var copies []string
	if !unbegun(dir, func(name string) { copies = append(copies, name) }) {
		return false // the owner went on meanwhile
	}
	for _, name := range slices.Backward(copies) { // their list comes last
		if removeFile(dir, name) != nil {
			return false
		}
	}
	return true
}

// unbegun reports whether dir holds only what is there before a project's first
// checkpoint. Copied, if it is set, is called with each copy of a file that the person
// brought, finished or not, and with the list of copies.
func unbegun(dir string, copied func(name string)) bool {
	f, err := projectfs.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // only read
	assets := readAssets(f)
	dirs := slices.Concat(newDirs, []string{"public"}, slices.Collect(maps.Values(assetDirs)))
	return only(dir, func(name string, d fs.DirEntry) bool {
		switch {
		case d.IsDir():
			return slices.Contains(dirs, name)
		case !d.Type().IsRegular():
			return false
		case ignores(dir, name) || name == lockName:
			return true
		case name != assetsName && !tempName.MatchString(d.Name()):
			have, err := look(f, name)
			if err != nil || assets[name] == "" || assets[name] != have.digest {
				return false
			}
		}
		if copied != nil {
			copied(name)
		}
		return true
	})
}
