package engine

import (
	"context"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

// Run implements tool.Commands. Who looks on sees the output as it comes.
func (a *act) Run(ctx context.Context, cmd sandbox.Command) (sandbox.RunResult, string, error) {
	sb, err := a.sandbox()
	if err != nil {
		return sandbox.RunResult{}, "", err
	}
	stdout, stderr := &passing{r: a.r}, &passing{r: a.r, stream: "stderr"}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	defer stderr.flush()
	defer stdout.flush()
	names, installs := tool.Installs(cmd.Line)
	if !installs {
		res, err := sb.Run(ctx, cmd)
		return res, "", err
	}
	return a.install(ctx, sb, cmd, names)
}

// install runs a command that installs packages. What came of it is saved at once: no
// command is done again after a crash.
func (a *act) install(ctx context.Context, sb sandbox.Sandbox, cmd sandbox.Command, names []string) (sandbox.RunResult, string, error) {
	policy := a.r.e.cfg.Packages
	if err := policy.Check(names); err != nil {
		return sandbox.RunResult{}, "", err
	}
	res, made, err := policy.Install(ctx, sb, cmd)
	if len(made.Blocked) > 0 {
		a.r.log("the sandbox was refused connections with %s", strings.Join(made.Blocked, ", "))
	}
	if len(made.Ready)+len(made.Refused) > 0 {
		a.r.heartbeat(ctx)
	}
	if len(made.Refused) > 0 && res.ExitCode == 0 {
		res.ExitCode = 1
	}
	return res, made.Sentences(), err
}

// Processes implements tool.Commands.
func (a *act) Processes(ctx context.Context) ([]sandbox.Background, error) {
	sb, err := a.sandbox()
	if err != nil {
		return nil, err
	}
	return sb.Processes(ctx)
}

// Stop implements tool.Commands.
func (a *act) Stop(ctx context.Context, pid int) error {
	sb, err := a.sandbox()
	if err != nil {
		return err
	}
	return sb.Stop(ctx, pid)
}

// passing shows the output of a command to who looks on, in whole characters.
type passing struct {
	r      *run
	stream string // "" is the standard output
	begun  []byte // the beginning of a character
}

// Write implements io.Writer.
func (p *passing) Write(b []byte) (int, error) {
	n := len(b)
	b = append(p.begun, b...)
	whole := len(b) - unfinished(b)
	p.show(b[:whole])
	p.begun = append([]byte(nil), b[whole:]...)
	return n, nil
}

func (p *passing) flush() {
	p.show(p.begun)
	p.begun = nil
}

func (p *passing) show(b []byte) {
	if len(b) > 0 {
		p.r.pass(koda.EventCommand, koda.CommandOutput{Stream: p.stream, Text: strings.ToValidUTF8(string(b), "\uFFFD")})
	}
}
