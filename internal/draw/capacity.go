package draw

import (
	"bytes"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// capacity is what this process may use of the machine.
type capacity struct {
	cpus   float64 // the quota, or the CPUs it may run on
	memory int64   // bytes that are free without swapping; 0: unknown
}

// machine is the capacity now. GOMAXPROCS is no substitute: it is at least 2 under
// any quota, and it knows nothing of memory.
func machine() capacity { return capacityOf(os.DirFS("/"), runtime.NumCPU()) }

// capacityOf reads the capacity from /proc and the cgroup file systems below root.
// If a file cannot be read, as on other systems, it sets no limit. Allowed is the
// number of CPUs the process may run on, its cpuset included.
func capacityOf(root fs.FS, allowed int) capacity {
	c := capacity{cpus: float64(allowed), memory: memAvailable(root)}
	for _, dir := range cgroups(root) {
		if n := dir.cpus(root); n > 0 {
			c.cpus = min(c.cpus, n)
		}
		if n, ok := dir.memory(root); ok && (c.memory == 0 || n < c.memory) {
			c.memory = max(1, n)
		}
	}
	return c
}

// cgroup is one directory of a hierarchy that bounds this process.
type cgroup struct {
	dir     string
	version int
}

// cgroups lists the directories that bound this process: its own directory and all
// directories above, as each may set a limit. In a container the paths of /proc may
// name directories of the host; the root of the mount is then the container's
// directory.
func cgroups(root fs.FS) []cgroup {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	var found []cgroup
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		mounts, version := []string{"sys/fs/cgroup", "sys/fs/cgroup/unified"}, 2
		if fields[1] != "" {
			mounts, version = []string{"sys/fs/cgroup/" + fields[1]}, 1
			for name := range strings.SplitSeq(fields[1], ",") {
				mounts = append(mounts, "sys/fs/cgroup/"+name)
			}
		}
		for _, mount := range mounts {
			for at := path.Clean("/" + fields[2]); ; at = path.Dir(at) {
				if dir := path.Join(mount, at); isDir(root, dir) {
					found = append(found, cgroup{dir, version})
				}
				if at == "/" {
					break
				}
			}
		}
	}
	return found
}

func isDir(root fs.FS, dir string) bool {
	info, err := fs.Stat(root, dir)
	return err == nil && info.IsDir()
}

// cpus is the quota in CPUs; 0 when there is no quota.
func (g cgroup) cpus(root fs.FS) float64 {
	var quota, period string
	if g.version == 2 {
		text, err := fs.ReadFile(root, g.dir+"/cpu.max")
		if err != nil {
			return 0
		}
		quota, period, _ = strings.Cut(strings.TrimSpace(string(text)), " ")
	} else {
		quota, period = word(root, g.dir+"/cpu.cfs_quota_us"), word(root, g.dir+"/cpu.cfs_period_us")
	}
	q, err1 := strconv.ParseFloat(quota, 64) // "max" and -1 are no limit
	p, err2 := strconv.ParseFloat(period, 64)
	if err1 != nil || err2 != nil || q <= 0 || p <= 0 {
		return 0
	}
	return q / p
}

// memory is the memory left below the lowest limit. File pages that the kernel
// would give back at once do not count as used.
func (g cgroup) memory(root fs.FS) (int64, bool) {
	limits, usage, cached := []string{"memory.max", "memory.high"}, "memory.current", "inactive_file"
	if g.version == 1 {
		limits, usage, cached = []string{"memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_inactive_file"
	}
	limit := int64(math.MaxInt64)
	for _, name := range limits {
		if n, ok := number(root, g.dir+"/"+name); ok {
			limit = min(limit, n)
		}
	}
	if limit > 1<<50 { // the way of version 1 to say that there is no limit
		return 0, false
	}
	used, ok := number(root, g.dir+"/"+usage)
	if !ok {
		return limit, true
	}
	free, _ := stat(root, g.dir+"/memory.stat", cached)
	return limit - max(0, used-free), true
}

// oomKills is how many processes the kernel has killed in the cgroups of this
// process because of their memory.
func oomKills(root fs.FS) int64 {
	var most int64
	for _, g := range cgroups(root) {
		for _, file := range []string{"memory.events", "memory.oom_control"} {
			if n, ok := stat(root, g.dir+"/"+file, "oom_kill"); ok {
				most = max(most, n)
			}
		}
	}
	return most
}

// memAvailable is the machine's own answer; 0 when there is no answer.
func memAvailable(root fs.FS) int64 {
	n, _ := stat(root, "proc/meminfo", "MemAvailable:")
	return n << 10
}

// stat reads a number out of a file of lines "NAME NUMBER".
func stat(root fs.FS, file, name string) (int64, bool) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(text) {
		if f := bytes.Fields(line); len(f) >= 2 && string(f[0]) == name {
			n, err := strconv.ParseInt(string(f[1]), 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

func number(root fs.FS, file string) (int64, bool) {
	n, err := strconv.ParseInt(word(root, file), 10, 64)
	return n, err == nil
}

func word(root fs.FS, file string) string {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// What a worker needs, measured as the proportional set size of its processes,
// in MB, at 1920×1080 and 3840×2160:
//
//	browser, 2D page   193   317
//	browser, WebGL     391   692
//	ffmpeg             281   945
//	koda               114   257 and more: the pictures a tab keeps, and those of the one before
const (
	workerBytes      = 220 << 20
	workerPixelBytes = 130 // for each pixel of the larger of page and output
	webGLBytes       = 140 << 20
	webGLPixelBytes  = 30                   // four samples of colour and depth
	rawPixelBytes    = 2 * keptPictures * 4 // of two tabs, until the garbage of the first is collected
	keptPictures     = 6                    // what a tab keeps memory for
	spareBytes       = 150 << 20            // koda itself, and what the rest of the machine is about to take
)

// of is the capacity for a video: the need of a worker follows from the pixels of
// page and output.
func (c capacity) of(spec koda.RenderSpec, view koda.Viewport) koda.Capacity {
	w, h := view.Pixels()
	page := int64(w * h)
	k := koda.Capacity{
		CPUs: c.cpus, Worker: workerBytes + workerPixelBytes*max(page, int64(spec.Width)*int64(spec.Height)),
		WebGL: webGLBytes + webGLPixelBytes*page, Raw: rawPixelBytes * page,
	}
	if c.memory > 0 {
		k.Memory = max(1, c.memory-spareBytes)
	}
	return k
}

// The bounds for the memory of a browser. mostBrowser is several times the memory
// of heavy pages, three-dimensional pages at 4K among them. leastBrowser is enough
// for ordinary pages on any machine.
const (
	leastBrowser = 1 << 30
	mostBrowser  = 4 << 30
)

// BrowserMemory is how many bytes one browser may use here if nobody says
// otherwise: the free memory, shared among as many browsers as may be at work.
func BrowserMemory() int64 { return machine().browserMemory() }

func (c capacity) browserMemory() int64 {
	if c.memory == 0 {
		return mostBrowser
	}
	return min(mostBrowser, max(leastBrowser, c.memory/int64(max(1, c.cpus))))
}

// glThreads is how many threads a segment gets for WebGL without a GPU. It is the
// share of one worker when all workers are busy, which saves the workers a tenth of
// their work; the share is larger when fewer are busy.
func glThreads(cpus float64, busy int) int { return max(1, int(cpus)/max(1, busy)) }
