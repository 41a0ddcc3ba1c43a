package docker

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/image"
	"github.com/docker/docker/client"
	"github.com/klauspost/compress/zstd"
)

// layers is the repository of the images that koda makes by adding its guest to an
// image. A tag is the image's digest and the guest's digest.
const layers = "koda/sandbox-with-guest"

// binary is a guest's program.
type binary struct {
	bytes  []byte
	digest string // SHA-256 in hex
}

// guestFor is the guest for the engine's machine.
func (p *Provider) guestFor(ctx context.Context, api *client.Client) (binary, error) {
	limited, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	v, err := api.ServerVersion(limited)
	if err != nil {
		return binary{}, engineError("ask the engine for its machine", err)
	}
	p.podman.Store(isPodman(v))
	if v.Os != "linux" {
		return binary{}, providerError("the engine runs containers of "+v.Os+", not of linux", nil, "switch it to Linux containers")
	}
	archive, ok := p.cfg.Guest(v.Arch)
	if !ok {
		return binary{}, providerError(fmt.Sprintf("this koda has no guest for containers of %s on %s", v.Os, v.Arch), nil,
			"build koda with `make build`; there are guests for linux on amd64 and arm64")
	}
	r, err := zstd.NewReader(nil)
	if err != nil {
		return binary{}, fmt.Errorf("unpack the guest: %w", err)
	}
	defer r.Close()
	program, err := r.DecodeAll(archive, nil)
	if err != nil {
		return binary{}, fmt.Errorf("unpack the guest: %w", err)
	}
	sum := sha256.Sum256(program)
	return binary{program, hex.EncodeToString(sum[:])}, nil
}

// layerPrefix begins the names of all layers on an image.
func layerPrefix(id string) string {
	return fmt.Sprintf("%s:%.12s-", layers, strings.TrimPrefix(id, "sha256:"))
}

// layer is the image with the guest, made when missing: a read-only root refuses a copy
// into a container later. TEMPLATE_NOT_FOUND: the engine does not have the image.
func (p *Provider) layer(ctx context.Context, api *client.Client, guest binary) (name string, err error) {
	base, err := (&Engine{api: api, podman: p.podman.Load(), cfg: p.cfg.Image}).Image(ctx)
	if err != nil {
		return "", err
	}
	p.layering.Lock()
	defer p.layering.Unlock()
	name = fmt.Sprintf("%s%.12s", layerPrefix(base.ID), guest.digest)
	if info, err := api.ImageInspect(ctx, name); err == nil && info.Config != nil && info.Config.Labels[labelGuest] == guest.digest {
		return name, nil
	} else if err != nil && !errdefs.IsNotFound(err) {
		return "", engineError("look up the image with the guest", err)
	}
	made, err := api.ContainerCreate(ctx, &container.Config{Image: base.ID, Entrypoint: []string{program}, Cmd: []string{}}, nil, nil, nil, "")
	if err != nil {
		return "", engineError("add the guest to the image", err)
	}
	defer func() { _ = remove(context.WithoutCancel(ctx), api, made.ID) }() //nolint:errcheck // it never ran
	var files bytes.Buffer
	t := tar.NewWriter(&files)
	err = t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: strings.TrimPrefix(program, "/"), Mode: 0o755, Size: int64(len(guest.bytes))})
	if err == nil {
		_, err = t.Write(guest.bytes)
	}
	if err == nil {
		err = t.Close()
	}
	if err == nil {
		err = api.CopyToContainer(ctx, made.ID, "/", &files, container.CopyToContainerOptions{})
	}
	if err == nil {
		_, err = api.ContainerCommit(ctx, made.ID, container.CommitOptions{
			Reference: name, Comment: "koda's guest", Changes: []string{"LABEL " + labelGuest + "=" + guest.digest},
			Config: &container.Config{}, // Podman wants one
		})
	}
	if err != nil {
		return "", engineError("add the guest to the image", err)
	}
	return name, nil
}

// removeLayers removes the images that koda made by adding its guest, but for those whose
// names keep wants and those of containers.
func (e *Engine) removeLayers(ctx context.Context, keep func(name string) bool) error {
	found, err := e.api.ImageList(ctx, image.ListOptions{Filters: filters.NewArgs(filters.Arg("label", labelGuest))})
	if err != nil {
		return engineError("list the images with a guest", err)
	}
	for _, i := range found {
		for _, name := range i.RepoTags {
			if at := strings.Index(name, layers+":"); at < 0 || keep(name[at:]) {
				continue
			}
			_, err := e.api.ImageRemove(ctx, name, image.RemoveOptions{PruneChildren: true})
			if err != nil && !errdefs.IsNotFound(err) && !errdefs.IsConflict(err) {
				return engineError("remove image "+name, err)
			}
		}
	}
	return nil
}
