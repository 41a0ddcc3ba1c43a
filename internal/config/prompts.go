package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
)

// promptsName is the folder with texts for models that replace koda's: beside the person's
// settings file, and below .koda of a project.
const promptsName = "prompts"

// maxPromptFile is how large such a text may be, in bytes.
const maxPromptFile = 64 << 10

// Prompt is a text for models, and where it comes from.
type Prompt struct {
	Name   string `json:"name"`
	Origin Origin `json:"origin"`         // default, user or project
	Path   string `json:"path,omitempty"` // of the file that replaces koda's text
	SHA256 string `json:"sha256,omitempty"`
	Text   string `json:"-"` // "" if it is koda's own
}

// promptOf is the file of a project that replaces a text.
func promptOf(dir, name string) dirFile {
	return dirFile{dir: dir, name: ".koda/" + promptsName + "/" + name + ".md", origin: FromProject, prompt: true}
}

// Prompts finds the texts for models that the person replaced, in their own folder, and
// those in the project of dir, as far as the person trusts these files. The texts of the
// project are stronger. Warnings name the files that are left out.
func (s Sources) Prompts(dir string) (all []Prompt, warnings []string, err error) {
	for _, name := range s.PromptNames {
		p := Prompt{Name: name}
		for _, file := range s.userFiles() {
			path := promptBeside(file, name)
			data, err := s.ReadFile(path)
			if absent(err) {
				continue
			}
			if err == nil {
				err = checkPrompt(data)
			}
			if err != nil {
				return nil, nil, &koda.Error{Code: koda.CodeUsage, Op: "read " + path, Err: err, Hint: "`koda prompts reset " + name + "` takes koda's own text again"}
			}
			p = Prompt{Name: name, Origin: FromUser, Path: path, SHA256: sumOf(data), Text: string(data)}
			break
		}
		f := promptOf(dir, name)
		found, ok := s.read(f)
		switch {
		case !ok:
		case found.err != nil:
			warnings = append(warnings, fmt.Sprintf("%s is not told to models: %v", f.path(), found.err))
		case s.trustOf(f.path(), found.sum) != trusted:
			why := "you have not trusted that file"
			if s.trustOf(f.path(), found.sum) == changed {
				why = "the file was changed since you trusted it"
			}
			warnings = append(warnings, fmt.Sprintf("%s is not told to models, as %s: `koda trust %s` shows it and asks", f.path(), why, dir))
		default:
			p = Prompt{Name: name, Origin: FromProject, Path: f.path(), SHA256: found.sum, Text: found.text}
		}
		all = append(all, p)
	}
	return all, warnings, nil
}

func promptBeside(settings, name string) string {
	return filepath.Join(filepath.Dir(settings), promptsName, name+".md")
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// checkPrompt refuses what is no text for a model.
func checkPrompt(data []byte) error {
	switch {
	case len(data) > maxPromptFile:
		return fmt.Errorf("it has %d KB, and a text for models has at most %d", len(data)>>10, maxPromptFile>>10)
	case !utf8.Valid(data) || slices.Contains(data, 0):
		return errors.New("it is no text")
	case strings.TrimSpace(string(data)) == "":
		return errors.New("it is empty")
	}
	return nil
}

// SetPrompt replaces a text for models in the person's own folder, and returns the path.
// USAGE: it cannot be such a text.
func (s Sources) SetPrompt(name, text string) (string, error) {
	if err := checkPrompt([]byte(text)); err != nil {
		return "", &koda.Error{Code: koda.CodeUsage, Op: "replace the text " + name, Err: err, Hint: "`koda prompts show " + name + "` prints the text as it is"}
	}
	own, err := s.UserFile()
	if err != nil {
		return "", err
	}
	file := promptBeside(own, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", fmt.Errorf("make the folder of texts: %w", err)
	}
	return file, atomicfile.Write(target(file), []byte(text), 0o600)
}

// ResetPrompt takes a text of the person's own folder out of use: it gets the ending .old,
// and the new path is returned; "" if there is none.
func (s Sources) ResetPrompt(name string) (string, error) {
	for _, own := range s.userFiles() {
		file := promptBeside(own, name)
		data, err := s.ReadFile(file)
		if absent(err) {
			continue
		}
		if err == nil {
			err = atomicfile.Write(file+".old", data, 0o600)
		}
		if err == nil {
			err = os.Remove(file)
		}
		if err != nil {
			return "", fmt.Errorf("put the text away: %w", err)
		}
		return file + ".old", nil
	}
	return "", nil
}
