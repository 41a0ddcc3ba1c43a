package hostos

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox"
)

// Host is this machine. It implements sandbox.Host.
type Host struct {
	root string // temporary directories are made here
	mine string // prefix of the names of this process's directories
}

var _ sandbox.Host = (*Host)(nil)

// New returns the Host that keeps temporary directories in tmpRoot, which is made
// when missing; "" is the system's temporary directory. New first removes what dead
// koda processes left there.
func New(tmpRoot string) *Host {
	h := At(tmpRoot)
	Sweep(h.root)
	return h
}

// At is like New, but removes nothing.
func At(tmpRoot string) *Host {
	if tmpRoot == "" {
		tmpRoot = os.TempDir()
	}
	if abs, err := filepath.Abs(tmpRoot); err == nil {
		tmpRoot = abs
	}
	return &Host{root: tmpRoot, mine: fmt.Sprintf("koda-%d.%s-%s-", os.Getpid(), proc.Started(os.Getpid()), machine())}
}

// machine is six hex digits of this machine's name.
func machine() string {
	name, err := os.Hostname()
	if err != nil {
		name = "localhost"
	}
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(name)) //nolint:errcheck // a hash never fails
	return fmt.Sprintf("%06x", sum.Sum32()&0xffffff)
}

// installs says how to get a program, for the hint of MISSING_TOOL.
var installs = map[string]string{
	"chromium-headless-shell": "apt install chromium-headless-shell",
	"chromium":                "apt install chromium-headless-shell",
	"ffmpeg":                  "apt install ffmpeg (Debian, Ubuntu) or brew install ffmpeg (macOS)",
	"ffprobe":                 "apt install ffmpeg (Debian, Ubuntu) or brew install ffmpeg (macOS)",
	"npm":                     "apt install npm",
}

// LookPath implements sandbox.Host. A name with a slash is taken as a path.
func (h *Host) LookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err == nil {
		return path, nil
	}
	hint := "install " + name + " so that it is found on PATH"
	if cmd := installs[name]; cmd != "" {
		hint = "install it: " + cmd
	}
	return "", &koda.Error{Code: koda.CodeMissingTool, Op: name + " is not installed", Hint: hint}
}

// passed are the variables that a program gets from koda's environment. They say
// where programs, fonts, graphics drivers and libraries are.
var passed = []string{
	"PATH", "HOME", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
	"__EGL_VENDOR_LIBRARY_FILENAMES", "__EGL_VENDOR_LIBRARY_DIRS", "LIBGL_DRIVERS_PATH",
	"VK_DRIVER_FILES", "VK_ICD_FILENAMES", "LIBVA_DRIVER_NAME", "LIBVA_DRIVERS_PATH",
}

// environ builds a program's whole environment. A later value of the same name
// wins; an empty value unsets the variable.
func (h *Host) environ(extra []string) []string {
	var names []string
	values := map[string]string{}
	set := func(name, value string) {
		if _, known := values[name]; !known {
			names = append(names, name)
		}
		values[name] = value
	}
	for _, name := range passed {
		set(name, os.Getenv(name))
	}
	set("LANG", "C.UTF-8")
	set("TMPDIR", h.root)
	for _, kv := range extra {
		name, value, _ := strings.Cut(kv, "=")
		set(name, value)
	}
	env := make([]string, 0, len(names))
	for _, name := range names {
		if values[name] != "" {
			env = append(env, name+"="+values[name])
		}
	}
	return env
}

// Start implements sandbox.Host. When ctx ends the program's process group is
// killed. The caller closes Stdin and must drain Stdout, then Wait.
func (h *Host) Start(ctx context.Context, p sandbox.Program) (sandbox.Process, error) {
	if !filepath.IsAbs(p.Path) {
		return nil, fmt.Errorf("start %q: the path is not absolute", p.Path)
	}
	child, err := proc.Start(ctx, proc.Spec{
		Path: p.Path, Args: p.Args, Env: h.environ(p.Env), Dir: p.Dir, Pipe: p.Pipe, Stdin: true,
		Low: true, // browsers and encoders want every core, and somebody may be typing
	})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil, &koda.Error{Code: koda.CodeMissingTool, Op: "start " + filepath.Base(p.Path), Err: err}
	}
	if err != nil {
		return nil, err // a nil *proc.Process must not become a non-nil Process
	}
	return child, nil
}

// MkdirTemp implements sandbox.Host.
func (h *Host) MkdirTemp(prefix string) (string, error) {
	if err := os.MkdirAll(h.root, 0o700); err != nil {
		return "", fmt.Errorf("make temporary root: %w", err)
	}
	dir, err := os.MkdirTemp(h.root, h.mine+prefix+"-*")
	if err != nil {
		return "", fmt.Errorf("make temporary directory: %w", err)
	}
	return dir, nil
}

// Open implements sandbox.Host.
func (h *Host) Open(path string) (fs.File, error) { return os.Open(path) }

// RemoveAll implements sandbox.Host. It removes only directories that MkdirTemp of
// this process made, or files in them.
func (h *Host) RemoveAll(path string) error {
	rel, err := filepath.Rel(h.root, filepath.Clean(path))
	if err != nil || !strings.HasPrefix(rel, h.mine) {
		return fmt.Errorf("remove %s: %w: not a temporary directory of this process", path, fs.ErrPermission)
	}
	return os.RemoveAll(path)
}

// Root reports whether programs run as root here. Chromium refuses to run its own
// sandbox as root.
func (h *Host) Root() bool { return os.Geteuid() == 0 }

// marks are files that container engines put into their containers.
var marks = []string{"/.dockerenv", "/run/.containerenv", "/run/systemd/container"}

// Container returns the evidence that this machine is a container; "" when there is
// no evidence.
func (h *Host) Container() string {
	for _, mark := range marks {
		if _, err := os.Stat(mark); err == nil {
			return mark
		}
	}
	for _, name := range []string{"container", "KUBERNETES_SERVICE_HOST"} {
		if os.Getenv(name) != "" {
			return "$" + name
		}
	}
	return ""
}
