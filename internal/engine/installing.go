package engine

import (
	"context"
	"fmt"

	"github.com/koda-video/koda/internal/packages"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

// installing is a sandbox in which a person's commands install packages as an author's do.
type installing struct {
	sandbox.Sandbox
	policy packages.Policy
}

// Run implements [sandbox.Commands]. What became of the packages follows what the command
// wrote to its standard error.
func (s installing) Run(ctx context.Context, cmd sandbox.Command) (sandbox.RunResult, error) {
	names, installs := tool.Installs(cmd.Line)
	if !installs {
		return s.Sandbox.Run(ctx, cmd)
	}
	var res sandbox.RunResult
	var told string
	var err error
	if s.policy.Mode == packages.Registries || s.policy.Mode == packages.Open {
		if err := s.policy.Check(names); err != nil {
			return res, err
		}
		var made packages.Result
		res, made, err = s.policy.Install(ctx, s.Sandbox, cmd)
		told = made.Sentences()
		if len(made.Refused) > 0 && res.ExitCode == 0 {
			res.ExitCode = 1
		}
	} else if res, err = s.Sandbox.Run(ctx, cmd); err == nil && res.ExitCode != 0 {
		told = "this sandbox has no network; koda config set sandbox-network registries lets koda shell PROJECT -- npm install NAME reach the registry"
	}
	if told != "" {
		told = "koda: " + told + "\n"
		res.Stderr += told
		if cmd.Stderr != nil {
			_, _ = fmt.Fprint(cmd.Stderr, told) //nolint:errcheck // the result has it, too
		}
	}
	return res, err
}
