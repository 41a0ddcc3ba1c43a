package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// trustName is the list of files that the person trusts: a JSON object from absolute
// paths to the SHA-256 of the file at that time. The list lies beside the person's
// settings, where no file of a directory can write or find it.
const trustName = "trusted.json"

// trust says whether the person trusts a file of a directory.
type trust int

const (
	untrusted trust = iota
	trusted
	changed // it was trusted, but its bytes changed
)

// trustOf looks up a file. If the list cannot be read, no file is trusted.
func (s Sources) trustOf(path, sum string) trust {
	list, err := s.trustList()
	if err != nil {
		return untrusted
	}
	switch was, known := list[canonical(path)]; {
	case !known || sum == "":
		return untrusted
	case was != sum:
		return changed
	}
	return trusted
}

// canonical is the path of a file with all links of its directory followed.
func canonical(path string) string {
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

func (s Sources) trustFile() (string, error) {
	own, err := s.UserFile()
	return filepath.Join(filepath.Dir(own), trustName), err
}

func (s Sources) trustList() (map[string]string, error) {
	list := map[string]string{}
	file, err := s.trustFile()
	if err != nil {
		return nil, err
	}
	data, err := s.ReadFile(file)
	if absent(err) {
		return list, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err == nil && list == nil {
		err = errors.New("not a JSON object")
	}
	if err != nil {
		return nil, &koda.Error{
			Code: koda.CodeUsage, Op: "read the list of trusted files " + file, Err: err,
			Hint: "move the file away, then trust again with `koda trust`",
		}
	}
	return list, nil
}

// DirectoryFile is a settings file of a directory, as `koda trust` shows it.
type DirectoryFile struct {
	Path    string  `json:"path"` // absolute
	SHA256  string  `json:"sha256"`
	Trusted bool    `json:"trusted"`
	Changed bool    `json:"changed,omitempty"`  // it was trusted, but its bytes changed
	Gone    bool    `json:"gone,omitempty"`     // it was trusted and no longer exists
	Says    []Value `json:"settings,omitempty"` // settings that need trust; "set" for a secret
}

// DirectoryFiles reads the settings files that path stands for: one file, or the files of
// a directory. NOT_FOUND: there is no such file. USAGE: koda could not obey what a file
// says.
func (s Sources) DirectoryFiles(path string) ([]DirectoryFile, error) {
	candidates, err := s.directoryFiles(path)
	if err != nil {
		return nil, err
	}
	var files []DirectoryFile
	for _, f := range candidates {
		found, ok := s.read(f)
		if !ok {
			continue
		}
		if found.err != nil {
			return nil, found.err
		}
		now := s.trustOf(f.path(), found.sum)
		d := DirectoryFile{Path: f.path(), SHA256: found.sum, Trusted: now == trusted, Changed: now == changed}
		if f.prompt {
			d.Says = []Value{{Name: "text for models", Text: found.text, Origin: f.origin, Place: f.path()}}
		}
		for _, c := range found.claims {
			if c.set.Allows(f.origin, false) || !c.set.Allows(f.origin, true) {
				continue
			}
			if c.err == nil {
				c.err = c.set.check(c.value, c.place, s.Offers)
			}
			if c.err != nil {
				return nil, c.err
			}
			v := Value{Name: c.set.Name, Text: c.value, Origin: f.origin, Place: c.place, Secret: c.set.Secret}
			if v.Secret {
				v.Text = Secret{v.Text}.String()
			}
			d.Says = append(d.Says, v)
		}
		files = append(files, d)
	}
	if len(files) == 0 {
		return nil, &koda.Error{
			Code: koda.CodeNotFound, Op: "there is no settings file at " + path, Hint: "koda reads .env, .koda/config.json and .koda/prompts of a directory",
		}
	}
	return files, nil
}

// directoryFiles are the files that path may stand for.
func (s Sources) directoryFiles(path string) ([]dirFile, error) {
	path = s.absolutePath(path)
	if f, ok := dirFileAt(path); ok {
		return []dirFile{f}, nil
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, &koda.Error{
			Code: koda.CodeUsage, Op: path + " is not a settings file of a directory",
			Hint: "name a directory, or its .env, .koda/config.json or a text in .koda/prompts",
		}
	}
	files := []dirFile{dotenvOf(path), projectFileOf(path)}
	for _, name := range s.PromptNames {
		files = append(files, promptOf(path, name))
	}
	return files, nil
}

func (s Sources) absolutePath(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(s.Dir, path)
}

// Trust notes that the person trusts a file in the state in which DirectoryFiles read it.
// If the file has changed since, it is not trusted.
func (s Sources) Trust(f DirectoryFile) error {
	return s.editTrust(func(list map[string]string) { list[canonical(f.Path)] = f.SHA256 })
}

// Distrust removes the files that path stands for from the list, and returns the paths
// that were on it. The files need not exist any more.
func (s Sources) Distrust(path string) (gone []string, err error) {
	path = s.absolutePath(path)
	of := []string{path, dotenvOf(path).path(), projectFileOf(path).path()}
	for _, name := range s.PromptNames {
		of = append(of, promptOf(path, name).path())
	}
	err = s.editTrust(func(list map[string]string) {
		for _, p := range of {
			for _, p := range []string{p, canonical(p)} {
				if _, known := list[p]; known {
					gone = append(gone, p)
					delete(list, p)
				}
			}
		}
	})
	return gone, err
}

// Trusted lists the files that the person trusts, by path.
func (s Sources) Trusted() ([]DirectoryFile, error) {
	list, err := s.trustList()
	if err != nil {
		return nil, err
	}
	files := []DirectoryFile{}
	for _, path := range slices.Sorted(maps.Keys(list)) {
		f := DirectoryFile{Path: path, SHA256: list[path]}
		if at, ok := dirFileAt(path); ok {
			found, there := s.read(at)
			f.Gone, f.Trusted = !there, there && found.sum == f.SHA256
			f.Changed = there && !f.Trusted
		}
		files = append(files, f)
	}
	return files, nil
}

func (s Sources) editTrust(change func(map[string]string)) error {
	list, err := s.trustList()
	if err != nil {
		return err
	}
	before := maps.Clone(list)
	change(list)
	if maps.Equal(before, list) {
		return nil
	}
	file, err := s.trustFile()
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return fmt.Errorf("encode trusted files: %w", err)
	}
	return save(file, data)
}
