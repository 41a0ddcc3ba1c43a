// Learn teaches the reader of prompts from examples, for people who work on reading.
//
//	go run ./templates/learn          writes templates/recipes/words/learned.zst
//	go run ./templates/learn -check   learns from four of five examples and counts how many of the others come out right
//	go run ./templates/learn -label   writes the prompts of standard input, one a line, as examples: to be corrected
//
// The examples are the lines of the files below -examples: a recipe, a tab, and a prompt in which the words that are
// shown stand between ⟦ and ⟧ behind a letter that says what they are:
//
//	t headline, heading    s text below      a who said it     b button
//	i item of a list       l name of a figure, v figure, u unit of all figures
//	c code or command      o its answer      n whom a greeting is for
//	x words to the maker: nothing to be seen
//
// A prompt that came out wrong is mended by a line here, and by learning again. The same examples give the same bytes.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/recipe"
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
	check := flag.Bool("check", false, "count what comes out of examples that were not learned from")
	label := flag.Bool("label", false, "write the prompts of standard input as examples")
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
	if *label {
		return labels(r, os.Stdin, os.Stdout)
	}
	examples, err := reading.Examples(os.DirFS(*dir))
	if err != nil {
		return err
	}
	if *check {
		fmt.Fprintln(os.Stdout, r.Check(examples))
		return nil
	}
	file, bad, err := r.Learn(examples)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(words, reading.LearnedFile), file, 0o644); err != nil {
		return err
	}
	for _, e := range bad {
		fmt.Fprintf(os.Stdout, "left out, since a phrase is no run of whole words: %s\n", e.Text)
	}
	fmt.Fprintf(os.Stdout, "learned from %d examples\n", len(examples)-len(bad))
	return nil
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
