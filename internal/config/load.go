package config

import (
	"encoding/json"
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

// Config is how koda is set up. Paths are absolute; Chrome and FFmpeg may also
// be bare names to be looked up on PATH. "" in SandboxProvider, Author and
// Chrome means that nothing was said.
type Config struct {
	Home             string
	Cache            string // cache in Home: segments, the unpacked page runtime
	StorageProvider  string
	StoragePath      string // parent directory of new projects
	DatabaseProvider string
	DatabasePath     string
	SandboxProvider  string // "local", "docker" or ""
	SandboxImage     string
	// CheckpointInterval, IdleTimeout and SandboxTimeout are as they were said,
	// see Periods.
	CheckpointInterval string
	IdleTimeout        string
	SandboxTimeout     string
	Author             string // "recipe", "model" or ""
	AnthropicAPIKey    Secret
	Chrome             string
	BrowserSandbox     string // "auto", "on" or "off"
	BrowserMemory      string // as it was said, see BrowserBytes
	FFmpeg             string
	Color              string // "auto", "always" or "never"
	CacheMax           string // as it was said, see CacheBytes

	// Warnings are sentences about what was found and not obeyed.
	Warnings []string

	values []Value
}

// Value is the effective value of a setting and where it came from.
type Value struct {
	Name   string `json:"name"`
	Text   string `json:"value"`           // of a secret: "set" or ""
	Origin Origin `json:"origin"`          // which kind of place said it
	Place  string `json:"place,omitempty"` // the variable, file or flag that said it
	Secret bool   `json:"secret,omitempty"`
}

// String gives the text people see: a value that nothing was said about is
// described in parentheses.
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

// Value returns one of Values by the setting's name or environment variable;
// an unknown one is USAGE with the nearest name as hint.
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

// Sources is the world as far as settings are concerned.
type Sources struct {
	// Flags are the settings given on the command line, by setting name. An
	// empty value counts as not given.
	Flags map[string]string
	// Env looks up an environment variable (os.LookupEnv).
	Env func(string) (string, bool)
	// ReadFile reads a file (os.ReadFile).
	ReadFile func(string) ([]byte, error)
	// Dir is the working directory, absolute.
	Dir string
	// Project is the directory of the project at hand, absolute; "" when there
	// is none yet.
	Project string
}

// saying is one value said somewhere.
type saying struct {
	value  string // paths are absolute
	origin Origin
	place  string
}

// Load reads all sources. A value that a setting does not accept, a file that
// is not readable and a flag that is no setting are USAGE.
func Load(s Sources) (Config, error) {
	var c Config
	said, err := s.collect(&c)
	if err != nil {
		return Config{}, err
	}
	for _, set := range table {
		v, err := c.apply(set, said[set.Name])
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

// apply puts the strongest saying, or the default, into c.
func (c *Config) apply(set Setting, said []saying) (Value, error) {
	v := Value{Name: set.Name, Secret: set.Secret}
	if len(said) == 0 {
		*set.field(c) = set.initial
		return v, nil
	}
	best := slices.MaxFunc(said, func(a, b saying) int { return int(a.origin - b.origin) })
	if err := set.check(best.value, best.place); err != nil {
		return v, err
	}
	*set.field(c) = best.value
	v.Origin, v.Place = best.origin, best.place
	return v, nil
}

// derive fills the values that follow from the world or from other settings.
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

// collect gathers everything that is said anywhere, by setting name.
func (s Sources) collect(c *Config) (map[string][]saying, error) {
	said := map[string][]saying{}
	for _, name := range slices.Sorted(maps.Keys(s.Flags)) {
		set, err := Find(name)
		if err != nil {
			return nil, err
		}
		if !set.Allows(FromFlag) {
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
	if err := s.dotenv(said, c); err != nil {
		return nil, err
	}
	if s.Project != "" {
		if err := s.settingsFile(said, c, filepath.Join(s.Project, ".koda", fileName), FromProject, s.Project); err != nil {
			return nil, err
		}
	}
	if user, err := s.UserFile(); err == nil { // without a home there is no such file
		if err := s.settingsFile(said, c, user, FromUser, filepath.Dir(user)); err != nil {
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

// dotenv reads .env in the working directory. A directory of that name, as
// Python people have it, is none of ours.
func (s Sources) dotenv(said map[string][]saying, c *Config) error {
	file := filepath.Join(s.Dir, ".env")
	data, err := s.ReadFile(file)
	if absent(err) || errors.Is(err, syscall.EISDIR) {
		return nil
	}
	if err != nil {
		c.warn("%s is not read: %v", file, err)
		return nil
	}
	last := map[string]assignment{}
	for _, a := range parseDotenv(data) {
		last[a.key] = a
	}
	for _, set := range table {
		a, ok := last[set.Env]
		place := fmt.Sprintf("%s in .env, line %d", set.Env, a.line)
		switch {
		case !ok || a.problem == "" && a.value == "":
		case !set.Allows(FromDotenv):
			c.warn("%s is not obeyed: name programs in the environment or with `koda config set %s`", place, set.Name)
		case a.problem != "":
			return &koda.Error{Code: koda.CodeUsage, Op: "read " + place, Err: errors.New(a.problem), Hint: "close the quote, or remove the line"}
		default:
			said[set.Name] = append(said[set.Name], s.say(set, set.fromEnv(a.value), FromDotenv, place, s.Dir))
		}
	}
	return nil
}

// settingsFile reads a JSON file of settings.
func (s Sources) settingsFile(said map[string][]saying, c *Config, file string, origin Origin, base string) error {
	values, err := s.readFile(file)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		set, err := Find(name)
		if err != nil || set.Name != name {
			c.warn("%s: unknown setting %q is left alone", file, name)
			continue
		}
		var value string
		switch err := json.Unmarshal(values[name], &value); {
		case err != nil:
			return &koda.Error{
				Code: koda.CodeUsage, Op: fmt.Sprintf("setting %s in %s is not a text", name, file),
				Hint: fmt.Sprintf("write it in quotes, or use `koda config set %s`", name),
			}
		case value == "":
		case !set.Allows(origin):
			c.warn("%s in %s is not obeyed: set it in the environment or with `koda config set %s`", name, file, name)
		default:
			said[name] = append(said[name], s.say(set, value, origin, file, base))
		}
	}
	return nil
}

func (s Sources) say(set Setting, value string, origin Origin, place, base string) saying {
	return saying{value: s.absolute(set, value, base), origin: origin, place: place}
}

// absolute gives a path that counts from base, and replaces a leading ~ (which
// only shells do, and not in files). A program's bare name stays.
func (s Sources) absolute(set Setting, value, base string) string {
	if set.kind == text || set.kind == amount || set.kind == period || set.kind == program && !strings.ContainsRune(value, filepath.Separator) {
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

// xdg is a base directory of the XDG specification: the variable's when it is
// absolute, else fallback below $HOME.
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
