package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/tui/widget"
)

// parseVersion reads "v2" or "2".
func parseVersion(text string) (int, error) {
	const hint = "give one such as v2; koda history lists them"
	n, err := strconv.Atoi(strings.TrimLeft(text, "vV"))
	switch {
	case err != nil || !isVersionWord(text):
		return 0, usage(hint, "%q is not a version", text)
	case n == 0:
		return 0, usage(hint, "there is no v0: versions count from v1")
	}
	return n, nil
}

// isVersionWord reports whether a word is meant as a version.
func isVersionWord(word string) bool {
	digits := strings.TrimPrefix(strings.TrimPrefix(word, "v"), "V")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// projectAndVersion splits "[PROJECT] VERSION".
func projectAndVersion(args []string) (project string, version int, err error) {
	last := len(args) - 1
	version, err = parseVersion(args[last])
	if last > 0 {
		project = args[0]
	}
	return project, version, err
}

// completeVersions completes projects, and the versions of a project that was typed or
// that is the working directory. Most bounds the arguments that can be either.
func (a *app) completeVersions(most int) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= most || a.deps.Engine == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ref := ""
		if len(args) > 0 {
			if !isVersionWord(args[0]) {
				ref = args[0]
			}
		}
		var names []string
		err := a.withEngine(cmd.Context(), func(ctx context.Context, e Engine) error {
			p, err := e.Find(ctx, ref)
			if err != nil {
				return nil //nolint:nilerr // there is nothing to offer
			}
			v, err := e.Show(ctx, p.ID)
			for _, ver := range v.Versions {
				names = append(names, fmt.Sprintf("v%d\t%s", ver.Number, oneLine(widget.Line(ver.Prompt), 40)))
			}
			return err
		})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		if len(args) > 0 {
			return names, cobra.ShellCompDirectiveNoFileComp
		}
		projects, directive := a.completeProjects(cmd, args, word)
		return append(names, projects...), directive
	}
}
