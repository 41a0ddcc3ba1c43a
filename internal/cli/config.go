package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/tui/widget"
)

type configResult struct {
	head
	Settings []config.Value `json:"settings"`
	File     string         `json:"file,omitempty"` // the person's settings file
}

func newConfigCmd(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "config",
		Short:   "Show and change settings",
		GroupID: groupMachine,
		Long:    configLong(),
		Args:    subcommandOnly,
		Run:     func(cmd *cobra.Command, _ []string) { _ = cmd.Help() }, //nolint:errcheck // the page is built in
	}
	c.AddCommand(newConfigShowCmd(a), newConfigGetCmd(a), newConfigSetCmd(a, nil), newConfigUnsetCmd(a))
	return c
}

func configLong() string {
	var b strings.Builder
	b.WriteString(`Show and change settings. The strongest saying wins: a flag, the environment, .env
in the working directory, .koda/config.json of the project, your own file, the
default. 'koda config set' writes your own file: config.json in $KODA_HOME where
that is set, else ~/.config/koda/config.json, which holds beneath the other one.
Keys are never shown.

.env and .koda/config.json can come along with a directory. Until you trust them
with 'koda trust' they decide nothing but color.

`)
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	for _, s := range config.Settings() {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", s.Name, s.Env, s.Help)
	}
	_ = w.Flush() //nolint:errcheck // a strings.Builder does not fail
	return strings.TrimRight(b.String(), "\n")
}

func newConfigShowCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Show every setting and where it comes from",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { return runConfigShow(a) },
	}
}

func runConfigShow(a *app) error {
	sources, cfg, err := a.settings()
	if err != nil {
		return err
	}
	file, err := sources.UserFile()
	if err != nil {
		return err
	}
	a.result = &configResult{Settings: cfg.Values(), File: file}
	if a.json {
		return nil
	}
	var table strings.Builder
	var facts []widget.Fact
	w := tabwriter.NewWriter(&table, 0, 8, 2, ' ', 0)
	for _, v := range cfg.Values() {
		origin := v.Origin.String()
		if v.Place != "" {
			origin = v.Place
		}
		text := v.Text
		if text == "" {
			text = "-"
		}
		fmt.Fprintf(w, "%s\t%s\t(%s)\n", v.Name, text, origin)
		facts = append(facts, widget.Fact{Name: v.Name, Value: text + " (" + origin + ")"})
	}
	_ = w.Flush() //nolint:errcheck // a strings.Builder does not fail
	text := table.String()
	if width := a.io.Columns(); a.io.OutTTY && cut(text, width) != text {
		text = widget.Facts(a.look().out, facts, width) + "\n"
	}
	if _, err := fmt.Fprint(a.io.Out, text); err != nil {
		return fmt.Errorf("print settings: %w", err)
	}
	a.say("", fmt.Sprintf("'koda config set' writes %s", widget.Line(file)))
	return nil
}

func newConfigGetCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "get NAME",
		Short:             "Print one setting",
		Args:              between(1, 1),
		RunE:              func(_ *cobra.Command, args []string) error { return runConfigGet(a, args[0]) },
		ValidArgsFunction: a.completeSettings(1),
	}
}

func runConfigGet(a *app, name string) error {
	_, cfg, err := a.settings()
	if err != nil {
		return err
	}
	v, err := cfg.Value(name)
	if err != nil {
		return err
	}
	a.result = &configResult{Settings: []config.Value{v}}
	if a.json {
		return nil
	}
	_, err = fmt.Fprintln(a.io.Out, v.Text)
	return err
}

// ConfigSetOptions is what `koda config set` was told.
type ConfigSetOptions struct {
	Name  string
	Value string // "-": the first line of standard input
}

func newConfigSetCmd(a *app, runF func(context.Context, *ConfigSetOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *ConfigSetOptions) error { return runConfigSet(ctx, a, o) }
	}
	return &cobra.Command{
		Use:   "set NAME VALUE",
		Short: "Write a setting into your own file",
		Long: `Write a setting into your own file. A value of - is read from standard input, so
that a key does not end up in the history of the shell.`,
		Example: `  koda config set storage-path ~/videos
  koda config set anthropic-api-key - < key.txt`,
		Args: between(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runF(cmd.Context(), &ConfigSetOptions{Name: args[0], Value: args[1]})
		},
		ValidArgsFunction: a.completeSettings(2),
	}
}

func runConfigSet(ctx context.Context, a *app, o *ConfigSetOptions) error {
	sources, err := a.deps.Settings()
	if err != nil {
		return err
	}
	value := o.Value
	if value == "-" {
		if value, err = a.io.ReadLine(ctx); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		value = strings.TrimSpace(value)
	}
	file, err := sources.Set(o.Name, value)
	if err != nil {
		return err
	}
	return a.settingWritten(ctx, o.Name, file)
}

func newConfigUnsetCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "unset NAME",
		Short: "Take a setting out of your own file",
		Args:  between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sources, err := a.deps.Settings()
			if err != nil {
				return err
			}
			file, err := sources.Unset(args[0])
			if err != nil {
				return err
			}
			return a.settingWritten(cmd.Context(), args[0], file)
		},
		ValidArgsFunction: a.completeSettings(1),
	}
}

// settingWritten tells the value that holds now: a stronger origin may override what was
// written.
func (a *app) settingWritten(ctx context.Context, name, file string) error {
	_, cfg, err := a.settings()
	if err != nil {
		return err
	}
	v, err := cfg.Value(name)
	if err != nil {
		return err
	}
	a.result = &configResult{Settings: []config.Value{v}, File: file}
	wrong := a.useless(ctx, v)
	if wrong != "" {
		a.warned = append(a.warned, wrong)
	}
	if a.json {
		return nil
	}
	a.say("", fmt.Sprintf("wrote %s", file))
	if wrong != "" {
		a.warn(wrong)
	}
	if v.Origin >= config.FromUser && v.Place != file {
		a.warn(v.Place + " overrides it here")
	}
	return nil
}

// programs are the settings that name a program, and the checks of these programs.
var programs = map[string]string{"chrome": "browser", "ffmpeg": "ffmpeg"}

// useless says why koda cannot use what a setting names; "" if it can.
func (a *app) useless(ctx context.Context, v config.Value) string {
	switch check := programs[v.Name]; {
	case v.Origin == config.FromDefault:
	case v.Name == "recipe-path" && !isDir(v.Text):
		return v.Text + " is no directory"
	case check != "" && a.deps.Missing != nil:
		for _, c := range a.deps.Missing(ctx) {
			if c.Name == check {
				return c.Detail
			}
		}
	}
	return ""
}

// settings reads the settings.
func (a *app) settings() (config.Sources, config.Config, error) {
	sources, err := a.deps.Settings()
	if err != nil {
		return sources, config.Config{}, err
	}
	cfg, err := config.Load(sources)
	return sources, cfg, err
}

// typedLines is the file in koda's home that keeps what a person types.
func (a *app) typedLines() (typedLines, error) {
	_, cfg, err := a.settings()
	if err != nil {
		return typedLines{}, err
	}
	return typedLines{filepath.Join(cfg.Home, typedFile)}, nil
}
