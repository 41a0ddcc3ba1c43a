package bundle

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/koda-video/koda/internal/koda"
)

var (
	noExport  = regexp.MustCompile(`^No matching export in "([^"]+)" for import "([^"]+)"$`)
	undefined = regexp.MustCompile(`^Import "([^"]+)" will always be undefined because there is no matching export in "([^"]+)"$`)
)

// mistakeOf says a message of esbuild in the words of the project.
func (p *pageBuild) mistakeOf(message api.Message) mistake {
	m := mistake{file: "project", text: message.Text}
	if l := message.Location; l != nil {
		before := l.LineText[:min(l.Column, len(l.LineText))]
		marked := l.LineText[len(before):min(len(before)+l.Length, len(l.LineText))]
		m.file, m.line, m.source = p.fileName(l.File), l.Line, l.LineText
		m.column, m.length = utf8.RuneCountInString(before)+1, utf8.RuneCountInString(marked)
	}
	if match := noExport.FindStringSubmatch(message.Text); match != nil {
		m.text, m.hint = p.missingExport(match[1], match[2])
		return m
	}
	if match := undefined.FindStringSubmatch(message.Text); match != nil {
		m.text, m.hint = p.missingExport(match[2], match[1])
		return m
	}
	for _, note := range message.Notes {
		if note.Text != "" && note.Location == nil {
			m.hint = note.Text
		}
	}
	return m
}

// missingExport says that a module lacks a name, and names the most similar export.
func (p *pageBuild) missingExport(module, name string) (text, hint string) {
	namespace, path, _ := strings.Cut(module, ":")
	if namespace != inFacade {
		return fmt.Sprintf("%s has no export named %q", p.fileName(module), name), ""
	}
	var names []string
	for _, file := range slices.Sorted(maps.Keys(p.runtime.index.Modules[path].Exports)) {
		names = append(names, p.runtime.index.Modules[path].Exports[file]...)
	}
	if path == iconsModule {
		names = append(names, p.iconNames()...)
	}
	if like := koda.Nearest(name, names); like != "" {
		hint = fmt.Sprintf("did you mean %q?", like)
	}
	return fmt.Sprintf("%q has no export named %q", path, name), hint
}

// fileName is the name by which people know a module.
func (p *pageBuild) fileName(name string) string {
	namespace, path, ok := strings.Cut(name, ":")
	switch {
	case !ok:
		return name
	case namespace == inDocument:
		return documentName
	case namespace == inRuntime:
		return strings.TrimPrefix(path, "source/")
	}
	return path
}
