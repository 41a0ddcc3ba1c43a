package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/koda-video/koda/internal/needs"
)

// TestDockerScripts runs whole commands with a real container engine.
func TestDockerScripts(t *testing.T) {
	t.Parallel()
	base := needs.Docker(t)
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("..", "..", "testdata", "docker"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("KODA_SANDBOX_BASE", base)
			env.Setenv("KODA_ALONE", filepath.SplitList(env.Getenv("PATH"))[0]) // a PATH with koda and nothing else
			for _, name := range []string{                                      // how this machine gets packages
				"DOCKER_HOST", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "npm_config_registry", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
			} {
				env.Setenv(name, os.Getenv(name))
			}
			return scriptHome(env)
		},
		Cmds: scriptWords, RequireExplicitExec: true, RequireUniqueNames: true, UpdateScripts: *update,
	})
}
