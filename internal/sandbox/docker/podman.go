package docker

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/docker/docker/api/types"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/mount"

	"github.com/koda-video/koda/internal/atomicfile"
)

// isPodman reports whether a version is one of Podman.
func isPodman(v types.Version) bool {
	return slices.ContainsFunc(v.Components, func(c types.ComponentVersion) bool { return strings.Contains(c.Name, "Podman") })
}

var (
	inodeBound = regexp.MustCompile(`,nr_inodes=\w+`)
	ownerOnly  = regexp.MustCompile(`mode=0700,uid=\d+,gid=\d+`)
)

// forPodman writes the walls as Podman takes them.
//
// Its file systems in memory know no bound of inodes, and no owner but root: they are open
// to everybody, and the only user of the container is everybody. What inodes take counts as
// the container's memory. It makes no volume in memory with a container, so the project's
// directory is such a file system, too.
//
// It takes a seccomp profile as a file on its machine, which it reads before it answers:
// done removes the file.
func forPodman(host *container.HostConfig) (done func(), err error) {
	host.Mounts = slices.DeleteFunc(host.Mounts, func(m mount.Mount) bool {
		if m.VolumeOptions == nil || m.VolumeOptions.DriverConfig == nil {
			return false
		}
		host.Tmpfs[m.Target] = "rw,exec," + m.VolumeOptions.DriverConfig.Options["o"]
		return true
	})
	for at, options := range host.Tmpfs {
		host.Tmpfs[at] = ownerOnly.ReplaceAllString(inodeBound.ReplaceAllString(options, ""), "mode=1777") + ",notmpcopyup"
	}
	at := slices.IndexFunc(host.SecurityOpt, func(opt string) bool { return strings.HasPrefix(opt, "seccomp={") })
	if at < 0 {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp("", "koda-seccomp-")
	done = func() { _ = os.RemoveAll(dir) } //nolint:errcheck // it is the person's own directory of temporary files
	file := filepath.Join(dir, "profile.json")
	if err == nil {
		err = atomicfile.Write(file, []byte(strings.TrimPrefix(host.SecurityOpt[at], "seccomp=")), 0o600)
	}
	if err != nil {
		done()
		return nil, fmt.Errorf("write the seccomp profile: %w", err)
	}
	host.SecurityOpt[at] = "seccomp=" + file
	return done, nil
}
