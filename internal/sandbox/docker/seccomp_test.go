package docker_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox/docker"
)

// The profile lets through what drawing needs: the fast capture reads the memory of a
// child, and Chromium makes namespaces for its own sandbox. The default profile of Docker
// 20.10 lets neither through. Testdata has it from github.com/docker/docker, version
// 20.10.27, under the Apache License 2.0.
func TestDockerSeccomp(t *testing.T) {
	profile, err := docker.Profile()
	if err != nil || profile == "" {
		t.Fatalf("%q, %v", profile, err)
	}
	own := filepath.Join(t.TempDir(), "own.json")
	if err := os.WriteFile(own, []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	program := attackers(t)["attack"]
	for file, want := range map[string]string{
		own:                          "through: read-child through: nothing",
		"testdata/docker-20.10.json": "operation not permitted no namespace: fork/exec /tmp/attack: operation not permitted",
	} {
		run := exec.CommandContext(t.Context(), "docker", "run", "--rm", "-i", "--network", "none", "--user", "1000:1000", "--cap-drop", "ALL",
			"--security-opt", "no-new-privileges", "--security-opt", "seccomp="+file, needs.Docker(t),
			"/bin/bash", "-c", "cat >/tmp/attack; chmod +x /tmp/attack; /tmp/attack read-child; /tmp/attack user nothing")
		run.Stdin = bytes.NewReader(program)
		out, err := run.CombinedOutput()
		if got := strings.Join(strings.Fields(string(out)), " "); err != nil || got != want {
			t.Errorf("under %s: %q, %v, want %q", filepath.Base(file), got, err, want)
		}
	}
}
