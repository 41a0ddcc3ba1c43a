package bundle

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/koda-video/koda/internal/atomicfile"
)

// icons keeps the data of lucide-react's icons; see iconsModule.
func (p *packer) icons(ctx context.Context) error {
	barrel, err := os.ReadFile(filepath.Join(p.dir, "node_modules/lucide-react/dist/esm/lucide-react.mjs"))
	if err != nil {
		return err
	}
	names := map[string][]string{} // icon file → names
	for _, m := range reExport.FindAllStringSubmatch(string(barrel), -1) {
		for _, n := range defaultAs.FindAllStringSubmatch(m[1], -1) {
			if strings.HasPrefix(m[2], "./icons/") {
				names[m[2]] = append(names[m[2]], n[1])
			}
		}
	}
	files := slices.Sorted(maps.Keys(names))
	list, err := json.Marshal(files)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(filepath.Join(p.dir, "icons.json"), list, 0o644); err != nil {
		return err
	}
	if _, err := p.node(ctx, "--input-type=module", "-e", iconScript); err != nil {
		return fmt.Errorf("read icons of lucide-react: %w", err)
	}
	data, err := os.ReadFile(filepath.Join(p.dir, "icons.json"))
	if err != nil {
		return err
	}
	var icons map[string]json.RawMessage
	if err := json.Unmarshal(data, &icons); err != nil {
		return fmt.Errorf("read icons of lucide-react: %w", err)
	}
	var text strings.Builder
	for _, file := range files {
		if icons[file] == nil {
			return fmt.Errorf("%s of lucide-react has no data", file)
		}
		fmt.Fprintf(&text, "%s\t%s\n", strings.Join(names[file], ","), icons[file])
	}
	p.add(iconsSource, []byte(text.String()))
	return nil
}

var defaultAs = regexp.MustCompile(`default as (\w+)`)

// iconScript replaces the list of files in icons.json by an object with their data.
const iconScript = `
import { readFileSync, writeFileSync } from 'node:fs'
const files = JSON.parse(readFileSync('icons.json'))
const data = {}
for (const file of files) data[file] = (await import(process.cwd() + '/node_modules/lucide-react/dist/esm/' + file)).__iconData
writeFileSync('icons.json', JSON.stringify(data))`

// unusableAddons are tools for people at a screen, and decoders that are loaded by
// address and not imported. A project that needs such a decoder puts it into public/.
var unusableAddons = []string{"libs/draco", "libs/basis", "inspector", "transpiler", "webxr"}

var importsOf = regexp.MustCompile(`(?:from|import)\s*\(?\s*["']([^"']+)["']`)

// addons keeps the modules of three/addons that draw with WebGL, without comments. A page
// bundles the modules it imports.
func (p *packer) addons(context.Context) error {
	root := filepath.Join(p.dir, "node_modules/three/examples/jsm")
	sources := map[string]string{}
	err := filepath.WalkDir(root, func(file string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains(unusableAddons, filepath.ToSlash(rel)) {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(file) != ".js" {
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		code := api.Transform(string(data), api.TransformOptions{Format: api.FormatESModule, Target: api.ESNext, LegalComments: api.LegalCommentsNone, Charset: api.CharsetUTF8})
		if len(code.Errors) == 0 {
			sources[filepath.ToSlash(rel)] = string(code.Code)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for dropped := true; dropped; {
		dropped = false
		for name, source := range sources {
			if !importable(name, source, sources) {
				delete(sources, name)
				dropped = true
			}
		}
	}
	for name, source := range sources {
		p.add("source/three/addons/"+name, []byte(source))
	}
	return nil
}

func importable(name, source string, sources map[string]string) bool {
	for _, m := range importsOf.FindAllStringSubmatch(source, -1) {
		switch spec := m[1]; {
		case spec == "three":
		case strings.HasPrefix(spec, "."):
			if _, ok := sources[path.Join(path.Dir(name), spec)]; !ok {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// families are the fonts that a page may import.
var families = []string{
	"@fontsource-variable/inter", "@fontsource-variable/jetbrains-mono", "@fontsource-variable/source-serif-4", "@fontsource-variable/space-grotesk",
}

// fonts keeps the upright and italic weight axes of the families.
func (p *packer) fonts(context.Context) error {
	for _, family := range families {
		root := filepath.Join(p.dir, "node_modules", filepath.FromSlash(family))
		for _, css := range []string{"index.css", "wght.css", "wght-italic.css"} {
			data, err := os.ReadFile(filepath.Join(root, css))
			if os.IsNotExist(err) && css == "wght-italic.css" {
				continue // the family has no italic
			}
			if err != nil {
				return err
			}
			p.add("source/"+family+"/"+css, data)
			for _, m := range fontFile.FindAllStringSubmatch(string(data), -1) {
				font, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m[1])))
				if err != nil {
					return err
				}
				p.add("source/"+family+"/"+m[1], font)
			}
		}
		p.use("node_modules/" + family + "/package.json")
	}
	return nil
}

var fontFile = regexp.MustCompile(`url\(\./(files/[\w-]+\.woff2)\)`)

// licences collects the licences of all packages from which a file came.
func (p *packer) licences(context.Context) error {
	var text strings.Builder
	text.WriteString("The page runtime of koda contains parts of these packages.\n")
	slices.Sort(p.used)
	for _, name := range p.used {
		dir := filepath.Join(p.dir, "node_modules", filepath.FromSlash(name))
		data, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil {
			return err
		}
		var manifest struct{ Name, Version, License string }
		if err := json.Unmarshal(data, &manifest); err != nil {
			return fmt.Errorf("read package.json of %s: %w", name, err)
		}
		if manifest.License == "" || strings.Contains(manifest.License, "GPL") {
			return fmt.Errorf("%s %s has licence %q, which the runtime must not carry", name, manifest.Version, manifest.License)
		}
		fmt.Fprintf(&text, "\n%s\n%s %s (%s)\n\n", strings.Repeat("=", 72), manifest.Name, manifest.Version, manifest.License)
		files, err := filepath.Glob(filepath.Join(dir, "[Ll][Ii][Cc][Ee][Nn][CcSs][Ee]*"))
		if err != nil {
			return err
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			text.Write(data)
		}
	}
	p.add("THIRD_PARTY.txt", []byte(text.String()))
	return nil
}
