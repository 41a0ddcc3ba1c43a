package config_test

import (
	"testing"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/config"
)

// A value is read back through a setting that takes any text.
func TestDotenv(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ file, want string }{
		"plain":                {"SANDBOX_IMAGE=a/b:c", "a/b:c"},
		"spaces around":        {"  SANDBOX_IMAGE =  a b  ", "a b"},
		"export":               {"export SANDBOX_IMAGE=a", "a"},
		"comment":              {"# SANDBOX_IMAGE=no\nSANDBOX_IMAGE=a # why", "a"},
		"hash inside":          {"SANDBOX_IMAGE=a#b", "a#b"},
		"single quotes":        {`SANDBOX_IMAGE='a $b \n # c' # d`, `a $b \n # c`},
		"double quotes":        {`SANDBOX_IMAGE="a\tb \"c\" \\ \$d \q"`, "a\tb \"c\" \\ $d \\q"},
		"several lines":        {"X=\"1\n2\n3\"\nSANDBOX_IMAGE='a\nb'\nY=1", "a\nb"},
		"the last counts":      {"SANDBOX_IMAGE=a\nSANDBOX_IMAGE=b", "b"},
		"windows":              {"\xef\xbb\xbfSANDBOX_IMAGE=a\r\nX=1\r\n", "a"},
		"others' trouble":      {"X=\"never closed\n??\n=\nSANDBOX_IMAGE=a", "a"},
		"no assignment":        {"SANDBOX_IMAGE\nSANDBOX_IMAGES=x\n1SANDBOX_IMAGE=x", "koda/animation-sandbox"},
		"a name, not exported": {"exportSANDBOX_IMAGE=a", "koda/animation-sandbox"},
		"equals in the value":  {"SANDBOX_IMAGE=a=b", "a=b"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := load(t, world(nil, trusting(map[string]string{dotenvFile: tt.file})))
			if c.SandboxImage != tt.want {
				t.Errorf("got %q, want %q", c.SandboxImage, tt.want)
			}
		})
	}
}

// Whatever is in .env, reading it ends. A value that koda writes comes back. No
// harmful setting of an untrusted file is obeyed.
func FuzzDotenv(f *testing.F) {
	f.Add("SANDBOX_IMAGE=a\n", "b")
	f.Add("X=\"\nSANDBOX_IMAGE='", "c\nd")
	f.Add("export\t\xff=\\\"'#", "")
	f.Add("KODA_HOME=./h\nKODA_CACHE_MAX=1B\nDATABASE_PATH='~/.ssh/id_ed25519'\nNO_COLOR=1", "x")
	f.Fuzz(func(t *testing.T, junk, value string) {
		c := load(t, world(nil, map[string]string{dotenvFile: junk}))
		harmless(t, c)
		// Any text may precede, as long as no quote is left open.
		trusted, err := config.Load(world(nil, trusting(map[string]string{dotenvFile: junk})))
		if err == nil && trusted.SandboxImage == "" {
			t.Errorf("no image after %q", junk)
		}
		if value == "" || !utf8.ValidString(value) {
			return
		}
		for _, r := range value {
			if r == '\'' || r == '\r' || r == 0 {
				return
			}
		}
		c = load(t, world(nil, trusting(map[string]string{dotenvFile: "SANDBOX_IMAGE='" + value + "'"})))
		if c.SandboxImage != value {
			t.Errorf("got %q, want %q", c.SandboxImage, value)
		}
	})
}

// harmless fails if a file of a directory decided a setting that can do harm.
func harmless(t *testing.T, c config.Config) {
	t.Helper()
	for _, v := range c.Values() {
		said := v.Origin == config.FromDotenv || v.Origin == config.FromProject
		if said && v.Name != "color" {
			t.Errorf("%s is %q, from %s", v.Name, v.Text, v.Place)
		}
	}
}
