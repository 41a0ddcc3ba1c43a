package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/koda-video/koda/internal/config"
)

const completionLong = `Print a script that completes commands, flags, presets and projects.

  bash        source <(koda completion bash)
  zsh         koda completion zsh > "${fpath[1]}/_koda"
  fish        koda completion fish > ~/.config/fish/completions/koda.fish
  powershell  koda completion powershell | Out-String | Invoke-Expression

That of bash needs the package bash-completion.`

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

// completer lists the completions of a word.
type completer = func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective)

// words completes one name of a fixed set.
func words(names []string) completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// lists completes several names of a fixed set, separated by commas.
func lists(names []string) completer {
	return func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		before := word[:strings.LastIndexByte(word, ',')+1]
		var all []string
		for _, name := range names {
			if !slices.Contains(strings.Split(before, ","), name) {
				all = append(all, before+name)
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeSettings completes the name of a setting, and its value if most is 2.
func (a *app) completeSettings(most int) completer {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var names []string
		for _, s := range config.Settings() {
			switch {
			case len(args) == 0:
				names = append(names, s.Name+"\t"+s.Help)
			case s.Name == args[0] && s.IsPlace():
				return nil, cobra.ShellCompDirectiveDefault
			case s.Name == args[0]:
				names = a.deps.Offers.Choices(s)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeTrust completes the settings files of the working directory, and other files.
func completeTrust(_ *cobra.Command, args []string, word string) (files []string, _ cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, file := range []string{".env", filepath.Join(".koda", "config.json")} {
		if strings.HasPrefix(file, word) && exists(file) {
			files = append(files, file)
		}
	}
	return files, cobra.ShellCompDirectiveDefault
}

// takeFiles are the flags whose value is a path.
var takeFiles = []string{"asset", "audio", "batch", "dir", "output"}

// sayRest completes nothing for flags and commands without a completer of their own:
// otherwise a shell would offer files, which are not styles. While completing, it also
// shows the usage of flags without the quotes around the names of their values.
func sayRest(c *cobra.Command, completing bool) {
	if c.ValidArgsFunction == nil && len(c.ValidArgs) == 0 {
		c.ValidArgsFunction = cobra.NoFileCompletions
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(takeFiles, f.Name) {
			_ = c.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions) //nolint:errcheck // the flag has a completer already
		}
		if completing {
			f.Usage = strings.ReplaceAll(f.Usage, "`", "")
		}
	})
	for _, sub := range c.Commands() {
		sayRest(sub, completing)
	}
}
