package engine

import (
	"context"
	"io"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/sandbox"
)

// failpoints is a sandbox of any kind, with a failpoint after every call that changes
// the sandbox: at that point the sandbox is ahead of the journal.
type failpoints struct{ sandbox.Sandbox }

func (f failpoints) WriteFile(ctx context.Context, path string, data []byte) error {
	err := f.Sandbox.WriteFile(ctx, path, data)
	failpoint.Hit("sandbox.write")
	return err
}

func (f failpoints) Fill(ctx context.Context, r io.Reader) error {
	err := f.Sandbox.Fill(ctx, r)
	failpoint.Hit("sandbox.fill")
	return err
}

func (f failpoints) DeleteFile(ctx context.Context, path string) error {
	err := f.Sandbox.DeleteFile(ctx, path)
	failpoint.Hit("sandbox.delete")
	return err
}

func (f failpoints) Run(ctx context.Context, cmd sandbox.Command) (sandbox.RunResult, error) {
	res, err := f.Sandbox.Run(ctx, cmd)
	failpoint.Hit("sandbox.run")
	return res, err
}

func (f failpoints) Destroy(ctx context.Context) error {
	err := f.Sandbox.Destroy(ctx)
	failpoint.Hit("sandbox.destroy")
	return err
}
