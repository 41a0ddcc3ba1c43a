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

	"github.com/koda-video/koda/internal/dataset"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

var (
	// quotation is a text that the video shows; a file's name in it is no file.
	quotation = regexp.MustCompile("\"[^\"]*\"|(^|\\s)'[^']*'|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|`[^`]*`")
	// dataFile is the name of a file with data, in a prompt.
	dataFile = regexp.MustCompile(`(?i)(?:[\pL\pN_.~-]+/)*[\pL\pN_.~-]+\.(csv|tsv|ndjson|jsonl|json|ya?ml|md|cast)\b`)
	// table is the ending of a file that holds nothing but data.
	table = regexp.MustCompile(`(?i)\.(csv|tsv|ndjson|jsonl|cast)$`)
)

// bring puts the data of --data into the brief, else that of a file in the working
// directory that the prompt names. A file goes with the assets as well, if a project can
// keep it as it is.
//
// A prompt may name a JSON, YAML or Markdown file only to speak of it. Then the author
// decides whether the video shows it, and a file that is not there is no mistake.
func (a *app) bring(ctx context.Context, r *engine.NewRequest, b *koda.Brief, path string) error {
	var data []byte
	var err error
	named := false
	switch {
	case path == "-":
		data, err = readAll(ctx, a.io.In, dataset.MaxFile+1)
	case path != "":
		data, err = readData(ctx, path)
	default:
		if path = dataFile.FindString(quotation.ReplaceAllString(b.Prompt, " ")); path == "" {
			return nil
		}
		named = true
		data, err = readHere(path)
		if err == nil && data == nil {
			if table.MatchString(path) {
				return usage("give its path with --data, or put the name into quotation marks if the video shows the name", "there is no file %s in this directory", path)
			}
			return nil
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
		set.Notes = slices.Insert(set.Notes, 0, fmt.Sprintf("The prompt names %s, so the data is that of the file in this directory.", path))
	}
	if set.Recording != nil && path == "-" {
		return usage("save it as session.cast, and give that file with --data", "a recording of a terminal is played from a file, not from standard input")
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
	asset, err := a.deps.CheckAsset(path)
	if err != nil && set.Recording == nil {
		return nil //nolint:nilerr // the brief keeps the data
	}
	if err != nil {
		return err
	}
	b.Assets = append(b.Assets, asset)
	source, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("find data: %w", err)
	}
	if !slices.Contains(r.Assets, source) {
		r.Assets = append(r.Assets, source)
	}
	return nil
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
	if path = filepath.ToSlash(filepath.Clean(path)); !fs.ValidPath(path) {
		return nil, nil
	}
	data, err = files.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}
