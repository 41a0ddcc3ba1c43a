package cli

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

type versionResult struct {
	head
	BuildInfo
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newVersionCmd(a *app, runF func(context.Context) error) *cobra.Command {
	if runF == nil {
		runF = func(context.Context) error { return runVersion(a) }
	}
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		GroupID: groupMachine,
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runF(cmd.Context()) },
	}
}

func runVersion(a *app) error {
	r := &versionResult{BuildInfo: a.deps.Build, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if r.Version == "" {
		r.Version = "devel"
	}
	a.result = r
	if a.json {
		return nil
	}
	line := "koda " + r.Version
	if r.Commit != "" {
		line += " (" + r.Commit
		if r.Date != "" {
			line += ", " + r.Date
		}
		line += ")"
	}
	_, err := fmt.Fprintf(a.io.Out, "%s %s %s\n", line, r.Go, r.Platform)
	return err
}
