package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// target is what `koda render`, `koda still` and `koda sheet` draw: a project, or any
// directory that fulfils the page contract.
type target struct {
	project  *koda.Project // nil: a plain directory, which is only read
	dir      string        // absolute
	manifest koda.Manifest
}

// name is what files made of the target are called.
func (t target) name() string { return filepath.Base(t.dir) }

// home is where files made of the target go when nothing else was said.
func (t target) home() string {
	if t.project != nil {
		return filepath.Join(t.dir, "renders")
	}
	return "."
}

// plainDir reports whether ref ("" is the working directory) is a directory
// with a page that is no project of koda's.
func plainDir(ref string) bool {
	dir := ref
	if dir == "" {
		dir = "."
	}
	return !exists(filepath.Join(dir, ".koda", "state.json")) && exists(filepath.Join(dir, "koda.json"))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// targetOf finds what is drawn as it lies in its directory.
func (a *app) targetOf(ctx context.Context, ref string) (t target, err error) {
	if plainDir(ref) {
		return plainTarget(ref)
	}
	err = a.withEngine(ctx, func(ctx context.Context, e Engine) (err error) {
		t, err = projectTarget(ctx, e, ref)
		return err
	})
	return t, err
}

// plainTarget reads the contract of a plain directory.
func plainTarget(ref string) (target, error) {
	dir, err := filepath.Abs(ref)
	if err != nil {
		return target{}, fmt.Errorf("find directory: %w", err)
	}
	t := target{dir: dir}
	if t.manifest, err = readManifest(dir); err != nil {
		return t, err
	}
	if !exists(filepath.Join(dir, "index.html")) {
		return t, usage("a page is koda.json beside index.html", "%s has no index.html", dir)
	}
	return t, nil
}

// projectTarget finds a project that can be drawn.
func projectTarget(ctx context.Context, e Engine, ref string) (target, error) {
	p, err := e.Find(ctx, ref)
	if koda.CodeOf(err) == koda.CodeNotFound && strings.ContainsRune(ref, filepath.Separator) {
		return target{}, &koda.Error{
			Code: koda.CodeNotFound, Op: fmt.Sprintf("there is nothing to draw in %q", ref),
			Hint: "name a project, or a directory with koda.json and index.html",
		}
	}
	if err != nil {
		return target{}, err
	}
	t := target{project: &p, dir: p.Dir}
	t.manifest, err = readManifest(p.Dir)
	if koda.CodeOf(err) == koda.CodeNotFound {
		v, showErr := e.Show(ctx, p.ID)
		if showErr != nil {
			return t, showErr
		}
		if v.Project.Gone {
			return t, engine.Present(p)
		}
		if v.Version > 0 {
			return t, usage(fmt.Sprintf("koda undo %s brings back the files of v%d", p.Name, v.Version), "%s has no koda.json", p.Name)
		}
		return t, wrongPhase(p, v.Waiting, "drawn: nothing is made yet")
	}
	return t, err
}

func readManifest(dir string) (koda.Manifest, error) {
	data, err := os.ReadFile(filepath.Join(dir, "koda.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return koda.Manifest{}, &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("%s has no koda.json", dir)}
	}
	if err != nil {
		return koda.Manifest{}, fmt.Errorf("read koda.json: %w", err)
	}
	return koda.ParseManifest(data)
}

// outputFile says where a file goes. Given is what the person said: "" for
// home/base.format, a directory, or a path whose ending is that of format or
// missing. Its directory must be there; only home, a project's own, may be
// missing, as the engine makes it.
func outputFile(given, home, base, format string, noClobber bool) (string, error) {
	path := given
	switch {
	case given == "":
		path = filepath.Join(home, base+"."+format)
	case given == "-":
		return "", usage("give a file: --output "+base+"."+format, "nothing can be written to standard output")
	case isDir(given) || strings.HasSuffix(given, string(filepath.Separator)):
		path = filepath.Join(given, base+"."+format)
	case isDevice(given):
		return "", usage("give a file: --output "+base+"."+format, "%s is no file that can be replaced", given)
	case filepath.Ext(given) == "":
		path = given + "." + format
	case formatOf(given) != format:
		return "", usage("give the file the ending ."+format, "%s is no name for a %s file", given, format)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find directory: %w", err)
	}
	if err := needsDir(filepath.Dir(path)); given != "" && err != nil {
		return "", err
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "", usage("give a shorter one with --output", "the name of the output is too long, it has %d bytes", len(filepath.Base(path)))
	case err != nil:
		return "", fmt.Errorf("look at %s: %w", path, err)
	case noClobber:
		return "", &koda.Error{Code: koda.CodeExists, Op: path + " exists", Hint: "leave out --no-clobber to replace it, or give another --output"}
	case !info.Mode().IsRegular() && info.Mode().Type() != fs.ModeSymlink:
		return "", usage("give another --output", "%s is no file that can be replaced", path)
	}
	return path, nil
}

// outputDir says where a directory of frames goes: what the person said, or
// otherwise.
func outputDir(given, otherwise string) (string, error) {
	if given == "-" {
		return "", usage("give a directory: --output "+filepath.Base(otherwise), "nothing can be written to standard output")
	}
	path, err := filepath.Abs(cmp.Or(given, otherwise))
	if err != nil {
		return "", fmt.Errorf("find directory: %w", err)
	}
	if err := needsDir(filepath.Dir(path)); given != "" && err != nil {
		return "", err
	}
	if exists(path) && !isDir(path) {
		return "", usage("png is a directory of frames: give another --output", "%s is no directory", path)
	}
	return path, nil
}

// needsDir refuses a place that is no directory.
func needsDir(dir string) error {
	switch _, err := os.Stat(dir); {
	case isDir(dir):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return usage("make it: mkdir -p "+dir, "%s is no directory", dir)
	}
	return usage("give another --output", "%s is no directory", dir)
}

// formatOf is the format a file's name asks for; "" when it asks for none.
func formatOf(path string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// isDevice reports whether path is there and neither file nor directory: a
// device, a pipe or a socket.
func isDevice(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// readOnly opens a directory for the renderer: nothing outside it can be
// reached, through links either. The caller closes.
func readOnly(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open directory: %w", err)
	}
	return root, nil
}

// drawing opens the renderer and the files of t for f.
func (a *app) drawing(ctx context.Context, t target, f func(engine.Renderer, fs.FS) error) (err error) {
	r, err := a.deps.Renderer(ctx)
	if err != nil {
		return err
	}
	root, err := readOnly(t.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return f(r, root.FS())
}
