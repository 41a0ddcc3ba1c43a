package fonts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/templates"
)

// Family is a family of fonts in a store.
type Family struct {
	Name    string   `json:"name"`
	Scripts []string `json:"scripts,omitempty"` // for people; empty for a font of the person
	From    string   `json:"from"`              // package and version, or the name of the person's file
	Licence string   `json:"licence,omitempty"`
	Own     bool     `json:"own,omitempty"` // a font of the person
	Faces   []Face   `json:"faces"`
}

// Face is a file of a family: a slice of its characters, or a weight.
type Face struct {
	File   string `json:"file"`             // SHA-256 and extension
	Weight int    `json:"weight,omitempty"` // 0: all weights
	Cover  Cover  `json:"cover"`
}

// Store is the fonts of a koda's home. Its methods may be called from several goroutines.
type Store struct {
	dir string

	mu       sync.Mutex
	families []Family
	read     bool
}

// Open names the store in a directory, which need not exist. It touches no disk.
func Open(dir string) *Store { return &Store{dir: dir} }

const indexName, ownName = "index.json", "own"

// setName names the fonts that this koda's lock file stands for. The number is raised
// when the layout of index.json changes.
func setName() string {
	_, lock := templates.FontsLock()
	sum := sha256.Sum256(lock)
	return "noto-1-" + hex.EncodeToString(sum[:8])
}

// Dir is the directory of the fonts that npm installs; it exists if they are installed.
func (s *Store) Dir() string { return filepath.Join(s.dir, setName()) }

// Installed reports whether the fonts that npm installs are there.
func (s *Store) Installed() bool {
	_, err := os.Stat(filepath.Join(s.Dir(), indexName))
	return err == nil
}

// Families lists the installed families, then those of the person in the order in which
// they came. READ_FAILED: an index cannot be read.
func (s *Store) Families() ([]Family, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read {
		return s.families, nil
	}
	packed, err := readIndex(s.Dir())
	if err != nil {
		return nil, err
	}
	own, err := readIndex(filepath.Join(s.dir, ownName))
	if err != nil {
		return nil, err
	}
	for i := range own {
		own[i].Own = true
	}
	s.families, s.read = slices.Concat(packed, own), true
	return s.families, nil
}

func (s *Store) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.families, s.read = nil, false
}

func readIndex(dir string) ([]Family, error) {
	data, err := os.ReadFile(filepath.Join(dir, indexName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var families []Family
	if err == nil {
		err = json.Unmarshal(data, &families)
	}
	if err != nil {
		return nil, &koda.Error{Code: koda.CodeReadFailed, Op: "read the fonts in " + dir, Err: err, Hint: "remove the directory, and add the fonts again: koda fonts add"}
	}
	return families, nil
}

// file reads the file of a face and checks its digest.
func (s *Store) file(f Family, name string) ([]byte, error) {
	dir := s.Dir()
	if f.Own {
		dir = filepath.Join(s.dir, ownName)
	}
	data, err := os.ReadFile(filepath.Join(dir, filepath.Base(name)))
	if err == nil && digest(data) != strings.TrimSuffix(name, filepath.Ext(name)) {
		err = errors.New("the file was changed")
	}
	if err != nil {
		return nil, &koda.Error{Code: koda.CodeReadFailed, Op: "read the font " + f.Name, Err: err, Hint: "add the font again: koda fonts add"}
	}
	return data, nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// maxFont bounds the file of a font.
const maxFont = 64 << 20

// AddFile takes a font of the person, and returns its family. A file of the same family
// and weight replaces the one before. USAGE: the file is no font that koda can use.
func (s *Store) AddFile(file string) (Family, error) {
	bad := func(err error) (Family, error) {
		return Family{}, &koda.Error{Code: koda.CodeUsage, Op: "add the font " + file, Err: err, Hint: "koda takes a font of type .ttf, .otf or .woff2"}
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return bad(errors.Unwrap(err))
	case !info.Mode().IsRegular():
		return bad(errNoFont)
	case info.Size() > maxFont:
		return bad(fmt.Errorf("the file has %d MB, and a font may have %d MB", info.Size()>>20, maxFont>>20))
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return bad(err)
	}
	f, err := Parse(data)
	if err != nil {
		return bad(err)
	}
	if f.Name == "" {
		f.Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	f.Name = plainName(f.Name)
	f.From, f.Own = filepath.Base(file), true
	f.Faces[0].File = digest(data) + strings.ToLower(filepath.Ext(file))
	dir := filepath.Join(s.dir, ownName)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Family{}, storage("keep the font", err)
	}
	if err := atomicfile.Write(filepath.Join(dir, f.Faces[0].File), data, 0o644); err != nil {
		return Family{}, storage("keep the font", err)
	}
	return f, s.changeOwn(func(own []Family) []Family {
		i := slices.IndexFunc(own, func(o Family) bool { return o.Name == f.Name })
		if i < 0 {
			return append(own, f)
		}
		faces := slices.DeleteFunc(own[i].Faces, func(o Face) bool { return o.Weight == f.Faces[0].Weight || o.File == f.Faces[0].File })
		own[i].Faces, own[i].From = append(faces, f.Faces[0]), f.From
		return own
	})
}

// plainName is a family as it can stand in a style sheet.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`'"\<>`, r) {
			return -1
		}
		return r
	}, name)
}

// Remove removes a family of the person, or all installed families together by the name
// of one of them. NOT_FOUND: there is no such family.
func (s *Store) Remove(name string) (removed []string, err error) {
	families, err := s.Families()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(families, func(f Family) bool { return strings.EqualFold(f.Name, name) })
	if i < 0 {
		var names []string
		for _, f := range families {
			names = append(names, f.Name)
		}
		hint := "koda fonts lists the fonts"
		if like := koda.Nearest(name, names); like != "" {
			hint = fmt.Sprintf("did you mean %q?", like)
		}
		return nil, &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("there is no font %q", name), Hint: hint}
	}
	if families[i].Own {
		return []string{families[i].Name}, s.changeOwn(func(own []Family) []Family {
			return slices.DeleteFunc(own, func(f Family) bool { return f.Name == families[i].Name })
		})
	}
	for _, f := range families {
		if !f.Own {
			removed = append(removed, f.Name)
		}
	}
	err = os.RemoveAll(s.Dir())
	s.forget()
	return removed, storage("remove fonts", err)
}

// changeOwn writes the index of the person's fonts, and then removes files that no
// family has any more.
func (s *Store) changeOwn(change func([]Family) []Family) error {
	dir := filepath.Join(s.dir, ownName)
	own, err := readIndex(dir)
	if err != nil {
		return err
	}
	own = change(own)
	data, err := json.Marshal(own)
	if err != nil {
		return fmt.Errorf("write index of fonts: %w", err)
	}
	if err := atomicfile.Write(filepath.Join(dir, indexName), data, 0o644); err != nil {
		return storage("keep the font", err)
	}
	s.forget()
	used := map[string]bool{indexName: true}
	for _, f := range own {
		for _, face := range f.Faces {
			used[face.File] = true
		}
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if !used[e.Name()] && !atomicfile.IsTemp(e.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return storage("remove a font", err)
}

func storage(op string, err error) error {
	if err == nil {
		return nil
	}
	return &koda.Error{Code: koda.CodeStorageFailed, Op: op, Err: err, Hint: "koda keeps fonts in its home; set KODA_HOME to a directory that can be written"}
}
