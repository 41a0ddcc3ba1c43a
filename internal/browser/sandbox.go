package browser

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// The values of koda.CaptureInfo.Sandbox, and of Wanted.Sandbox beside "auto".
const (
	sandboxOn  = "on"
	sandboxOff = "off"
)

// surroundings is what a host knows about what keeps Chromium's own sandbox from working,
// and about what protects the machine instead. A host without these methods counts as an
// ordinary user's machine.
type surroundings interface {
	Root() bool
	Container() string
}

func around(host sandbox.Host) (root bool, container string) {
	if s, ok := host.(surroundings); ok {
		return s.Root(), s.Container()
	}
	return false, ""
}

// noWall begins the error about a browser whose own sandbox is wanted and does not work.
const noWall = "start the browser in its own sandbox"

// ErrSandbox is in the chain of the error that says: the browser's own sandbox is wanted,
// and this machine does not allow it.
var ErrSandbox = errors.New("this system lets it make no user namespaces, of which the sandbox is made")

// wall decides whether the browser's own sandbox is used, as doc.go says. It tries the
// sandbox, because only the browser finds out what this system allows. Try draws a page
// with a browser that was started with info.
func wall(host sandbox.Host, wanted string, info *koda.CaptureInfo, try func() error) error {
	root, container := around(host)
	off := func(why, fix string) error {
		info.Sandbox, info.SandboxWhy, info.SandboxFix = sandboxOff, why, fix
		return try()
	}
	switch {
	case wanted == sandboxOff:
		return off("the setting browser-sandbox says so", "koda config set browser-sandbox auto")
	case root && wanted == sandboxOn:
		return &koda.Error{
			Code: koda.CodeMissingTool, Op: noWall, Err: rootError{},
			Hint: "run koda as an ordinary user, or go without that wall: koda config set browser-sandbox auto",
		}
	case root:
		return off(rootError{}.Error(), "run koda as an ordinary user to draw pages you do not trust")
	}
	info.Sandbox = sandboxOn
	err := try()
	if wanted == sandboxOn || container == "" || !errors.Is(err, ErrSandbox) {
		return err
	}
	return off(fmt.Sprintf("this container (%s) lets no program make user namespaces; the container itself is the wall", container), inContainer)
}

// rootError is ErrSandbox for root.
type rootError struct{}

func (rootError) Error() string        { return "koda runs as root, for whom Chromium has none" }
func (rootError) Is(target error) bool { return target == ErrSandbox }

// inContainer says how a browser in a container of Docker or Podman can make its sandbox.
const inContainer = "start the container with --security-opt seccomp=unconfined, or with a seccomp profile that allows user namespaces (clone, unshare)"

// locks are the kernel's settings that forbid user namespaces, and how to change them.
var locks = []struct{ file, forbids, key string }{
	{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or give the browser an AppArmor profile with userns"},
	{"/proc/sys/kernel/unprivileged_userns_clone", "0", "sudo sysctl -w kernel.unprivileged_userns_clone=1"},
	{"/proc/sys/user/max_user_namespaces", "0", "sudo sysctl -w user.max_user_namespaces=10000"},
}

// unlock says how the browser could make its sandbox here.
func unlock(host sandbox.Host) string {
	var ways []string
	for _, l := range locks {
		if read(host, l.file) == l.forbids {
			ways = append(ways, l.key)
		}
	}
	if _, container := around(host); container != "" {
		ways = append(ways, inContainer)
	}
	if len(ways) == 0 {
		ways = append(ways, "let programs make user namespaces, which a security module or a seccomp filter forbids")
	}
	return strings.Join(ways, "; ") + "; or draw only pages you trust, without that wall: koda config set browser-sandbox off"
}

// filters is what the kernel says about the confinement of this process.
func filters(host sandbox.Host) string {
	var said []string
	for line := range strings.Lines(read(host, "/proc/self/status")) {
		for _, name := range []string{"CapEff:", "NoNewPrivs:", "Seccomp"} {
			if strings.HasPrefix(line, name) {
				said = append(said, line)
			}
		}
	}
	return strings.Join(said, "")
}

// confinement names everything that decides whether the browser's own sandbox works here.
// So an answer from another place is never used here.
func confinement(host sandbox.Host) string {
	root, container := around(host)
	said := []string{fmt.Sprint(root), container, filters(host)}
	for _, l := range locks {
		said = append(said, read(host, l.file))
	}
	return strings.Join(said, "\n")
}

// read is the text of a small file without surrounding blanks; "" if the file cannot be
// read.
func read(host sandbox.Host, file string) string {
	text, err := readHead(host, file, 16<<10)
	if err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	return strings.TrimSpace(string(text))
}
