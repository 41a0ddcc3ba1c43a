package engine

import (
	"context"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/sandbox"
)

// marked is a sandbox of any kind with a failpoint after every call that
// changes it: there the sandbox knows more than the journal.
type marked struct{ sandbox.Sandbox }

func (m marked) WriteFile(ctx context.Context, path string, data []byte) error {
	err := m.Sandbox.WriteFile(ctx, path, data)
	failpoint.Hit("sandbox.write")
	return err
}

func (m marked) DeleteFile(ctx context.Context, path string) error {
	err := m.Sandbox.DeleteFile(ctx, path)
	failpoint.Hit("sandbox.delete")
	return err
}

func (m marked) Run(ctx context.Context, cmd sandbox.Command) (sandbox.RunResult, error) {
	res, err := m.Sandbox.Run(ctx, cmd)
	failpoint.Hit("sandbox.run")
	return res, err
}

func (m marked) Destroy(ctx context.Context) error {
	err := m.Sandbox.Destroy(ctx)
	failpoint.Hit("sandbox.destroy")
	return err
}
