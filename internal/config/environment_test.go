package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/config"
)

func TestParseEnvironment(t *testing.T) {
	t.Parallel()
	got, err := config.ParseEnvironment(" LANG=de_DE.UTF-8  EMPTY= _x=a=b ")
	if diff := cmp.Diff([]string{"LANG=de_DE.UTF-8", "EMPTY=", "_x=a=b"}, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for text, says := range map[string]string{
		"LANG":                           "not of the form NAME=value",
		"=x":                             "not of the form NAME=value",
		"1A=x":                           "not of the form NAME=value",
		"A-B=x":                          "not of the form NAME=value",
		"A=1 ANTHROPIC_API_KEY=x":        "ANTHROPIC_API_KEY looks like a key",
		"github_token=x":                 "github_token looks like a key",
		"DB_PASSWORD=x":                  "DB_PASSWORD looks like a key",
		"A=sk0123456789abcdefghijklmnop": "A looks like a key",
	} {
		if _, err := config.ParseEnvironment(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}

// What looks like a key is not told again.
func TestLoad_environment(t *testing.T) {
	t.Parallel()
	s := world(map[string]string{"KODA_SANDBOX_ENV": "A=1 MY_TOKEN=hush"}, nil)
	_, err := config.Load(s)
	if err == nil || !strings.Contains(err.Error(), "sandbox-env (KODA_SANDBOX_ENV)") || strings.Contains(err.Error(), "hush") {
		t.Errorf("%v", err)
	}
}
