package docker_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/sandbox/docker"
)

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// An engine that a context of the docker command names is found, as Colima and rootless
// Docker set it up.
func TestConnect_context(t *testing.T) {
	host := engine(t, "1.41", nil)
	t.Setenv("DOCKER_HOST", "")
	dir := t.TempDir()
	t.Setenv("DOCKER_CONFIG", dir)
	sum := sha256.Sum256([]byte("colima"))
	meta := filepath.Join(dir, "contexts/meta", hex.EncodeToString(sum[:]), "meta.json")
	write(t, meta, fmt.Sprintf(`{"Name":"colima","Metadata":{},"Endpoints":{"docker":{"Host":%q,"SkipTLSVerify":false}}}`, host))

	for name, set := range map[string]func(t *testing.T){
		"current context": func(t *testing.T) {
			write(t, filepath.Join(dir, "config.json"), `{"auths":{},"currentContext":"colima"}`)
		},
		"DOCKER_CONTEXT": func(t *testing.T) { t.Setenv("DOCKER_CONTEXT", "colima") },
	} {
		t.Run(name, func(t *testing.T) {
			set(t)
			if got, err := docker.Ping(t.Context()); got != "20.10.24" || err != nil {
				t.Errorf("version %q, %v", got, err)
			}
		})
	}
	t.Run("no such context", func(t *testing.T) {
		t.Setenv("DOCKER_CONTEXT", "work")
		wantFailure(t, `no context "work", which DOCKER_CONTEXT names`, "docker context ls")
	})
	t.Run("no engine there", func(t *testing.T) {
		write(t, meta, `{"Name":"colima","Endpoints":{"docker":{"Host":"unix:///nowhere/docker.sock"}}}`)
		t.Setenv("DOCKER_CONTEXT", "colima")
		wantFailure(t, "unix:///nowhere/docker.sock (context colima)", "docker context use")
	})
	t.Run("no keys there", func(t *testing.T) {
		write(t, meta, `{"Name":"colima","Endpoints":{"docker":{"Host":"tcp://127.0.0.1:1"}}}`)
		write(t, filepath.Join(dir, "contexts/tls", hex.EncodeToString(sum[:]), "docker/ca.pem"), "nonsense")
		t.Setenv("DOCKER_CONTEXT", "colima")
		wantFailure(t, "read the keys of the context colima", "DOCKER_CERT_PATH")
	})
	t.Run("DOCKER_HOST is stronger", func(t *testing.T) {
		t.Setenv("DOCKER_CONTEXT", "work")
		t.Setenv("DOCKER_HOST", host)
		if got, err := docker.Ping(t.Context()); got != "20.10.24" || err != nil {
			t.Errorf("version %q, %v", got, err)
		}
	})
	t.Run("settings that cannot be read", func(t *testing.T) {
		write(t, filepath.Join(dir, "config.json"), "{")
		wantFailure(t, "config.json", "docker context ls")
	})
}

// Without the usual socket, the sockets of other engines are found.
func TestConnect_otherSockets(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(home, "run"))
	// Each is found although the next ones are there, too.
	for _, socket := range []string{"run/podman/podman.sock", ".config/colima/default/docker.sock", "run/docker.sock"} {
		socket = filepath.Join(home, socket)
		if err := os.MkdirAll(filepath.Dir(socket), 0o700); err != nil {
			t.Fatal(err)
		}
		l, err := net.Listen("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() }) //nolint:errcheck // nobody spoke on it
		if got := docker.Other(); got != "unix://"+socket {
			t.Errorf("found %s, want %s", got, socket)
		}
	}
}

// A build goes through the proxies of the environment, else those of the docker command.
func TestProxies(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("DOCKER_CONFIG", dir)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY"} {
		t.Setenv(name, "")
		t.Setenv(strings.ToLower(name), "")
	}
	if got, err := docker.Proxies(); len(got) != 0 || err != nil {
		t.Errorf("without any: %v, %v", got, err)
	}
	write(t, filepath.Join(dir, "config.json"), `{"proxies":{"default":{"httpProxy":"http://stored:1","noProxy":"*.local"}}}`)
	t.Setenv("https_proxy", "http://set:2")
	t.Setenv("HTTP_PROXY", "http://set:3")
	got, err := docker.Proxies()
	want := map[string]string{
		"HTTP_PROXY": "http://set:3", "http_proxy": "http://set:3", "HTTPS_PROXY": "http://set:2", "https_proxy": "http://set:2",
		"NO_PROXY": "*.local", "no_proxy": "*.local",
	}
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v, %v", got, err)
	}
	for name, value := range want {
		if *got[name] != value {
			t.Errorf("%s is %s, want %s", name, *got[name], value)
		}
	}
}
