package repo_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/repo"
)

// person is a repository of a person.
type person struct {
	t    *testing.T
	dir  string // its work tree
	home string
}

func newPerson(t *testing.T, init ...string) person {
	t.Helper()
	needs.Program(t, "git", "sudo apt-get install git")
	p := person{t: t, dir: filepath.Join(t.TempDir(), "work"), home: t.TempDir()}
	p.git(".", append([]string{"init", "-q", "-b", "main", p.dir}, init...)...)
	p.write("anim/koda.json", "{}\n")
	p.write("anim/src/App.tsx", "one\n")
	p.write("other.txt", "outside of the project\n")
	p.commit("first")
	return p
}

func (p person) git(dir string, args ...string) string {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+p.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (p person) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p person) commit(message string) string {
	p.t.Helper()
	p.git(p.dir, "add", "-A")
	p.git(p.dir, "commit", "-q", "-m", message)
	return p.git(p.dir, "rev-parse", "HEAD")
}

// all says everything about a directory: names, modes, times and contents.
func all(t *testing.T, dir string) string {
	t.Helper()
	var s strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&s, path, info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			fmt.Fprintf(&s, "%x\n", sha1.Sum(data))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.String()
}

// take takes a copy, and fails if anything of the person's changed.
func (p person) take(dir, ref string) (repo.Copy, error) {
	p.t.Helper()
	before := all(p.t, filepath.Dir(p.dir))
	c, err := repo.Take(p.t.Context(), dir, ref, filepath.Join(p.t.TempDir(), "refs"))
	if all(p.t, filepath.Dir(p.dir)) != before {
		p.t.Errorf("the repository was written to for %q", ref)
	}
	return c, err
}

func read(t *testing.T, c repo.Copy, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(c.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestTake: a copy has the files of the project in the commit, whatever is in the work tree.
func TestTake(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	first := p.git(p.dir, "rev-parse", "HEAD")
	p.write("anim/src/App.tsx", "two\n")
	p.write("anim/.koda/state.json", "{}\n")
	p.write("anim/renders/a.mp4", "video")
	p.commit("second: two")
	p.git(p.dir, "tag", "v1.2")
	p.write("anim/src/App.tsx", "loose\n")
	for ref, want := range map[string]string{"HEAD~1": "one\n", first: "one\n", first[:8]: "one\n", "main": "two\n", "v1.2": "two\n", "HEAD": "two\n", "main@{0}": "two\n", ":/first": "one\n"} {
		c, err := p.take(filepath.Join(p.dir, "anim"), ref)
		if err != nil {
			t.Errorf("%s: %v", ref, err)
			continue
		}
		if got := read(t, c, "src/App.tsx"); got != want || !c.New || len(c.Commit) != 40 {
			t.Errorf("%s is %q, %+v", ref, got, c)
		}
		for _, name := range []string{".koda", "renders", "other.txt", ".git"} {
			if _, err := os.Lstat(filepath.Join(c.Dir, name)); err == nil {
				t.Errorf("%s: %s came along", ref, name)
			}
		}
		if ref == "main" && (len(c.Commits) != 2 || !strings.HasSuffix(c.Commits[0], "A: second: two")) {
			t.Errorf("commits %q", c.Commits)
		}
	}
	// Equal files have one directory, which stays as it is.
	parent := filepath.Join(t.TempDir(), "refs")
	c, err := repo.Take(t.Context(), filepath.Join(p.dir, "anim"), "main", parent)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.Dir, "src/App.tsx"), []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := repo.Take(t.Context(), filepath.Join(p.dir, "anim"), "v1.2", parent)
	if err != nil || again.Dir != c.Dir || again.New || read(t, again, "src/App.tsx") != "mine\n" {
		t.Errorf("%+v, %v", again, err)
	}
	if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// TestTake_Refused: one clear error, and nothing is left or changed.
func TestTake_Refused(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	blob := p.git(p.dir, "rev-parse", "HEAD:other.txt")
	before := all(t, p.dir)
	for ref, want := range map[string]koda.Code{
		"": koda.CodeUsage, " ": koda.CodeUsage, "-h": koda.CodeUsage, "--help": koda.CodeUsage, "--output=x": koda.CodeUsage, "--exec=touch /tmp/x": koda.CodeUsage,
		"main\n--output=x": koda.CodeUsage, "main\x00": koda.CodeUsage, "ma\tin": koda.CodeUsage, strings.Repeat("a", 2000): koda.CodeUsage,
		"nothing": koda.CodeNotFound, "main:other.txt": koda.CodeNotFound, blob: koda.CodeNotFound, "main..HEAD": koda.CodeNotFound, "^main": koda.CodeNotFound,
		"main other": koda.CodeNotFound, "$(touch x)": koda.CodeNotFound, "../../etc": koda.CodeNotFound, "HEAD~9": koda.CodeNotFound, "main^{tree}": koda.CodeNotFound,
		"0000000000000000000000000000000000000000": koda.CodeNotFound, "ext::sh -c touch% x": koda.CodeNotFound,
	} {
		_, err := p.take(filepath.Join(p.dir, "anim"), ref)
		if koda.CodeOf(err) != want || koda.HintOf(err) == "" || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v (%s)", ref, err, koda.HintOf(err))
		}
	}
	if all(t, p.dir) != before {
		t.Error("something was written")
	}
	for dir, want := range map[string]string{p.dir: "has no koda.json", t.TempDir(): "finds no repository"} {
		if _, err := p.take(dir, "HEAD"); koda.CodeOf(err) != koda.CodeNotFound || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	p.write("late/koda.json", "{}")
	if _, err := p.take(filepath.Join(p.dir, "late"), "HEAD"); koda.CodeOf(err) != koda.CodeNotFound || !strings.Contains(err.Error(), `no directory "late/"`) {
		t.Errorf("a directory that is in no commit: %v", err)
	}
}

// TestTake_HostileClone: nothing that a clone's configuration names is run, and the bytes
// are those of the commit.
func TestTake_HostileClone(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	ran := filepath.Join(t.TempDir(), "ran")
	evil := filepath.Join(t.TempDir(), "evil")
	if err := os.WriteFile(evil, []byte("#!/bin/sh\necho \"$0 $*\" >>"+ran+"\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	const format = "$Format:%H %G? %(describe)$\r\n$Id$\r\n"
	p.write("anim/format.txt", format)
	p.write("anim/hidden.txt", "in the commit\n")
	p.commit("files")
	p.write("anim/.gitattributes", "* filter=evil diff=evil text eol=crlf ident\nformat.txt export-subst -text\nhidden.txt export-ignore\nsrc/** working-tree-encoding=UTF-16\n")
	p.git(p.dir, "add", "anim/.gitattributes")
	p.git(p.dir, "commit", "-q", "-m", "attributes")
	want := p.git(p.dir, "cat-file", "blob", "HEAD:anim/format.txt")
	// The clone is hostile: git itself runs its programs.
	p.git(p.dir, "config", "filter.evil.smudge", evil)
	p.git(p.dir, "archive", "-o", os.DevNull, "HEAD")
	if _, err := os.Stat(ran); err != nil {
		t.Fatal("git archive in the clone ran nothing, so this test shows nothing")
	}
	for key, value := range map[string]string{
		"filter.evil.clean": evil, "filter.evil.process": evil, "filter.evil.required": "true",
		"diff.evil.textconv": evil, "diff.evil.command": evil, "diff.external": evil, "core.fsmonitor": evil, "core.hooksPath": filepath.Dir(evil),
		"core.pager": evil, "pager.rev-parse": evil, "pager.archive": evil, "pager.log": evil, "core.sshCommand": evil, "core.gitProxy": evil, "core.editor": evil, "core.askPass": evil,
		"gpg.program": evil, "log.showSignature": "true", "tar.tar.command": evil, "tar.umask": "0777", "alias.rev-parse": "!" + evil, "alias.archive": "!" + evil,
		"extensions.partialClone": "origin", "remote.origin.promisor": "true", "remote.origin.url": "ext::" + evil, "remote.origin.uploadpack": evil,
		"protocol.allow": "always", "protocol.ext.allow": "always", "uploadpack.packObjectsHook": evil, "credential.helper": "!" + evil, "core.attributesFile": filepath.Join(p.dir, "anim/.gitattributes"),
		"core.repositoryformatversion": "1", "core.alternateRefsCommand": evil, "init.templateDir": filepath.Dir(evil), "trace2.eventTarget": ran,
	} {
		p.git(p.dir, "config", key, value)
	}
	for _, hook := range []string{"post-checkout", "fsmonitor-watchman", "pre-auto-gc", "reference-transaction", "post-index-change"} {
		must(t, os.MkdirAll(filepath.Join(p.dir, ".git/hooks"), 0o755))
		must(t, os.Symlink(evil, filepath.Join(p.dir, ".git/hooks", hook)))
	}
	must(t, os.MkdirAll(filepath.Join(p.dir, ".git/info"), 0o755))
	must(t, os.WriteFile(filepath.Join(p.dir, ".git/info/attributes"), []byte("* filter=evil export-subst\n"), 0o644))
	_ = os.Remove(ran) // the person's own git may have run it
	c, err := p.take(filepath.Join(p.dir, "anim"), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(read(t, c, "format.txt")); got != want {
		t.Errorf("format.txt is %q, in the commit %q", got, want)
	}
	if got := read(t, c, "hidden.txt") + read(t, c, "src/App.tsx"); got != "in the commit\none\n" {
		t.Errorf("the files are %q", got)
	}
	// An object that is not there is not fetched.
	object := p.git(p.dir, "-c", "extensions.partialClone=", "hash-object", "anim/hidden.txt", "--no-filters")
	must(t, os.Remove(filepath.Join(p.dir, ".git/objects", object[:2], object[2:])))
	if _, err := p.take(filepath.Join(p.dir, "anim"), "HEAD"); koda.CodeOf(err) != koda.CodeReadFailed {
		t.Errorf("a missing object: %v", err)
	}
	if _, err := p.take(filepath.Join(p.dir, "anim"), strings.Repeat("1234", 10)); koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("a missing commit: %v", err)
	}
	if told, err := os.ReadFile(ran); err == nil {
		t.Errorf("a program of the clone ran: %s", told)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTake_Entries: links, submodules and pointers stay out of a project, or are told.
func TestTake_Entries(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	other := newPerson(t)
	must(t, os.Symlink("/etc/passwd", filepath.Join(p.dir, "anim/abs")))
	must(t, os.Symlink("../../../..", filepath.Join(p.dir, "anim/up")))
	must(t, os.Symlink("src", filepath.Join(p.dir, "anim/in")))
	p.git(p.dir, "-c", "protocol.file.allow=always", "submodule", "add", "-q", other.dir, "anim/module")
	p.write("anim/public/big.png", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n")
	p.commit("entries")
	c, err := p.take(filepath.Join(p.dir, "anim"), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(c.Links)
	if got := fmt.Sprint(c.Links, c.Pointers); got != "[abs in up] [public/big.png]" {
		t.Errorf("links and pointers: %s", got)
	}
	for _, name := range []string{"abs", "up", "in", "module"} {
		if _, err := os.Lstat(filepath.Join(c.Dir, name)); err == nil {
			t.Errorf("%s came along", name)
		}
	}
}

// object writes an object that git itself would not make, and returns its name.
func (p person) object(kind string, body []byte) string {
	p.t.Helper()
	whole := append(fmt.Appendf(nil, "%s %d\x00", kind, len(body)), body...)
	sum := sha1.Sum(whole)
	name := hex.EncodeToString(sum[:])
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, err := w.Write(whole)
	must(p.t, err)
	must(p.t, w.Close())
	dir := filepath.Join(p.dir, ".git/objects", name[:2])
	must(p.t, os.MkdirAll(dir, 0o755))
	must(p.t, os.WriteFile(filepath.Join(dir, name[2:]), packed.Bytes(), 0o444))
	return name
}

// TestTake_HostileTrees: names that lead out of a directory, or into git's, have no place.
func TestTake_HostileTrees(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"..", ".", "../../outside", "/outside", ".git", ".GIT", `a\..\b`, "koda.json/x", ""} {
		p := newPerson(t)
		raw := func(mode, name, object string) []byte {
			id, err := hex.DecodeString(object)
			must(t, err)
			return append([]byte(mode+" "+name+"\x00"), id...)
		}
		blob := p.object("blob", []byte("evil\n"))
		sub := p.object("tree", raw("100644", "hooks", blob))
		for _, entry := range [][]byte{raw("100644", name, blob), raw("40000", name, sub)} {
			tree := p.object("tree", append(raw("100644", "koda.json", blob), entry...))
			commit := p.object("commit", fmt.Appendf(nil, "tree %s\nauthor A <a@example.com> 1700000000 +0000\ncommitter A <a@example.com> 1700000000 +0000\n\nevil\n", tree))
			parent := filepath.Join(t.TempDir(), "refs")
			c, err := repo.Take(t.Context(), p.dir, commit, parent)
			if err == nil {
				err = filepath.WalkDir(c.Dir, func(path string, d fs.DirEntry, err error) error {
					if err == nil && path != c.Dir && d.Name() != "koda.json" {
						t.Errorf("%q: there is %s", name, path)
					}
					return err
				})
			}
			entries, _ := os.ReadDir(filepath.Dir(parent))
			if len(entries) > 1 || err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: %v, %v", name, entries, err)
			}
		}
	}
}

// TestTake_Places: bare repositories, further work trees, shallow clones, names of 64
// digits, and objects that lie elsewhere.
func TestTake_Places(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.write("anim/src/App.tsx", "two\n")
	p.commit("second")
	parent := filepath.Dir(p.dir)
	must(t, os.Rename(filepath.Join(p.dir, "anim"), filepath.Join(p.dir, "moved")))
	p.git(p.dir, "mv", "-k", "moved", "anim")
	p.git(p.dir, "reset", "-q", "--hard")
	p.git(p.dir, "worktree", "add", "-q", filepath.Join(parent, "tree"), "HEAD~1")
	p.git(parent, "clone", "-q", "--depth=1", "file://"+p.dir, filepath.Join(parent, "shallow"))
	p.git(parent, "clone", "-q", "--shared", p.dir, filepath.Join(parent, "shared"))
	for dir, want := range map[string]string{"tree": "one\n", "shallow": "two\n", "shared": "two\n"} {
		c, err := p.take(filepath.Join(parent, dir, "anim"), "HEAD")
		if err != nil || read(t, c, "src/App.tsx") != want || len(c.Commits) == 0 {
			t.Errorf("%s: %+v, %v", dir, c, err)
		}
	}
	long := newPerson(t, "--object-format=sha256")
	if c, err := long.take(filepath.Join(long.dir, "anim"), "main"); err != nil || len(c.Commit) != 64 {
		t.Errorf("sha256: %+v, %v", c, err)
	}
	whole := newPerson(t)
	whole.write("koda.json", "{}")
	whole.commit("at the root")
	bare := filepath.Join(filepath.Dir(whole.dir), "bare.git")
	whole.git(".", "clone", "-q", "--bare", whole.dir, bare)
	if c, err := whole.take(bare, "main"); err != nil || read(t, c, "koda.json") != "{}" {
		t.Errorf("bare: %+v, %v", c, err)
	}
}

// TestTake_Hook: koda called by a hook of git looks where the person says.
func TestTake_Hook(t *testing.T) {
	p, other := newPerson(t), newPerson(t)
	p.write("anim/src/App.tsx", "two\n")
	p.commit("second")
	t.Setenv("GIT_DIR", filepath.Join(other.dir, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(other.dir, "index"))
	c, err := repo.Take(t.Context(), filepath.Join(p.dir, "anim"), "main", t.TempDir())
	if err != nil || read(t, c, "src/App.tsx") != "two\n" {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestTake_Huge: a commit that is too large for a project is refused, and git is ended.
func TestTake_Huge(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	blob := p.object("blob", nil)
	id, err := hex.DecodeString(blob)
	must(t, err)
	var tree bytes.Buffer
	for i := range 30_000 {
		fmt.Fprintf(&tree, "100644 %06d\x00%s", i, id)
	}
	name := p.object("tree", tree.Bytes())
	commit := p.object("commit", fmt.Appendf(nil, "tree %s\nauthor A <a@example.com> 1700000000 +0000\ncommitter A <a@example.com> 1700000000 +0000\n\nhuge\n", name))
	if _, err := p.take(p.dir, commit); err == nil || koda.CodeOf(err) == koda.CodeNotFound {
		t.Errorf("30 000 files: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := repo.Take(ctx, filepath.Join(p.dir, "anim"), "HEAD", t.TempDir()); err == nil {
		t.Error("an ended ctx is no error")
	}
}
