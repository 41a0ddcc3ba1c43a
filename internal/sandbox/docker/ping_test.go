package docker_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/docker"
)

// engine serves the answers of an engine of API version api on a socket, and sets
// DOCKER_HOST to that socket. System is what its containers run; else Linux.
func engine(t *testing.T, api string, handle http.HandlerFunc, system ...string) string {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "d.sock")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/_ping", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Api-Version", api)
		w.Header().Set("Ostype", "linux")
		if handle != nil {
			handle(w, r)
		}
	})
	mux.HandleFunc("/v"+api+"/version", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"Version":"20.10.24","ApiVersion":%q,"Os":%q,"Arch":"amd64"}`, api, append(system, "linux")[0])
	})
	if handle != nil {
		mux.HandleFunc("/", handle)
	}
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	t.Cleanup(func() {
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	host := "unix://" + socket
	t.Setenv("DOCKER_HOST", host)
	for _, name := range []string{"DOCKER_API_VERSION", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY"} {
		t.Setenv(name, "")
	}
	return host
}

// Ping speaks to an old engine in the engine's own version.
func TestPing(t *testing.T) {
	engine(t, "1.41", nil)
	if got, err := docker.Ping(t.Context()); got != "20.10.24" || err != nil {
		t.Errorf("version %q, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := docker.Ping(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestPing_fails(t *testing.T) {
	for name, c := range map[string]struct {
		host, cert string
		says, hint string
	}{
		"no socket":  {host: "unix:///nowhere/docker.sock", says: "reach the Docker engine at unix:///nowhere/docker.sock", hint: "unset DOCKER_HOST"},
		"no engine":  {host: "unix:///etc/hostname", says: "reach the Docker engine", hint: "unset DOCKER_HOST"},
		"no host":    {host: "tcp://127.0.0.1:1", says: "reach the Docker engine", hint: "DOCKER_HOST"},
		"no shell":   {host: "ssh://nobody@127.0.0.1:1", says: "127.0.0.1:1: error during connect", hint: "docker -H ssh://nobody@127.0.0.1:1 version"},
		"no address": {host: "nonsense", says: "read the Docker settings", hint: "DOCKER_HOST"},
		"no keys":    {host: "tcp://127.0.0.1:1", cert: "/nowhere", says: "read the Docker settings", hint: "DOCKER_CERT_PATH"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("DOCKER_HOST", c.host)
			t.Setenv("DOCKER_CERT_PATH", c.cert)
			wantFailure(t, c.says, c.hint)
		})
	}
	t.Run("an error", func(t *testing.T) {
		engine(t, "1.41", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
		})
		wantFailure(t, "500 Internal Server Error", "docker info")
	})
	t.Run("a version that the engine does not speak", func(t *testing.T) {
		engine(t, "1.41", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) })
		t.Setenv("DOCKER_API_VERSION", "9.99")
		wantFailure(t, "400 Bad Request", "unset DOCKER_API_VERSION")
	})
	t.Run("silence", func(t *testing.T) {
		done := make(chan struct{})
		engine(t, "1.41", func(http.ResponseWriter, *http.Request) { <-done })
		t.Cleanup(func() { close(done) })
		wantFailure(t, "did not answer within 10s", "restart docker")
	})
}

func wantFailure(t *testing.T, says, hint string) {
	t.Helper()
	got, err := docker.Ping(t.Context())
	if koda.CodeOf(err) != koda.CodeProviderError || strings.Contains(err.Error(), "\n") || !strings.Contains(fmt.Sprint(err), says) || !strings.Contains(koda.HintOf(err), hint) {
		t.Errorf("got %v, %v, hint %q, want %q and %q", got, err, koda.HintOf(err), says, hint)
	}
}

// An engine whose containers are not of Linux is named.
func TestPing_otherSystem(t *testing.T) {
	engine(t, "1.41", nil, "windows")
	err := docker.New(docker.Config{Now: time.Now}).Ping(t.Context())
	if koda.CodeOf(err) != koda.CodeProviderError || !strings.Contains(err.Error(), "containers of windows") || !strings.Contains(koda.HintOf(err), "Linux containers") {
		t.Errorf("%v (%s)", err, koda.HintOf(err))
	}
}

// A name that no image can have is a mistake of the person, and the engine is not asked.
func TestBuild_noName(t *testing.T) {
	engine(t, "1.41", nil)
	for _, name := range []string{"UPPER", "a b", "-rf", "a:b:c", "x/../y"} {
		e, err := docker.Connect(t.Context(), docker.ImageConfig{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Build(t.Context(), false, func(koda.BuildStep) {})
		if koda.CodeOf(err) != koda.CodeUsage || !strings.Contains(err.Error(), fmt.Sprintf("%q is not the name of an image", name)) || !strings.Contains(koda.HintOf(err), "sandbox-image") {
			t.Errorf("%s: %v (%s)", name, err, koda.HintOf(err))
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

// An engine without room says so only in words.
func TestCreate_noRoom(t *testing.T) {
	engine(t, "1.41", func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/containers/create"):
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprint(w, `{"message":"write /var/lib/docker/x: no space left on device"}`)
		case strings.Contains(r.URL.Path, "with-guest"):
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"message":"no such image"}`)
		case strings.HasSuffix(r.URL.Path, "/info"):
			fmt.Fprint(w, `{}`)
		case strings.Contains(r.URL.Path, "/images/"):
			fmt.Fprint(w, `{"Id":"sha256:0123456789abcdef"}`)
		}
	})
	pack, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := docker.New(docker.Config{
		Image: docker.ImageConfig{Name: "mine"}, Now: time.Now,
		Guest: func(string) ([]byte, bool) { return pack.EncodeAll([]byte("guest"), nil), true },
	})
	_, err = p.Create(t.Context(), sandbox.Options{})
	if koda.CodeOf(err) != koda.CodeQuotaExceeded || !strings.Contains(koda.HintOf(err), "prune") {
		t.Errorf("%v (%s)", err, koda.HintOf(err))
	}
}
