package cli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
)

// between accepts at least `least` and at most `most` arguments.
func between(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		hint := "usage: " + cmd.UseLine()
		switch {
		case len(args) < least:
			return usage(hint, "%s needs %s", cmd.CommandPath(), wanted(cmd, len(args)))
		case len(args) > most:
			return usage(hint, "unexpected argument %q", args[most])
		}
		return nil
	}
}

// wanted names the arguments of a command from number n on, or says that there are more if all of
// them are named.
func wanted(cmd *cobra.Command, n int) string {
	_, names, _ := strings.Cut(cmd.Use, " ")
	list := strings.Fields(names)
	list = slices.DeleteFunc(list, func(name string) bool { return name[0] == '[' })
	if n < len(list) {
		return strings.Join(list[n:], " ")
	}
	return "more than it was given"
}

func noArgs(cmd *cobra.Command, args []string) error { return between(0, 0)(cmd, args) }

// atLeast accepts `least` arguments or more.
func atLeast(least int) cobra.PositionalArgs { return between(least, math.MaxInt) }

// first is the first argument; "" if there are no arguments.
func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// projectAndText splits "[PROJECT] TEXT…". A single argument is the text, and the project
// is that of the working directory.
func projectAndText(args []string) (project, text string) {
	if len(args) == 1 {
		return "", args[0]
	}
	return args[0], strings.Join(args[1:], " ")
}

// unknownValue is a usage error that names the nearest known value.
func unknownValue(what, word string, names []string) error {
	hint := "use one of " + strings.Join(names, ", ")
	if near := koda.Nearest(word, names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return usage(hint, "unknown %s %q", what, word)
}

// seconds is a flag value: "5", "5s", "1.5", "1m30s" or "1:30".
type seconds float64

func (s *seconds) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(*s), 'g', -1, 64)
}

func (s *seconds) Type() string { return "SECONDS" }

func (s *seconds) Set(text string) error {
	v, err := parseSeconds(text)
	if err != nil {
		return err
	}
	*s = seconds(v)
	return nil
}

// once is a text that a flag gives at most once: of two files, none is left out without a word.
type once string

func (o *once) String() string { return string(*o) }

func (o *once) Type() string { return "string" }

func (o *once) Set(text string) error {
	if *o != "" {
		return usage("put the rows into one file", "%s and %s are given: one file is shown", *o, text)
	}
	*o = once(text)
	return nil
}

func parseSeconds(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return v, nil
	}
	if d, err := time.ParseDuration(strings.ReplaceAll(text, " ", "")); err == nil {
		return d.Seconds(), nil
	}
	if m, s, ok := strings.Cut(text, ":"); ok {
		minutes, errM := strconv.Atoi(m)
		rest, errS := strconv.ParseFloat(s, 64)
		if errM == nil && errS == nil && minutes >= 0 && rest >= 0 && rest < 60 {
			return float64(minutes)*60 + rest, nil
		}
	}
	return 0, usage("give seconds, such as 5, 2.5s, 90 or 1m30s", "%q is not a time", text)
}

// timeLimit is a flag value: a time as settings have it, or none. 0 means that the flag
// was not given, a negative value means none.
type timeLimit time.Duration

func (l *timeLimit) String() string {
	switch {
	case *l == 0:
		return ""
	case *l < 0:
		return "none"
	}
	return time.Duration(*l).String()
}

func (l *timeLimit) Type() string { return "TIME" }

func (l *timeLimit) Set(text string) error {
	d, err := config.ParsePeriod(text)
	if err != nil {
		return usage("write it like 90s or 10m; none is as long as it takes", "%q cannot be a limit: %v", text, err)
	}
	if *l = timeLimit(d); d == 0 {
		*l = timeLimit(-time.Millisecond)
	}
	return nil
}

// flag adds --timeout to a command that renders.
func (l *timeLimit) flag(c *cobra.Command) {
	c.Flags().Var(l, "timeout", "give a video, and a model at work, at most a `TIME` such as 10m, or none")
}

// completeProjects completes the names of projects.
func (a *app) completeProjects(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || a.deps.Engine == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	err := a.withEngine(cmd.Context(), func(ctx context.Context, e Engine) error {
		projects, err := e.List(ctx)
		for _, p := range projects {
			if !p.Gone {
				names = append(names, p.Name+"\t"+string(p.Phase))
			}
		}
		return err
	})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return names, cobra.ShellCompDirectiveDefault
}

// emptyFlags refuses flags without a value. Scripts give such flags when a variable is
// not set, and then a video of another style, or without its sound, would be the wrong
// video.
func emptyFlags(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		empty := f.Value.Type() == "string" && f.Value.String() == "" || f.Value.Type() == "stringSlice" && f.Value.String() == "[]"
		if err == nil && empty {
			err = usage("give it a value, or leave it out", "--%s is empty", f.Name)
		}
	})
	return err
}
