package bundle

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// iconsModule is lucide-react: two thousand components that differ only in data. The
// runtime keeps the data, one icon a line. When a project imports the module, koda writes
// a module with just the icons that the project names.
const (
	iconsModule = "lucide-react"
	iconsSource = "source/lucide-react.txt" // "Name,Alias,…\tdata\n", sorted
	iconsCore   = "page/lucide-react.js"    // createLucideIcon, and everything else that is not an icon
)

// allIcons marks the import of the icons by a package, because nobody read which icons
// the package names.
const allIcons = "?all"

// iconsFacade writes the module. A name that no script mentions cannot be imported, so it
// is left out, unless a script asks for the whole namespace.
func (p *pageBuild) iconsFacade(whole bool) (string, error) {
	data, err := p.runtime.read(iconsSource)
	if err != nil {
		return "", err
	}
	words, all := p.mentioned()
	all = all || whole
	core := quoteJS(runtimeURL(iconsCore))
	var b, object bytes.Buffer
	fmt.Fprintf(&b, "import { createLucideIcon as create } from %s;\nexport { %s } from %s;\n", core, strings.Join(p.runtime.index.Modules[iconsModule].Exports[iconsCore], ", "), core)
	number := 0
	for line := range bytes.Lines(data) {
		names, icon, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte("\t"))
		var used []string
		for name := range bytes.SplitSeq(names, []byte(",")) {
			if all || words[string(name)] {
				used = append(used, string(name))
			}
		}
		if len(used) == 0 {
			continue
		}
		number++
		fmt.Fprintf(&b, "const icon%d = /* @__PURE__ */ create(%s);\n", number, icon)
		for _, name := range used {
			fmt.Fprintf(&b, "export { icon%d as %s };\n", number, name)
		}
		fmt.Fprintf(&object, "%s: icon%d, ", used[0], number)
	}
	if all {
		fmt.Fprintf(&b, "export const icons = { %s};\n", object.Bytes())
	}
	return b.String(), nil
}

// iconNames lists every icon, to find the icon that a wrong name may mean.
func (p *pageBuild) iconNames() []string {
	data, err := p.runtime.read(iconsSource)
	if err != nil {
		return nil
	}
	var names []string
	for line := range bytes.Lines(data) {
		list, _, _ := bytes.Cut(line, []byte("\t"))
		names = append(names, strings.Split(string(list), ",")...)
	}
	return names
}

var (
	word = regexp.MustCompile(`[A-Za-z_$][\w$]*`)
	// wholeIcons matches code that takes lucide-react as a whole: a namespace, the object
	// of all icons, a dynamic import.
	wholeIcons = regexp.MustCompile(`(?:\*[^;'"]*|\{[^}]*\bicons\b[^}]*\}\s*)from\s*['"]lucide-react['"]|import\s*\(\s*['"]lucide-react['"]`)
)

// mentioned is every identifier in the project's scripts, and whether a script takes all
// icons at once.
func (p *pageBuild) mentioned() (words map[string]bool, all bool) {
	words = map[string]bool{}
	read := func(source []byte) {
		all = all || wholeIcons.Match(source)
		for _, w := range word.FindAll(source, -1) {
			words[string(w)] = true
		}
	}
	read(p.doc.source)
	scripts := []string{".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts"}
	err := fs.WalkDir(p.files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || name == "public" || len(name) > 1 && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case !slices.Contains(scripts, path.Ext(name)):
			return nil
		}
		data, err := fs.ReadFile(p.files, name)
		read(data)
		return err
	})
	return words, all || err != nil // a script that cannot be read may name any icon
}
