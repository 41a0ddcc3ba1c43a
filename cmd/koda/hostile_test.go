package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/store/storetest"
)

// inFull, set to "all" in the environment, tries every attack with every command.
const inFull = "KODA_HOSTILE"

// secret is in private files and in a variable of the person. Nobody else may learn
// it.
const secret = "hunter2-of-the-person"

// victim is a person's machine: a home with precious files, a koda that has been
// used, and a directory code/clone that somebody else prepared. Whatever koda is
// told to do with the clone, nothing outside of it may come to harm.
type victim struct {
	t                 *testing.T
	root, home, clone string
	mine              string // the id of the person's own project
	calls             *net.TCPListener
	called            atomic.Int64
	found             map[string]string // what was outside of the clone, and in the database
	limits            bounds
	env               []string
}

// limits are what a command may take.
type bounds struct {
	time   time.Duration
	memory int64 // bytes of any one process
	disk   int64 // bytes added to the disk
}

// ordinary is far above the needs of any harmless command on a busy machine.
var ordinary = bounds{time: 4 * time.Minute, memory: 1 << 30, disk: 300 << 20}

// newVictim is a copy of a used machine.
func newVictim(t *testing.T, used string) *victim {
	t.Helper()
	v := &victim{t: t, root: atomicfiletest.Dir(t), limits: ordinary}
	v.home, v.clone = filepath.Join(v.root, "home"), filepath.Join(v.root, "home/code/clone")
	v.must(os.CopyFS(v.root, os.DirFS(used)))
	v.must(os.Mkdir(filepath.Join(v.root, "tmp"), 0o700))
	v.moved(used)
	calls, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	v.must(err)
	t.Cleanup(func() { _ = calls.Close() }) //nolint:errcheck // it ends what follows
	go func() {
		for {
			conn, err := calls.Accept()
			if err != nil {
				return
			}
			v.called.Add(1)
			_ = conn.Close() //nolint:errcheck // nobody should have called
		}
	}()
	v.calls = calls
	return v
}

func (v *victim) must(err error) { v.t.Helper(); must(v.t, err) }

// usedMachine makes the machine that is copied for each victim. It has a project of
// the person, and a clone of a project with two versions that another koda made
// elsewhere.
func usedMachine(t *testing.T) string {
	t.Helper()
	root := atomicfiletest.Dir(t)
	home, elsewhere := filepath.Join(root, "home"), filepath.Join(root, "elsewhere")
	for name, text := range map[string]string{
		"photos/1.png": "a photo", "photos/2/" + strings.Repeat("ab", 32) + ".mp4": "a film", ".bashrc": "alias x=y", "secret.ts": "export default '" + secret + "'",
		".ssh/id_ed25519": secret, "secret.json": `{"name": "` + secret + `"}`, "secret.css": "." + secret + "{}", ".config/koda/config.json": "{}", "code/README": "mine",
	} {
		name = filepath.Join(home, name)
		must(t, errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)))
	}
	run := func(home, line string) {
		cmd := exec.Command(os.Args[0], words(line)...)
		cmd.Env = append(os.Environ(), asKoda+"=1", "HOME="+home, "KODA_HOME=", "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "STORAGE_PATH=", "DATABASE_PATH=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("koda %s: %v: %s", line, err, out)
		}
	}
	const cache = ".local/share/koda/cache"
	clone := filepath.Join(home, "code/clone")
	run(elsewhere, "new red*bouncing*ball,*1.5*seconds --style playful --preset gif --yes --name clone --dir "+home+"/code")
	for name, text := range map[string]string{
		"koda.json":             `{"schema": 1, "name": "clone", "width": 160, "height": 90, "fps": 10, "duration": 1.5}`, // is drawn soon
		"rows.json":             `[{"name": "a", "size": 1}]`,
		"public/data/data.json": `[1]`,
	} {
		name = filepath.Join(clone, name)
		must(t, errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)))
	}
	run(elsewhere, "edit "+clone+" make*it*blue")
	run(elsewhere, "render "+clone)
	must(t, os.Rename(filepath.Join(elsewhere, cache), filepath.Join(root, "cache")))
	run(home, "new red*bouncing*ball,*1.5*seconds --style playful --plan-only --yes --name mine --dir "+home)
	must(t, errors.Join(
		os.RemoveAll(filepath.Join(home, cache)), os.Rename(filepath.Join(root, "cache"), filepath.Join(home, cache)), os.RemoveAll(elsewhere)))
	return root
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// words splits a command line into words; a * stands for a blank in a word.
func words(line string) []string {
	all := strings.Fields(line)
	for i := range all {
		all[i] = strings.ReplaceAll(all[i], "*", " ")
	}
	return all
}

// end is the outcome of a command, and the harm it did.
type end struct {
	status   int
	out, err string
	harms    []string
}

func (e *end) harm(format string, args ...any) {
	e.harms = append(e.harms, fmt.Sprintf(format, args...))
}

// suffers runs a koda in the clone, and looks for harm.
func (v *victim) suffers(line string) *end {
	v.t.Helper()
	return v.runs(exec.Command(os.Args[0], words(line)...), strings.HasPrefix(line, "diff "))
}

// peak lowers the most memory that this process has used to what it uses, and returns that, in
// bytes: the kernel counts it as used by a child, which shares it until the child runs its program.
func peak() int64 {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) //nolint:errcheck // proc(5); then the peak stays
	status, _ := os.ReadFile("/proc/self/status")             //nolint:errcheck // likewise
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	kB, _ := strconv.ParseInt(strings.Fields(peak + " 0")[0], 10, 64) //nolint:errcheck // a number
	return kB << 10
}

// runs runs a program in the clone and looks for harm. The output of a raw command
// may hold any byte of the clone.
func (v *victim) runs(cmd *exec.Cmd, raw bool) *end {
	v.t.Helper()
	if v.found == nil {
		v.found = v.outside()
	}
	disk, calls := v.disk(), v.called.Load()
	cmd.Dir = v.clone
	cmd.Env = []string{
		asKoda + "=1", "HOME=" + v.home, "TMPDIR=" + filepath.Join(v.root, "tmp"), "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "PWD=" + v.clone,
		"KODA_CHROME=" + os.Getenv("KODA_CHROME"), "KODA_FFMPEG=" + os.Getenv("KODA_FFMPEG"), "ANTHROPIC_API_KEY=" + secret,
	}
	cmd.Env = append(cmd.Env, v.env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &errs, 5*time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	own := peak()
	v.must(cmd.Start())
	late := time.AfterFunc(v.limits.time, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }) //nolint:errcheck // it may have ended just now
	_ = cmd.Wait()                                                                                        //nolint:errcheck // how it ended is looked at below
	e := &end{status: cmd.ProcessState.ExitCode(), out: out.String(), err: errs.String()}
	if !late.Stop() {
		e.harm("it did not end within %v", v.limits.time)
	}
	if used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && used.Maxrss<<10 > max(v.limits.memory, own+own/8) {
		e.harm("it took %d MB of memory", used.Maxrss>>10)
	}
	v.leftBehind(e)
	if more := v.disk() - disk; more > v.limits.disk {
		e.harm("it filled %d MB of the disk", more>>20)
	}
	if calls := v.called.Load() - calls; calls > 0 {
		e.harm("it reached the network %d times", calls)
	}
	v.said(e, raw)
	after := v.outside()
	for name, was := range v.found {
		if is := after[name]; is != was {
			e.harm("%s changed: it was %.200q and is %.200q", name, was, is)
		}
	}
	for name := range after {
		if _, ok := v.found[name]; !ok && !strings.HasPrefix(name, kodaHome) {
			e.harm("%s was made", name)
		}
	}
	return e
}

// kodaHome is koda's own directory in the person's home.
const kodaHome = "home/.local/share/koda/"

// moved changes the database of this machine to the places of its projects, which
// differ from those on the copied machine.
func (v *victim) moved(used string) {
	storetest.Relocate(v.t, filepath.Join(v.root, kodaHome, "koda.db"), used, v.root)
	places := filepath.Join(v.root, kodaHome, "koda.db.places")
	data, err := os.ReadFile(places)
	v.must(err)
	v.must(os.WriteFile(places, bytes.ReplaceAll(data, []byte(used), []byte(v.root)), 0o600))
	data, err = os.ReadFile(filepath.Join(v.home, "mine/.koda/state.json"))
	v.must(err)
	var state koda.StateFile
	v.must(json.Unmarshal(data, &state))
	v.mine = state.Project.ID
}

// outside is everything outside of the clone: every file, and the rows of the
// person's project in koda's database. koda may change the rest of its database and
// add files to its own directory.
func (v *victim) outside() map[string]string {
	v.t.Helper()
	all := map[string]string{}
	v.must(filepath.WalkDir(v.root, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(v.root, path) //nolint:errcheck // it is below
		if path == v.clone {
			return fs.SkipDir
		}
		if err != nil {
			return err
		}
		own, _ := strings.CutPrefix(name, kodaHome)
		if strings.HasPrefix(own, "koda.db") || own == ".tidied" || own == "cache/segments.lock" || d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case info.Mode().Type() == fs.ModeSymlink:
			all[name], err = os.Readlink(path)
		case info.Mode().IsRegular():
			var data []byte
			data, err = os.ReadFile(path)
			all[name] = fmt.Sprintf("%v %x %.60q", info.Mode(), sha256.Sum256(data), data)
		default:
			all[name] = info.Mode().String()
		}
		return err
	}))
	database := filepath.Join(v.root, kodaHome, "koda.db")
	data, err := os.ReadFile(database)
	v.must(err)
	if !bytes.HasPrefix(data, []byte("SQLite format 3\x00")) {
		return all
	}
	for table, rows := range storetest.Dump(v.t, database) {
		rows = slices.DeleteFunc(rows, func(row string) bool { return !strings.Contains(row, v.mine) })
		all["the person's project in table "+table] = strings.Join(rows, "\n")
	}
	return all
}

// disk is the number of bytes on the disk, the clone included.
func (v *victim) disk() (sum int64) {
	v.t.Helper()
	v.must(filepath.WalkDir(v.root, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += info.Sys().(*syscall.Stat_t).Blocks * 512
		}
		return err
	}))
	return sum
}

// leftBehind looks for processes of this machine that live on after their koda, and
// ends them.
func (v *victim) leftBehind(e *end) {
	left := map[int]string{}
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); <-time.After(20 * time.Millisecond) {
		if left = v.processes(); len(left) == 0 {
			return
		}
	}
	for pid, line := range left {
		e.harm("it left a process: %s", line)
		_ = syscall.Kill(pid, syscall.SIGKILL) //nolint:errcheck // it may have ended just now
	}
}

// processes are the processes whose home is on this machine.
func (v *victim) processes() map[int]string {
	paths, err := filepath.Glob("/proc/[0-9]*/environ")
	v.must(err)
	found := map[int]string{}
	for _, path := range paths {
		dir := filepath.Dir(path)
		environ, _ := os.ReadFile(path)                       //nolint:errcheck // it ended just now, or is another person's
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline")) //nolint:errcheck // likewise
		pid, err := strconv.Atoi(filepath.Base(dir))          // of every process
		if err == nil && pid != os.Getpid() && (bytes.Contains(environ, []byte("HOME="+v.home+"\x00")) || bytes.Contains(line, []byte(v.root))) {
			found[pid] = strings.ReplaceAll(string(line), "\x00", " ")
		}
	}
	return found
}

// statuses are the exit statuses in koda's exit table.
var statuses = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 124, 130}

// said checks the output of a command and the files it wrote.
func (v *victim) said(e *end, raw bool) {
	if !slices.Contains(statuses, e.status) {
		e.harm("exit status %d", e.status)
	}
	if both := e.out + e.err; strings.Contains(both, "panic: ") || strings.Contains(both, "goroutine ") || strings.Contains(both, "runtime error") {
		e.harm("it broke: %.300q", both)
	}
	lines := 0
	for line := range strings.Lines(e.err) {
		if strings.HasPrefix(line, "koda: ") {
			lines++
		}
	}
	explained := lines == 1 && strings.Contains(e.err, "\n  hint: ") || e.status == 3 && strings.Contains(e.err, "go on with:")
	if e.status != 0 && !explained {
		e.harm("status %d with %d lines of reasons, or without a hint: %.300q", e.status, lines, e.err)
	}
	if len(e.err) > 16<<10 {
		e.harm("it said %d bytes: %.300q", len(e.err), e.err)
	}
	for _, text := range []string{e.out, e.err} {
		acts := strings.ContainsFunc(text, func(r rune) bool {
			return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
		})
		if acts && !raw {
			e.harm("it acts on the terminal: %.300q", text)
		}
		if strings.Contains(text, secret) {
			e.harm("it tells a secret: %.300q", text)
		}
	}
	v.must(filepath.WalkDir(v.clone, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // what cannot be read tells nothing
		}
		if info, err := d.Info(); err != nil || info.Size() > 1<<20 {
			return err
		}
		if data, err := os.ReadFile(path); err == nil && bytes.Contains(data, []byte(secret)) {
			e.harm("a secret is in %s", path)
		}
		return nil
	}))
}
