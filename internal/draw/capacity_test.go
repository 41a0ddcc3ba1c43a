package draw_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/draw"
	"github.com/koda-video/koda/internal/koda"
)

// tree is a machine's /proc and /sys/fs/cgroup: each line is "path: content".
func tree(t *testing.T, lines string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		file, text, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			t.Fatalf("line %q", line)
		}
		files[file] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(text, "|", "\n") + "\n")}
	}
	return files
}

func TestWorkers(t *testing.T) {
	t.Parallel()
	const twoGB = "proc/self/cgroup: 0::/|\nsys/fs/cgroup/memory.max: 2147483648\nsys/fs/cgroup/memory.current: 104857600"
	const plenty = "proc/meminfo: MemTotal: 67108864 kB|MemAvailable: 60000000 kB\n"
	for name, c := range map[string]struct {
		machine string
		allowed int
		height  int // 0: 1080
		page    int // height of the page; 0: 1080
		webGL   bool
		raw     bool
		want    int
	}{
		"no limits":           {machine: plenty, allowed: 8, want: 8},
		"nothing to read":     {machine: "etc/hosts: x", allowed: 4, want: 4},
		"no cpus":             {machine: plenty, allowed: 0, want: 1},
		"v2: 1.5 CPUs, 2 GB":  {machine: plenty + "proc/self/cgroup: 0::/|\nsys/fs/cgroup/cpu.max: 150000 100000\nsys/fs/cgroup/memory.max: 2147483648\nsys/fs/cgroup/memory.current: 104857600", allowed: 16, want: 1},
		"v2: 8 CPUs, 2 GB":    {machine: plenty + "proc/self/cgroup: 0::/|\nsys/fs/cgroup/cpu.max: 800000 100000\nsys/fs/cgroup/memory.max: 2147483648\nsys/fs/cgroup/memory.current: 104857600", allowed: 16, want: 3},
		"the same with WebGL": {machine: plenty + "proc/self/cgroup: 0::/|\nsys/fs/cgroup/cpu.max: 800000 100000\nsys/fs/cgroup/memory.max: 2147483648\nsys/fs/cgroup/memory.current: 104857600", allowed: 16, webGL: true, want: 2},
		"the same in 4K":      {machine: plenty + "proc/self/cgroup: 0::/|\nsys/fs/cgroup/cpu.max: 800000 100000\nsys/fs/cgroup/memory.max: 2147483648\nsys/fs/cgroup/memory.current: 104857600", allowed: 16, height: 2160, want: 1},
		"v1: 1.5 CPUs, 2 GB":  {machine: plenty + "proc/self/cgroup: 5:memory:/docker/ab|4:cpu,cpuacct:/docker/ab\nsys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us: 150000\nsys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us: 100000\nsys/fs/cgroup/memory/memory.limit_in_bytes: 2147483648\nsys/fs/cgroup/memory/memory.usage_in_bytes: 9", allowed: 16, want: 1},
		"v1: 8 CPUs, 2 GB":    {machine: plenty + "proc/self/cgroup: 5:memory:/a/b|4:cpu:/a/b\nsys/fs/cgroup/cpu/a/cpu.cfs_quota_us: 800000\nsys/fs/cgroup/cpu/a/cpu.cfs_period_us: 100000\nsys/fs/cgroup/memory/a/b/memory.limit_in_bytes: 2147483648\nsys/fs/cgroup/memory/a/b/memory.usage_in_bytes: 9", allowed: 16, want: 3},
		"v1: no limits":       {machine: plenty + "proc/self/cgroup: 5:memory:/|4:cpu:/\nsys/fs/cgroup/cpu/cpu.cfs_quota_us: -1\nsys/fs/cgroup/cpu/cpu.cfs_period_us: 100000\nsys/fs/cgroup/memory/memory.limit_in_bytes: 9223372036854771712\nsys/fs/cgroup/memory/memory.usage_in_bytes: 9", allowed: 3, want: 3},
		"v2: no limits":       {machine: plenty + "proc/self/cgroup: 0::/a\nsys/fs/cgroup/a/cpu.max: max 100000\nsys/fs/cgroup/a/memory.max: max", allowed: 3, want: 3},
		"the parent's limit":  {machine: plenty + "proc/self/cgroup: 0::/a/b\nsys/fs/cgroup/a/b/cpu.max: max 100000\nsys/fs/cgroup/a/cpu.max: 200000 100000", allowed: 16, want: 2},
		"memory.high":         {machine: plenty + "proc/self/cgroup: 0::/\nsys/fs/cgroup/memory.max: max\nsys/fs/cgroup/memory.high: 1400000000\nsys/fs/cgroup/memory.current: 0", allowed: 16, want: 2},
		"page cache is free":  {machine: plenty + "proc/self/cgroup: 0::/\nsys/fs/cgroup/memory.max: 2147483648\nsys/fs/cgroup/memory.current: 2147483648\nsys/fs/cgroup/memory.stat: anon 5|inactive_file 2040109466|active_file 6", allowed: 16, want: 3},
		"raw pixels, 2D":      {machine: plenty + twoGB, allowed: 16, raw: true, want: 3},
		"raw pixels, WebGL":   {machine: plenty + twoGB, allowed: 16, raw: true, webGL: true, want: 2},
		// 1.9 GB are free: 320 MB for a browser, 950 MB for an encoder and 400 MB for
		// pictures.
		"raw pixels in 4K":  {machine: plenty + twoGB, allowed: 16, height: 2160, page: 2160, raw: true, want: 1},
		"two in 4K":         {machine: "proc/meminfo: MemAvailable: 3700000 kB", allowed: 16, height: 2160, page: 2160, raw: true, want: 2},
		"no two with WebGL": {machine: "proc/meminfo: MemAvailable: 3700000 kB", allowed: 16, height: 2160, page: 2160, raw: true, webGL: true, want: 1},
		"two with WebGL":    {machine: "proc/meminfo: MemAvailable: 4600000 kB", allowed: 16, height: 2160, page: 2160, raw: true, webGL: true, want: 2},
		"cpuset of one":     {machine: plenty + twoGB, allowed: 1, want: 1},
		"machine is full":   {machine: "proc/meminfo: MemAvailable: 1300000 kB", allowed: 16, want: 2},
		"nothing is left":   {machine: "proc/meminfo: MemAvailable: 1000 kB", allowed: 16, want: 1},
		"garbage":           {machine: plenty + "proc/self/cgroup: ::|0::/../..|x\nsys/fs/cgroup/cpu.max: a b\nsys/fs/cgroup/memory.max: -", allowed: 2, want: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			height, page := max(c.height, 1080), max(c.page, 1080)
			spec := koda.RenderSpec{Width: height * 16 / 9, Height: height, PageWidth: page * 16 / 9, PageHeight: page}
			if got := draw.Workers(tree(t, c.machine), c.allowed, spec, c.webGL, c.raw); got != c.want {
				t.Errorf("%d workers, want %d", got, c.want)
			}
		})
	}
}

// onlyCPU names a variable that makes this test binary print how many workers it
// gets.
const onlyCPU = "KODA_TEST_PRINT_WORKERS"

// The CPUs that a process may run on bound its workers, however many CPUs the
// machine has. Browsers share the free memory, each within bounds that fit ordinary
// and heavy pages.
func TestBrowserMemory(t *testing.T) {
	t.Parallel()
	free := func(gib int) string { return fmt.Sprintf("proc/meminfo: MemAvailable: %d kB", gib<<20) }
	for name, c := range map[string]struct {
		machine string
		cpus    int
		want    int64 // GiB
	}{
		"small":             {free(1), 2, 1},
		"a laptop":          {free(6), 2, 3},
		"many CPUs":         {free(24), 8, 3},
		"large":             {free(120), 16, 4},
		"a small container": {free(120) + "\nproc/self/cgroup: 0::/\nsys/fs/cgroup/memory.max: 4294967296\nsys/fs/cgroup/memory.current: 0", 2, 2},
		"nothing to read":   {"etc/hosts: x", 4, 4},
	} {
		if got := draw.BrowserMemoryOf(tree(t, c.machine), c.cpus); got != c.want<<30 {
			t.Errorf("%s: %d bytes, want %d GiB", name, got, c.want)
		}
	}
}

func TestWorkersOfCPUSet(t *testing.T) {
	t.Parallel()
	spec := koda.RenderSpec{Width: 64, Height: 36, PageWidth: 64, PageHeight: 36}
	if os.Getenv(onlyCPU) != "" {
		fmt.Println("workers:", draw.DefaultWorkers(spec))
		return
	}
	cmd := exec.Command("taskset", "-c", "0", os.Args[0], "-test.run=^TestWorkersOfCPUSet$")
	cmd.Env = append(os.Environ(), onlyCPU+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "workers: 1\n") {
		t.Errorf("%v: %s", err, out)
	}
}

// Threads for WebGL are shared out among the workers at work.
func TestGLThreads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cpus       float64
		busy, want int
	}{{2, 1, 2}, {2, 2, 1}, {8, 3, 2}, {8, 2, 4}, {1.5, 1, 1}, {0.5, 2, 1}, {0.5, 0, 1}} {
		if got := draw.GLThreads(c.cpus, c.busy); got != c.want {
			t.Errorf("%+v: %d threads", c, got)
		}
	}
}

func TestOOMKills(t *testing.T) {
	t.Parallel()
	for machine, want := range map[string]int64{
		"etc/hosts: x": 0,
		"proc/self/cgroup: 0::/a\nsys/fs/cgroup/a/memory.events: low 0|oom 4|oom_kill 3|oom_group_kill 0":                  3,
		"proc/self/cgroup: 5:memory:/\nsys/fs/cgroup/memory/memory.oom_control: oom_kill_disable 0|under_oom 0|oom_kill 2": 2,
	} {
		if got := draw.OOMKills(tree(t, machine)); got != want {
			t.Errorf("%s: %d, want %d", machine, got, want)
		}
	}
}
