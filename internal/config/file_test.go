package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// onDisk makes sources on real files, with an empty home.
func onDisk(t *testing.T) (config.Sources, string) {
	t.Helper()
	home := t.TempDir()
	return config.Sources{
		Env: func(name string) (string, bool) {
			return home, name == "HOME"
		},
		ReadFile: os.ReadFile,
		ReadIn:   projectfs.ReadFile,
		Dir:      filepath.Join(home, "work"),
	}, home
}

func TestSources_Set(t *testing.T) {
	t.Parallel()
	s, home := onDisk(t)
	file, err := s.Set("STORAGE_PATH", "videos")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(home, ".config", "koda", "config.json"); file != want {
		t.Errorf("file %s, want %s", file, want)
	}
	if _, err := s.Set("anthropic-api-key", "sk-1"); err != nil {
		t.Fatal(err)
	}
	c := load(t, s)
	if c.StoragePath != filepath.Join(home, "work", "videos") || c.AnthropicAPIKey.Reveal() != "sk-1" {
		t.Errorf("storage %q, key %q", c.StoragePath, c.AnthropicAPIKey.Reveal())
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file with the key has mode %v", info.Mode())
	}
	for _, name := range []string{"storage-path", "storage-path", "anthropic-api-key"} {
		if _, err := s.Unset(name); err != nil {
			t.Errorf("Unset %s: %v", name, err)
		}
	}
	if c := load(t, s); c.StoragePath != s.Dir || c.AnthropicAPIKey.Set() {
		t.Errorf("still set: %+v", c.Values())
	}
}

func TestSources_Set_KeepsTheRest(t *testing.T) {
	t.Parallel()
	s, home := onDisk(t)
	dir := filepath.Join(home, ".config", "koda")
	real := filepath.Join(home, "dotfiles.json")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(real, []byte(`{"future": {"n": 12345678901234567890}, "color": "never"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, filepath.Join(dir, "config.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Set("color", "always"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(real)
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"color\": \"always\",\n  \"future\": {\n    \"n\": 12345678901234567890\n  }\n}\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	if c := load(t, s); c.Color != "always" || len(c.Warnings) != 1 {
		t.Errorf("color %q, warnings %q", c.Color, c.Warnings)
	}
}

func TestSources_Set_Refused(t *testing.T) {
	t.Parallel()
	s, home := onDisk(t)
	tests := []struct{ name, value, op, hint string }{
		{"colour", "never", `unknown setting "colour"`, "did you mean color?"},
		{"color", "red", `setting color (command line) cannot be "red"`, "use auto, always or never"},
		{"color", "", "setting color cannot be empty", "use auto, always or never"},
		{"chrome", "", "setting chrome cannot be empty", "use a value"},
		{"chrome", "a\x00b", "setting chrome (command line) holds a zero byte", ""},
	}
	for _, tt := range tests {
		_, err := s.Set(tt.name, tt.value)
		if koda.CodeOf(err) != koda.CodeUsage {
			t.Errorf("Set(%q, %q) = %v, want USAGE", tt.name, tt.value, err)
			continue
		}
		if err.Error() != tt.op || koda.HintOf(err) != tt.hint {
			t.Errorf("got %q, hint %q", err, koda.HintOf(err))
		}
	}
	if _, err := s.Unset("nothing-like-it"); koda.CodeOf(err) != koda.CodeUsage {
		t.Errorf("Unset of an unknown name: %v", err)
	}
	if _, err := os.Stat(filepath.Join(home, ".config")); !os.IsNotExist(err) {
		t.Errorf("a refused setting left a file: %v", err)
	}
}
