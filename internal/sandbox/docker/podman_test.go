package docker_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/sandbox/docker"
)

// Podman refuses options that Docker takes. Everything that a sandbox may write to stays
// bounded, and the seccomp profile is a file until Podman has read it.
func TestPodmanWalls(t *testing.T) {
	t.Parallel()
	host, done, err := docker.PodmanWalls()
	if err != nil {
		t.Fatal(err)
	}
	for at, options := range host.Tmpfs {
		if strings.Contains(options, "uid=") || strings.Contains(options, "nr_inodes") || !strings.Contains(options, "mode=1777") || !strings.Contains(options, "size=") || !strings.Contains(options, "nosuid,nodev") {
			t.Errorf("%s: %s", at, options)
		}
	}
	if _, ok := host.Tmpfs["/home/user/project"]; !ok || len(host.Mounts) != 1 || host.Mounts[0].Target != "/tmp" || host.Mounts[0].VolumeOptions.DriverConfig != nil {
		t.Errorf("%v, %+v", host.Tmpfs, host.Mounts)
	}
	at := slices.IndexFunc(host.SecurityOpt, func(opt string) bool { return strings.HasPrefix(opt, "seccomp=") })
	if at < 0 {
		t.Fatal(host.SecurityOpt)
	}
	file := strings.TrimPrefix(host.SecurityOpt[at], "seccomp=")
	want, err := docker.Profile()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want || !json.Valid(got) {
		t.Errorf("the profile: %.100s, %v", got, err)
	}
	done()
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the profile stays: %v", err)
	}
}
