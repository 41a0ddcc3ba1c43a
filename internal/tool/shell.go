package tool

import (
	"fmt"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// simple is one simple command of a shell line. Its words have no quotes, and their
// expansions stand as they are written.
type simple struct {
	words    []string
	writesTo []string // files that > and its kin write to
	input    []string // here-documents
}

// splitShell lists the simple commands of a line, wherever they stand: in a pipe, a
// subshell, a substitution, a loop or a function. Forks reports whether a function of
// the line starts itself without end.
func splitShell(line string) (commands []simple, forks bool, err error) {
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		return nil, false, err
	}
	for n := range syntax.Preorder(file) {
		switch n := n.(type) {
		case *syntax.Stmt:
			commands = append(commands, readCommand(n))
		case *syntax.FuncDecl:
			forks = forks || startsItself(n)
		}
	}
	return commands, forks, nil
}

func readCommand(s *syntax.Stmt) simple {
	var c simple
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		for _, w := range call.Args {
			c.words = append(c.words, wordText(w))
		}
	}
	for _, r := range s.Redirs {
		switch r.Op {
		case syntax.RdrIn, syntax.DplIn:
		case syntax.Hdoc, syntax.DashHdoc:
			c.input = append(c.input, wordText(r.Hdoc))
		case syntax.WordHdoc:
			c.input = append(c.input, wordText(r.Word))
		default:
			c.writesTo = append(c.writesTo, wordText(r.Word))
		}
	}
	return c
}

// startsItself reports whether a function calls itself in a pipe or in the background.
func startsItself(f *syntax.FuncDecl) bool {
	for n := range syntax.Preorder(f.Body) {
		switch n := n.(type) {
		case *syntax.Stmt:
			if n.Background && calls(n, f.Name.Value) {
				return true
			}
		case *syntax.BinaryCmd:
			if (n.Op == syntax.Pipe || n.Op == syntax.PipeAll) && calls(n, f.Name.Value) {
				return true
			}
		}
	}
	return false
}

func calls(node syntax.Node, name string) bool {
	for n := range syntax.Preorder(node) {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 && wordText(c.Args[0]) == name {
			return true
		}
	}
	return false
}

// wordText is a word as its command gets it, without quotes and backslashes.
// Expansions stay as they are written.
func wordText(w *syntax.Word) string {
	var b strings.Builder
	if w != nil {
		writeParts(&b, w.Parts)
	}
	return b.String()
}

// ShellLine is the line of shell that starts a program with arguments as they are.
func ShellLine(words []string) (string, error) {
	quoted := make([]string, len(words))
	for i, w := range words {
		var err error
		if quoted[i], err = syntax.Quote(w, syntax.LangBash); err != nil {
			return "", fmt.Errorf("quote %q: %w", w, err)
		}
	}
	return strings.Join(quoted, " "), nil
}

var escaped = regexp.MustCompile(`(?s)\\(.)`)

func writeParts(b *strings.Builder, parts []syntax.WordPart) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(escaped.ReplaceAllString(p.Value, "$1"))
		case *syntax.SglQuoted:
			text := p.Value
			if p.Dollar { // $'\x20'
				text, _, _ = expand.Format(nil, text, nil) //nolint:errcheck // text it cannot read stands as it is
			}
			b.WriteString(text)
		case *syntax.DblQuoted:
			writeParts(b, p.Parts)
		default:
			_ = syntax.NewPrinter().Print(b, p) //nolint:errcheck // a builder takes everything
		}
	}
}
