package cli

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

	"github.com/koda-video/koda/internal/dataset"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

var (
	// quotation is a text that the video shows; a file's name in it is no file.
	quotation = regexp.MustCompile("\"[^\"]*\"|(^|\\s)'[^']*'|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|`[^`]*`")
	// dataFile is the name of a file with data, in a prompt.
	dataFile = regexp.MustCompile(`(?i)/?(?:[\pL\pN_.~-]+/)*[\pL\pN_.~-]+\.(csv|tsv|ndjson|jsonl|json|ya?ml|md|cast)\b`)
	// table is the ending of a file that holds nothing but data.
	table = regexp.MustCompile(`(?i)\.(csv|tsv|ndjson|jsonl|cast)$`)
)

// bring puts the data of --data into the brief, else that of a file that the prompt names:
// one below the working directory, or where a person types it, anywhere. A file goes with
// the assets as well, if a project can keep it as it is.
//
// A prompt may name a JSON, YAML or Markdown file only to speak of it. Then the author
// decides whether the video shows it, and a file that is not there is no mistake.
func (a *app) bring(ctx context.Context, r *engine.NewRequest, b *koda.Brief, path string, stranger bool) error {
	var data []byte
	var err error
	named := false
	switch {
	case path == "-":
		data, err = readAll(ctx, a.io.In, dataset.MaxFile+1)
	case path != "":
		data, err = readData(ctx, path)
	default:
		var written string
		if written, path = a.namedFile(b.Prompt); path == "" {
			return nil
		}
		if !filepath.IsLocal(path) && !a.io.InTTY { // a script's prompt may come from a stranger
			if table.MatchString(path) {
				return usage("give its path with --data", "the prompt names %s, which is not below this directory", path)
			}
			return nil
		}
		named = true
		if data, err = readNamed(ctx, path); err == nil && data == nil {
			if table.MatchString(path) {
				return usage("check the path, or put the name into quotation marks if the video shows the name", "there is no file %s", path)
			}
			return nil
		}
		switch { // what the prompt says is told; where the file lies is not
		case written == path && filepath.IsLocal(path):
		case written == b.Prompt:
			b.Prompt = ""
		default:
			b.Prompt = strings.Replace(b.Prompt, written, filepath.Base(path), 1)
		}
	}
	if err != nil {
		return err
	}
	name := path
	if name != "-" {
		name = filepath.Base(path)
	}
	set, err := dataset.Read(name, data)
	if err != nil && named && !table.MatchString(path) {
		a.warn(fmt.Sprintf("%s is named in the prompt, and is not used: %v", path, err))
		return nil
	}
	if err != nil {
		return err
	}
	if named {
		set.Named = !table.MatchString(path)
		set.Notes = slices.Insert(set.Notes, 0, fmt.Sprintf("The prompt names %s, so the data is that of this file.", name))
	}
	if set.Recording != nil && path == "-" {
		return usage("save it as session.cast, and give that file with --data", "a recording of a terminal is played from a file, not from standard input")
	}
	if path != "" && !stranger {
		if err := a.bringPictures(r, b, set, path); err != nil {
			return err
		}
	}
	set.Reduce(b.Prompt)
	b.Data = set.Encode()
	if b.Recipe == "" && b.Author != "model" {
		b.Recipe = set.Recipe
	}
	if b.Prompt == "" {
		b.Prompt = set.Prompt(b.Recipe)
	}
	if path == "-" {
		return nil
	}
	return a.carry(r, b, path, set.Recording != nil)
}

// carry puts a data file among the assets. One that a project cannot keep stays behind, unless it
// is needed: the brief has its data.
func (a *app) carry(r *engine.NewRequest, b *koda.Brief, path string, needed bool) error {
	asset, err := a.deps.CheckAsset(path)
	if err != nil && !needed {
		return nil //nolint:nilerr // see above
	}
	if err != nil {
		return err
	}
	return keep(r, b, path, asset)
}

// namedFile is the path of the data file that a prompt names, and how the prompt writes it; "" if
// it names none. A prompt that is nothing but the path of a file may have quotation marks around
// it, and blanks in it, as a terminal writes them.
func (a *app) namedFile(prompt string) (written, path string) {
	whole := a.rooted(strings.ReplaceAll(strings.Trim(prompt, `'" `), `\ `, " "))
	if dataFile.MatchString("x"+filepath.Ext(whole)) && exists(whole) {
		return prompt, whole
	}
	written = dataFile.FindString(quotation.ReplaceAllString(prompt, " "))
	return written, a.rooted(written)
}

// rooted is a path with the home directory for a leading ~, as a shell would pass it.
func (a *app) rooted(path string) string {
	if home, _ := a.io.Env("HOME"); home != "" && strings.HasPrefix(path, "~/") {
		return filepath.Join(home, path[2:])
	}
	return path
}

// readNamed reads a file that a prompt names; nil if it is not there. Below the working directory
// it follows no link.
func readNamed(ctx context.Context, path string) ([]byte, error) {
	if filepath.IsLocal(path) {
		return readHere(path)
	}
	if !exists(path) {
		return nil, nil
	}
	data, err := readData(ctx, path)
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}

// readData reads the file of --data.
func readData(ctx context.Context, path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, usage("check the path", "%s does not exist", path)
	case err == nil && info.IsDir():
		return nil, usage("give a CSV, JSON, YAML or Markdown file, or a recording of a terminal (.cast), or - for standard input", "%s is a directory", path)
	case err == nil && info.Size() > dataset.MaxFile:
		return nil, (&dataset.Set{Name: filepath.Base(path)}).TooLarge(info.Size())
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, usage("check the path and its rights", "%v", err)
	}
	defer f.Close() //nolint:errcheck // only read
	return readAll(ctx, f, dataset.MaxFile+1)
}

// readHere reads a file of the working directory; nil if it is not there. It follows no
// link.
func readHere(path string) (data []byte, err error) {
	files, err := projectfs.Open(".")
	if err != nil {
		return nil, fmt.Errorf("open the working directory: %w", err)
	}
	defer files.Close() //nolint:errcheck // only read
	data, err = files.ReadFile(filepath.ToSlash(filepath.Clean(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}
