package archtest_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "github.com/koda-video/koda"

// source is a parsed Go file.
type source struct {
	name  string // slash path from the module's root
	pkg   string // directory of name, "." for the root
	test  bool
	lines int
	file  *ast.File
	fset  *token.FileSet
	text  []byte
}

// line is the line number of a node.
func (s *source) line(n ast.Node) int { return s.fset.Position(n.Pos()).Line }

// finding is a violation of a rule.
type finding struct {
	file string
	line int
	text string
}

func (f finding) String() string { return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.text) }

func (s *source) found(n ast.Node, format string, args ...any) finding {
	return finding{s.name, s.line(n), fmt.Sprintf(format, args...)}
}

// parse reads one Go file.
func parse(name string, text []byte) (*source, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	return &source{
		name: name, pkg: path.Dir(name), test: strings.HasSuffix(name, "_test.go"),
		lines: bytes.Count(text, []byte("\n")), file: file, fset: fset, text: text,
	}, nil
}

// load parses every Go file of the module.
func load(t *testing.T) []*source {
	t.Helper()
	root := moduleRoot(t)
	var all []*source
	for _, name := range repoFiles(t, root) {
		if path.Ext(name) != ".go" || slices.Contains(strings.Split(name, "/"), "testdata") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		s, err := parse(name, text)
		if err != nil {
			t.Errorf("parse: %v", err)
			continue
		}
		all = append(all, s)
	}
	if len(all) < 20 {
		t.Fatalf("only %d Go files were found below %s", len(all), root)
	}
	return all
}

// moduleRoot is the directory of go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			if !bytes.Contains(text, []byte("module "+modulePath+"\n")) {
				t.Fatalf("%s/go.mod is of another module", dir)
			}
			return dir
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("there is no go.mod above this test")
		}
		dir = filepath.Dir(dir)
	}
}

// notOurs are directories with generated or downloaded content, and git's own.
var notOurs = []string{".git", "node_modules", "bin", "dist", ".cache"}

// repoFiles lists the files of the repository as slash paths.
func repoFiles(t *testing.T, root string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if slices.Contains(notOurs, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if d.Name() == ".git" { // in a worktree .git is a file that names the repository
			return nil
		}
		rel, err := filepath.Rel(root, file)
		names = append(names, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// importName is the name under which a file imports a package; "" if it does not
// import the package.
func (s *source) importName(importPath string) string {
	for _, spec := range s.file.Imports {
		if unquote(spec.Path.Value) != importPath {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return path.Base(importPath)
	}
	return ""
}

func unquote(lit string) string {
	s, err := strconv.Unquote(lit)
	if err != nil {
		return lit
	}
	return s
}

// matches reports whether a package matches one of the patterns. "internal/llm/*"
// stands for the packages right below internal/llm, "tui/..." for tui and all below
// it.
func matches(pkg string, patterns ...string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if base, ok := strings.CutSuffix(p, "/..."); ok {
			return pkg == base || strings.HasPrefix(pkg, base+"/")
		}
		ok, err := path.Match(p, pkg)
		return ok && err == nil
	})
}

// atRoot is what belongs at the root of the repository. A project or a program that somebody
// made there while trying koda must not be committed with the rest.
var atRoot = []string{
	".ci", ".gitignore", ".golangci.yml", ".goreleaser.yaml", "AGENTS.md", "LICENSE", "Makefile", "README.md", "action.yml", "bench", "cmd", "docker", "docs",
	"go.mod", "go.sum", "internal", "templates", "testdata", "tui",
}

// maxFile is more than any file of the repository has, in bytes.
const maxFile = 16 << 20

func TestRoot(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	for _, f := range repoFiles(t, root) {
		first, _, _ := strings.Cut(f, "/")
		if !slices.Contains(atRoot, first) && !strings.HasSuffix(f, ".test") && !strings.HasSuffix(f, ".prof") {
			t.Errorf("%s does not belong into the repository, or atRoot lacks %s", f, first)
		}
		packed := strings.HasPrefix(f, "templates/") && strings.HasSuffix(f, ".zst") // made by make setup
		if info, err := os.Stat(filepath.Join(root, f)); err == nil && info.Size() > maxFile && !packed {
			t.Errorf("%s has %d bytes", f, info.Size())
		}
	}
}
