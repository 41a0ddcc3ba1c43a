package docker

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/client"
	"github.com/docker/docker/pkg/stdcopy"

	"github.com/koda-video/koda/internal/guest"
)

// Where things are in a container.
const (
	program = "/koda-guest"
	user    = "1000:1000"
	home    = "/home/user"
	project = home + "/project"
	socket  = "/run/koda/guest.sock"
	drawDir = "/tmp/koda" // of a container that draws
)

// drawPrefix begins the names of containers that draw.
const drawPrefix = "draw-"

// walls are what keeps the code in a container from everything else: no network, no
// capabilities, files that nobody can write. What the code may write is in memory, but for
// what [room] adds, and ends with the container. The seccomp profile is koda's. The guest
// is the init, so the engine adds none. The engine removes the container when the guest
// ends. A bound of 0 is none.
func walls(memory int64, cpus float64) (*container.HostConfig, error) {
	processes := int64(4096)
	const own = ",mode=0700,uid=1000,gid=1000"
	small := part(memory, 16, 256<<20)
	bounds := fmt.Sprintf("%s,size=%d", inodes, small)
	host := &container.HostConfig{
		NetworkMode: "none", ReadonlyRootfs: true, CapDrop: []string{"ALL"}, SecurityOpt: []string{"no-new-privileges"}, AutoRemove: true,
		Tmpfs: map[string]string{
			home: "rw,nosuid,nodev,exec" + own + bounds, scratch: "rw,nosuid,nodev,exec,mode=1777" + bounds,
			"/run/koda": "rw,nosuid,nodev,noexec,size=1m,nr_inodes=100" + own,
		},
		ShmSize: small, // the engine's 64 MB starve Chromium
		// Code may write to the log of its container, which is on the engine's disk.
		LogConfig: container.LogConfig{Type: "json-file", Config: map[string]string{"max-size": "1m", "max-file": "1"}},
		Resources: container.Resources{
			PidsLimit: &processes,
			// The kernel writes core dumps where this machine wants them.
			Ulimits: []*container.Ulimit{{Name: "core"}},
			Memory:  memory, MemorySwap: memory, NanoCPUs: int64(cpus * 1e9),
		},
	}
	profile, err := syscalls()
	if err != nil {
		return nil, fmt.Errorf("write the seccomp profile: %w", err)
	}
	if profile != "" {
		host.SecurityOpt = append(host.SecurityOpt, "seccomp="+profile)
	}
	return host, nil
}

// contain makes a container and returns its id.
func contain(ctx context.Context, api *client.Client, podman bool, cfg *container.Config, host *container.HostConfig, name string) (string, error) {
	if podman {
		done, err := forPodman(host)
		if err != nil {
			return "", err
		}
		defer done()
	}
	made, err := api.ContainerCreate(ctx, cfg, host, nil, nil, name)
	return made.ID, err
}

// unchecked is a container without a health check.
var unchecked = &container.HealthConfig{Test: []string{"NONE"}}

// checked has the engine ask the guest now and then whether it answers, and whether the
// project can be written. `koda sandbox ls` shows the result. (Podman checks by a timer of
// systemd, and without systemd starts no container that wants a check.)
func checked(id string) *container.HealthConfig {
	return &container.HealthConfig{
		Test: []string{"CMD", program, "check", "-id", id, "-socket", socket, "-dir", project}, Interval: time.Minute, Timeout: answerTime, Retries: 2,
	}
}

// dialer opens streams to the guest of a container: each is the standard streams of a
// joiner that the engine starts in the container. The joiner ends with its stream.
func (p *Provider) dialer(api *client.Client, id string) func(context.Context) (net.Conn, error) {
	return func(ctx context.Context) (net.Conn, error) {
		if err := p.alive(ctx, api, id); err != nil {
			return nil, err
		}
		limited, cancel := context.WithTimeout(ctx, answerTime)
		defer cancel()
		made, err := api.ContainerExecCreate(limited, id, container.ExecOptions{
			Cmd: []string{program, "join", "-socket", socket}, AttachStdin: true, AttachStdout: true, AttachStderr: true,
		})
		if err != nil {
			return nil, engineError("join the guest", err)
		}
		c, err := api.ContainerExecAttach(ctx, made.ID, container.ExecAttachOptions{})
		if err != nil {
			return nil, engineError("join the guest", err)
		}
		r, w := io.Pipe()
		go func() {
			_, err := stdcopy.StdCopy(w, io.Discard, c.Reader)
			w.CloseWithError(err)
		}()
		return guest.Stream(r, c.Conn, func() error {
			c.Close()
			return r.Close()
		}), nil
	}
}
