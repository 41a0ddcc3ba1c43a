package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// Sandbox is one sandbox of kind local. It implements [sandbox.Sandbox].
type Sandbox struct {
	*hostos.Files
	sandbox.Still
	id       string
	provider *Provider
}

// ID implements [sandbox.Sandbox].
func (s *Sandbox) ID() string { return s.id }

// Kind implements [sandbox.Sandbox].
func (s *Sandbox) Kind() sandbox.Kind { return sandbox.Local }

// Capabilities implements [sandbox.Sandbox]: none.
func (s *Sandbox) Capabilities() sandbox.Capabilities { return sandbox.Capabilities{} }

// Fill implements [sandbox.Bulk].
func (s *Sandbox) Fill(ctx context.Context, r io.Reader) error { return sandbox.Fill(ctx, s, r) }

// Snapshot implements [sandbox.Bulk].
func (s *Sandbox) Snapshot(ctx context.Context, paths []string, w io.Writer) error {
	return sandbox.Snapshot(ctx, s, paths, w)
}

// Destroy implements [sandbox.Sandbox]. The sandbox is gone with the rename; the
// next Create removes what a crash leaves of it.
func (s *Sandbox) Destroy(ctx context.Context) error {
	op := "destroy sandbox " + s.id
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	root, err := os.OpenRoot(s.provider.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return s.provider.providerError(op, err)
	}
	defer closeQuietly(root)
	going := goingPrefix + s.id
	failpoint.Hit("local.destroy")
	if err := root.Rename(s.id, going); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s.provider.providerError(op, err)
	}
	failpoint.Hit("local.going")
	if err := root.RemoveAll(going); err != nil {
		return s.provider.providerError(op, err)
	}
	return nil
}
