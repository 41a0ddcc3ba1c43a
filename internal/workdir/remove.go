package workdir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/projectfs"
)

// videoSuffixes are the endings of files that koda puts into renders/ and previews/.
var videoSuffixes = []string{".strip", ".mp4", ".mov", ".webm", ".mkv", ".gif", ".png", ".apng", ".jpg", ".jpeg", ".webp"}

// Remove deletes what koda made in the directory: generated files that nobody changed
// since the last checkpoint, copies of assets, videos in renders/ and previews/, and
// .koda; then the directory itself, if it is empty. Remove returns what it left behind
// because it is the person's, by path relative to dir. A directory that koda did not make
// appears as one path that ends in "/".
//
// NOT_FOUND: the directory is not a project; it stays untouched. After a crash, the same
// call goes on.
func (s *Storage) Remove(dir string) (left []string, err error) {
	const op = "delete project"
	s.mu.Lock()
	defer s.mu.Unlock()
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	if err := meta(op, dir); err != nil {
		return nil, err
	}
	// Without a readable state, every generated file counts as the person's.
	v, err := readView(dir)
	if err != nil {
		v = view{}
	}
	f, err := projectfs.Open(dir)
	if err != nil {
		return nil, fail(op, dir, err)
	}
	defer f.Close() //nolint:errcheck // only read
	assets := readAssets(f)
	for path := range union(v.old, v.next, assets) {
		d, err := look(f, path)
		if err != nil || d.digest == "" || !v.ours(path, d.digest) && assets[path] != d.digest {
			continue // a file of the person, or a file that is gone
		}
		if err := removeFile(dir, path); err != nil {
			return nil, fail(op, dir, err)
		}
	}
	for _, videos := range []string{rendersDir, previewsDir} {
		if err := removeVideos(filepath.Join(dir, videos)); err != nil {
			return nil, fail(op, dir, err)
		}
	}
	if ignores(dir, videosIgnore) {
		if err := removeFile(dir, videosIgnore); err != nil {
			return nil, fail(op, dir, err)
		}
	}
	for _, folder := range folders {
		pruneDirs(filepath.Join(dir, folder))
	}
	if left, err = leftovers(dir); err != nil {
		return nil, fail(op, dir, err)
	}
	if err := os.RemoveAll(filepath.Join(dir, metaDir)); err != nil {
		return nil, fail(op, dir, err)
	}
	if len(left) > 0 {
		return left, nil
	}
	if err := os.Remove(dir); err != nil {
		return nil, fail(op, dir, err)
	}
	return nil, fail(op, dir, atomicfile.SyncDir(filepath.Dir(dir)))
}

// removeVideos removes koda's outputs below root, and root if it is empty. Links stay.
func removeVideos(root string) error {
	info, err := os.Lstat(root)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		ours := slices.Contains(videoSuffixes, strings.ToLower(filepath.Ext(path))) || tempName.MatchString(d.Name())
		if d.Type().IsRegular() && ours {
			return os.Remove(path)
		}
		return nil
	})
	pruneDirs(root)
	return err
}

// pruneDirs removes root and the directories below it that are empty.
func pruneDirs(root string) {
	info, err := os.Lstat(root)
	if err != nil || !info.IsDir() {
		return
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			pruneDirs(filepath.Join(root, e.Name()))
		}
	}
	_ = os.Remove(root) //nolint:errcheck // a directory that is not empty stays
}

// leftovers lists what is in dir besides .koda.
func leftovers(dir string) ([]string, error) {
	known := slices.Concat(folders, []string{rendersDir, previewsDir})
	var left []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return fmt.Errorf("name %s: %w", p, err)
		}
		path := filepath.ToSlash(rel)
		top, _, _ := strings.Cut(path, "/")
		switch {
		case path == metaDir:
			return fs.SkipDir
		case d.IsDir() && !slices.Contains(known, top):
			left = append(left, path+"/")
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		left = append(left, path)
		return nil
	})
	return left, err
}

// readAssets reads, by digest, which files koda copied into the project for the person.
// The list may have come from anywhere, so entries that cannot be copies are left out. If
// the list is damaged, all entries are left out; then Remove only leaves more behind.
func readAssets(f *projectfs.FS) map[string]string {
	assets := map[string]string{}
	data, err := f.ReadFile(assetsName)
	if err != nil || json.Unmarshal(data, &assets) != nil || assets == nil {
		return map[string]string{}
	}
	maps.DeleteFunc(assets, func(name, digest string) bool {
		copied := slices.Contains(slices.Collect(maps.Values(assetDirs)), parentOf(name))
		return !copied || ValidPath(name) != nil || !isDigest(digest)
	})
	return assets
}
