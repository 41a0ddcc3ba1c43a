package docker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/image"
	"github.com/docker/docker/pkg/stdcopy"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox"
)

// Inventory lists the images that koda built and the containers of its sandboxes, also
// those that are stopped. The images that the settings ask for are
// marked.
func (e *Engine) Inventory(ctx context.Context) (sandbox.Inventory, error) {
	inv := sandbox.Inventory{Images: []sandbox.Image{}, Sandboxes: []sandbox.Kept{}}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	wanted, err := e.images(ctx)
	if err != nil && koda.CodeOf(err) != koda.CodeTemplateNotFound {
		return inv, err
	}
	images, err := e.api.ImageList(ctx, image.ListOptions{Filters: filters.NewArgs(filters.Arg("label", labelImage))})
	if err != nil {
		return inv, engineError("list images", err)
	}
	for _, i := range images {
		tag := i.Labels[labelImage]
		if !slices.ContainsFunc(i.RepoTags, func(t string) bool { return strings.HasSuffix(t, tag) }) { // Podman adds localhost/
			continue // a step of a build that goes on, or failed
		}
		inv.Images = append(inv.Images, sandbox.Image{
			Tag: tag, ID: i.ID, Size: i.Size, Created: time.Unix(i.Created, 0).UTC(),
			Current: slices.ContainsFunc(wanted, func(f found) bool { return f.ID == i.ID }),
		})
	}
	containers, err := e.api.ContainerList(ctx, container.ListOptions{All: true, Filters: filters.NewArgs(filters.Arg("label", labelSandbox))})
	if err != nil {
		return inv, engineError("list sandboxes", err)
	}
	for _, k := range containers {
		s := sandbox.Kept{Image: k.Image, Status: k.Status, State: stateOf(k.State)}
		if json.Unmarshal([]byte(k.Labels[labelSandbox]), &s.Meta) != nil || s.ID == "" {
			continue // not of koda's making
		}
		s.Orphan = s.State == koda.SandboxDestroyed || s.Host == hostname() && !proc.Lives(s.PID, s.Started)
		inv.Sandboxes = append(inv.Sandboxes, s)
	}
	return inv, nil
}

// stateOf is the life of a sandbox by that of its container.
func stateOf(state container.ContainerState) koda.SandboxStatus {
	switch state {
	case container.StateCreated:
		return koda.SandboxCreating
	case container.StateRunning, container.StatePaused, container.StateRestarting:
		return koda.SandboxReady
	}
	return koda.SandboxDestroyed
}

// Remove removes a sandbox by its id, or an image by its tag or the beginning of its id.
// NOT_FOUND: koda has no such sandbox and no such image.
func (e *Engine) Remove(ctx context.Context, ref string) error {
	have, err := e.Inventory(ctx)
	if err != nil {
		return err
	}
	if err := known(have, ref); err == nil {
		return remove(ctx, e.api, ref)
	}
	for _, i := range have.Images {
		_, id, _ := strings.Cut(i.ID, ":")
		_, tag, _ := strings.Cut(i.Tag, ":")
		if ref == i.Tag || ref == i.ID || len(ref) >= 4 && (strings.HasPrefix(id, ref) || strings.HasPrefix(tag, ref)) {
			return e.removeImage(ctx, i, have.Sandboxes)
		}
	}
	return &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("koda keeps no sandbox and no image %q in the engine", ref), Hint: "koda sandbox ls lists them"}
}

// known refuses the id of a sandbox that is not there.
func known(have sandbox.Inventory, id string) error {
	if slices.ContainsFunc(have.Sandboxes, func(s sandbox.Kept) bool { return s.ID == id }) {
		return nil
	}
	return &koda.Error{Code: koda.CodeNotFound, Op: fmt.Sprintf("there is no sandbox %q", id), Hint: "koda sandbox ls lists them"}
}

// Prune removes the sandboxes that are stopped, those whose koda is dead, but for the living
// ones that keep wants, and the images that the settings do not ask for and no container is
// made of. It returns what it removed; with dryRun, what it would remove. What builds that
// failed left goes, too, and so do volumes without a container.
func (e *Engine) Prune(ctx context.Context, dryRun bool, keep func(sandbox.Kept) bool) (sandbox.Inventory, error) {
	gone := sandbox.Inventory{Images: []sandbox.Image{}, Sandboxes: []sandbox.Kept{}}
	have, err := e.Inventory(ctx)
	if err != nil {
		return gone, err
	}
	var living []sandbox.Kept
	for _, s := range have.Sandboxes {
		if !s.Orphan || s.State != koda.SandboxDestroyed && keep(s) {
			living = append(living, s)
			continue
		}
		if !dryRun {
			if err := remove(ctx, e.api, s.ID); err != nil {
				return gone, err
			}
		}
		gone.Sandboxes = append(gone.Sandboxes, s)
	}
	for _, i := range have.Images {
		if i.Current || madeOf(i, living) {
			continue
		}
		if !dryRun {
			if err := e.removeImage(ctx, i, living); err != nil {
				return gone, err
			}
		}
		gone.Images = append(gone.Images, i)
	}
	if dryRun {
		return gone, nil
	}
	wanted, err := e.images(ctx)
	if err != nil && koda.CodeOf(err) != koda.CodeTemplateNotFound {
		return gone, err
	}
	err = e.removeLayers(ctx, func(name string) bool {
		return slices.ContainsFunc(wanted, func(f found) bool { return strings.HasPrefix(name, layerPrefix(f.ID)) })
	})
	if err == nil { // volumes end with their container, if the engine did not end before
		_, err = e.api.VolumesPrune(ctx, filters.NewArgs(filters.Arg("label", labelSandbox)))
	}
	if err == nil {
		_, err = e.api.ImagesPrune(ctx, filters.NewArgs(filters.Arg("dangling", "true"), filters.Arg("label", labelImage)))
	}
	if err != nil {
		return gone, engineError("remove what failed builds left", err)
	}
	return gone, nil
}

// madeOf reports whether a sandbox is made of an image.
func madeOf(i sandbox.Image, sandboxes []sandbox.Kept) bool {
	return slices.ContainsFunc(sandboxes, func(s sandbox.Kept) bool {
		return s.Image == i.Tag || s.Image == i.ID || strings.HasPrefix(s.Image, layerPrefix(i.ID))
	})
}

// removeImage removes an image with the layers on it.
func (e *Engine) removeImage(ctx context.Context, i sandbox.Image, sandboxes []sandbox.Kept) error {
	used := providerError("a sandbox is made of image "+i.Tag, nil, "remove the sandbox first, see koda sandbox ls")
	if madeOf(i, sandboxes) {
		return used
	}
	if err := e.removeLayers(ctx, func(name string) bool { return !strings.HasPrefix(name, layerPrefix(i.ID)) }); err != nil {
		return err
	}
	_, err := e.api.ImageRemove(ctx, i.Tag, image.RemoveOptions{PruneChildren: true})
	if errdefs.IsConflict(err) {
		return used
	}
	if err != nil && !errdefs.IsNotFound(err) {
		return engineError("remove image "+i.Tag, err)
	}
	return nil
}

// Logs copies what the sandbox's own process wrote to its standard output and error, with
// follow until the sandbox ends. NOT_FOUND: there is no such sandbox.
func (e *Engine) Logs(ctx context.Context, id string, follow bool, stdout, stderr io.Writer) error {
	have, err := e.Inventory(ctx)
	if err != nil {
		return err
	}
	if err := known(have, id); err != nil {
		return err
	}
	r, err := e.api.ContainerLogs(ctx, id, container.LogsOptions{ShowStdout: true, ShowStderr: true, Follow: follow})
	if err != nil {
		return engineError("read the log of sandbox "+id, err)
	}
	_, err = stdcopy.StdCopy(stdout, stderr, r)
	err = errors.Join(err, r.Close())
	if ctx.Err() != nil {
		return fmt.Errorf("read the log of sandbox %s: %w", id, ctx.Err())
	}
	return err
}
