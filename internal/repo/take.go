package repo

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/projectfs"
)

// logTime is how long the history may take.
const logTime = 10 * time.Second

// Copy is a directory of koda's own with the files of a commit.
type Copy struct {
	Dir     string   // absolute
	Commit  string   // full name
	Commits []string // that led to it, one line each, the latest first; at most 40
	New     bool     // the directory was made now
	// Links are the paths of links, which were left out, and Pointers those of pointers of
	// Git LFS, whose contents are not in the commit. They are known only of a new copy.
	Links, Pointers []string
}

// Take copies the files that dir has in a commit into a directory of koda's own below
// parent. Equal files have one directory: if it is there, it stays as it is. USAGE: ref cannot be a reference. NOT_FOUND: dir is in no
// repository, or there is no such commit, or it lacks the directory or a koda.json in it.
// SAVE_FAILED: the files are too large or too many. MISSING_TOOL: there is no git.
func Take(ctx context.Context, dir, ref, parent string) (c Copy, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return c, fmt.Errorf("find directory: %w", err)
	}
	f, err := find(ctx, dir, ref)
	if err != nil {
		return c, err
	}
	o, err := open(f)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, o.remove()) }()
	tree, err := o.tree(ctx, f)
	if err != nil {
		return c, err
	}
	c.Commit, c.Dir = f.commit, filepath.Join(parent, plainName(filepath.Base(dir))+"-"+short(tree))
	if _, err := os.Lstat(filepath.Join(c.Dir, manifest)); errors.Is(err, fs.ErrNotExist) {
		c.New = true
		files, err := o.archive(ctx, tree, &c)
		if err == nil && files[manifest] == nil {
			err = &koda.Error{
				Code: koda.CodeNotFound, Op: fmt.Sprintf("in commit %s, %s has no koda.json", short(f.commit), dir),
				Hint: "give a commit that has the project, or name its directory by -p",
			}
		}
		if err == nil {
			err = write(c.Dir, files)
		}
		if err != nil {
			return c, err
		}
	}
	c.Commits = o.log(ctx, f)
	return c, nil
}

const manifest = "koda.json"

// own files of koda, which are no part of an animation, and what nobody edits.
var leftOut = []string{".git", ".koda", "node_modules", "renders", "previews"}

// archive reads the files of a tree.
func (o own) archive(ctx context.Context, tree string, c *Copy) (files map[string][]byte, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	spec, err := command(o.dir, o.env, "archive", "--format=tar", tree)
	if err != nil {
		return nil, err
	}
	p, err := proc.Start(ctx, spec)
	if err != nil {
		return nil, fmt.Errorf("start git: %w", err)
	}
	files, err = unpack(p.Stdout(), c)
	if err != nil {
		p.Kill()
		_ = p.Wait() //nolint:errcheck // the reason is known
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	_, _ = io.Copy(io.Discard, p.Stdout()) //nolint:errcheck // the end of the archive
	if err := p.Wait(); err != nil {
		return nil, &koda.Error{Code: koda.CodeReadFailed, Op: "take the files out of the repository", Err: err, Hint: "`git fsck` examines the repository; objects that were never fetched must be fetched first"}
	}
	return files, nil
}

// pointer is how a pointer of Git LFS begins.
var pointer = []byte("version https://git-lfs.github.com/spec/")

// unpack reads an archive. It takes regular files with plain names, and writes nothing.
func unpack(r io.Reader, c *Copy) (map[string][]byte, error) {
	files, budget := map[string][]byte{}, &projectfs.Budget{}
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read archive: %w", err)
		}
		name := strings.TrimSuffix(h.Name, "/")
		switch {
		case h.Typeflag == tar.TypeXGlobalHeader:
			continue
		case !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00"):
			return nil, &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("the commit has a file %q, which has no place in a project", h.Name)}
		case left(name):
			continue
		case h.Typeflag == tar.TypeDir:
			continue
		case h.Typeflag != tar.TypeReg:
			c.Links = append(c.Links, name)
			continue
		}
		if err := budget.Count(name, h.Size); err != nil {
			return nil, err
		}
		if limit := projectfs.Limit(name); h.Size > limit {
			return nil, &koda.Error{Code: koda.CodeSaveFailed, Op: fmt.Sprintf("%s has %d MB in the commit, and a project's file at most %d MB", name, h.Size>>20, limit>>20)}
		}
		data := make([]byte, h.Size)
		if _, err := io.ReadFull(archive, data); err != nil {
			return nil, fmt.Errorf("read archive: %w", err)
		}
		files[name] = data
		if len(data) < 1024 && bytes.HasPrefix(data, pointer) {
			c.Pointers = append(c.Pointers, name)
		}
	}
}

// left reports whether a file is no part of an animation.
func left(name string) bool {
	for i, part := range strings.Split(name, "/") {
		part = strings.ToLower(part)
		if slices.Contains(leftOut[:3], part) || i == 0 && slices.Contains(leftOut, part) {
			return true
		}
	}
	return false
}

// write makes the directory of the copy, whole.
func write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return fmt.Errorf("make a copy: %w", err)
	}
	d, err := atomicfile.CreateDir(dir)
	if err != nil {
		return fmt.Errorf("make a copy: %w", err)
	}
	defer d.Abort()
	for name, data := range files {
		f, err := d.Create(filepath.FromSlash(name))
		if err != nil {
			return fmt.Errorf("make a copy: %w", err)
		}
		_, err = f.Write(data)
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("make a copy: %w", err)
		}
	}
	return d.Commit()
}

// plainName is a name that a project can have.
func plainName(base string) string {
	name := strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, strings.ToLower(base)), "-")
	if name == "" {
		return "commit"
	}
	return name[:min(len(name), 40)]
}
