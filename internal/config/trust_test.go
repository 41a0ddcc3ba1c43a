package config_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// everything is a .env and a project file with every setting that exists.
func everything(t *testing.T) map[string]string {
	t.Helper()
	values := map[string]string{
		"storage-provider": "local", "database-provider": "sqlite", "sandbox-provider": "local", "author": "recipe", "color": "never", "theme": "dark", "pictures": "blocks", "glyphs": "ascii", "notify": "bell", "screen-reader": "on",
		"cache-max": "1B", "checkpoint-interval": "1ms", "idle-timeout": "1ms", "sandbox-timeout": "1ms", "render-timeout": "1ms", "browser-sandbox": "off", "browser-memory": "9 GB",
		"sandbox-env": "EVIL=1", "base-url": "https://evil.example/v1", "model-timeout": "1ms", "model-price": "0/0", "max-turns": "none", "max-cost": "1000", "sandbox-memory": "1 TB", "sandbox-cpus": "64", "sandbox-max": "none", "sandbox-network": "open", "sandbox-registries": "evil.example.com", "sandbox-studio": "on",
		"serve-writes": "none", "serve-body": "none", "serve-connections": "none", "serve-waiting": "none", "webhook": "https://evil.example/hook", "webhook-private": "on",
	}
	var dotenv strings.Builder
	project := map[string]string{}
	for _, s := range config.Settings() {
		value, ok := values[s.Name]
		if !ok {
			value = "./evil"
		}
		dotenv.WriteString(s.Env + "=" + value + "\n")
		project[s.Name] = value
	}
	data, err := json.Marshal(project)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{dotenvFile: dotenv.String(), projectFile: string(data)}
}

// A clone sets every setting in both of its files. Until the person trusts the
// files, koda obeys only harmless settings, and one sentence for each file names
// the others.
func TestLoad_ACloneDecidesNothing(t *testing.T) {
	t.Parallel()
	files := everything(t)
	for _, path := range []string{dotenvFile, projectFile} {
		s := world(nil, map[string]string{path: files[path]})
		s.Project = "/p/ball"
		c := load(t, s)
		harmless(t, c)
		want := texts(load(t, world(nil, nil)))
		want["color"] = "never"
		if diff := cmp.Diff(want, texts(c)); diff != "" {
			t.Errorf("%s decided (-want +got):\n%s", path, diff)
		}
		told := 0
		for _, w := range c.Warnings {
			if strings.Contains(w, path) && strings.Contains(w, "`koda trust`") && strings.Contains(w, "left out") {
				told++
			}
		}
		if told != 1 {
			t.Errorf("%s: told %d times: %q", path, told, c.Warnings)
		}
	}
}

func texts(c config.Config) map[string]string {
	texts := map[string]string{}
	for _, v := range c.Values() {
		texts[v.Name] = v.Text
	}
	return texts
}

// koda obeys all settings of a trusted file, except keys in a project's file. After
// one byte has changed, the file is no longer trusted.
func TestLoad_Trusted(t *testing.T) {
	t.Parallel()
	files := everything(t)
	for _, path := range []string{dotenvFile, projectFile} {
		list := trusting(map[string]string{path: files[path]})
		s := world(nil, list)
		s.Project = "/p/ball"
		c := load(t, s)
		for _, v := range c.Values() {
			obeyed := v.Origin == config.FromDotenv || v.Origin == config.FromProject
			if obeyed == (v.Secret && path == projectFile) {
				t.Errorf("%s: %s comes from %s", path, v.Name, v.Origin)
			}
		}
		list[path] += "\n"
		c = load(t, s)
		harmless(t, c)
		if text := strings.Join(c.Warnings, "\n"); !strings.Contains(text, "changed since you trusted it") {
			t.Errorf("%s changed, and was told of as %q", path, text)
		}
	}
}

// Nothing in an untrusted file keeps koda from working.
func TestLoad_ACloneStopsNothing(t *testing.T) {
	t.Parallel()
	for path, texts := range map[string][]string{
		dotenvFile:  {"KODA_AUTHOR=robot", "KODA_AUTHOR='never closed", "STORAGE_PROVIDER=r2", "NO_COLOR=\"\nKODA_HOME=\x00"},
		projectFile: {`{`, `[]`, `null`, `{"author": 3}`, `{"author": "robot"}`, `{"color": "red", "home": {}}`},
	} {
		for _, text := range texts {
			s := world(nil, map[string]string{path: text})
			s.Project = "/p/ball"
			c := load(t, s)
			harmless(t, c)
			if c.Author != "" || len(c.Warnings) == 0 || len(c.Warnings) > 2 {
				t.Errorf("%q: author %q, warnings %q", text, c.Author, c.Warnings)
			}
		}
	}
	var many strings.Builder
	many.WriteString(`{"a": "1"`)
	for range 1000 {
		many.WriteString(`, "x` + strings.Repeat("y", many.Len()%7) + `": "1"`)
	}
	s := world(nil, map[string]string{projectFile: many.String() + "}"})
	s.Project = "/p/ball"
	if c := load(t, s); len(c.Warnings) != 1 || len(c.Warnings[0]) > 200 {
		t.Errorf("unknown names are told of as %q", c.Warnings)
	}
}

func TestTrust(t *testing.T) {
	t.Parallel()
	s, home := onDisk(t)
	s.Project = s.Dir
	write(t, filepath.Join(s.Dir, ".env"), "STORAGE_PATH=./data\nANTHROPIC_API_KEY=sk-1\nKODA_AUTHOR=recipe\nOTHER=1\n")
	write(t, filepath.Join(s.Dir, ".koda", "config.json"), `{"cache-max": "2 GB", "anthropic-api-key": "sk-2"}`)
	files, err := s.DirectoryFiles(".")
	if err != nil || len(files) != 2 {
		t.Fatalf("%+v, %v", files, err)
	}
	var says []string
	for _, f := range files {
		if f.Trusted || f.Changed {
			t.Errorf("%s is trusted already: %+v", f.Path, f)
		}
		for _, v := range f.Says {
			says = append(says, v.Name+"="+v.Text)
		}
	}
	want := []string{"storage-path=" + filepath.Join(s.Dir, "data"), "author=recipe", "anthropic-api-key=set", "cache-max=2 GB"}
	if diff := cmp.Diff(want, says); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
	for _, f := range files {
		if err := s.Trust(f); err != nil {
			t.Fatal(err)
		}
	}
	c := load(t, s)
	if c.StoragePath != filepath.Join(s.Dir, "data") || c.CacheMax != "2 GB" || c.AnthropicAPIKey.Reveal() != "sk-1" {
		t.Errorf("not obeyed: %+v", c.Values())
	}
	// The same directory by another name is also trusted.
	other := filepath.Join(home, "link")
	if err := os.Symlink(s.Dir, other); err != nil {
		t.Fatal(err)
	}
	if files, err := s.DirectoryFiles(filepath.Join(other, ".env")); err != nil || len(files) != 1 || !files[0].Trusted {
		t.Errorf("%+v, %v", files, err)
	}
	// The same file in another directory is not trusted.
	write(t, filepath.Join(home, "clone", ".env"), "STORAGE_PATH=./data\nANTHROPIC_API_KEY=sk-1\nKODA_AUTHOR=recipe\nOTHER=1\n")
	if files, err := s.DirectoryFiles(filepath.Join(home, "clone")); err != nil || len(files) != 1 || files[0].Trusted {
		t.Errorf("%+v, %v", files, err)
	}
	write(t, filepath.Join(s.Dir, ".env"), "STORAGE_PATH=./other\n")
	if c := load(t, s); c.StoragePath != s.Dir || c.CacheMax != "2 GB" {
		t.Errorf("after a change: %+v", c.Values())
	}
	if list, err := s.Trusted(); err != nil || len(list) != 2 || !list[0].Changed || !list[1].Trusted {
		t.Errorf("%+v, %v", list, err)
	}
	if gone, err := s.Distrust("."); err != nil || len(gone) != 2 {
		t.Errorf("%q, %v", gone, err)
	}
	if c := load(t, s); c.CacheMax != "10 GB" {
		t.Errorf("still obeyed: %+v", c.Values())
	}
}

func TestTrust_Refused(t *testing.T) {
	t.Parallel()
	s, home := onDisk(t)
	write(t, filepath.Join(s.Dir, "notes.txt"), "x")
	write(t, filepath.Join(home, "wrong", ".env"), "KODA_CACHE_MAX=much\n")
	for path, want := range map[string]koda.Code{
		".": koda.CodeNotFound, ".env": koda.CodeNotFound, "notes.txt": koda.CodeUsage, "none": koda.CodeUsage,
		filepath.Join(home, "wrong"): koda.CodeUsage,
	} {
		if files, err := s.DirectoryFiles(path); koda.CodeOf(err) != want || koda.HintOf(err) == "" {
			t.Errorf("%s: %+v, %v", path, files, err)
		}
	}
	write(t, filepath.Join(home, ".config", "koda", "trusted.json"), "null")
	if err := s.Trust(config.DirectoryFile{Path: "/x/.env", SHA256: "0"}); koda.CodeOf(err) != koda.CodeUsage || koda.HintOf(err) == "" {
		t.Errorf("a file that is no list: %v", err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// If the person sets KODA_HOME, their settings and their trust are there. Their
// settings in the usual place count less. A .env moves neither.
func TestSources_HomeOfItsOwn(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	env := map[string]string{"HOME": home}
	s := config.Sources{
		Env:      func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		ReadFile: os.ReadFile,
		ReadIn:   projectfs.ReadFile,
		Dir:      filepath.Join(home, "work"),
	}
	write(t, filepath.Join(s.Dir, ".env"), "KODA_HOME=./h\nSTORAGE_PATH=./videos\n")
	files, err := s.DirectoryFiles(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := s.Trust(f); err != nil {
			t.Fatal(err)
		}
	}
	everywhere := filepath.Join(home, ".config", "koda", "config.json")
	for name, value := range map[string]string{"cache-max": "1 GB", "color": "never"} {
		if file, err := s.Set(name, value); err != nil || file != everywhere {
			t.Fatalf("wrote %s, %v", file, err)
		}
	}
	if c := load(t, s); c.Home != filepath.Join(s.Dir, "h") {
		t.Errorf("trusted, but home is %s", c.Home)
	}
	env["KODA_HOME"] = "own"
	if c := load(t, s); c.StoragePath != s.Dir {
		t.Errorf("trust went along: %s", c.StoragePath)
	}
	file, err := s.Set("cache-max", "2 GB")
	if want := filepath.Join(s.Dir, "own", "config.json"); err != nil || file != want {
		t.Errorf("wrote %s, %v, want %s", file, err, want)
	}
	c := load(t, s)
	v, err := c.Value("cache-max")
	if err != nil || v.Text != "2 GB" || v.Place != file || v.Origin != config.FromUser || c.Color != "never" {
		t.Errorf("%+v, %v, color %q", v, err, c.Color)
	}
	delete(env, "KODA_HOME")
	if c := load(t, s); c.CacheMax != "1 GB" {
		t.Errorf("without KODA_HOME %q", c.CacheMax)
	}
}

func TestOffers(t *testing.T) {
	t.Parallel()
	s, _ := onDisk(t)
	s.Offers = config.Offers{"author": {"recipe"}, "sandbox-provider": {"local"}}
	for name, value := range map[string]string{"author": "model", "sandbox-provider": "docker"} {
		_, err := s.Set(name, value)
		if koda.CodeOf(err) != koda.CodeUsage || !strings.Contains(err.Error(), "this version") || !strings.HasPrefix(koda.HintOf(err), "use ") {
			t.Errorf("%s %s: %v", name, value, err)
		}
	}
	if _, err := s.Set("author", "modell"); strings.Contains(koda.HintOf(err), "model") {
		t.Errorf("the hint %q names an author that this build lacks", koda.HintOf(err))
	}
	if _, err := s.Set("author", "recipe"); err != nil {
		t.Error(err)
	}
}
