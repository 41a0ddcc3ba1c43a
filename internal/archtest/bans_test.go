package archtest_test

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// owners are libraries that only some packages may import.
var owners = []struct {
	library string // import path, or a prefix of it that ends in "/"
	only    []string
	tests   bool // the rule holds for test files too
	why     string
}{
	{"github.com/docker/", []string{"internal/sandbox/docker"}, true, "one package speaks to the engine"},
	{"github.com/containerd/", []string{"internal/sandbox/docker"}, true, "one package speaks to the engine"},
	{"github.com/moby/", []string{"internal/sandbox/docker"}, true, "one package speaks to the engine"},
	{"github.com/chromedp/", []string{"internal/browser", "internal/browser/browsertest"}, true, "one package speaks to Chromium, and one plays a person with it"},
	{"github.com/mattn/go-sqlite3", []string{"internal/store", "internal/store/storetest"}, true, "one package knows the database"},
	{"database/sql", []string{"internal/store", "internal/store/storetest"}, true, "one package knows the database"},
	{"github.com/dop251/goja", []string{"internal/score"}, true, "one package runs scores"},
	{"github.com/andybalholm/brotli", []string{"internal/fonts"}, false, "one package reads fonts"},
	{"github.com/evanw/esbuild/", []string{"internal/bundle"}, true, "one package builds pages"},
	{"mvdan.cc/sh/", []string{"internal/tool"}, false, "one package reads shell commands"},
	{"github.com/spf13/", []string{"internal/cli", "cmd/koda"}, false, "one package reads the command line"},
	{"github.com/peterh/liner", []string{"internal/cli"}, false, "one package reads what people type"},
	{"github.com/creack/pty", []string{"internal/proc"}, false, "one package starts children"},
	{"github.com/charmbracelet/bubbletea", []string{"tui"}, false, "widgets are pure, and one package runs the screen"},
	{"github.com/charmbracelet/bubbles/", []string{"tui"}, false, "likewise"},
	{"github.com/charmbracelet/", []string{"tui/...", "internal/cli"}, false, "only faces have looks"},
	{"github.com/anthropics/", []string{"internal/llm/anthropic"}, true, "one package speaks to Anthropic"},
	{"github.com/openai/", []string{"internal/llm/openai"}, true, "one package speaks chat completions"},
	{"github.com/modelcontextprotocol/", []string{"internal/serve"}, false, "one package speaks with agents"},
	{"github.com/danielgtaylor/huma/", []string{"internal/serve"}, true, "one package has routes"},
	{"github.com/fsnotify/", []string{"internal/live"}, false, "one package watches directories"},
	{"go.opentelemetry.io/", []string{"internal/trace"}, false, "one package makes spans"},
	{"github.com/prometheus/", []string{"internal/serve"}, false, "only a server is measured"},
	{"net/http", []string{"internal/guest", "internal/sandbox/docker", "internal/live", "internal/packages", "internal/llm/*", "internal/serve", "internal/remote"}, false, "only koda serve serves, and koda asks no server, except that it asks a koda serve that the person named, speaks to its guest over a stream, lets sandboxes reach package registries, speaks to a container engine and to the models a person chose, and shows a sandbox's server on the loopback"},
	{"os/exec", []string{"internal/...", "cmd/koda", "templates/..."}, false, "screens start nothing"},
	{"unsafe", nil, true, "nothing here needs it"},
	{"reflect", []string{"internal/tool"}, false, "only the schemas of the tools are made from types"},
	{"github.com/google/go-cmp/", []string{"internal/sandbox/sandboxtest", "internal/*/*test"}, false, "it is for tests"},
	{"github.com/rogpeppe/go-internal/diff", []string{"internal/engine"}, false, "one package compares texts"},
	{"github.com/rogpeppe/go-internal/", nil, false, "it is for tests"},
	{"pgregory.net/rapid", nil, false, "it is for tests"},
}

// grounded are packages that may import only the standard library.
var grounded = []string{
	"internal/koda", "internal/timeline", "internal/atomicfile", "internal/projectfs", "internal/failpoint", "internal/sandbox", "internal/phase",
	"internal/preset", "internal/hush", "templates",
}

// checkOwners finds imports of libraries outside the packages that own them.
func checkOwners(all []*source) []finding {
	var out []finding
	for _, s := range all {
		for _, spec := range s.file.Imports {
			imported := unquote(spec.Path.Value)
			first, _, _ := strings.Cut(imported, "/")
			if !s.test && strings.Contains(first, ".") && !strings.HasPrefix(imported, modulePath+"/") && matches(s.pkg, grounded...) {
				out = append(out, s.found(spec, "%s imports %s: it stands on the standard library alone", s.pkg, imported))
				continue
			}
			for _, o := range owners {
				if imported != o.library && (!strings.HasSuffix(o.library, "/") || !strings.HasPrefix(imported, o.library)) {
					continue
				}
				if !matches(s.pkg, o.only...) && (o.tests || !s.test) {
					out = append(out, s.found(spec, "%s imports %s: %s", s.pkg, imported, o.why))
				}
				break
			}
		}
	}
	return out
}

// ban is a set of names of other packages that may not be used everywhere.
type ban struct {
	names []string // "os.Exit"; "os/exec.*" is every name of a package except those in allow
	allow []string // names that "…*" does not ban
	calls bool     // only calls are banned: passing the function on is fine
	tests bool     // the ban holds for test files too
	only  []string // packages, or single files, that may use the names
	in    []string // packages that may not use the names; empty: all packages
	why   string
}

var bans = []ban{
	{
		names: []string{"os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln"}, only: []string{"cmd/koda", "cmd/koda-guest", "internal/cli", "templates/runtime/pack", "templates/guest/pack", "templates/fonts/pack", "templates/signs/pack", "templates/film", "templates/gallery", "templates/learn"},
		why: "errors are returned; only the face ends the process",
	},
	{
		names: []string{"time.Now", "time.Since", "time.Until"}, calls: true,
		only: []string{"cmd/koda", "cmd/koda-guest", "internal/cli", "tui/...", "templates/runtime/pack", "templates/guest/pack", "templates/fonts/pack", "templates/film", "templates/gallery", "templates/learn"},
		why:  "below the faces the time comes through a Now field, so that tests own it",
	},
	{
		names: []string{"os/exec.*"}, allow: []string{"LookPath", "ErrNotFound", "Error"}, only: []string{"internal/proc", "templates/runtime/pack", "templates/guest/pack", "templates/fonts/pack", "templates/film", "templates/gallery", "templates/learn"},
		why: "child processes are started by internal/proc: own group, stderr kept, waited for",
	},
	{
		names: []string{"os.StartProcess", "syscall.ForkExec", "syscall.Exec", "syscall.StartProcess"}, only: []string{"internal/proc"},
		why: "child processes are started by internal/proc: own group, stderr kept, waited for",
	},
	{
		names: []string{
			"fmt.Print", "fmt.Printf", "fmt.Println", "builtin.print", "builtin.println", "os.Stdout", "os.Stderr", "os.Stdin",
			"log.*", "log/slog.Debug", "log/slog.Info", "log/slog.Warn", "log/slog.Error", "log/slog.Default",
		},
		allow: []string{"Fatal", "Fatalf", "Fatalln"}, // banned above
		only:  []string{"internal/cli/io.go", "cmd/koda-guest", "templates/runtime/pack", "templates/guest/pack", "templates/fonts/pack", "templates/signs/pack", "templates/film", "templates/gallery", "templates/learn"},
		why:   "what is written goes through cli.IO: results to stdout, the rest to stderr, nothing of it acts on a terminal, and tests see it",
	},
	{
		names: []string{"os.Rename", "os.Create", "os.WriteFile"}, only: []string{"internal/atomicfile"},
		why: "files with final names are written by internal/atomicfile, which leaves the old file or the new file whole",
	},
	{
		names: []string{"os.ReadFile", "os.Open", "os.DirFS"}, in: []string{"internal/workdir", "internal/engine", "internal/cli", "internal/config"},
		why: "a project's files are read by internal/projectfs, as a project may come from anywhere",
	},
	{
		names: []string{modulePath + "/tui/theme.Seal"}, only: []string{"tui/graphics"},
		why: "what is sealed reaches the terminal as it is: only the encoders of pictures compose such sequences",
	},
	{
		names: []string{"time.Sleep"}, tests: true,
		why: "a sleep cannot be cancelled, and in a test it is a race: wait for the event itself",
	},
	{
		names: []string{"math/rand.*"}, tests: true,
		why: "use math/rand/v2, or crypto/rand for names",
	},
}

// banExceptions are uses that are right all the same: "file name" with the reason.
var banExceptions = map[string]string{
	"internal/workdir/asset.go os.Open":      "copies a file the person named",
	"internal/cli/batch.go os.Open":          "reads rows the person named, a pipe at times",
	"internal/cli/data.go os.Open":           "reads data the person named, a pipe at times",
	"internal/cli/typed.go os.ReadFile":      "reads what was typed before, in koda's own directory",
	"internal/engine/housekeeper.go os.Open": "hashes a video, wherever the person had it put",
	"internal/engine/destination.go os.Open": "copies a video that was just made",
}

// checkBans finds uses of banned names.
func checkBans(all []*source) []finding {
	var out []finding
	needed := map[string]bool{}
	for _, s := range all {
		for _, u := range s.uses() {
			for _, b := range bans {
				if !b.covers(s, u) {
					continue
				}
				key := s.name + " " + u.String()
				if _, ok := banExceptions[key]; ok {
					needed[key] = true
					continue
				}
				out = append(out, s.found(u.node, "%v in %s: %s", u, s.pkg, b.why))
			}
		}
	}
	for key := range banExceptions {
		file, _, _ := strings.Cut(key, " ")
		if !needed[key] && slices.ContainsFunc(all, func(s *source) bool { return s.name == file }) {
			out = append(out, finding{file, 1, fmt.Sprintf("the exception %q is not needed any more", key)})
		}
	}
	return out
}

func (b ban) covers(s *source, u use) bool {
	switch {
	case s.test && !b.tests, b.calls && !u.call, matches(s.pkg, b.only...), slices.Contains(b.only, s.name),
		len(b.in) > 0 && !matches(s.pkg, b.in...):
		return false
	case u.String() == "time.Sleep" && s.importName("testing/synctest") != "": // a clock of its own
		return false
	}
	return slices.ContainsFunc(b.names, func(name string) bool {
		if pkg, ok := strings.CutSuffix(name, ".*"); ok {
			return u.pkg == pkg && !slices.Contains(b.allow, u.name)
		}
		return u.String() == name
	})
}

// use is a place in the code that names something of an imported package.
type use struct {
	pkg, name string // "os", "Exit"
	call      bool
	node      ast.Node
}

func (u use) String() string { return u.pkg + "." + u.name }

// uses lists the names that a file uses from the packages it imports.
func (s *source) uses() []use {
	imported := map[string]string{} // name in this file → import path
	for _, spec := range s.file.Imports {
		p := unquote(spec.Path.Value)
		imported[s.importName(p)] = p
	}
	called := map[ast.Node]bool{}
	var out []use
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[n.Fun] = true
			if f, ok := n.Fun.(*ast.Ident); ok && f.Obj == nil {
				out = append(out, use{"builtin", f.Name, true, n})
			}
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok || x.Obj != nil { // a variable that hides the package
				return true
			}
			if p, ok := imported[x.Name]; ok {
				out = append(out, use{p, n.Sel.Name, called[n], n})
			}
		}
		return true
	})
	return out
}
