package reading

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/koda-video/koda/internal/wish"
)

// Examples reads all files of examples in a folder.
func Examples(dir fs.FS) ([]wish.Example, error) {
	names, err := fs.Glob(dir, "*.txt")
	if err != nil {
		return nil, fmt.Errorf("list the examples: %w", err)
	}
	var out []wish.Example
	for _, name := range names {
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, fmt.Errorf("read examples: %w", err)
		}
		for n, row := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
			e, err := wish.ParseExample(row)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path.Base(name), n+1, err)
			}
			out = append(out, e)
		}
	}
	return out, nil
}

// Lessons are examples as the training reads them, and the examples that cannot be learned from.
func (r *Reader) Lessons(examples []wish.Example) ([]wish.Lesson, []wish.Example) {
	for i, e := range examples {
		examples[i] = r.shown(e)
	}
	return r.choosing.Lessons(examples)
}

// Finds reports whether what was learned finds the recipe of an example and its phrases, words to the maker aside.
func (r *Reader) Finds(e wish.Example) bool {
	l, err := r.learned()
	return err == nil && l != nil && r.choosing.Finds(l, e)
}

// FindsParts reports whether what was learned of changes finds the parts of an example, and no others.
func (r *Reader) FindsParts(e wish.Example) bool {
	l, err := r.changes()
	return err == nil && l != nil && r.choosing.FindsParts(l, r.shown(e))
}

// shown is an example with what the video of its prompt shows.
func (r *Reader) shown(e wish.Example) wish.Example {
	if e.Prompt == "" {
		return e
	}
	q := r.Read(Brief{Prompt: e.Prompt})
	if q.Recipe == nil {
		return e
	}
	if v, _, err := r.Apply(q.Recipe, q.Recipe.Defaults(q.Recipe.StyleIDs()[0]), q.Edits, Known{}); err == nil {
		e.Video, e.Texts = q.Recipe.Learned, texts(q.Recipe, v)
	}
	return e
}

// Label is a prompt as an example, with the recipe and the phrases that what was learned finds.
func (r *Reader) Label(prompt string) (wish.Example, error) {
	l, err := r.learned()
	if err != nil || l == nil {
		return wish.Example{}, errors.Join(err, fmt.Errorf("label %q: nothing was learned", prompt))
	}
	phrases, subjects := r.choosing.Phrases(l, prompt)
	return wish.Example{Subject: subjects[0].Name, Text: prompt, Phrases: phrases}, nil
}
