package docker

import (
	"context"

	"github.com/docker/docker/api/types/container"

	"github.com/koda-video/koda/internal/sandbox"
)

// Try runs a program in a confined container of an image, to its end.
func (e *Engine) Try(ctx context.Context, id string, command ...string) (stdout, stderr string, status int64, err error) {
	return e.try(ctx, id, command...)
}

// Other gives the address of an engine that nobody named, beside the usual address.
func Other() string { return first(others()) }

// Derived gives the tag and the Dockerfile of an image derived from the image id.
func (c ImageConfig) Derived(id, user string) (tag, dockerfile string, err error) {
	r, _, err := c.derived(id, user)
	return r.tag, string(r.files["Dockerfile"]), err
}

// Own gives the tag and the build arguments of koda's own image.
func (c ImageConfig) Own() (tag string, args map[string]*string, err error) {
	r, err := c.own()
	return r.tag, r.args, err
}

// Proxies gives the build arguments of proxies.
func Proxies() (map[string]*string, error) { return proxies() }

// Ping is the version of the engine, such as "28.5.2". Its error is that of [Connect].
func Ping(ctx context.Context) (version string, err error) {
	e, err := Connect(ctx, ImageConfig{})
	if err != nil {
		return "", err
	}
	return e.version, e.Close()
}

// Greet greets the guest of a container, whose program has that digest.
func Greet(ctx context.Context, id, digest string) (sandbox.Sandbox, error) {
	p := New(Config{})
	api, err := p.api(ctx)
	if err != nil {
		return nil, err
	}
	return p.open(ctx, api, id, digest)
}

// ID is the id of the container that draws; "" if there is none.
func (d *Drawer) ID() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.at == nil {
		return ""
	}
	return d.at.id
}

// Profile is the seccomp profile of koda's containers.
func Profile() (string, error) { return syscalls() }

// PodmanWalls are the walls of a sandbox as Podman takes them.
func PodmanWalls() (host *container.HostConfig, done func(), err error) {
	host, err = walls(0, 0)
	if err != nil {
		return nil, nil, err
	}
	room(host, "label")
	done, err = forPodman(host)
	return host, done, err
}
