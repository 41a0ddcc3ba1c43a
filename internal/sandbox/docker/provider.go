package docker

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/client"
	"github.com/docker/docker/pkg/stdcopy"

	"github.com/koda-video/koda/internal/guest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox"
)

// Config is what a Provider needs; every field without another word is required.
type Config struct {
	Image ImageConfig // the image that sandboxes are made of, which [Engine.Build] makes
	// Guest is the packed guest for an architecture, see templates.Guest.
	Guest func(arch string) (archive []byte, ok bool)
	// Idle is how long a sandbox lives after the last touch, and Life how long at most.
	// 0 is no limit.
	Idle, Life time.Duration
	Memory     int64 // bytes; 0 is no limit
	Now        func() time.Time
}

// Provider makes sandboxes of kind docker: containers with a guest. It implements
// [sandbox.Provider] and may be used from several goroutines and processes.
type Provider struct {
	cfg Config

	mu     sync.Mutex
	engine *client.Client // nil until an engine has answered

	layering sync.Mutex // one goroutine at a time adds the guest to the image
}

var (
	_ sandbox.Provider = (*Provider)(nil)
	_ sandbox.Lister   = (*Provider)(nil)
)

// New returns a provider. It asks the engine nothing yet.
func New(cfg Config) *Provider { return &Provider{cfg: cfg} }

// Kind implements [sandbox.Provider].
func (p *Provider) Kind() sandbox.Kind { return sandbox.Docker }

// Ping implements [sandbox.Provider].
func (p *Provider) Ping(ctx context.Context) error {
	api, err := p.api(ctx)
	if err != nil {
		return err
	}
	if _, err := p.guestFor(ctx, api); err != nil {
		return err
	}
	_, err = p.image(ctx, api)
	if koda.CodeOf(err) == koda.CodeTemplateNotFound {
		return providerError(err.Error(), nil, koda.HintOf(err))
	}
	return err
}

// api is the client of an engine that has answered.
func (p *Provider) api(ctx context.Context) (*client.Client, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.engine != nil {
		return p.engine, ctx.Err()
	}
	c, _, err := connect(ctx)
	if err != nil {
		return nil, err
	}
	p.engine = c
	return c, nil
}

// Labels of containers and images that koda made.
const (
	labelSandbox = "video.koda.sandbox" // the sandbox.Meta as JSON
	labelGuest   = "video.koda.guest"   // on an image: the digest of its guest
)

// createTime bounds Create.
const createTime = time.Minute

// Create implements [sandbox.Provider].
func (p *Provider) Create(ctx context.Context, opts sandbox.Options) (sandbox.Sandbox, error) {
	api, err := p.api(ctx)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, createTime)
	defer cancel()
	program, err := p.guestFor(limited, api)
	if err != nil {
		return nil, err
	}
	image, err := p.layer(limited, api, program)
	if err != nil {
		return nil, err
	}
	id := string(sandbox.Docker) + "-" + strings.ToLower(rand.Text())
	meta := sandbox.Meta{ID: id, ProjectID: opts.ProjectID, PID: os.Getpid(), Host: hostname(), Created: p.cfg.Now().UTC()}
	meta.Started = proc.Started(meta.PID)
	sb, err := p.start(limited, api, meta, image, program.digest)
	if err != nil {
		_ = remove(context.WithoutCancel(ctx), api, id) //nolint:errcheck // its lease ends it
		if ctx.Err() != nil {
			return nil, fmt.Errorf("create docker sandbox: %w", ctx.Err())
		}
		return nil, err
	}
	return sb, nil
}

// start starts a container and greets its guest.
func (p *Provider) start(ctx context.Context, api *client.Client, meta sandbox.Meta, image, digest string) (sandbox.Sandbox, error) {
	id := meta.ID
	label, err := json.Marshal(meta)
	if err != nil {
		return nil, fmt.Errorf("create docker sandbox: %w", err)
	}
	cfg := &container.Config{
		Image: image, User: user, WorkingDir: home, Env: []string{"HOME=" + home, "LANG=C.UTF-8", "USER=user"}, Labels: map[string]string{labelSandbox: string(label)},
		Entrypoint: []string{program, "serve", "-id", id, "-dir", project, "-socket", socket, "-idle", p.cfg.Idle.String(), "-life", p.cfg.Life.String()},
		Cmd:        []string{}, Healthcheck: &container.HealthConfig{Test: []string{"NONE"}}, StopSignal: "SIGTERM",
		AttachStdout: true, AttachStderr: true,
	}
	host, err := walls(p.cfg.Memory)
	if err != nil {
		return nil, err
	}
	if _, err := api.ContainerCreate(ctx, cfg, host, nil, nil, id); err != nil {
		return nil, engineError("create a container", err)
	}
	says, err := api.ContainerAttach(ctx, id, container.AttachOptions{Stream: true, Stdout: true, Stderr: true})
	if err != nil {
		return nil, engineError("listen to the container", err)
	}
	defer says.Close()
	stop := context.AfterFunc(ctx, says.Close)
	defer stop()
	if err := api.ContainerStart(ctx, id, container.StartOptions{}); err != nil {
		return nil, engineError("start the container", err)
	}
	var stdout, stderr bytes.Buffer
	_, err = stdcopy.StdCopy(untilReady{&stdout}, &stderr, io.LimitReader(says.Reader, 64<<10))
	if !errors.Is(err, errReady) {
		return nil, engineError("start the guest in the container", errors.Join(err, errors.New(proc.LastLine(stderr.String()))))
	}
	return p.open(ctx, api, id, digest)
}

var errReady = errors.New("the guest is ready")

// untilReady fails with errReady once the guest has said that it is ready.
type untilReady struct{ seen *bytes.Buffer }

func (u untilReady) Write(b []byte) (int, error) {
	n, _ := u.seen.Write(b) //nolint:errcheck // a buffer never fails
	if strings.Contains(u.seen.String(), "ready\n") {
		return n, errReady
	}
	return n, nil
}

// open greets the guest of a container.
func (p *Provider) open(ctx context.Context, api *client.Client, id, digest string) (sandbox.Sandbox, error) {
	sb, err := guest.Open(ctx, guest.Options{
		ID: id, Kind: sandbox.Docker, Digest: digest,
		Dial:    dialer(api, id),
		Alive:   func(ctx context.Context) error { return alive(ctx, api, id) },
		Destroy: func(ctx context.Context) error { return remove(ctx, api, id) },
	})
	if err != nil {
		return nil, err // a nil *guest.Sandbox must not become a non-nil Sandbox
	}
	return sb, nil
}

var idPattern = regexp.MustCompile(`^docker-[0-9a-z]{20,40}$`)

// Connect implements [sandbox.Provider]. A guest of another koda will do, if it speaks
// the same protocol.
func (p *Provider) Connect(ctx context.Context, id string) (sandbox.Sandbox, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("connect to sandbox %s: %w", id, err)
	}
	if !idPattern.MatchString(id) {
		return nil, notFound(id)
	}
	api, err := p.api(ctx)
	if err != nil {
		return nil, err
	}
	if err := alive(ctx, api, id); err != nil {
		return nil, err
	}
	return p.open(ctx, api, id, "")
}

// All implements [sandbox.Lister].
func (p *Provider) All(ctx context.Context) ([]sandbox.Meta, error) {
	api, err := p.api(ctx)
	if err != nil {
		return nil, err
	}
	running := filters.NewArgs(filters.Arg("label", labelSandbox), filters.Arg("status", "running"))
	found, err := api.ContainerList(ctx, container.ListOptions{Filters: running})
	if err != nil {
		return nil, engineError("list containers", err)
	}
	host := hostname()
	metas := []sandbox.Meta{}
	for _, c := range found {
		var m sandbox.Meta
		if json.Unmarshal([]byte(c.Labels[labelSandbox]), &m) != nil || m.ID == "" {
			continue // not of koda's making
		}
		m.Orphan = m.Host == host && !proc.Lives(m.PID, m.Started)
		metas = append(metas, m)
	}
	slices.SortFunc(metas, func(a, b sandbox.Meta) int { return strings.Compare(a.ID, b.ID) })
	return metas, nil
}

// hostname is [sandbox.Meta.Host] on this machine; "" if it has no name.
func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}

// alive fails with SANDBOX_NOT_FOUND unless the container runs and is a sandbox.
func alive(ctx context.Context, api *client.Client, id string) error {
	c, err := api.ContainerInspect(ctx, id)
	switch {
	case errdefs.IsNotFound(err):
		return notFound(id)
	case err != nil:
		return engineError("look for the sandbox "+id, err)
	case c.State == nil || !c.State.Running || c.Config == nil || c.Config.Labels[labelSandbox] == "":
		return notFound(id)
	}
	return nil
}

// remove ends a container. A container that is gone, or goes already, is no error.
func remove(ctx context.Context, api *client.Client, id string) error {
	err := api.ContainerRemove(ctx, id, container.RemoveOptions{Force: true, RemoveVolumes: true})
	if errdefs.IsNotFound(err) || errdefs.IsConflict(err) {
		return nil
	}
	if err != nil {
		return engineError("remove the sandbox "+id, err)
	}
	return nil
}

func notFound(id string) error {
	return &koda.Error{Code: koda.CodeSandboxNotFound, Op: fmt.Sprintf("sandbox %q is gone", id)}
}

// engineError is an error of the engine. A cancelled call stays a cancelled call.
func engineError(op string, err error) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%s: %w", op, err)
	}
	return providerError(op, err, "docker info may say more")
}
