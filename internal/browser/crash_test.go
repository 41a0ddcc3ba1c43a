package browser_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// watchedHost is this machine, and notes which processes it started.
type watchedHost struct {
	sandbox.Host
	started chan sandbox.Process
}

func (h watchedHost) Start(ctx context.Context, p sandbox.Program) (sandbox.Process, error) {
	child, err := h.Host.Start(ctx, p)
	if err == nil {
		h.started <- child
	}
	return child, err
}

// Root and Container pass on the answers of the real host.
func (h watchedHost) Root() bool        { return h.Host.(*hostos.Host).Root() }
func (h watchedHost) Container() string { return h.Host.(*hostos.Host).Container() }

// group lists the processes of a process group with their command lines, without those that
// are ending.
func group(pgid int) map[int]string {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") //nolint:errcheck // the pattern is good
	found := map[int]string{}
	for _, file := range stats {
		raw, err := os.ReadFile(file)
		if err != nil {
			continue // it ended
		}
		// pid (name) state ppid pgrp …, and the name may hold anything.
		rest := string(raw[strings.LastIndexByte(string(raw), ')')+1:])
		fields := strings.Fields(rest)
		if len(fields) < 3 || fields[2] != strconv.Itoa(pgid) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))           //nolint:errcheck // the glob says so
		cmd, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline")) //nolint:errcheck // it may have ended
		if len(cmd) == 0 {
			continue // it was killed and has let go of its memory, or has not been waited for
		}
		found[pid] = strings.ReplaceAll(string(cmd), "\x00", " ")
	}
	return found
}

// until polls until other processes make a condition true.
func until(tb testing.TB, what string, done func() bool) {
	tb.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	limit := time.NewTimer(20 * time.Second)
	defer limit.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-limit.C:
			tb.Fatalf("gave up waiting until %s", what)
		}
	}
}

func watched(tb testing.TB) (browser.Options, chan sandbox.Process) {
	opts := options(tb, page(scenes["dom"]))
	started := make(chan sandbox.Process, 1)
	opts.Host = watchedHost{opts.Host, started}
	return opts, started
}

// Close leaves no process and no file behind, also when it is called twice or in
// the middle of a capture.
func TestCloseLeavesNothing(t *testing.T) {
	t.Parallel()
	opts, started := watched(t)
	root := t.TempDir()
	opts.Host = watchedHost{hostos.New(root), started}
	tab := open(t, opts)
	child := <-started
	if len(group(child.PID())) < 2 {
		t.Fatalf("the browser runs in %v", group(child.PID()))
	}
	captured := make(chan error, 1)
	go func() {
		for n := 0; ; n++ {
			if _, err := tab.Capture(context.Background(), n); err != nil {
				captured <- err
				return
			}
		}
	}()
	for range 2 {
		if err := tab.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if left := group(child.PID()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary root: %v, %v", left, err)
	}
	if err := <-captured; koda.CodeOf(err) != koda.CodeCaptureFailed {
		t.Errorf("the capture under way: %v", err)
	}
}

// A cancelled capture returns at once with an error that says it was cancelled.
func TestCancel(t *testing.T) {
	t.Parallel()
	opts := options(t, page(`<!doctype html><script>window.__exportSeekTo = () => new Promise(() => {}); window.__exportReady = true</script>`))
	tab := open(t, opts)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := tab.Capture(ctx, 0); !errors.Is(err, context.Canceled) || koda.CodeOf(err) != koda.CodeInterrupted {
		t.Errorf("%v", err)
	}
	if _, err := browser.Open(ctx, opts); koda.CodeOf(err) != koda.CodeInterrupted {
		t.Errorf("open: %v", err)
	}
}

// When the browser dies, the capture fails at once with an error that names the
// browser.
func TestBrowserDies(t *testing.T) {
	t.Parallel()
	opts, started := watched(t)
	tab := open(t, opts)
	child := <-started
	capture(t, tab, 0)
	if err := syscall.Kill(child.PID(), syscall.SIGSEGV); err != nil {
		t.Fatal(err)
	}
	var err error
	until(t, "a capture fails", func() bool {
		_, err = tab.Capture(context.Background(), 1)
		return err != nil
	})
	if koda.CodeOf(err) != koda.CodeCaptureFailed || !strings.Contains(err.Error(), "browser") || koda.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
	t.Log(err)
	if err := tab.Close(); err != nil {
		t.Error(err)
	}
	if left := group(child.PID()); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// The same holds when only the process of the page dies.
func TestPageProcessDies(t *testing.T) {
	t.Parallel()
	opts, started := watched(t)
	tab := open(t, opts)
	child := <-started
	capture(t, tab, 0)
	killed := 0
	for pid, cmd := range group(child.PID()) {
		if strings.Contains(cmd, "--type=renderer") {
			killed++
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
	}
	if killed == 0 {
		t.Fatalf("no renderer among %v", group(child.PID()))
	}
	_, err := tab.Capture(context.Background(), 1)
	if err == nil || koda.CodeOf(err) != koda.CodeCaptureFailed || !strings.Contains(err.Error(), "crashed") {
		t.Errorf("%v", err)
	}
	t.Log(err)
}

// A browser that cannot start says why, and quickly.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	broken := filepath.Join(dir, "browser")
	script := "#!/bin/sh\necho 'error while loading shared libraries: libnss3.so' >&2\nexit 127\n"
	if err := os.WriteFile(broken, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	opts := options(t, page(scenes["dom"]))
	opts.Info.Browser = broken
	_, err := tryOpen(t, opts)
	if koda.CodeOf(err) != koda.CodeMissingTool || !strings.Contains(err.Error(), "libnss3.so") {
		t.Errorf("%v", err)
	}
	opts.Info.Browser = filepath.Join(dir, "missing")
	if _, err := tryOpen(t, opts); koda.CodeOf(err) != koda.CodeMissingTool {
		t.Errorf("%v", err)
	}
	opts.Info.Browser = filepath.Join(dir, "garbage")
	if err := os.WriteFile(opts.Info.Browser, []byte("no program"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := tryOpen(t, opts); koda.CodeOf(err) != koda.CodeMissingTool || koda.HintOf(err) == "" {
		t.Errorf("%v: %s", err, koda.HintOf(err))
	}
}

// Files that a browser leaves in its temporary directory, such as the sockets of a
// full Chromium, are removed with the browser. The path of that directory is short,
// however long the host's is, because the path of a socket has room for about a
// hundred bytes.
func TestTemporaryDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fake := filepath.Join(dir, "browser")
	said := filepath.Join(dir, "said")
	script := "#!/bin/sh\nmkdir \"$TMPDIR/org.chromium.Chromium.x\" && echo \"$TMPDIR\" >" + said + "\nexit 1\n"
	if err := os.WriteFile(fake, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, strings.Repeat("long", 30))
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Fatal(err)
	}
	opts := options(t, page(scenes["dom"]))
	opts.Host, opts.Info.Browser = hostos.New(root), fake
	if _, err := tryOpen(t, opts); koda.CodeOf(err) != koda.CodeCaptureFailed {
		t.Errorf("%v", err)
	}
	if tmp, err := os.ReadFile(said); err != nil || len(tmp) == 0 || len(tmp) > 20 {
		t.Errorf("the browser's temporary directory is %q, %v", tmp, err)
	}
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary root: %v, %v", left, err)
	}
}

// crashVar makes this test binary open a tab and wait to be killed.
const crashVar = "KODA_TEST_HOLD_TAB"

func TestMain(m *testing.M) {
	if root := os.Getenv(crashVar); root != "" {
		hold(root)
	}
	os.Exit(m.Run())
}

func hold(root string) {
	started := make(chan sandbox.Process, 1)
	host := watchedHost{hostos.New(root), started}
	info, err := browser.Probe(context.Background(), hostos.New(root), browser.Wanted{})
	if err == nil {
		_, err = browser.Open(context.Background(), browser.Options{
			Host: host, Page: page(scenes["dom"]), Info: info,
			Viewport: koda.Viewport{Width: 320, Height: 180, Scale: 1, FPS: koda.FPS{Num: 30, Den: 1}},
		})
	}
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	fmt.Println((<-started).PID())
	select {}
}

// When koda is killed, every process of its browser ends, and the next koda removes
// the browser's files.
func TestKilled(t *testing.T) {
	t.Parallel()
	slots <- struct{}{}
	defer func() { <-slots }()
	root := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashVar+"="+root)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("the child says %q", line)
	}
	before := group(pid)
	if len(before) < 3 {
		t.Fatalf("the browser runs in %v", before)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() //nolint:errcheck // killed
	until(t, "the browser is gone", func() bool { return len(group(pid)) == 0 })
	if left, err := os.ReadDir(root); err != nil || len(left) != 1 {
		t.Fatalf("the profile: %v, %v", left, err)
	}
	hostos.New(root)
	if left, err := os.ReadDir(root); err != nil || len(left) != 0 {
		t.Errorf("left after the next start: %v, %v", left, err)
	}
}
