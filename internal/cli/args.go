package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error { return atMost(0)(cmd, args) }

// atMost refuses more than n arguments.
func atMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		return usage(fmt.Sprintf("usage: %s", cmd.UseLine()), "unexpected argument %q", args[n])
	}
}
