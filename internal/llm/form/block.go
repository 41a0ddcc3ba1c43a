package form

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/koda-video/koda/internal/patch"
)

var (
	fence    = regexp.MustCompile("^[ \t]*(`{3,}|~{3,})[ \t]*([^`]*)$")
	pathLike = regexp.MustCompile(`^(\./|/)?([\w@.-]+/)*[\w@.-]+\.[A-Za-z0-9]{1,5}$`)
	// heading is a line before a block that has nothing but a path: **src/App.tsx**, ### `src/App.tsx`:
	heading = regexp.MustCompile("^[\\s#*_`>-]*(?:\\d+[.)]\\s*)?(?i:file(?:name)?|path)?[\\s*_`:]*([\\w@./-]+)[\\s*_`:]*$")
	// remark is a comment with nothing but a path, in the first line of a block.
	remark = regexp.MustCompile(`^\s*(?://|#|/\*|<!--)\s*(?i:(?:file(?:name)?|path)\s*:\s*)?([\w@./-]+)\s*(?:\*/|-->)?\s*$`)
	// parts are what separates the words after a fence: tsx src/App.tsx, tsx:src/App.tsx, tsx title="src/App.tsx".
	parts = regexp.MustCompile(`[\s:="'{}]+`)
)

// blocks reads whole files in fenced blocks that say their path, and calls as JSON in
// blocks. A block that says no path is text.
func (p *parser) blocks(text string) *Broken {
	k, writes := p.tools.named("sandbox_write_file")
	before, lines := "", strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); i++ {
		m := fence.FindStringSubmatch(strings.TrimRight(lines[i], "\n"))
		if m == nil {
			if strings.TrimSpace(lines[i]) != "" {
				before = lines[i]
			}
			p.said.WriteString(lines[i])
			continue
		}
		open, end := i, -1
		for j := i + 1; j < len(lines) && end < 0; j++ {
			if l := strings.TrimSpace(lines[j]); strings.HasPrefix(l, m[1]) && strings.Trim(l, m[1][:1]) == "" {
				end = j
			}
		}
		body := strings.Join(lines[open+1:max(end, open+1)], "")
		if end < 0 {
			body = strings.Join(lines[open+1:], "")
		}
		name := pathOf(m[2], before, body)
		switch {
		case !strings.ContainsAny(m[2], "./") && p.called(body):
			if broken := p.json("", []byte(body)); broken != nil {
				return broken
			}
		case name == "" || !writes:
			p.said.WriteString(strings.Join(lines[open:max(end, open)+1], ""))
		case end < 0:
			return &Broken{k.name, fmt.Sprintf("the block of %s is not closed", name)}
		case patch.Elided(body) != "":
			return &Broken{k.name, fmt.Sprintf("the block of %s leaves lines out (%q); write the whole file, or use edit_file", name, patch.Elided(body))}
		default:
			p.add(k, map[string]json.RawMessage{"path": raw(name), "content": raw(body)})
		}
		if end < 0 {
			return nil
		}
		before, i = "", end
	}
	return nil
}

// pathOf is the path that a block says: after its fence, in the line before it, or in a
// comment that is its first line.
func pathOf(about, before, body string) string {
	for _, word := range parts.Split(about, -1) {
		if isPath(word) {
			return word
		}
	}
	first, _, _ := strings.Cut(body, "\n")
	for _, m := range [][]string{heading.FindStringSubmatch(before), remark.FindStringSubmatch(first)} {
		if m != nil && isPath(strings.TrimSuffix(m[1], ":")) {
			return strings.TrimSuffix(m[1], ":")
		}
	}
	return ""
}

// isPath reports whether a word is the path of a file that a page is made of.
func isPath(word string) bool {
	switch path.Ext(word) {
	case ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".css", ".json", ".html", ".svg", ".glsl", ".md", ".csv", ".txt":
		return pathLike.MatchString(word)
	}
	return false
}
