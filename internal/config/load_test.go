package config_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
)

const (
	userFile    = "/home/me/.config/koda/config.json"
	projectFile = "/p/ball/.koda/config.json"
	dotenvFile  = "/p/.env"
	trustFile   = "/home/me/.config/koda/trusted.json"
)

// world makes sources from an environment and files.
func world(env, files map[string]string) config.Sources {
	if env == nil {
		env = map[string]string{}
	}
	if _, ok := env["HOME"]; !ok {
		env["HOME"] = "/home/me"
	}
	read := func(name string) ([]byte, error) {
		text, ok := files[name]
		if !ok {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return []byte(text), nil
	}
	return config.Sources{
		Env:      func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		ReadFile: read,
		ReadIn:   func(dir, name string) ([]byte, error) { return read(dir + "/" + name) },
		Dir:      "/p",
	}
}

// trusting adds to files the list by which the person trusts the files of
// directories as they are.
func trusting(files map[string]string) map[string]string {
	list := map[string]string{}
	for path, text := range files {
		if path != userFile && path != trustFile {
			sum := sha256.Sum256([]byte(text))
			list[path] = hex.EncodeToString(sum[:])
		}
	}
	data, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	all := map[string]string{trustFile: string(data)}
	for path, text := range files {
		if path != trustFile {
			all[path] = text
		}
	}
	return all
}

func load(t *testing.T, s config.Sources) config.Config {
	t.Helper()
	c, err := config.Load(s)
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	return c
}

func TestLoad_Defaults(t *testing.T) {
	t.Parallel()
	c := load(t, world(nil, nil))
	want := map[string]string{
		"home": "/home/me/.local/share/koda", "storage-provider": "local", "storage-path": "/p",
		"database-provider": "sqlite", "database-path": "/home/me/.local/share/koda/koda.db",
		"sandbox-provider": "", "sandbox-image": "koda/animation-sandbox", "sandbox-base": "debian:12-slim",
		"sandbox-setup": "", "sandbox-env": "", "sandbox-studio": "off", "sandbox-network": "none", "sandbox-registries": "", "author": "",
		"model": "", "planner-model": "", "base-url": "", "model-timeout": "5m", "model-price": "", "max-turns": "150", "max-cost": "5", "record": "", "anthropic-api-key": "", "openai-api-key": "", "openrouter-api-key": "", "chrome": "", "ffmpeg": "ffmpeg", "cache-max": "10 GB", "color": "auto",
		"serve-writes": "60", "serve-body": "32 MB", "serve-connections": "1000", "serve-waiting": "8", "webhook": "", "webhook-secret": "", "webhook-private": "off",
		"browser-sandbox": "auto", "browser-memory": "", "checkpoint-interval": "30s", "idle-timeout": "5m", "sandbox-timeout": "30m", "render-timeout": "none", "recipe-path": "", "sandbox-memory": "4 GB", "sandbox-cpus": "2", "sandbox-max": "10", "theme": "auto", "pictures": "auto", "glyphs": "auto", "notify": "auto", "screen-reader": "auto",
	}
	got := map[string]string{}
	for _, v := range c.Values() {
		got[v.Name] = v.Text
		if v.Origin != config.FromDefault || v.Place != "" {
			t.Errorf("%s comes from %s %q, want default", v.Name, v.Origin, v.Place)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if c.Cache != "/home/me/.local/share/koda/cache" {
		t.Errorf("Cache = %q", c.Cache)
	}
	if len(c.Warnings) != 0 {
		t.Errorf("warnings: %q", c.Warnings)
	}
}

// Each stronger source is added to the weaker ones and must win.
func TestLoad_Precedence(t *testing.T) {
	t.Parallel()
	env, files := map[string]string{}, map[string]string{}
	s := world(env, files)
	s.Project = "/p/ball"
	steps := []struct {
		say    func()
		value  string
		origin config.Origin
		place  string
	}{
		{func() {}, "", config.FromDefault, ""},
		{func() { files[userFile] = `{"sandbox-provider": "docker"}` }, "docker", config.FromUser, userFile},
		{func() { files[projectFile] = `{"sandbox-provider": "local"}` }, "local", config.FromProject, projectFile},
		{func() { files[dotenvFile] = "A=1\nSANDBOX_PROVIDER=docker" }, "docker", config.FromDotenv, "SANDBOX_PROVIDER in .env, line 2"},
		{func() { env["SANDBOX_PROVIDER"] = "local" }, "local", config.FromEnv, "SANDBOX_PROVIDER"},
		{func() { s.Flags = map[string]string{"sandbox-provider": "docker"} }, "docker", config.FromFlag, "command line"},
	}
	for _, step := range steps {
		step.say()
		maps.Copy(files, trusting(files))
		c := load(t, s)
		v, err := c.Value("sandbox-provider")
		if err != nil {
			t.Fatal(err)
		}
		want := config.Value{Name: "sandbox-provider", Text: step.value, Origin: step.origin, Place: step.place}
		if v != want || c.SandboxProvider != step.value {
			t.Errorf("from %s: got %+v, field %q", step.origin, v, c.SandboxProvider)
		}
	}
}

func TestLoad_EmptyIsUnset(t *testing.T) {
	t.Parallel()
	s := world(map[string]string{"SANDBOX_PROVIDER": "", "NO_COLOR": ""}, map[string]string{
		dotenvFile: "SANDBOX_PROVIDER=\n", userFile: `{"sandbox-provider": "docker"}`,
	})
	s.Flags = map[string]string{"sandbox-provider": ""}
	c := load(t, s)
	if c.SandboxProvider != "docker" || c.Color != "auto" {
		t.Errorf("sandbox %q, color %q", c.SandboxProvider, c.Color)
	}
}

func TestLoad_Paths(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		env   map[string]string
		files map[string]string
		get   func(config.Config) string
		want  string
	}{
		{"relative to the working directory", map[string]string{"STORAGE_PATH": "./data/storage"}, nil, func(c config.Config) string { return c.StoragePath }, "/p/data/storage"},
		{"relative in .env", nil, map[string]string{dotenvFile: "DATABASE_PATH=./data/koda.db"}, func(c config.Config) string { return c.DatabasePath }, "/p/data/koda.db"},
		{"relative to the person's file", nil, map[string]string{userFile: `{"storage-path": "v"}`}, func(c config.Config) string { return c.StoragePath }, "/home/me/.config/koda/v"},
		{"tilde", nil, map[string]string{dotenvFile: "STORAGE_PATH=~/videos"}, func(c config.Config) string { return c.StoragePath }, "/home/me/videos"},
		{"home moves the database", map[string]string{"KODA_HOME": "/srv/koda/"}, nil, func(c config.Config) string { return c.DatabasePath }, "/srv/koda/koda.db"},
		{"home moves the cache", map[string]string{"KODA_HOME": "/srv/koda/"}, nil, func(c config.Config) string { return c.Cache }, "/srv/koda/cache"},
		{"XDG data", map[string]string{"XDG_DATA_HOME": "/data"}, nil, func(c config.Config) string { return c.Home }, "/data/koda"},
		{"a relative XDG directory is none", map[string]string{"XDG_DATA_HOME": "data"}, nil, func(c config.Config) string { return c.Home }, "/home/me/.local/share/koda"},
		{"a program by name", map[string]string{"KODA_FFMPEG": "ffmpeg7"}, nil, func(c config.Config) string { return c.FFmpeg }, "ffmpeg7"},
		{"a program by path", map[string]string{"KODA_CHROME": "./shell"}, nil, func(c config.Config) string { return c.Chrome }, "/p/shell"},
		{"XDG config", map[string]string{"XDG_CONFIG_HOME": "/cfg"}, map[string]string{"/cfg/koda/config.json": `{"author": "model"}`}, func(c config.Config) string { return c.Author }, "model"},
		{"NO_COLOR has no values", map[string]string{"NO_COLOR": "0"}, nil, func(c config.Config) string { return c.Color }, "never"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.get(load(t, world(tt.env, trusting(tt.files)))); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLoad_Refused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		flags    map[string]string
		env      map[string]string
		files    map[string]string
		op, hint string
	}{
		{
			name: "choice in the environment", env: map[string]string{"SANDBOX_PROVIDER": "dokcer"},
			op: `setting sandbox-provider (SANDBOX_PROVIDER) cannot be "dokcer"`, hint: "did you mean docker? use local or docker",
		},
		{
			name: "provider of the cloud", files: map[string]string{dotenvFile: "\nSTORAGE_PROVIDER=r2"},
			op: `setting storage-provider (STORAGE_PROVIDER in .env, line 2) cannot be "r2"`, hint: "use local",
		},
		{
			name: "choice in the person's file", files: map[string]string{userFile: `{"color":"red"}`},
			op: `setting color (` + userFile + `) cannot be "red"`, hint: "use auto, always or never",
		},
		{
			name: "not a text", files: map[string]string{userFile: `{"author": 3}`},
			op: "setting author in " + userFile + " is not a text", hint: "write it in quotes, or use `koda config set author`",
		},
		{
			name: "broken JSON", files: map[string]string{userFile: "{\n  \"author\": }\n"},
			op:   "read settings " + userFile + ":2:13: invalid character '}' looking for beginning of value",
			hint: `the file is a JSON object of texts: {"storage-path": "/home/me/videos"}`,
		},
		{
			name: "a list", files: map[string]string{userFile: "null"},
			op:   "read settings " + userFile + ": not a JSON object",
			hint: `the file is a JSON object of texts: {"storage-path": "/home/me/videos"}`,
		},
		{
			name: "a quote without end", files: map[string]string{dotenvFile: "STORAGE_PATH=\"x\nA=1"},
			op: `read STORAGE_PATH in .env, line 1: the quote " is never closed`, hint: "close the quote, or remove the line",
		},
		{
			name: "unknown flag", flags: map[string]string{"storage-pth": "x"},
			op: `unknown setting "storage-pth"`, hint: "did you mean storage-path?",
		},
		{
			name: "an address with a key", env: map[string]string{"KODA_BASE_URL": "https://me:sk-1@models.example/v1"},
			op:   "setting base-url (KODA_BASE_URL) cannot be that: it has more than a host and a path",
			hint: "write it like https://models.example/v1 or http://localhost:1234/v1",
		},
		{
			name: "a key on the command line", flags: map[string]string{"anthropic-api-key": "x"},
			op:   "setting anthropic-api-key is not taken from the command line, where others can read it",
			hint: "set ANTHROPIC_API_KEY in the environment",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := world(tt.env, trusting(tt.files))
			s.Flags = tt.flags
			_, err := config.Load(s)
			if koda.CodeOf(err) != koda.CodeUsage {
				t.Fatalf("got %v, want USAGE", err)
			}
			if err.Error() != tt.op {
				t.Errorf("got  %s\nwant %s", err, tt.op)
			}
			if got := koda.HintOf(err); got != tt.hint {
				t.Errorf("hint %q, want %q", got, tt.hint)
			}
		})
	}
}

func TestLoad_WithoutHome(t *testing.T) {
	t.Parallel()
	if _, err := config.Load(world(map[string]string{"HOME": ""}, nil)); koda.CodeOf(err) != koda.CodeFailed || koda.HintOf(err) == "" {
		t.Errorf("got %v, want FAILED with a hint", err)
	}
	c := load(t, world(map[string]string{"HOME": "", "KODA_HOME": "/k"}, nil))
	if c.DatabasePath != "/k/koda.db" {
		t.Errorf("DatabasePath = %q", c.DatabasePath)
	}
}

func TestLoad_FilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	failing := func(file string, err error) config.Sources {
		s := world(nil, nil)
		s.Project = s.Dir
		s.ReadFile = func(name string) ([]byte, error) {
			if name == file {
				return nil, &fs.PathError{Op: "read", Path: name, Err: err}
			}
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		s.ReadIn = func(dir, name string) ([]byte, error) { return s.ReadFile(dir + "/" + name) }
		return s
	}
	if c := load(t, failing("/p/.env", syscall.EISDIR)); len(c.Warnings) != 0 { // a Python environment
		t.Errorf("a directory .env warns: %q", c.Warnings)
	}
	for _, file := range []string{"/p/.env", "/p/.koda/config.json"} {
		if c := load(t, failing(file, fs.ErrPermission)); len(c.Warnings) != 1 || strings.Count(c.Warnings[0], file) != 1 {
			t.Errorf("warnings: %q, want one warning", c.Warnings)
		}
	}
	if _, err := config.Load(failing(userFile, fs.ErrPermission)); koda.CodeOf(err) != koda.CodeUsage || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v, want USAGE", err)
	}
	if c := load(t, failing(trustFile, fs.ErrPermission)); len(c.Warnings) != 0 {
		t.Errorf("without a file to trust: %q", c.Warnings)
	}
}

// A settings file of a directory is refused if it is a link or has no end.
func TestLoad_FilesThatAreNone(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(path string) error{
		"a link":           func(path string) error { return os.Symlink("/etc/hostname", path) },
		"a link to zeroes": func(path string) error { return os.Symlink("/dev/zero", path) },
		"a FIFO":           func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"much":             func(path string) error { return os.WriteFile(path, make([]byte, 2<<20), 0o600) },
	} {
		for _, file := range []string{".env", ".koda/config.json"} {
			s, _ := onDisk(t)
			s.Project = s.Dir
			path := filepath.Join(s.Dir, file)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), put(path)); err != nil {
				t.Fatal(err)
			}
			if c := load(t, s); len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "the file is left out") {
				t.Errorf("%s %s: warnings %q", name, file, c.Warnings)
			}
			if files, err := s.DirectoryFiles(file); err == nil || koda.HintOf(err) == "" {
				t.Errorf("%s %s can be trusted: %+v, %v", name, file, files, err)
			}
		}
	}
}

func TestLoad_SecretsAreNeverShown(t *testing.T) {
	t.Parallel()
	const key = "sk-ant-very-secret"
	c := load(t, world(map[string]string{"ANTHROPIC_API_KEY": key}, nil))
	if c.AnthropicAPIKey.Reveal() != key {
		t.Fatal("the key is lost")
	}
	v, err := c.Value("ANTHROPIC_API_KEY")
	if err != nil {
		t.Fatal(err)
	}
	if v.Text != "set" || v.Origin != config.FromEnv || !v.Secret {
		t.Errorf("value %+v", v)
	}
	marshalled, err := json.Marshal(struct {
		C config.Config
		V []config.Value
	}{c, c.Values()})
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", c.AnthropicAPIKey, "config", c)
	for _, text := range []string{string(marshalled), fmt.Sprintf("%v %+v %#v", c, c, c.AnthropicAPIKey), log.String()} {
		if strings.Contains(text, key) {
			t.Errorf("the key shows in %s", text)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	names, envs := map[string]bool{}, map[string]bool{}
	for _, s := range config.Settings() {
		if s.Name == "" || s.Env == "" || s.Help == "" || s.Default == "" || strings.HasSuffix(s.Help, ".") {
			t.Errorf("%q is not documented: %+v", s.Name, s)
		}
		if names[s.Name] || envs[s.Env] {
			t.Errorf("%s or %s is there twice", s.Name, s.Env)
		}
		names[s.Name], envs[s.Env] = true, true
		if s.Secret && s.Allows(config.FromProject, true) {
			t.Errorf("secret %s may stand in a project file", s.Name)
		}
	}
}

func TestValue_String(t *testing.T) {
	t.Parallel()
	c := load(t, world(map[string]string{"ANTHROPIC_API_KEY": "k"}, nil))
	for name, want := range map[string]string{
		"anthropic-api-key": "set", "chrome": "(searched for)", "color": "auto", "storage-path": "/p",
	} {
		v, err := c.Value(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.String(); got != want {
			t.Errorf("%s shows as %q, want %q", name, got, want)
		}
	}
}
