package bundle_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/templates"
)

// A page that koda did not make is served like by a static server, with public/ at
// the root and packages from node_modules.
func TestForeignPages(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"modules":   "main module browser web00crypto index cjs named conditions first sub pattern longest folder list scoped scoped-sub nested2 inner part events node0 data ringA pure styled string",
		"dist":      "7,8,9 about function 12 styled",
		"addresses": "21 25 26 27 28 29 3 31 4 font lazy lib/public-sub/other/old/mine/english/worker-lib5-inner/classic/shared-lib/7 notes public/beside//imported sub-sub typed",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := build(t, fsOf(archive(t, "pages/"+name+".txtar")))
			seen, problems := visit(t, page, "{}", 0)
			if len(problems) > 0 || len(seen) != 1 {
				t.Fatalf("problems: %q", problems)
			}
			_, after, _ := strings.Cut(seen[0].Markup+"<p", "<p")
			if at := strings.Index(seen[0].Markup, `<p id="found"`); at >= 0 {
				after = seen[0].Markup[at:]
			}
			_, after, _ = strings.Cut(after, ">")
			got, _, _ := strings.Cut(after, "</p>")
			if diff := cmp.Diff(strings.Fields(want), strings.Fields(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for at, file := range page.Files {
				if name == "modules" && strings.Contains(string(file.Body), "ONG") && at != "/node_modules/three/build/three.js" {
					t.Errorf("%s has a module that no page asks for", at)
				}
			}
		})
	}
}

// served are the paths of a page's files that bundling did not make.
func served(page koda.Page) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(page.Files)), func(at string) bool { return strings.HasPrefix(at, "/_koda/") || at == "/index.html" })
}

// Beside the files that it loads, a page holds only files that it may ask for. All
// its files are in the digest, so a video that koda made in the same directory must
// not be among them.
func TestServedFiles(t *testing.T) {
	t.Parallel()
	page := build(t, fsOf(archive(t, "pages/addresses.txtar")))
	want := []string{
		"/asset.svg", "/both.svg", "/data.json", "/deep/data.json", "/frames/f1.svg", "/frames/f2.svg", "/img/inline style.svg", "/img/narrow.svg",
		"/imported.css", "/jobs/classic.js", "/jobs/data.json", "/jobs/inner.js", "/jobs/script.js", "/jobs/shared.js", "/jobs/worker.ts", "/lang/en.js",
		"/lazier.js", "/lazy.js", "/m.js", "/n.js", "/node_modules/fonts/font.json", "/node_modules/three/build/three.js", "/notes.txt", "/numbered-1.svg",
		"/numbered-2.svg", "/old/user.js", "/preloaded.svg", "/public.css", "/sprite.svg", "/sub/", "/sub/index.html", "/vendor/lib.js", "/vendor/old.js",
		"/vendor/other.js", "/wide.svg", "/wider.svg", "/ünï 1.svg",
	}
	if diff := cmp.Diff(want, served(page)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := slices.Sorted(maps.Keys(page.Left)); !slices.Equal(got, []string{"/README.md", "/clip.mp4", "/koda.json", "/package.json", "/still.svg"}) {
		t.Errorf("left are %q", got)
	}
	for name, c := range map[string]struct {
		file  string
		moves bool
	}{
		"a video of it": {"page.mp4", false}, "a picture of it": {"page-2s.png", false}, "frames of it": {"page-frames/0001.png", false},
		"a note": {"NOTES.md", false}, "a lock": {"package-lock.json", false}, "another package": {"node_modules/other/index.js", false},
		"data": {"more.json", true}, "a picture that is named": {"frames/f3.svg", true},
	} {
		files := archive(t, "pages/addresses.txtar")
		files[c.file] = "{}"
		if moved := build(t, fsOf(files)).Digest != page.Digest; moved != c.moves {
			t.Errorf("%s: the page is another: %v, want %v", name, moved, c.moves)
		}
	}
}

// A project that koda made asks for no such files and has no packages of its own.
func TestServedOfStarter(t *testing.T) {
	t.Parallel()
	files := starter(map[string]string{
		"node_modules/react/package.json": `{"version": "1.0.0", "main": "i.js"}`, "node_modules/react/i.js": "export default 'WRONG'",
		"node_modules/gsap/index.js": "export default 1",
	})
	page := build(t, files)
	if got := served(page); len(got) > 0 {
		t.Errorf("the page has %q", got)
	}
	if page.Digest != build(t, starter(nil)).Digest {
		t.Error("node_modules changes the page of a project that koda draws from its versions")
	}
}

// plain is a page of one module script.
func plain(script string, over map[string]string) fstest.MapFS {
	files := map[string]string{
		"koda.json": `{"schema": 1, "width": 640, "height": 360, "fps": 30, "duration": 1}`, "index.html": `<script type="module" src="main.js"></script>`, "main.js": script,
	}
	maps.Copy(files, over)
	return fsOf(files)
}

// script is the text of the bundle of main.js.
func script(page koda.Page) string { return string(page.Files["/_koda/main.js"].Body) }

// A page has one react and one three: koda's, or the directory's own if that is
// another version.
func TestOwnPackages(t *testing.T) {
	t.Parallel()
	pkg := func(name, version, text string) map[string]string {
		return map[string]string{
			"node_modules/" + name + "/package.json": fmt.Sprintf(`{"name": %q, "version": %q, "main": "i.js"}`, name, version), "node_modules/" + name + "/i.js": text,
		}
	}
	both := func(all ...map[string]string) map[string]string {
		files := map[string]string{}
		for _, m := range all {
			maps.Copy(files, m)
		}
		return files
	}
	const runtime = "/_koda/runtime/three.js"
	same := pkg("three", version(t, "three"), "export const REVISION = 'own'")
	other := pkg("three", "0.100.0", "export const REVISION = 'own', Scene = ['own']")
	for name, c := range map[string]struct {
		script string
		files  map[string]string
		own    bool
		error  string
	}{
		"none":            {"import {REVISION} from 'three'; alert(REVISION)", nil, false, ""},
		"same":            {"import {REVISION} from 'three'; alert(REVISION)", same, false, ""},
		"other":           {"import {REVISION} from 'three'; alert(REVISION)", other, true, ""},
		"of a package":    {"import a from 'a'; alert(a)", both(same, pkg("a", "1.0.0", "import {REVISION} from 'three'; export default REVISION")), false, ""},
		"of two packages": {"import a from 'a'; import {REVISION} from 'three'; alert(a, REVISION)", both(other, pkg("a", "1.0.0", "export {REVISION as default} from 'three'")), true, ""},
		"a part that only it has": {
			"import {REVISION} from 'three'; import part from 'three/part.js'; alert(REVISION, part)",
			both(same, map[string]string{"node_modules/three/part.js": "export {REVISION as default} from './i.js'"}), true, "",
		},
		"twice": {"import {Canvas} from '@react-three/fiber'; alert(Canvas)", other, false, `koda's own "@react-three/fiber" comes with three`},
		"not twice": {
			"import {Canvas} from '@react-three/fiber'; alert(Canvas)", both(other, pkg("@react-three/fiber", version(t, "@react-three/fiber"), "export {Scene as Canvas} from 'three'")), true, "",
		},
		"nested": {"import a from 'a'; alert(a)", both(pkg("a", "1.0.0", "export {REVISION as default} from 'three'"), pkg("a/node_modules/three", "0.99.0", "export const REVISION = 'own'")), true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, _, err := shared().Build(t.Context(), plain(c.script, c.files))
			if c.error != "" {
				if err == nil || !strings.Contains(err.Error(), c.error) || !strings.Contains(koda.HintOf(err), "npm install") {
					t.Errorf("error = %v (%s), want %s", err, koda.HintOf(err), c.error)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
			}
			_, ours := page.Files[runtime]
			own := strings.Contains(script(page), `"own"`)
			if own != c.own || ours == c.own {
				t.Errorf("the page has koda's three: %v, its own: %v\n%s", ours, own, script(page))
			}
		})
	}
}

// version is the version of a package of the page runtime.
func version(t *testing.T, name string) string {
	t.Helper()
	_, lock := templates.RuntimeLock()
	var all struct {
		Packages map[string]struct{ Version string }
	}
	if err := json.Unmarshal(lock, &all); err != nil {
		t.Fatal(err)
	}
	return all.Packages["node_modules/"+name].Version
}

// Some installers link packages from elsewhere. Such links are followed within the
// project, but not out of it.
func TestLinkedPackages(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ link, says string }{
		"kept":    {"../.store/gsap@3/node_modules/gsap", ""},
		"through": {"../.store/chain", ""},
		"out":     {"../../../victim", "node_modules/gsap is a link that leads out of the project"},
		"far":     {"/etc", "node_modules/gsap is a link that leads out of the project"},
		"circle":  {"gsap", "node_modules/gsap is a link in a circle"},
		"nowhere": {"../.store/none", `there is no package "gsap"`},
		"inside":  {"../.store/out", "is a link that leads out of the project"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			dir := filepath.Join(parent, "page")
			files := plain("import gsap from 'gsap'; alert(gsap)", map[string]string{
				".store/gsap@3/node_modules/gsap/index.js":       "import d from 'dependency'; export default 'kept' + d",
				".store/gsap@3/node_modules/dependency/index.js": "export default 'beside'", "../victim/index.js": "export default 'SECRET'",
				"node_modules/.keep": "", "node_modules/dependency/index.js": "export default 'WRONG'",
			})
			for file, f := range files {
				file = filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for at, to := range map[string]string{"node_modules/gsap": c.link, ".store/chain": "gsap@3/node_modules/gsap", ".store/out": "../../victim"} {
				if err := os.Symlink(to, filepath.Join(dir, at)); err != nil {
					t.Fatal(err)
				}
			}
			clone, err := projectfs.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer clone.Close() //nolint:errcheck // only read
			page, _, err := shared().Build(t.Context(), clone)
			switch {
			case c.says == "" && (err != nil || !strings.Contains(script(page), "beside")):
				t.Errorf("%v: %s", err, script(page))
			case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || koda.HintOf(err) == ""):
				t.Errorf("error = %v (%s), want %s", err, koda.HintOf(err), c.says)
			}
		})
	}
}

// counted is a file system that counts the reads of package files.
type counted struct {
	fstest.MapFS
	read map[string]int
}

func (c counted) ReadFile(name string) ([]byte, error) {
	if strings.HasPrefix(name, "node_modules/") {
		c.read[name]++
	}
	return c.MapFS.ReadFile(name)
}

// Only the packages that the page imports are read from a large node_modules.
func TestPackagesAreNotReadAsAWhole(t *testing.T) {
	t.Parallel()
	files := plain("import a from 'p7'; alert(a)", nil)
	for i := range 3000 {
		files[fmt.Sprintf("node_modules/p%d/index.js", i)] = &fstest.MapFile{Data: []byte("export default 1")}
		files[fmt.Sprintf("node_modules/p%d/package.json", i)] = &fstest.MapFile{Data: []byte("{}")}
	}
	read := map[string]int{}
	build(t, counted{files, read})
	if want := map[string]int{"node_modules/p7/package.json": 1, "node_modules/p7/index.js": 1}; !maps.Equal(read, want) {
		t.Errorf("read were %v", read)
	}
}

// Of a directory with too many files only the named files are on the page, and a
// sentence says so.
func TestServedHasALimit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, file := range plain("fetch('named.dat')", map[string]string{"named.dat": "n"}) {
		if err := os.WriteFile(filepath.Join(dir, name), file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a.dat", "b.dat"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(file, 150<<20); err != nil { // takes no room on the disk
			t.Fatal(err)
		}
	}
	files, err := projectfs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close() //nolint:errcheck // only read
	page := build(t, files)
	if got := served(page); !slices.Equal(got, []string{"/named.dat"}) || len(page.Warnings) != 1 || !strings.Contains(page.Warnings[0], "300 MB outside of public/") {
		t.Errorf("the page has %q, and says %q", got, page.Warnings)
	}
	if page.Left["/a.dat"] == "" {
		t.Errorf("left are %v", page.Left)
	}
}

// Code that browsers cannot read yet is translated as the project's tsconfig.json
// asks, and a stylesheet can be a module.
func TestYoungCode(t *testing.T) {
	t.Parallel()
	const code = `
		import sheet from './a.css' with { type: 'css' }
		const twice: any = (value: any, context: any) => typeof context === 'object' ? function (this: any) { return 2 * value.call(this) } : undefined
		class A { @twice one() { return 1 } }
		document.adoptedStyleSheets = [sheet]
		document.body.textContent = new A().one() + ' ' + getComputedStyle(document.body).color
		;(window as any).__exportSeekTo = () => {}
		;(window as any).__exportReady = true`
	for config, want := range map[string]string{
		`{}`: "2 rgb(1, 2, 3)",
		"{ // old\n \"compilerOptions\": { \"experimentalDecorators\": true, } }": "1 rgb(1, 2, 3)",
	} {
		page := build(t, plain("", map[string]string{"index.html": `<script type="module" src="main.ts"></script>`, "main.ts": code, "a.css": "body { color: rgb(1, 2, 3) }", "tsconfig.json": config}))
		seen, problems := visit(t, page, "{}", 0)
		if len(seen) != 1 || !strings.Contains(seen[0].Markup, want) {
			t.Errorf("%s: %v %q, want %q", config, seen, problems, want)
		}
	}
}

// A document is read in the encoding it names.
func TestEncodings(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]string{
		"latin": "<meta http-equiv=Content-Type content='text/html; charset=iso-8859-1'>Gr\xfc\xdfe", "utf-8": "<meta charset=utf-8>Grüße", "none, utf-8": "Grüße",
		"utf-16": "\xff\xfeG\x00r\x00\xfc\x00\xdf\x00e\x00",
	} {
		files := plain("window.__exportSeekTo = () => {}; window.__exportReady = true", nil)
		files["index.html"] = &fstest.MapFile{Data: []byte("<!doctype html>" + head)}
		if strings.HasPrefix(head, "\xff") {
			files["index.html"].Data = []byte(head)
		}
		if html := string(build(t, files).Files["/index.html"].Body); !strings.Contains(html, "Grüße") {
			t.Errorf("%s: %q", name, html)
		}
	}
}

// A package that somebody prepared to do harm is refused quickly and with a sentence.
func TestHostile_Packages(t *testing.T) {
	t.Parallel()
	deep := func(n int, inner string) string {
		return strings.Repeat(`{"import":`, n) + inner + strings.Repeat("}", n)
	}
	many := make([]string, 20_000)
	for i := range many {
		many[i] = fmt.Sprintf(`"./%d*": "./*.js"`, i)
	}
	ring := map[string]string{}
	for i := range 500 {
		ring[fmt.Sprintf("node_modules/r%d/index.js", i)] = fmt.Sprintf("import 'r%d'", (i+1)%500)
	}
	for name, c := range map[string]struct {
		files map[string]string
		spec  string
		says  string // "": the page is made
	}{
		"large":     {map[string]string{"node_modules/a/package.json": strings.Repeat(" ", 100<<20)}, "a", "node_modules/a/package.json is too large to be that of a package"},
		"deep":      {map[string]string{"node_modules/a/package.json": `{"exports":` + deep(9000, `"./i.js"`) + "}", "node_modules/a/i.js": ""}, "a", ""},
		"too deep":  {map[string]string{"node_modules/a/package.json": `{"exports":` + deep(50_000, "1") + "}"}, "a", "node_modules/a/package.json cannot be read"},
		"many":      {map[string]string{"node_modules/a/package.json": `{"exports": {` + strings.Join(many, ",") + "}}"}, "a/x", `the package "a" exports no "./x"`},
		"up":        {map[string]string{"node_modules/a/package.json": `{"main": "../../../../etc/passwd", "exports": null}`}, "a", "node_modules/a has no file"},
		"up, below": {map[string]string{"node_modules/a/package.json": `{"exports": {"./*": "./*"}}`}, "a/../../../etc/passwd", "node_modules/a has no file"},
		"shapes":    {map[string]string{"node_modules/a/package.json": `{"main": [{}], "exports": false, "browser": 7, "imports": "x", "sideEffects": {"a": []}, "version": {}}`}, "a", "node_modules/a has no file"},
		"a text":    {map[string]string{"node_modules/a/package.json": `"text"`}, "a", "node_modules/a/package.json cannot be read"},
		"ring":      {ring, "r0", ""},
		"itself":    {map[string]string{"node_modules/a/package.json": `{"browser": {"a": "a", "./index.js": "./index.js"}}`, "node_modules/a/index.js": "import 'a'"}, "a", ""},
		"long":      {nil, strings.Repeat("x", 1<<20), "there is no package"},
		"a file":    {map[string]string{"node_modules": "no directory"}, "a", "there is no package"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := shared().Build(t.Context(), plain("import "+fmt.Sprintf("%q", c.spec), c.files))
			if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || koda.HintOf(err) == "") {
				t.Errorf("error = %.300v (%.100s), want %s", err, koda.HintOf(err), c.says)
			}
		})
	}
}

// Names that a page makes while it runs are not looked up on this machine's disk,
// where testdata lies beside the test.
func TestMadeNamesAreNotLookedFor(t *testing.T) {
	t.Parallel()
	for _, call := range []string{
		"require('./testdata/' + x)", "require(\"./testdata/\" + x + '.txtar')", "require(`./testdata/${x}.txtar`)", "import('./testdata/' + x)", "import(`./testdata/${x}/a.txtar`)",
		"import(/* webpackChunkName: 'a' */ './testdata/' + x)", "require(/* a */ './testdata/' + x)", "import(\n// a\n'./testdata/' + x)",
	} {
		page := build(t, plain("const x = String(Math.random()); "+call, nil))
		if strings.Contains(script(page), "project") && strings.Contains(script(page), "__glob") {
			t.Errorf("%s:\n%s", call, script(page))
		}
	}
}
