package archtest_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// How much can be read at one sitting.
const (
	maxFileLines = 500
	maxFuncLines = 80 // only for code that ships; a test's table may be long
)

// sizeExceptions are files and functions ("file func") that are long for a
// reason.
var sizeExceptions = map[string]string{}

// checkSizes finds files and functions that are too long.
func checkSizes(all []*source) []finding {
	var out []finding
	needed := map[string]bool{}
	report := func(s *source, n ast.Node, key string, lines, limit int) {
		if lines <= limit {
			return
		}
		if _, ok := sizeExceptions[key]; ok {
			needed[key] = true
			return
		}
		out = append(out, s.found(n, "%s has %d lines, at most %d can be read at one sitting", key, lines, limit))
	}
	for _, s := range all {
		report(s, s.file.Name, s.name, s.lines, maxFileLines)
		if s.test {
			continue
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				lines := s.fset.Position(f.End()).Line - s.line(f) + 1
				report(s, f.Name, s.name+" "+f.Name.Name, lines, maxFuncLines)
			}
		}
	}
	for key := range sizeExceptions {
		file, _, _ := strings.Cut(key, " ")
		if !needed[key] && slices.ContainsFunc(all, func(s *source) bool { return s.name == file }) {
			out = append(out, finding{file, 1, fmt.Sprintf("the exception %q is not needed any more", key)})
		}
	}
	return out
}

// vague are package names that say nothing about the package.
var vague = []string{"util", "utils", "common", "helper", "helpers", "manager", "misc", "shared", "types", "base"}

var bareNolint = regexp.MustCompile(`//nolint(:[a-z,]+)?\s*(//\s*)?$`)

// checkHabits finds packages without a package comment, tests inside the package
// they test, vague names, and silenced warnings without a reason.
func checkHabits(all []*source) []finding {
	var out []finding
	documented := map[string]bool{}
	first := map[string]*source{}
	for _, s := range all {
		if s.test {
			name := s.file.Name.Name
			if !strings.HasSuffix(name, "_test") && name != "main" && !strings.HasSuffix(s.name, "export_test.go") {
				out = append(out, s.found(s.file.Name, "package %s: tests stand outside what they test (package %s_test); export_test.go may open a door", name, name))
			}
		} else {
			if first[s.pkg] == nil {
				first[s.pkg] = s
			}
			if s.file.Doc != nil && len(strings.Fields(s.file.Doc.Text())) > 5 {
				documented[s.pkg] = true
			}
			if slices.Contains(vague, s.file.Name.Name) {
				out = append(out, s.found(s.file.Name, "package %s: the name says nothing about what is in it", s.file.Name.Name))
			}
		}
		for i, line := range bytes.Split(s.text, []byte("\n")) {
			if bareNolint.Match(line) && !bytes.Contains(line, []byte("`")) {
				out = append(out, finding{s.name, i + 1, "a warning is silenced without a reason"})
			}
		}
	}
	for pkg, s := range first {
		if !documented[pkg] {
			out = append(out, s.found(s.file.Name, "package %s has no comment that says what it owns and refuses", pkg))
		}
	}
	return out
}
