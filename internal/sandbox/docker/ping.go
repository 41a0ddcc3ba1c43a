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

	"github.com/docker/docker/client"

	"github.com/koda-video/koda/internal/koda"
)

// pingTimeout bounds the whole of Ping.
const pingTimeout = 2 * time.Second

// Ping asks the engine that the environment names (DOCKER_HOST and its companions,
// else the usual socket) for its version, such as "28.5.2", within two seconds. The
// error has code PROVIDER_ERROR and a hint on how to get an engine.
func Ping(ctx context.Context) (version string, err error) {
	c, version, err := connect(ctx)
	if err != nil {
		return "", err
	}
	_ = c.Close() //nolint:errcheck // idle connections only
	return version, nil
}

// connect makes a client of an engine that answers, as [Ping] does. The caller closes the
// client.
func connect(ctx context.Context) (c *client.Client, version string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, "", fmt.Errorf("ping docker: %w", err)
	}
	limited, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	c, err = client.NewClientWithOpts(client.FromEnv, client.WithAPIVersionNegotiation())
	if err != nil {
		return nil, "", providerError("read the Docker settings", err, "check DOCKER_HOST, DOCKER_CERT_PATH and DOCKER_API_VERSION")
	}
	// Ping comes first: the client's own negotiation swallows the error of its ping
	// and falls back to a version that new engines refuse.
	ping, err := c.Ping(limited)
	if err == nil {
		c.NegotiateAPIVersionPing(ping)
		v, versionErr := c.ServerVersion(limited)
		if versionErr == nil {
			return c, v.Version, nil
		}
		err = versionErr
	}
	_ = c.Close() //nolint:errcheck // idle connections only
	if ctx.Err() != nil {
		return nil, "", fmt.Errorf("ping docker: %w", ctx.Err())
	}
	if limited.Err() != nil {
		return nil, "", providerError(fmt.Sprintf("the Docker engine at %s did not answer within %v", c.DaemonHost(), pingTimeout), nil,
			"see whether it is overloaded, or start it again: sudo systemctl restart docker")
	}
	return nil, "", providerError("reach the Docker engine at "+c.DaemonHost(), err, hint(c.DaemonHost(), err))
}

// hint says what to do: install the engine, start it, or get the right to use it.
func hint(host string, err error) string {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EACCES) {
		return "you may not use the socket: sudo usermod -aG docker $USER, then log in again"
	}
	if !client.IsErrConnectionFailed(err) {
		return "it answers with an error: docker info says more"
	}
	if socket, ok := strings.CutPrefix(host, "unix://"); ok {
		if _, statErr := os.Stat(socket); statErr != nil {
			return "install Docker (https://docs.docker.com/engine/install/) or start it: sudo systemctl start docker"
		}
		return "start it: sudo systemctl start docker"
	}
	return "check DOCKER_HOST, or unset it to use the engine of this machine"
}

func providerError(op string, err error, hint string) error {
	return &koda.Error{Code: koda.CodeProviderError, Op: op, Err: err, Hint: hint}
}
