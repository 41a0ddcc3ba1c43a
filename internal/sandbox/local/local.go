package local

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// Names below Root. Directories whose name begins with a dot are half made or half
// removed.
const (
	sandboxesDir = "sandboxes"
	projectDir   = "project"
	metaFile     = "meta.json"
	comingPrefix = ".new-"
	goingPrefix  = ".gone-"
)

// staleAfter is how old a half-made directory must be before it counts as left
// behind by a koda that died.
const staleAfter = time.Hour

// Config is what a Provider needs; every field is required.
type Config struct {
	Root string           // absolute, $KODA_HOME; made when missing
	Now  func() time.Time // for the date in meta.json
}

// Provider makes sandboxes of kind local. It implements [sandbox.Provider] and
// may be used from several goroutines and processes.
type Provider struct {
	dir string // <Root>/sandboxes
	now func() time.Time
}

// Meta is meta.json: whose sandbox it is.
type Meta = sandbox.Meta

var _ sandbox.Lister = (*Provider)(nil)

// New returns a provider. It touches nothing yet.
func New(cfg Config) *Provider {
	return &Provider{dir: filepath.Join(cfg.Root, sandboxesDir), now: cfg.Now}
}

// Kind implements [sandbox.Provider].
func (p *Provider) Kind() sandbox.Kind { return sandbox.Local }

// Ping implements [sandbox.Provider]: it makes a directory and removes it.
func (p *Provider) Ping(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("ping local sandboxes: %w", err)
	}
	err := os.MkdirAll(p.dir, 0o700)
	if err == nil {
		var probe string
		if probe, err = os.MkdirTemp(p.dir, comingPrefix); err == nil {
			err = os.Remove(probe)
		}
	}
	if err != nil {
		return p.providerError("make sandboxes in "+p.dir, err)
	}
	return nil
}

// Create implements [sandbox.Provider].
func (p *Provider) Create(ctx context.Context, opts sandbox.Options) (sandbox.Sandbox, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("create local sandbox: %w", err)
	}
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return nil, p.providerError("create local sandbox", err)
	}
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return nil, p.providerError("create local sandbox", err)
	}
	defer closeQuietly(root)
	p.sweep(root)
	id := string(sandbox.Local) + "-" + strings.ToLower(rand.Text())
	meta := Meta{ID: id, ProjectID: opts.ProjectID, PID: os.Getpid(), Created: p.now().UTC()}
	meta.Started, meta.Host = proc.Started(meta.PID), hostname()
	coming := comingPrefix + id
	err = errors.Join(p.build(root, coming, meta), failpoint.Fail("local.create"))
	if err == nil {
		err = root.Rename(coming, id)
	}
	if err != nil {
		_ = root.RemoveAll(coming) //nolint:errcheck // the next Create sweeps it
		return nil, p.providerError("create local sandbox", err)
	}
	return p.sandbox(id), nil
}

// build makes a sandbox under a temporary name.
func (p *Provider) build(root *os.Root, coming string, meta Meta) error {
	if err := root.MkdirAll(coming+"/"+projectDir, 0o700); err != nil {
		return fmt.Errorf("make directory: %w", err)
	}
	data, err := json.MarshalIndent(meta, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", metaFile, err)
	}
	return atomicfile.Write(filepath.Join(p.dir, coming, metaFile), append(data, '\n'), 0o600)
}

var idPattern = regexp.MustCompile(`^local-[0-9a-z]{20,40}$`)

// Connect implements [sandbox.Provider].
func (p *Provider) Connect(ctx context.Context, id string) (sandbox.Sandbox, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("connect to sandbox %s: %w", id, err)
	}
	if !idPattern.MatchString(id) {
		return nil, notFound(id, nil)
	}
	if _, err := p.meta(id); err != nil {
		return nil, err
	}
	return p.sandbox(id), nil
}

// hostname is what Meta.Host is on this machine; "" when it has no name.
func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}

// All implements [sandbox.Lister].
func (p *Provider) All(ctx context.Context) ([]Meta, error) {
	names, err := os.ReadDir(p.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, p.providerError("list local sandboxes", err)
	}
	var all []Meta
	for _, n := range names {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("list local sandboxes: %w", err)
		}
		if !idPattern.MatchString(n.Name()) {
			continue
		}
		switch m, err := p.meta(n.Name()); {
		case err == nil:
			all = append(all, m)
		case koda.CodeOf(err) != koda.CodeSandboxNotFound: // otherwise the sandbox was destroyed in between
			return nil, err
		}
	}
	return all, nil
}

// Remove implements [sandbox.Provider].
func (p *Provider) Remove(ctx context.Context, id string) error {
	if !idPattern.MatchString(id) {
		return nil
	}
	return p.sandbox(id).Destroy(ctx)
}

func (p *Provider) meta(id string) (Meta, error) {
	data, err := os.ReadFile(filepath.Join(p.dir, id, metaFile))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return Meta{}, notFound(id, nil)
	}
	var m Meta
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		return Meta{}, p.providerError("read sandbox "+id, err)
	}
	if info, err := os.Lstat(filepath.Join(p.dir, id, projectDir)); err != nil || !info.IsDir() {
		return Meta{}, notFound(id, err)
	}
	m.Orphan = m.Host == hostname() && !proc.Lives(m.PID, m.Started)
	return m, nil
}

func (p *Provider) sandbox(id string) *Sandbox {
	s := &Sandbox{Files: hostos.NewFiles(id, filepath.Join(p.dir, id, projectDir)), id: id, provider: p}
	s.Still = sandbox.Still{Alive: s.Files.Alive, Hint: "a shell of this machine would be the person's own"}
	return s
}

// Sweep removes the directories that a dead koda left half made or half removed, as
// every Create does, and returns their paths. With dryRun it only returns the
// paths.
func (p *Provider) Sweep(dryRun bool) []string {
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return nil // there are no sandboxes
	}
	defer closeQuietly(root)
	var swept []string
	for _, name := range p.stale(root) {
		swept = append(swept, filepath.Join(p.dir, name))
	}
	if !dryRun {
		p.sweep(root)
	}
	return swept
}

func (p *Provider) sweep(root *os.Root) {
	for _, name := range p.stale(root) {
		_ = root.RemoveAll(name) //nolint:errcheck // tried again by the next Create
	}
}

// passing matches the names of directories that are half made or half removed, and of
// the directory Ping makes.
var passing = regexp.MustCompile(`^\.(new|gone)-(local-[0-9a-z]{20,40}|[0-9]+)$`)

// stale lists the half-made and half-removed directories that no living koda owns.
// If p.dir is a link, there are none.
func (p *Provider) stale(root *os.Root) []string {
	if projectfs.NoLinks(filepath.Dir(p.dir), sandboxesDir) != nil {
		return nil
	}
	names, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil // the caller meets the same error and says it
	}
	var stale []string
	for _, n := range names {
		if !n.IsDir() || !passing.MatchString(n.Name()) {
			continue
		}
		left := strings.HasPrefix(n.Name(), goingPrefix)
		if strings.HasPrefix(n.Name(), comingPrefix) {
			info, err := n.Info()
			left = err == nil && p.now().Sub(info.ModTime()) > staleAfter
		}
		if left {
			stale = append(stale, n.Name())
		}
	}
	return stale
}

func (p *Provider) providerError(op string, err error) error {
	if full := koda.DiskFull(op, err, "free some space, or set KODA_HOME to a directory on another disk"); full != nil {
		return full
	}
	return &koda.Error{
		Code: koda.CodeProviderError, Op: op, Err: err,
		Hint: "check that you may write to " + filepath.Dir(p.dir) + ", or set KODA_HOME to another directory",
	}
}

func notFound(id string, err error) error {
	return &koda.Error{Code: koda.CodeSandboxNotFound, Op: fmt.Sprintf("sandbox %q is gone", id), Err: err}
}

func closeQuietly(root *os.Root) { _ = root.Close() } //nolint:errcheck // nothing was written through it
