package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// target is what `koda render`, `koda still` and `koda sheet` draw: a project, or any
// directory that fulfils the page contract.
type target struct {
	project  *koda.Project // nil: a plain directory, which koda only reads
	dir      string        // absolute
	locked   bool          // koda cannot write to the project, and only reads it
	manifest koda.Manifest
}

// kind is the kind of sandbox that the target's code runs in; "" if the settings decide.
func (t target) kind() string {
	if t.project == nil {
		return ""
	}
	return t.project.SandboxType
}

// name is the name of files made from the target.
func (t target) name() string { return filepath.Base(t.dir) }

// home is where files made from the target go, unless the person says otherwise.
func (t target) home() string {
	if t.project != nil || t.locked {
		return filepath.Join(t.dir, "renders")
	}
	return "."
}

// plainDir reports whether ref ("" is the working directory) is a directory with a page
// that koda only reads: it is not a project, or koda cannot write to it.
func plainDir(ref string) bool {
	dir := cmp.Or(ref, ".")
	return exists(filepath.Join(dir, "koda.json")) && (!isProject(dir) || locked(dir))
}

func isProject(dir string) bool { return exists(filepath.Join(dir, ".koda", "state.json")) }

// locked reports whether koda cannot write to a project's directory, or to its own files
// in it: the directory is another person's, or its disk is read-only.
func locked(dir string) bool {
	return unwritable(dir) != nil || unwritable(filepath.Join(dir, ".koda")) != nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// tellLocked says what a video of a project shows that koda cannot write to.
func (a *app) tellLocked(t target) {
	if t.locked && !a.json {
		fmt.Fprintf(a.io.Err, "%s cannot be written to: it is drawn as it lies there, and the project keeps no note of it\n", t.dir)
	}
}

// checkParams refuses parameters that a person edited to what the recipe does not take, and tells of names that it does not know.
func (a *app) checkParams(t target) (err error) {
	files, err := projectfs.Open(t.dir)
	if err != nil {
		return fmt.Errorf("open directory: %w", err)
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	strange, err := a.deps.CheckParams(files)
	if err == nil && len(strange) > 0 {
		a.warn(fmt.Sprintf("src/theatre/params.json has %s, which the recipe does not know", strings.Join(strange, ", ")))
	}
	return err
}

// targetOf finds what is drawn from a directory as it is.
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

// findOrTakeUp finds the project of ref. If a directory was a project and lost its .koda,
// as a clone does, it becomes a project again, and koda says so.
func (a *app) findOrTakeUp(ctx context.Context, e Engine, ref string) (koda.Project, error) {
	p, err := e.Find(ctx, ref)
	dir := cmp.Or(ref, ".")
	gone := err == nil && engine.Present(p) != nil // it was there, and another clone is there now
	if !gone && koda.CodeOf(err) != koda.CodeNotFound || !exists(filepath.Join(dir, "koda.json")) {
		return p, err
	}
	p, failed := e.TakeUp(ctx, dir)
	if koda.CodeOf(failed) == koda.CodeNotFound {
		return p, &koda.Error{Code: koda.CodeNotFound, Err: err, Hint: "koda did not make what lies there; koda render draws any page"}
	}
	if failed == nil && !a.json {
		fmt.Fprintf(a.io.Err, "%s came without its .koda: it is a project again, and v1 is what lies there\n", p.Name)
	}
	return p, failed
}

// plainTarget reads the page contract of a plain directory.
func plainTarget(ref string) (target, error) {
	dir, err := filepath.Abs(ref)
	if err != nil {
		return target{}, fmt.Errorf("find directory: %w", err)
	}
	t := target{dir: dir, locked: isProject(dir)}
	if t.manifest, err = readManifest(dir); err != nil {
		return t, err
	}
	if !exists(filepath.Join(dir, "index.html")) {
		return t, usage("a page is koda.json beside index.html", "%s has no index.html", dir)
	}
	return t, nil
}

// projectTarget finds a project that koda can draw.
func projectTarget(ctx context.Context, e Engine, ref string) (target, error) {
	p, err := e.Find(ctx, ref)
	if koda.CodeOf(err) == koda.CodeNotFound {
		return target{}, noPage(ref, err)
	}
	if err != nil {
		return target{}, err
	}
	if isProject(p.Dir) && locked(p.Dir) {
		return plainTarget(p.Dir)
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

// noPage says what koda needs to draw something that is not a project; err says that it
// is not.
func noPage(ref string, err error) error {
	missing := func(hint, format string, args ...any) error {
		return &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf(format, args...), Hint: hint}
	}
	dir, file := cmp.Or(ref, "."), false
	switch info, failed := os.Stat(dir); {
	case failed != nil && strings.ContainsRune(ref, filepath.Separator):
		return missing("name a project, or a directory with koda.json and index.html", "there is nothing to draw in %q", ref)
	case failed != nil:
		return err
	case !info.IsDir():
		dir, file = filepath.Dir(dir), true
	}
	page := exists(filepath.Join(dir, "index.html"))
	switch {
	case file && exists(filepath.Join(dir, "koda.json")):
		return missing("name its directory: "+dir, "%s is a file, and koda draws directories", ref)
	case file && !slices.Contains([]string{".html", ".htm", ".svg", ".json"}, strings.ToLower(filepath.Ext(ref))):
		return missing("name an HTML, SVG or Lottie file, or a directory with koda.json and index.html", "%s is not a page", ref)
	case ref == "" && !page:
		return err
	case !page && !file:
		return missing("a page is koda.json beside index.html; koda new makes one of a sentence", "%s has no koda.json and no index.html", dir)
	}
	what := dir
	if file && filepath.Base(ref) != "index.html" {
		what = ref
	}
	return missing("koda.json says a page's size, rate and duration, and the page offers window.__exportSeekTo(seconds) and sets window.__exportReady: "+
		"`koda init "+what+"` writes what is missing", "%s has no koda.json", dir)
}

func readManifest(dir string) (koda.Manifest, error) {
	data, err := projectfs.ReadFile(dir, "koda.json")
	if errors.Is(err, fs.ErrNotExist) {
		return koda.Manifest{}, &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("%s has no koda.json", dir)}
	}
	if err != nil {
		return koda.Manifest{}, err
	}
	return koda.ParseManifest(data)
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

// drawing opens the renderer and the files of t for f.
func (a *app) drawing(ctx context.Context, t target, f func(engine.Renderer, fs.FS) error) (err error) {
	r, err := a.deps.Renderer(ctx, t.kind(), a.tellBuild())
	if err != nil {
		return err
	}
	files, err := projectfs.Open(t.dir)
	if err != nil {
		return fmt.Errorf("open directory: %w", err)
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	return f(r, files)
}
