package repo

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
)

// found is a directory in a repository, and what a reference means there.
type found struct {
	commit  string // full name
	format  string // of names: "sha1" or "sha256"
	objects string // absolute path of the directory of objects
	shallow string // absolute path of the file that says where the history is cut
	prefix  string // of the directory in the repository: "" or "a/b/"
}

// find asks the repository what ref means. USAGE: ref cannot be a reference. NOT_FOUND: dir
// is in no repository, or the repository has no such commit.
func find(ctx context.Context, dir, ref string) (f found, err error) {
	if err := checkRef(ref); err != nil {
		return f, err
	}
	ask := func(args ...string) (string, error) {
		out, err := git(ctx, dir, nil, append([]string{"-c", "core.fsmonitor=false", "rev-parse"}, args...)...)
		return strings.TrimSuffix(string(out), "\n"), err
	}
	if f.format, err = ask("--show-object-format"); err != nil {
		return f, noRepository(dir, err)
	}
	object, err := ask("--verify", "--quiet", "--end-of-options", ref)
	if err == nil && !isName(object) {
		err = errNoName
	}
	if err == nil {
		f.commit, err = ask("--verify", "--quiet", "--end-of-options", object+"^{commit}")
	}
	if err != nil {
		return f, &koda.Error{
			Code: koda.CodeNotFound, Op: fmt.Sprintf("the repository of %s has no commit %q", dir, ref), Err: spoken(err),
			Hint: "`git log --oneline --all` lists its commits; one that was never fetched must be fetched first",
		}
	}
	for _, part := range []struct {
		into *string
		args []string
	}{
		{&f.prefix, []string{"--show-prefix"}}, {&f.objects, []string{"--git-path", "objects"}}, {&f.shallow, []string{"--git-path", "shallow"}},
	} {
		if *part.into, err = ask(part.args...); err != nil {
			return f, noRepository(dir, err)
		}
	}
	for _, path := range []*string{&f.objects, &f.shallow} {
		if !filepath.IsAbs(*path) {
			*path = filepath.Join(dir, *path)
		}
	}
	return f, nil
}

var errNoName = errors.New("it means no object")

// isName reports whether a text is the full name of an object.
func isName(text string) bool {
	_, err := hex.DecodeString(text)
	return err == nil && (len(text) == 40 || len(text) == 64)
}

// checkRef refuses what git could take for an option, or for more than one argument.
func checkRef(ref string) error {
	switch {
	case strings.TrimSpace(ref) == "", strings.HasPrefix(ref, "-"), len(ref) > 1000,
		strings.ContainsFunc(ref, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("%q is no reference of git", ref), Hint: "give a commit, a branch or a tag, such as HEAD~1, main or v1.2"}
	}
	return nil
}

// spoken is what git says of a failure; nil if it says nothing.
func spoken(err error) error {
	var ended *proc.ExitError
	if errors.As(err, &ended) && strings.TrimSpace(ended.Stderr) == "" {
		return nil
	}
	return err
}

func noRepository(dir string, err error) error {
	var known *koda.Error
	if errors.As(err, &known) {
		return err
	}
	return &koda.Error{Code: koda.CodeNotFound, Op: "git finds no repository at " + dir, Err: spoken(err), Hint: "--ref is for a project in a git repository"}
}

// git runs git and returns its standard output. Environment are variables beside those that
// every call has.
func git(ctx context.Context, dir string, environment []string, args ...string) ([]byte, error) {
	spec, err := command(dir, environment, args...)
	if err != nil {
		return nil, err
	}
	return proc.Output(ctx, spec)
}

// command is a call of git that asks nobody, fetches nothing, takes no lock, and shows nothing
// by another program. No variable of the caller's says where git works.
func command(dir string, environment []string, args ...string) (proc.Spec, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return proc.Spec{}, &koda.Error{Code: koda.CodeMissingTool, Op: "git is missing", Err: err, Hint: "install it: apt-get install git"}
	}
	env := slices.DeleteFunc(proc.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	env = append(env, "LC_ALL=C", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_ATTR_NOSYSTEM=1", "GIT_PAGER=cat")
	return proc.Spec{Path: path, Dir: dir, Env: append(env, environment...), Args: append([]string{"--no-pager"}, args...)}, nil
}

// own is a git directory of koda's own, with the objects of a repository.
type own struct {
	dir string
	env []string
}

// attributes takes every attribute away that changes the bytes of a file, or leaves it out.
const attributes = "* !filter !text !eol !crlf !ident !working-tree-encoding !export-subst !export-ignore\n"

// open makes the git directory. The caller must call remove.
func open(f found) (o own, err error) {
	if o.dir, err = os.MkdirTemp("", "koda-git-*"); err != nil {
		return o, fmt.Errorf("make git directory: %w", err)
	}
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	if f.format != "sha1" {
		config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = " + f.format + "\n"
	}
	for _, sub := range []string{"objects", "refs", "info"} {
		err = errors.Join(err, os.Mkdir(filepath.Join(o.dir, sub), 0o700))
	}
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": config, "info/attributes": attributes} {
		if err == nil {
			err = atomicfile.Write(filepath.Join(o.dir, name), []byte(text), 0o600)
		}
	}
	if cut, failed := os.ReadFile(f.shallow); err == nil && failed == nil {
		err = atomicfile.Write(filepath.Join(o.dir, "shallow"), cut, 0o600)
	}
	if err != nil {
		return o, errors.Join(fmt.Errorf("make git directory: %w", err), o.remove())
	}
	o.env = []string{
		"GIT_DIR=" + o.dir, "GIT_OBJECT_DIRECTORY=" + f.objects, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"HOME=" + o.dir, "XDG_CONFIG_HOME=" + o.dir,
	}
	return o, nil
}

func (o own) remove() error { return os.RemoveAll(o.dir) }

// tree is the name of the tree of a directory in a commit. NOT_FOUND: the commit has none.
func (o own) tree(ctx context.Context, f found) (string, error) {
	out, err := git(ctx, o.dir, o.env, "rev-parse", "--verify", "--quiet", "--end-of-options", f.commit+":"+strings.TrimSuffix(f.prefix, "/"))
	if err != nil {
		return "", &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("commit %s has no directory %q", short(f.commit), f.prefix), Err: spoken(err), Hint: "give a commit that has the project"}
	}
	name := strings.TrimSpace(string(out))
	kind, err := git(ctx, o.dir, o.env, "cat-file", "-t", name)
	if err == nil && strings.TrimSpace(string(kind)) != "tree" {
		err = &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("in commit %s, %q is no directory", short(f.commit), f.prefix), Hint: "give a commit that has the project"}
	}
	return name, err
}

// log is the history of a directory up to a commit, a line each, the latest first. It is
// for reading: what cannot be told is left out.
func (o own) log(ctx context.Context, f found) []string {
	args := []string{"log", "--no-show-signature", "--no-color", "--no-decorate", "--max-count=40", "--format=%h %as %an: %s", f.commit, "--"}
	if f.prefix != "" {
		args = append(args, ":(top,literal)"+f.prefix)
	}
	ctx, cancel := context.WithTimeout(ctx, logTime)
	defer cancel()
	out, err := git(ctx, o.dir, o.env, args...)
	if err != nil {
		return nil
	}
	var lines []string
	for line := range strings.Lines(string(out)) {
		lines = append(lines, strings.ToValidUTF8(strings.TrimSpace(line), "\uFFFD"))
	}
	return lines
}

func short(name string) string { return name[:min(12, len(name))] }
