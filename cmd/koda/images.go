package main

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/npm"
	"github.com/koda-video/koda/internal/packages"
	"github.com/koda-video/koda/internal/sandbox/docker"
	"github.com/koda-video/koda/templates"
)

// openSandboxes opens the container engine.
func openSandboxes(ctx context.Context) (cli.Sandboxes, func() error, error) {
	cfg, err := load()
	if err != nil {
		return nil, nil, err
	}
	e, err := docker.Connect(ctx, imageConfig(cfg))
	if err != nil {
		return nil, nil, err
	}
	return e, e.Close, nil
}

// buildImage makes the image of sandboxes, if it is not there.
func buildImage(ctx context.Context, tell func(koda.BuildStep)) error {
	e, closeEngine, err := openSandboxes(ctx)
	if err != nil {
		return err
	}
	_, err = e.Build(ctx, false, tell)
	return errors.Join(err, closeEngine())
}

// imageConfig says of what sandboxes are made.
func imageConfig(cfg config.Config) docker.ImageConfig {
	env, _ := config.ParseEnvironment(cfg.SandboxEnv) //nolint:errcheck // Load has checked it
	return docker.ImageConfig{
		Files: templates.SandboxImage(), Name: cfg.SandboxImage, Base: cfg.SandboxBase, Studio: cfg.SandboxStudio == "on",
		Setup: cfg.SandboxSetup, Env: env, Fetch: fetch,
	}
}

// The lease of a container, which ends it when koda is gone.
const (
	leaseSlack = 5 * time.Minute // koda puts a sandbox away, saved, before its lease ends
	leaseMost  = 24 * time.Hour
)

// dockerConfig says how sandboxes in containers are made, from the settings.
func dockerConfig(cfg config.Config) docker.Config {
	c := docker.Config{Image: imageConfig(cfg), Guest: templates.Guest, Idle: leaseMost, Life: leaseMost, Now: time.Now}
	c.Memory, c.CPUs, c.Most = cfg.Sandboxes()
	c.Open = packages.Mode(cfg.SandboxNetwork) == packages.Open
	if p := cfg.Periods(); p.Idle > 0 && p.Life > 0 {
		c.Idle = min(leaseMost, max(p.Life, p.Idle+leaseSlack))
	}
	return c
}

// drawsApart is the drawer in a container, once it is wanted. A process runs one command, and
// draws all in one container.
var drawsApart struct {
	sync.Mutex
	at *docker.Drawer
}

// containerDrawer draws in a container. The bounds of sandboxes do not bind it, as no
// command of an author runs there: it may use what a browser of this machine may.
func containerDrawer(cfg config.Config) *docker.Drawer {
	drawsApart.Lock()
	defer drawsApart.Unlock()
	if drawsApart.at == nil {
		c := dockerConfig(cfg)
		c.Memory, c.CPUs, c.Browser, c.Cache = 0, 0, cfg.BrowserBytes(), cfg.Cache
		drawsApart.at = docker.New(c).Drawer()
	}
	return drawsApart.at
}

// endDrawing ends the container that draws, if there is one. A container that cannot be
// ended now ends soon by itself.
func endDrawing() {
	drawsApart.Lock()
	defer drawsApart.Unlock()
	if drawsApart.at == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = drawsApart.at.Close(ctx) //nolint:errcheck // see above
	drawsApart.at = nil
}

// maxCertificates bounds the file of a company's certificates.
const maxCertificates = 4 << 20 // bytes

// fetch says how this machine gets packages: npm's registry, and the certificates that
// Node.js, else other programs, are told to trust.
func fetch(ctx context.Context) (docker.Fetch, error) {
	f := docker.Fetch{Registry: npm.Registry(ctx)}
	for _, name := range []string{"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"} {
		file := os.Getenv(name)
		if file == "" {
			continue
		}
		info, err := os.Stat(file)
		if err == nil && info.Size() <= maxCertificates {
			f.Certificates, err = os.ReadFile(file)
		}
		if err != nil || f.Certificates == nil {
			return f, &koda.Error{
				Code: koda.CodeUsage, Op: "read the certificates in " + file, Err: err,
				Hint: "set " + name + " to a file of certificates in PEM, or unset it",
			}
		}
		break
	}
	return f, nil
}
