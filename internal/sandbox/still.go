package sandbox

import (
	"context"
	"net"

	"github.com/koda-video/koda/internal/koda"
)

// Still implements Commands, Shells, Dialer, Listener and Leased for a sandbox that runs
// nothing. The methods of the first four fail with COMMAND_BLOCKED. Alive says
// whether the sandbox still exists.
type Still struct {
	Alive func(context.Context) error
	Hint  string // what the person can do
}

func (s Still) refuse(ctx context.Context) error {
	if err := s.Alive(ctx); err != nil {
		return err
	}
	return &koda.Error{Code: koda.CodeCommandBlocked, Op: "this sandbox runs no commands", Hint: s.Hint}
}

// Run implements [Commands].
func (s Still) Run(ctx context.Context, _ Command) (RunResult, error) {
	return RunResult{}, s.refuse(ctx)
}

// Processes implements [Commands].
func (s Still) Processes(ctx context.Context) ([]Background, error) { return nil, s.refuse(ctx) }

// Stop implements [Commands].
func (s Still) Stop(ctx context.Context, _ int) error { return s.refuse(ctx) }

// Shell implements [Shells].
func (s Still) Shell(ctx context.Context, _ string, _ Size) (Shell, error) {
	return nil, s.refuse(ctx)
}

// Dial implements [Dialer].
func (s Still) Dial(ctx context.Context, _ int) (net.Conn, error) { return nil, s.refuse(ctx) }

// Listen implements [Listener].
func (s Still) Listen(ctx context.Context) (net.Listener, error) { return nil, s.refuse(ctx) }

// Touch implements [Leased]: there is no lease.
func (s Still) Touch(ctx context.Context) error { return s.Alive(ctx) }
