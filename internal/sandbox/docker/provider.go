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
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/system"
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
	// Memory in bytes and CPUs bound each sandbox, and Most says how many there may be in
	// the engine, whoever made them. 0 is no limit.
	Memory int64
	CPUs   float64
	Most   int
	// Scratch is how many bytes of disk a sandbox may use; 0: 5 GB.
	Scratch int64
	// Browser is how many bytes a browser may use in a container that draws; 0: what the
	// container has for it, below 0: any number.
	Browser int64
	// Cache is the directory of this machine that keeps what containers found out about
	// their browser; "" keeps nothing.
	Cache string
	// Open gives sandboxes a network: all that the engine's machine reaches.
	Open bool
	Now  func() time.Time
}

// Provider makes sandboxes of kind docker: containers with a guest. It implements
// [sandbox.Provider] and may be used from several goroutines and processes.
type Provider struct {
	cfg Config

	mu      sync.Mutex
	engine  *client.Client // nil until an engine has answered
	machine *system.Info   // of the engine; nil until it was asked

	layering sync.Mutex // one goroutine at a time adds the guest to the image

	podman atomic.Bool // the engine is Podman
	silent atomic.Bool // the engine let the last question after a sandbox unanswered
}

var (
	_ sandbox.Provider = (*Provider)(nil)
	_ sandbox.Preparer = (*Provider)(nil)
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
	_, err = p.guestFor(ctx, api)
	return err
}

// Prepare implements [sandbox.Preparer]. It builds the image, or pulls and checks the
// image of the person, and adds the guest.
func (p *Provider) Prepare(ctx context.Context, tell func(koda.BuildStep)) error {
	api, err := p.api(ctx)
	if err != nil {
		return err
	}
	program, err := p.guestFor(ctx, api)
	if err != nil {
		return err
	}
	if _, err := (&Engine{api: api, podman: p.podman.Load(), cfg: p.cfg.Image}).Build(ctx, false, tell); err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, createTime)
	defer cancel()
	_, err = p.layer(limited, api, program)
	return err
}

// api is the client of an engine that has answered.
func (p *Provider) api(ctx context.Context) (*client.Client, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.engine != nil {
		return p.engine, ctx.Err()
	}
	c, _, _, err := connect(ctx)
	if err != nil {
		return nil, err
	}
	p.engine = c
	return c, nil
}

// bounds are the bounds of a container, as far as the engine can keep them: without root
// some engines cannot. An engine refuses more CPUs than its machine has; with less than a
// tenth of one, a container takes longer to start than koda waits.
func (p *Provider) bounds(ctx context.Context, api *client.Client) (memory int64, cpus float64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.machine == nil {
		info, err := api.Info(ctx)
		if err != nil {
			return 0, 0, engineError("ask the engine for its machine", err)
		}
		p.machine = &info
	}
	if p.machine.MemoryLimit {
		memory = p.cfg.Memory
	}
	if p.machine.CPUCfsQuota {
		cpus = min(p.cfg.CPUs, max(1, float64(p.machine.NCPU)))
		if cpus > 0 {
			cpus = max(cpus, 0.1)
		}
	}
	return memory, cpus, nil
}

// Labels of containers and images that koda made.
const (
	labelSandbox = "video.koda.sandbox" // the sandbox.Meta as JSON
	labelGuest   = "video.koda.guest"   // on an image: the digest of its guest
	labelMadeBy  = "video.koda.madeby"  // the digest of the settings that a sandbox was made with
)

// How long the engine may take.
const (
	createTime = time.Minute      // to make a container, or to remove one
	answerTime = 20 * time.Second // to answer a question
	aliveTime  = 5 * time.Second  // to say whether a sandbox lives
	settleTime = 2 * time.Second  // to notice that a container ended
	againTime  = 2 * time.Second  // to answer, after it was silent once
)

// Create implements [sandbox.Provider].
func (p *Provider) Create(ctx context.Context, opts sandbox.Options) (sb sandbox.Sandbox, err error) {
	err = p.create(ctx, opts, false, func(ctx context.Context, api *client.Client, id, _, digest string) (err error) {
		sb, err = p.open(ctx, api, id, digest)
		return err
	})
	return sb, err
}

// create makes a container, for drawing if draws is set, and has open greet its guest. If
// open fails, the container is removed.
func (p *Provider) create(ctx context.Context, opts sandbox.Options, draws bool, open func(ctx context.Context, api *client.Client, id, image, digest string) error) error {
	api, err := p.api(ctx)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, createTime)
	defer cancel()
	program, err := p.guestFor(limited, api)
	if err != nil {
		return err
	}
	image, err := p.layer(limited, api, program)
	if err != nil {
		return err
	}
	if !draws {
		if err := p.quota(limited, api); err != nil {
			return err
		}
	}
	meta := sandbox.Meta{ID: string(sandbox.Docker) + "-" + strings.ToLower(rand.Text()), ProjectID: opts.ProjectID, PID: os.Getpid(), Host: hostname(), Created: p.cfg.Now().UTC()}
	if draws {
		meta.ID = drawPrefix + strings.ToLower(rand.Text())
	}
	meta.Started = proc.Started(meta.PID)
	if err = p.start(limited, api, meta, image, draws); err == nil {
		err = open(limited, api, meta.ID, image, program.digest)
	}
	if err != nil {
		_ = remove(context.WithoutCancel(ctx), api, meta.ID) //nolint:errcheck // its lease ends it
		if ctx.Err() != nil {
			return fmt.Errorf("create docker sandbox: %w", ctx.Err())
		}
	}
	return err
}

// quota fails with QUOTA_EXCEEDED if there are as many sandboxes as there may be.
func (p *Provider) quota(ctx context.Context, api *client.Client) error {
	if p.cfg.Most == 0 {
		return nil
	}
	found, err := api.ContainerList(ctx, container.ListOptions{Filters: filters.NewArgs(filters.Arg("label", labelSandbox), filters.Arg("name", "^/?"+string(sandbox.Docker)+"-"))})
	if err != nil {
		return engineError("count the sandboxes", err)
	}
	n := 0
	for _, c := range found {
		if len(c.Names) > 0 && idPattern.MatchString(strings.TrimPrefix(c.Names[0], "/")) {
			n++
		}
	}
	if n < p.cfg.Most {
		return nil
	}
	return &koda.Error{
		Code: koda.CodeQuotaExceeded, Op: fmt.Sprintf("there are %d sandboxes, and there may be no more than %d", n, p.cfg.Most),
		Hint: "koda gc puts away those that nobody uses, koda sandbox ls lists all; or koda config set sandbox-max 20",
	}
}

// start starts a container and waits until its guest is ready.
func (p *Provider) start(ctx context.Context, api *client.Client, meta sandbox.Meta, image string, draws bool) error {
	id := meta.ID
	label, err := json.Marshal(meta)
	if err != nil {
		return fmt.Errorf("create docker sandbox: %w", err)
	}
	memory, cpus, err := p.bounds(ctx, api)
	if err != nil {
		return err
	}
	host, err := walls(memory, cpus)
	if err != nil {
		return err
	}
	serve := []string{program, "serve", "-id", id, "-socket", socket}
	if draws {
		serve = append(serve, "-dir", drawDir, "-idle", drawIdle.String(), "-draw", "-browser-memory", strconv.FormatInt(p.cfg.Browser, 10))
		delete(host.Tmpfs, scratch) // videos are larger than memory: a volume of the container's own
	} else {
		serve = append(serve, "-dir", project, "-idle", p.cfg.Idle.String(), "-life", p.cfg.Life.String())
		serve = append(serve, watch(p.cfg.Scratch)...)
		room(host, string(label))
	}
	env := []string{"LANG=C.UTF-8"}
	if !p.cfg.Open {
		env = append(env, "npm_config_offline=true") // npm would wait for minutes for a network
	}
	env = append(env, p.cfg.Image.Env...)
	cfg := &container.Config{
		Image: image, User: user, WorkingDir: home, Env: append(env, "HOME="+home, "USER=user"), Labels: map[string]string{labelSandbox: string(label), labelMadeBy: p.cfg.digest()},
		Entrypoint: serve, Cmd: []string{}, Healthcheck: unchecked, StopSignal: "SIGTERM",
		AttachStdout: true, AttachStderr: true,
	}
	if draws {
		cfg.Volumes = map[string]struct{}{scratch: {}}
	} else if !p.podman.Load() {
		cfg.Healthcheck = checked(id)
	}
	if p.cfg.Open && !draws {
		host.NetworkMode = "bridge"
	}
	if _, err := contain(ctx, api, p.podman.Load(), cfg, host, id); err != nil {
		return engineError("create a container", err)
	}
	says, err := api.ContainerAttach(ctx, id, container.AttachOptions{Stream: true, Stdout: true, Stderr: true})
	if err != nil {
		return engineError("listen to the container", err)
	}
	defer says.Close()
	stop := context.AfterFunc(ctx, says.Close)
	defer stop()
	if err := api.ContainerStart(ctx, id, container.StartOptions{}); err != nil {
		return engineError("start the container", err)
	}
	var stdout, stderr bytes.Buffer
	_, err = stdcopy.StdCopy(untilReady{&stdout}, &stderr, io.LimitReader(says.Reader, 64<<10))
	if !errors.Is(err, errReady) {
		return engineError("start the guest in the container", errors.Join(err, errors.New(proc.LastLine(stderr.String()))))
	}
	return nil
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
	sb, err := guest.Open(ctx, p.options(api, id, digest))
	if err != nil {
		return nil, err // a nil *guest.Sandbox must not become a non-nil Sandbox
	}
	return sb, nil
}

// options say where the guest of a container is.
func (p *Provider) options(api *client.Client, id, digest string) guest.Options {
	return guest.Options{
		ID: id, Kind: sandbox.Docker, Digest: digest,
		Dial:    p.dialer(api, id),
		Alive:   func(ctx context.Context) error { return p.settled(ctx, api, id) },
		Destroy: func(ctx context.Context) error { return p.destroy(ctx, api, id) },
	}
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
	if err := p.alive(ctx, api, id); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, answerTime, providerError("connect to sandbox "+id, errSilent, silentHint))
	defer cancel()
	return p.open(limited, api, id, "")
}

// patience is how long the engine may take for what takes it a time at most. An engine
// that was silent before is not waited for as long again.
func (p *Provider) patience(most time.Duration) time.Duration {
	if p.silent.Load() {
		return againTime
	}
	return most
}

// alive fails with SANDBOX_NOT_FOUND unless the container runs and is a sandbox. A
// container that has ended is removed, also one that somebody starts again.
func (p *Provider) alive(ctx context.Context, api *client.Client, id string) error {
	limited, cancel := context.WithTimeout(ctx, p.patience(aliveTime))
	defer cancel()
	c, err := api.ContainerInspect(limited, id)
	if !errors.Is(err, context.Canceled) {
		p.silent.Store(limited.Err() != nil)
	}
	switch {
	case errdefs.IsNotFound(err):
		return notFound(id)
	case err != nil:
		return engineError("look for the sandbox "+id, err)
	case c.State != nil && c.State.Paused:
		return providerError("the sandbox "+id+" is paused", nil, "docker unpause "+id+" lets it go on; koda sandbox rm "+id+" removes it, and koda goes on from the last checkpoint")
	case c.State == nil || c.Config == nil || c.Config.Labels[labelSandbox] == "":
		return notFound(id)
	case !c.State.Running || startedAgain(c.State.FinishedAt):
		return errors.Join(notFound(id), p.destroy(ctx, api, id))
	}
	return nil
}

// startedAgain reports whether a container that runs has ended before. What it had in
// memory, such as the project, ended then.
func startedAgain(finished string) bool {
	at, err := time.Parse(time.RFC3339Nano, finished)
	return err == nil && !at.IsZero()
}

// settled is alive for a sandbox whose stream broke. The engine notices the end of a
// container a moment after the streams to it.
func (p *Provider) settled(ctx context.Context, api *client.Client, id string) error {
	if !p.silent.Load() {
		limited, cancel := context.WithTimeout(ctx, settleTime)
		defer cancel()
		ended, failed := api.ContainerWait(limited, id, container.WaitConditionNotRunning)
		select {
		case <-ended:
		case <-failed: //nolint:errcheck // alive asks once more
		}
	}
	return p.alive(ctx, api, id)
}

// remove ends a container. A container that is gone, or goes already, is no error.
func remove(ctx context.Context, api *client.Client, id string) error {
	ctx, cancel := context.WithTimeout(ctx, createTime)
	defer cancel()
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

var errSilent = errors.New("the engine does not answer")

const roomHint = "make room: koda gc, koda sandbox prune, docker system prune"

const silentHint = "see whether the engine is overloaded, or stop and start it again: sudo systemctl restart docker"

// engineError is an error of the engine. A cancelled call stays a cancelled call. What an
// engine lacks it says only in words.
func engineError(op string, err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: %w", op, err)
	case errors.Is(err, context.DeadlineExceeded):
		return providerError(op, errSilent, silentHint)
	case client.IsErrConnectionFailed(err):
		return providerError(op, err, "start the engine again: sudo systemctl start docker")
	case strings.Contains(err.Error(), syscall.ENOSPC.Error()), strings.Contains(err.Error(), syscall.ENOMEM.Error()):
		return &koda.Error{
			Code: koda.CodeQuotaExceeded, Op: op + ": the engine has no room", Err: err,
			Hint: roomHint,
		}
	}
	return providerError(op, brief(err), "docker info may say more")
}
