package bundle

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// A module of a bundle has another address than the file it was made of. So koda rewrites
// the code in which a module names its own address. Then the addresses that the module
// computes are those of the files it means.

// gap is what may stand between two words.
const gap = `(?:\s|/\*(?:[^*]|\*+[^*/])*\*+/|//[^\n]*\n)*`

const literal = "(?:\"([^\"\\n]+)\"|'([^'\\n]+)'|`([^`$\\n]+)`)"

var (
	ownAddress = regexp.MustCompile(`\bimport\.meta\.url\b`)
	newAddress = regexp.MustCompile(`\bnew\s+URL\s*\(\s*` + literal + `\s*,\s*import\.meta\.url\s*,?\s*\)`)
	newWorker  = regexp.MustCompile(`\bnew\s+(?:Shared)?Worker\s*\(\s*$`)
	moduleKind = regexp.MustCompile("^\\s*,\\s*\\{[^}]*\\btype['\"]?\\s*:\\s*['\"`]module['\"`]")
	// An import whose name is computed as the page runs. esbuild would look for it on the
	// disk.
	madeName   = regexp.MustCompile("\\b(import|require)" + gap + "\\(" + gap + "(\"\\.{1,2}/[^\"\\n]*\"" + gap + "\\+|'\\.{1,2}/[^'\\n]*'" + gap + "\\+|`\\.{1,2}/[^`]*\\$\\{)")
	globImport = regexp.MustCompile(`\bimport\.meta\.glob(?:Eager)?\s*[(<]`)
	moduleWord = regexp.MustCompile(`(?m)^\s*(?:import\b|export\b)`)
)

// rewrite gives a module the address of its file, and notes the workers and files that
// the module names relative to it.
func (p *pageBuild) rewrite(a api.OnLoadArgs, text string, loader api.Loader) string {
	scripts := []api.Loader{api.LoaderJS, api.LoaderJSX, api.LoaderTS, api.LoaderTSX}
	if !slices.Contains(scripts, loader) || !strings.Contains(text, "import") && !strings.Contains(text, "require") {
		return text
	}
	file := a.Path
	if a.Namespace == inDocument {
		file = documentName
	}
	if at := globImport.FindStringIndex(text); at != nil && !inPackages(file) {
		p.wrong(mistakeAt(file, []byte(text), at[0], at[1]-at[0]-1, "import.meta.glob is of Vite's, and koda has none", "import the files one by one, or render the directory that vite build makes"))
	}
	if strings.Contains(text, "import.meta.url") {
		text = p.rewriteAddresses(file, text)
	}
	here := "location.origin + " + quoteJS(strings.TrimSuffix(path.Dir(addressOf(file)), "/")+"/")
	var b strings.Builder
	done := 0
	for _, at := range madeName.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[done:at[4]])
		if done = at[4]; text[at[2]:at[3]] == "import" {
			b.WriteString(here + " + ")
		} else {
			b.WriteString("[].join() + ") // a browser has no require, and says so when it is called
		}
	}
	b.WriteString(text[done:])
	return b.String()
}

func (p *pageBuild) rewriteAddresses(file, text string) string {
	var b strings.Builder
	done := 0
	for _, at := range newAddress.FindAllStringSubmatchIndex(text, -1) {
		name := ""
		for i := 2; i < len(at); i += 2 {
			if at[i] >= 0 {
				name = text[at[i]:at[i+1]]
			}
		}
		name, _, _ = strings.Cut(name, "?")
		name, _, _ = strings.Cut(name, "#")
		target := path.Join(path.Dir(file), name)
		if strings.HasPrefix(name, "/") {
			target = name[1:]
		}
		before, after := text[max(0, at[0]-80):at[0]], text[at[1]:min(len(text), at[1]+400)]
		if otherScheme.MatchString(name) || strings.HasPrefix(name, "//") || target == "." {
			continue
		}
		found := p.locate(target, api.ResolveJSImportStatement)
		if !newWorker.MatchString(before) {
			if found != "" {
				p.nameFile(found)
			}
			continue
		}
		module := moduleKind.MatchString(after)
		if found == "" {
			if !inPackages(file) {
				p.wrong(mistakeAt(file, []byte(text), at[0], at[1]-at[0], "there is no file "+name+" for this worker", p.nearestFile(target, name)))
			}
			continue
		}
		if !p.addWorker(found, module) {
			continue
		}
		b.WriteString(text[done:at[0]])
		fmt.Fprintf(&b, "new URL(%s, location.origin)", quoteJS(workerURL(found)))
		done = at[1]
	}
	b.WriteString(text[done:])
	return ownAddress.ReplaceAllLiteralString(b.String(), "(location.origin + "+quoteJS(addressOf(file))+")")
}

// wrong notes a mistake. It may be called by several goroutines.
func (p *pageBuild) wrong(m mistake) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mistakes = append(p.mistakes, m)
}
