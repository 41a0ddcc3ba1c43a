package cli

import (
	"github.com/spf13/cobra"
)

const completionLong = `Print a script that completes commands, flags, presets and projects.

  bash        source <(koda completion bash)
  zsh         koda completion zsh > "${fpath[1]}/_koda"
  fish        koda completion fish > ~/.config/fish/completions/koda.fish
  powershell  koda completion powershell | Out-String | Invoke-Expression`

func newCompletionCmd(a *app, root *cobra.Command) *cobra.Command {
	shells := map[string]func() error{
		"bash":       func() error { return root.GenBashCompletionV2(a.io.Out, true) },
		"zsh":        func() error { return root.GenZshCompletion(a.io.Out) },
		"fish":       func() error { return root.GenFishCompletion(a.io.Out, true) },
		"powershell": func() error { return root.GenPowerShellCompletionWithDesc(a.io.Out) },
	}
	names := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "Print a completion script for a shell",
		Long:      completionLong,
		GroupID:   groupMachine,
		ValidArgs: names,
		Args:      between(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			print, ok := shells[args[0]]
			if !ok {
				return unknownValue("shell", args[0], names)
			}
			a.plain = true
			return print()
		},
	}
}
