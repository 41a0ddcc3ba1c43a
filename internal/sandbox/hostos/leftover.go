package hostos

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/projectfs"
)

// Leftovers is what dead koda processes of this machine and this user left behind.
type Leftovers struct {
	Dirs     []string // temporary directories, such as the profiles of browsers
	Browsers []int    // ids of processes that still use such a directory as their profile
}

// Left finds the leftovers in a temporary root. The time of its start tells a
// process from a later process of the same id. A root that is a link has no
// leftovers.
func Left(root string) Leftovers {
	entries, err := os.ReadDir(root)
	if err != nil || projectfs.NoLinks(filepath.Dir(root), filepath.Base(root)) != nil {
		return Leftovers{}
	}
	var l Leftovers
	var profiles []string
	for _, e := range entries {
		pid, started, ok := owner(e.Name())
		if !ok || !e.IsDir() || proc.Lives(pid, started) {
			continue
		}
		info, err := e.Info()
		if err != nil || !proc.Own(info) {
			continue
		}
		dir := filepath.Join(root, e.Name())
		l.Dirs = append(l.Dirs, dir)
		profiles = append(profiles, "--user-data-dir="+dir)
	}
	l.Browsers = proc.Given(profiles)
	return l
}

// Sweep removes the leftovers in a temporary root and returns them. Leftovers that
// cannot be removed stay for the next Sweep.
func Sweep(root string) Leftovers {
	l := Left(root)
	for _, pid := range l.Browsers {
		_ = proc.End(pid) //nolint:errcheck // tried again next time
	}
	for _, dir := range l.Dirs {
		_ = os.RemoveAll(dir) //nolint:errcheck // tried again next time
	}
	return l
}

// owner reads from the name of a directory which process of this machine made it.
func owner(name string) (pid int, started string, ok bool) {
	rest, ok := strings.CutPrefix(name, "koda-")
	if !ok {
		return 0, "", false
	}
	num, rest, ok := strings.Cut(rest, "-")
	if !ok || !strings.HasPrefix(rest, machine()+"-") {
		return 0, "", false
	}
	num, started, _ = strings.Cut(num, ".")
	pid, err := strconv.Atoi(num)
	return pid, started, err == nil && pid > 0
}
