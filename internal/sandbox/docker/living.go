package docker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/client"

	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox"
)

var (
	_ sandbox.Lister  = (*Provider)(nil)
	_ sandbox.Renewer = (*Provider)(nil)
)

// digest is a digest of the person's settings. A newer koda has the same, so its update
// leaves sandboxes alone.
func (c Config) digest() string {
	i := c.Image
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %t %q %q %d %g %t", i.Name, i.Base, i.Studio, i.Setup, i.Env, c.Memory, c.CPUs, c.Open))
	return hex.EncodeToString(sum[:8])
}

// Outdated implements [sandbox.Renewer]. Of a sandbox of an older koda it is not known.
func (p *Provider) Outdated(ctx context.Context, id string) (bool, error) {
	api, err := p.api(ctx)
	if err != nil {
		return false, err
	}
	limited, cancel := context.WithTimeout(ctx, p.patience(aliveTime))
	defer cancel()
	c, err := api.ContainerInspect(limited, id)
	if err != nil {
		return false, engineError("look for the sandbox "+id, err)
	}
	made := ""
	if c.Config != nil {
		made = c.Config.Labels[labelMadeBy]
	}
	return made != "" && made != p.cfg.digest(), nil
}

// All implements [sandbox.Lister].
func (p *Provider) All(ctx context.Context) ([]sandbox.Meta, error) {
	api, err := p.api(ctx)
	if err != nil {
		return nil, err
	}
	running := filters.NewArgs(filters.Arg("label", labelSandbox), filters.Arg("status", "running"), filters.Arg("status", "paused"))
	limited, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	found, err := api.ContainerList(limited, container.ListOptions{Filters: running})
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
		if strings.HasPrefix(m.ID, drawPrefix) {
			continue // it draws, and ends with its koda
		}
		m.Orphan = m.Host == host && !proc.Lives(m.PID, m.Started)
		metas = append(metas, m)
	}
	slices.SortFunc(metas, func(a, b sandbox.Meta) int { return strings.Compare(a.ID, b.ID) })
	return metas, nil
}

// Remove implements [sandbox.Provider]. What is not koda's stays.
func (p *Provider) Remove(ctx context.Context, id string) error {
	api, err := p.api(ctx)
	if err != nil || !idPattern.MatchString(id) {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, p.patience(answerTime))
	defer cancel()
	switch c, err := api.ContainerInspect(limited, id); {
	case errdefs.IsNotFound(err):
		return nil
	case err != nil:
		return engineError("look for the sandbox "+id, err)
	case c.Config == nil || c.Config.Labels[labelSandbox] == "":
		return nil
	}
	return p.destroy(ctx, api, id)
}

func (p *Provider) destroy(ctx context.Context, api *client.Client, id string) error {
	limited, cancel := context.WithTimeout(ctx, p.patience(createTime))
	defer cancel()
	return remove(limited, api, id)
}

// hostname is [sandbox.Meta.Host] on this machine; "" if it has no name.
func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}
