package tui

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
)

// attacher is a screen that takes files: their paths were pasted, or the files were dropped on
// the terminal, which is the same to a program. Text is the paste as it came. It asks the session whether they exist.
type attacher interface {
	attach(paths []string, text string) (screen, intent)
}

// The endings of pictures and sounds, and of data.
var (
	assets = []string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".mp3", ".wav", ".ogg", ".m4a", ".aac", ".flac"}
	data   = []string{".csv", ".tsv", ".json", ".ndjson", ".jsonl", ".yaml", ".yml", ".md", ".cast"}
)

// pastedFiles are the paths of the files that a pasted text names, as terminals write them:
// with blanks escaped, in quotes, or as a URL. There are none if the text says anything
// else.
func pastedFiles(text string) []string {
	var paths []string
	for _, word := range shellWords(text) {
		file, isURL := strings.CutPrefix(word, "file://")
		if isURL {
			u, err := url.Parse(word)
			if err != nil || u.Host != "" && u.Host != "localhost" {
				return nil
			}
			file = u.Path
		}
		rooted := slices.ContainsFunc([]string{"/", "~/", "./", "../"}, func(root string) bool { return strings.HasPrefix(file, root) })
		if !rooted || !isURL && !slices.Contains(slices.Concat(assets, data), strings.ToLower(path.Ext(file))) {
			return nil
		}
		paths = append(paths, file)
	}
	return paths
}

// shellWords are the words of a text, as a shell would read them: blanks between, unless
// they are in quotes or behind a backslash.
func shellWords(text string) []string {
	var words []string
	var word strings.Builder
	var quote rune
	escaped, begun := false, false
	for _, r := range text {
		switch {
		case escaped:
			escaped = false
			word.WriteRune(r)
		case r == '\\' && quote != '\'':
			escaped, begun = true, true
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case quote == 0 && unicode.IsSpace(r):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}
