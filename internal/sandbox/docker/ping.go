package docker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/docker/docker/api/types"
	"github.com/docker/docker/client"

	"github.com/koda-video/koda/internal/koda"
)

// pingTimeout bounds how long an engine may take to answer: on a busy machine, Podman above
// all takes seconds. An engine that is not there is found at once. sshTimeout is the bound
// if an engine is reached by ssh.
const (
	pingTimeout = 10 * time.Second
	sshTimeout  = 15 * time.Second
)

// Engine is a Docker engine that answered, and the image that its sandboxes are made of.
// The caller must close it.
type Engine struct {
	api     *client.Client
	version string
	podman  bool // it is Podman
	at      endpoint
	cfg     ImageConfig
}

// String says for people which engine this is, and where.
func (e *Engine) String() string { return "engine " + e.version + " at " + e.at.String() }

// Connect asks the engine that the docker command would use for its version, within ten
// seconds. The error has code PROVIDER_ERROR and a hint on how to get an engine.
func Connect(ctx context.Context, cfg ImageConfig) (*Engine, error) {
	c, v, at, err := connect(ctx)
	if err != nil {
		return nil, err
	}
	return &Engine{api: c, version: v.Version, podman: isPodman(v), at: at, cfg: cfg}, nil
}

// connect makes a client of an engine that answers, as [Connect] does. The caller closes
// the client.
func connect(ctx context.Context) (c *client.Client, v types.Version, at endpoint, err error) {
	if err := ctx.Err(); err != nil {
		return nil, v, at, fmt.Errorf("ping docker: %w", err)
	}
	at, err = find()
	if err != nil {
		return nil, v, at, providerError("read the Docker settings", err, "see docker context ls, or set DOCKER_HOST to the address of an engine")
	}
	limit := pingTimeout
	if strings.HasPrefix(at.host, "ssh://") {
		limit = sshTimeout
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c, err = at.client()
	if err != nil {
		return nil, v, at, providerError("read the Docker settings", err, "check DOCKER_HOST, DOCKER_CERT_PATH and DOCKER_API_VERSION")
	}
	// Ping comes first: the client's own negotiation swallows the error of its ping
	// and falls back to a version that new engines refuse.
	ping, err := c.Ping(limited)
	if err == nil {
		c.NegotiateAPIVersionPing(ping)
		if v, err = c.ServerVersion(limited); err == nil {
			return c, v, at, nil
		}
	}
	_ = c.Close() //nolint:errcheck // idle connections only
	if ctx.Err() != nil {
		return nil, v, at, fmt.Errorf("ping docker: %w", ctx.Err())
	}
	if limited.Err() != nil {
		return nil, v, at, providerError(fmt.Sprintf("the Docker engine at %s did not answer within %v", at, limit), nil,
			"see whether it is overloaded, or start it again: sudo systemctl restart docker")
	}
	return nil, v, at, providerError("reach the Docker engine at "+at.String(), brief(err), at.hint(err))
}

// Close closes idle connections.
func (e *Engine) Close() error { return e.api.Close() }

// String gives the address, and who named it if that was a context.
func (e endpoint) String() string {
	if strings.HasPrefix(e.from, "context ") {
		return e.host + " (" + e.from + ")"
	}
	return e.host
}

// hint says what to do: install the engine, start it, or get the right to use it.
func (e endpoint) hint(err error) string {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EACCES) {
		return "you may not use the socket: sudo usermod -aG docker $USER, then log in again"
	}
	if strings.HasPrefix(e.host, "ssh://") {
		return "see what is wrong: docker -H " + e.host + " version"
	}
	if version := os.Getenv(client.EnvOverrideAPIVersion); version != "" && !client.IsErrConnectionFailed(err) {
		return "it may not speak version " + version + ": unset " + client.EnvOverrideAPIVersion
	}
	if !client.IsErrConnectionFailed(err) {
		return "it answers with an error: docker info says more"
	}
	if e.from == client.EnvOverrideHost {
		return "start that engine, or unset DOCKER_HOST to use the engine of this machine"
	}
	if strings.HasPrefix(e.from, "context ") {
		return "start it, or choose another engine: docker context use NAME"
	}
	if socket, ok := strings.CutPrefix(e.host, "unix://"); ok {
		if _, statErr := os.Stat(socket); statErr != nil {
			return "install Docker (https://docs.docker.com/engine/install/) or start it: sudo systemctl start docker"
		}
		return "start it: sudo systemctl start docker"
	}
	return "start it, see docker context ls"
}

// brief is what an engine said, on one line and no longer than a person reads.
func brief(err error) error {
	const most = 500
	text := strings.Join(strings.Fields(err.Error()), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most/2], "") + " … " + strings.ToValidUTF8(text[len(text)-most/2:], "")
	}
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}

func providerError(op string, err error, hint string) error {
	return &koda.Error{Code: koda.CodeProviderError, Op: op, Err: err, Hint: hint}
}
