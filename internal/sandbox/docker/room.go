package docker

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/mount"
)

// scratch is where programs keep what is large: a volume on the engine's disk.
const scratch = "/tmp"

// mostScratch is how many bytes of disk a sandbox may use.
const mostScratch = 5 << 30

// inodes bounds the files and directories of a file system in memory.
const inodes = ",nr_inodes=100k"

// room is where a container writes, beside its home and its shared memory. The project's
// directory is in memory and bounded; it is a mount of its own, so a full home leaves it
// alone. An engine has no bound for a volume on its disk: the guest watches that volume.
// Both volumes have the sandbox's label, no name, and end with the container.
func room(host *container.HostConfig, label string) {
	volume := func(target string, driver *mount.Driver) mount.Mount {
		return mount.Mount{Type: mount.TypeVolume, Target: target, VolumeOptions: &mount.VolumeOptions{
			NoCopy: driver != nil, Labels: map[string]string{labelSandbox: label}, DriverConfig: driver,
		}}
	}
	size := part(host.Memory, 2, 1<<30)
	host.Mounts = append(host.Mounts,
		volume(project, &mount.Driver{Name: "local", Options: map[string]string{
			"type": "tmpfs", "device": "tmpfs", "o": "nosuid,nodev,mode=0700,uid=1000,gid=1000" + inodes + ",size=" + strconv.FormatInt(size, 10),
		}}),
		volume(scratch, nil)) // as the image has the directory: anybody may write
	delete(host.Tmpfs, scratch)
}

// part is the n-th part of a container's memory, at most a number of bytes. What is in
// memory counts as the container's: together the parts leave memory for programs.
func part(memory, n, most int64) int64 { return min(cmp.Or(memory/n, most), most) }

// watch are the flags by which a guest watches the scratch volume.
func watch(most int64) []string {
	return []string{"-scratch", scratch, "-scratch-most", fmt.Sprint(cmp.Or(most, mostScratch))}
}
