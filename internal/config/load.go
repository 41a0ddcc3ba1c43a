package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/koda-video/koda/internal/koda"
)

// Config is how koda is set up. Paths are absolute; Chrome and FFmpeg may also be bare
// names, which are looked up on PATH. In SandboxProvider, Author, Model, BaseURL and Chrome, "" means
// that the person set nothing.
type Config struct {
	Home              string
	Cache             string // cache in Home: segments, the unpacked page runtime
	StorageProvider   string
	StoragePath       string // parent directory of new projects
	DatabaseProvider  string
	DatabasePath      string
	SandboxProvider   string // "local", "docker" or ""
	SandboxImage      string
	SandboxBase       string
	SandboxSetup      string
	SandboxEnv        string // the text that was set, see ParseEnvironment
	SandboxStudio     string // "on" or "off"
	SandboxMemory     string // the text that was set, see Sandboxes
	SandboxCPUs       string // likewise
	SandboxMax        string // likewise
	SandboxNetwork    string // "none", "registries" or "open"
	SandboxRegistries string // the text that was set, see Registries
	// CheckpointInterval, IdleTimeout, SandboxTimeout and RenderTimeout have the text
	// that was set; see Periods.
	CheckpointInterval string
	IdleTimeout        string
	SandboxTimeout     string
	RenderTimeout      string
	Author             string // "recipe", "model" or ""
	Model              string // "provider/name", a provider, or ""
	PlannerModel       string // as Model
	BaseURL            string
	ModelTimeout       string // the text that was set, see Periods
	ModelPrice         string // likewise, see Price
	MaxTurns           string // likewise, see Budget
	MaxCost            string // likewise
	Record             string
	AnthropicAPIKey    Secret
	OpenAIAPIKey       Secret
	OpenRouterAPIKey   Secret
	Chrome             string
	BrowserSandbox     string // "auto", "on" or "off"
	BrowserMemory      string // the text that was set, see BrowserBytes
	FFmpeg             string
	ServeWrites        string // the text that was set, see Serving; likewise the next three
	ServeBody          string
	ServeConnections   string
	ServeWaiting       string
	Webhook            string
	WebhookSecret      Secret
	WebhookPrivate     string // "on" or "off"
	Color              string // "auto", "always" or "never"
	Theme              string // "auto", "light" or "dark"
	Pictures           string // "auto", "kitty", "iterm2", "sixel", "blocks" or "none"
	Glyphs             string // "auto", "unicode" or "ascii"
	Notify             string // "auto", "bell" or "off"
	ScreenReader       string // "auto", "on" or "off"
	RecipePath         string
	CacheMax           string // the text that was set, see CacheBytes

	// Warnings are sentences about settings that koda found and does not obey.
	Warnings []string

	values []Value
}

// Value is the effective value of a setting and where it came from.
type Value struct {
	Name   string `json:"name"`
	Text   string `json:"value"`           // for a secret: "set" or ""
	Origin Origin `json:"origin"`          // the kind of place that set it
	Place  string `json:"place,omitempty"` // the variable, file or flag that set it
	Secret bool   `json:"secret,omitempty"`
}

// String gives the text for people. A default is described in parentheses.
func (v Value) String() string {
	if v.Text != "" {
		return v.Text
	}
	set, err := Find(v.Name)
	if err != nil {
		return ""
	}
	return "(" + set.Default + ")"
}

// Values lists all settings with their effective values, in table order.
func (c Config) Values() []Value { return slices.Clone(c.values) }

// Value returns one of Values by the setting's name or environment variable. If there is
// no such setting, the error is USAGE with the nearest name as hint.
func (c Config) Value(name string) (Value, error) {
	s, err := Find(name)
	if err != nil {
		return Value{}, err
	}
	for _, v := range c.values {
		if v.Name == s.Name {
			return v, nil
		}
	}
	return Value{Name: s.Name, Secret: s.Secret}, nil
}

// Sources is everything that Load reads settings from.
type Sources struct {
	// Flags are the settings given on the command line, by setting name. An
	// empty value counts as not given.
	Flags map[string]string
	// Env looks up an environment variable (os.LookupEnv).
	Env func(string) (string, bool)
	// ReadFile reads a file of the person's own (os.ReadFile).
	ReadFile func(string) ([]byte, error)
	// ReadIn reads a file of a directory that may have come from anywhere
	// (projectfs.ReadFile); name is slash-separated.
	ReadIn func(dir, name string) ([]byte, error)
	// Dir is the working directory, absolute.
	Dir string
	// Project is the directory of the project at hand, absolute; "" if there is no
	// project yet.
	Project string
	// Offers are the choices that this build can do.
	Offers Offers
	// PromptNames are the names of the texts for models.
	PromptNames []string
}

// saying is one value that one place sets.
type saying struct {
	value  string // paths are absolute
	origin Origin
	place  string
}

// Load reads all sources. USAGE: a setting does not accept a value, a file cannot be
// read, or a flag is not a setting.
func Load(s Sources) (Config, error) {
	var c Config
	said, err := s.collect(&c)
	if err != nil {
		return Config{}, err
	}
	for _, set := range table {
		v, err := c.apply(set, said[set.Name], s.Offers)
		if err != nil {
			return Config{}, err
		}
		c.values = append(c.values, v)
	}
	if err := c.derive(s); err != nil {
		return Config{}, err
	}
	for i, set := range table {
		c.values[i].Text = *set.field(&c)
		if set.Secret && c.values[i].Text != "" {
			c.values[i].Text = "set"
		}
	}
	return c, nil
}

// apply puts the strongest value, or the default, into c.
func (c *Config) apply(set Setting, said []saying, offers Offers) (Value, error) {
	v := Value{Name: set.Name, Secret: set.Secret}
	if len(said) == 0 {
		*set.field(c) = set.initial
		return v, nil
	}
	best := slices.MaxFunc(said, func(a, b saying) int { return int(a.origin - b.origin) })
	if err := set.check(best.value, best.place, offers); err != nil {
		return v, err
	}
	*set.field(c) = best.value
	v.Origin, v.Place = best.origin, best.place
	return v, nil
}

// derive fills in values that follow from the environment or from other settings.
func (c *Config) derive(s Sources) error {
	if c.Home == "" {
		data, err := s.xdg("XDG_DATA_HOME", ".local", "share")
		if err != nil {
			return err
		}
		c.Home = filepath.Join(data, "koda")
	}
	c.Cache = filepath.Join(c.Home, "cache")
	if c.DatabasePath == "" {
		c.DatabasePath = filepath.Join(c.Home, "koda.db")
	}
	if c.StoragePath == "" {
		c.StoragePath = s.Dir
	}
	return nil
}

// collect gathers the values from all places, by setting name.
func (s Sources) collect(c *Config) (map[string][]saying, error) {
	said := map[string][]saying{}
	for _, name := range slices.Sorted(maps.Keys(s.Flags)) {
		set, err := Find(name)
		if err != nil {
			return nil, err
		}
		if !set.Allows(FromFlag, false) {
			return nil, &koda.Error{
				Code: koda.CodeUsage, Op: "setting " + set.Name + " is not taken from the command line, where others can read it",
				Hint: "set " + set.Env + " in the environment",
			}
		}
		if value := s.Flags[name]; value != "" {
			said[set.Name] = append(said[set.Name], s.say(set, value, FromFlag, "command line", s.Dir))
		}
	}
	for _, set := range table {
		if value, ok := s.Env(set.Env); ok && value != "" {
			said[set.Name] = append(said[set.Name], s.say(set, set.fromEnv(value), FromEnv, set.Env, s.Dir))
		}
	}
	for _, f := range s.dirFiles() {
		if err := s.obey(f, said, c); err != nil {
			return nil, err
		}
	}
	for _, file := range s.userFiles() {
		if err := s.userFile(said, c, file); err != nil {
			return nil, err
		}
	}
	return said, nil
}

func (s Setting) fromEnv(value string) string {
	if s.env != nil {
		return s.env(value)
	}
	return value
}

// userFile reads a file of the person's own.
func (s Sources) userFile(said map[string][]saying, c *Config, file string) error {
	values, err := s.readFile(file)
	if err != nil {
		return err
	}
	claims, unknown := s.claimsOf(values, file, FromUser, filepath.Dir(file))
	c.warnUnknown(file, unknown)
	for _, claim := range claims {
		if claim.err != nil {
			return claim.err
		}
		said[claim.set.Name] = append(said[claim.set.Name], claim.saying)
	}
	return nil
}

func (s Sources) say(set Setting, value string, origin Origin, place, base string) saying {
	return saying{value: s.absolute(set, value, base), origin: origin, place: place}
}

// absolute makes a path absolute, counted from base, and replaces a leading ~, which
// shells do not replace in files. The bare name of a program stays.
func (s Sources) absolute(set Setting, value, base string) string {
	if set.kind != path && set.kind != program || set.kind == program && !strings.ContainsRune(value, filepath.Separator) {
		return value
	}
	if home, ok := s.Env("HOME"); ok && home != "" && (value == "~" || strings.HasPrefix(value, "~/")) {
		return filepath.Join(home, value[1:])
	}
	if filepath.IsAbs(value) {
		return filepath.Clean(value)
	}
	return filepath.Join(base, value)
}

// xdg is a base directory of the XDG specification: the directory in the variable if it
// is absolute, otherwise fallback below $HOME.
func (s Sources) xdg(variable string, fallback ...string) (string, error) {
	if dir, ok := s.Env(variable); ok && filepath.IsAbs(dir) {
		return filepath.Clean(dir), nil
	}
	home, ok := s.Env("HOME")
	if !ok || !filepath.IsAbs(home) {
		return "", &koda.Error{
			Code: koda.CodeFailed, Op: "find a home directory: HOME is not set",
			Hint: "set HOME or KODA_HOME to a directory koda may write to",
		}
	}
	return filepath.Join(append([]string{home}, fallback...)...), nil
}

func (c *Config) warn(format string, args ...any) {
	c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...))
}

func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
