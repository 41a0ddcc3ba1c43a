package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/koda"
)

// The groups in which commands are listed.
const (
	groupWork    = "work"
	groupLook    = "look"
	groupMachine = "machine"
)

const rootLong = `koda turns a sentence into an animated video.

  koda new "bouncing ball"         ask, plan, animate, preview, render
  koda new "bouncing ball" --yes   the same without a question

Nothing leaves this machine and no key is needed: the built-in recipes draw in a
local browser, and ffmpeg makes the video.`

const usageTemplate = `Usage:
  {{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND{{else}}{{.UseLine}}{{end}}{{if and .HasAvailableSubCommands .HasParent}}

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}}  {{.Short}}{{end}}{{end}}{{end}}{{if and .HasAvailableSubCommands (not .HasParent)}}{{$cmds := .Commands}}{{range $group := .Groups}}

{{.Title}}{{range $cmds}}{{if (and (eq .GroupID $group.ID) .IsAvailableCommand)}}
  {{rpad .Name .NamePadding}}  {{.Short}}{{end}}{{end}}{{end}}{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Flags of every command:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasHelpSubCommands}}

More help:{{range .Commands}}{{if .IsAdditionalHelpTopicCommand}}
  koda help {{rpad .Name 12}}{{.Short}}{{end}}{{end}}{{end}}
`

// Commands are listed in the order of a project's life, not by the alphabet.
func init() { cobra.EnableCommandSorting = false }

// newTopic is a page of help that is not about a command.
func newTopic(name, short, long string) *cobra.Command {
	c := &cobra.Command{Use: name, Short: short, Long: long}
	c.SetUsageTemplate("\n")
	return c
}

func newHelpCmd(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND|TOPIC]",
		Short:   "Explain a command or a topic",
		GroupID: groupMachine,
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownWord(root, "help topic", strings.Join(args, " "), "koda help ")
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return wordsOf(root), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// subcommandOnly refuses a word that is not a command, and names the nearest command.
func subcommandOnly(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	word := args[0]
	if cmd.Parent() == nil && koda.Nearest(word, wordsOf(cmd)) == "" { // a prompt without its command
		word = strings.Join(args, " ")
	}
	return unknownWord(cmd, "command", word, cmd.CommandPath()+" ")
}

func unknownWord(cmd *cobra.Command, what, word, prefix string) error {
	first, _, _ := strings.Cut(word, " ")
	hint := fmt.Sprintf("see `%s --help`", cmd.CommandPath())
	if near := koda.Nearest(first, wordsOf(cmd)); near != "" {
		hint = fmt.Sprintf("did you mean `%s%s`?", prefix, near)
	} else if cmd.Parent() == nil && what == "command" {
		hint = fmt.Sprintf("to make a video: koda new %q", word)
	}
	return usage(hint, "unknown %s %q", what, word)
}

// wordsOf lists the commands and topics below cmd.
func wordsOf(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() || c.Name() == "help" {
			names = append(names, c.Name())
			for _, alias := range c.Aliases {
				if len(alias) > 3 { // every short word is near a shorter one
					names = append(names, alias)
				}
			}
		}
	}
	return names
}
