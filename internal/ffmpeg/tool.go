package ffmpeg

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox"
)

// packages are the commands that install an ffmpeg with everything that koda needs.
const packages = "apt install ffmpeg (Debian, Ubuntu) or brew install ffmpeg (macOS)"

// oldest is the first version that knows every option koda gives.
var oldest = [2]int{5, 1}

// Tool runs ffmpeg on one Host. Its methods may be called from several
// goroutines.
type Tool struct {
	host     sandbox.Host
	path     string        // as given: "", a name on PATH, or an absolute path
	patience time.Duration // how long to wait for an ffmpeg that does nothing

	mu       sync.Mutex
	builds   map[identity]Build
	encoders map[identity][]string
	devices  map[trial]tried
}

// identity tells one binary from another without running it.
type identity struct {
	path  string
	size  int64
	mtime time.Time
}

// New makes a Tool that starts ffmpeg through host. Path is the path of the ffmpeg,
// or its name on PATH; "" is the ffmpeg on PATH. New starts nothing and looks for
// nothing.
func New(host sandbox.Host, path string) *Tool {
	return &Tool{host: host, path: path, patience: patience, builds: map[identity]Build{}, encoders: map[identity][]string{}, devices: map[trial]tried{}}
}

// Host is where the Tool starts its programs; the paths of files belong to it.
func (t *Tool) Host() sandbox.Host { return t.host }

// Build is the ffmpeg at hand.
type Build struct {
	Path    string `json:"path"`    // absolute
	Version string `json:"version"` // e.g. "5.1.9-0+deb12u1"
	X264    string `json:"x264"`    // e.g. "core 164 r3095 baee400"
	// ID is a digest of everything about the build that can change a byte.
	ID string `json:"id"`
}

var (
	bannerVersion = regexp.MustCompile(`(?m)^ffmpeg version (\S+)`)
	bannerLines   = regexp.MustCompile(`(?m)^(?:ffmpeg version|  (?:built with|configuration:|lib\w+ )).*$`)
	x264Core      = regexp.MustCompile(`x264 - (core \d+(?: r\S+)?(?: [0-9a-f]+)?)`)
)

// Build finds out which ffmpeg is at hand by encoding one frame with it, once for
// each binary. MISSING_TOOL: there is no ffmpeg, or it cannot write H.264.
func (t *Tool) Build(ctx context.Context) (Build, error) {
	id, err := t.identify("ffmpeg")
	if err != nil {
		return Build{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if b, ok := t.builds[id]; ok {
		return b, nil
	}
	out, stderr, err := t.run(ctx, id.path, probeArgs(), nil)
	if ctx.Err() != nil {
		return Build{}, ctx.Err()
	}
	b := Build{Path: id.path, Version: "unknown", X264: "unknown"}
	if m := bannerVersion.FindStringSubmatch(stderr); m != nil {
		b.Version = m[1]
	}
	switch {
	case koda.CodeOf(err) == koda.CodeMissingTool:
		return Build{}, &koda.Error{
			Code: koda.CodeMissingTool, Op: "ffmpeg at " + id.path + " cannot be started", Err: errors.Unwrap(err),
			Hint: "install another one: " + packages + ", and name it with KODA_FFMPEG=/path/to/ffmpeg or leave that unset",
		}
	case tooOld(b.Version):
		return Build{}, &koda.Error{
			Code: koda.CodeMissingTool, Op: fmt.Sprintf("ffmpeg at %s is version %s; koda needs %d.%d or newer", id.path, b.Version, oldest[0], oldest[1]),
			Hint: "install a newer one and name it: KODA_FFMPEG=/path/to/ffmpeg",
		}
	case err != nil:
		return Build{}, &koda.Error{
			Code: koda.CodeMissingTool, Op: "ffmpeg at " + id.path + " cannot write H.264", Err: err,
			Hint: "install one built with libx264: " + packages, Details: stderr,
		}
	}
	if m := x264Core.FindSubmatch(out); m != nil {
		b.X264 = string(m[1])
	}
	banner := strings.Join(bannerLines.FindAllString(stderr, -1), "\n")
	sum := sha256.Sum256([]byte(banner + "\n" + b.X264))
	b.ID = hex.EncodeToString(sum[:])
	t.builds[id] = b
	return b, nil
}

var release = regexp.MustCompile(`^n?(\d{1,3})\.(\d{1,3})`)

// tooOld reports whether a release lacks what koda needs; a version that names no
// release counts as new.
func tooOld(version string) bool {
	m := release.FindStringSubmatch(version)
	if m == nil {
		return false
	}
	major, _ := strconv.Atoi(m[1]) //nolint:errcheck // they are digits
	minor, _ := strconv.Atoi(m[2]) //nolint:errcheck // likewise
	return slices.Compare([]int{major, minor}, oldest[:]) < 0
}

// Encoders lists the names of the encoders of the ffmpeg at hand, sorted.
func (t *Tool) Encoders(ctx context.Context) ([]string, error) {
	id, err := t.identify("ffmpeg")
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if names, ok := t.encoders[id]; ok {
		return slices.Clone(names), nil
	}
	out, stderr, err := t.run(ctx, id.path, []string{"-hide_banner", "-loglevel", "error", "-encoders"}, nil)
	if err != nil {
		return nil, failure(ctx, "list encoders", err, stderr)
	}
	names := parseEncoders(string(out))
	t.encoders[id] = names
	return slices.Clone(names), nil
}

// parseEncoders reads " V....D libx264   libx264 H.264 …" lines.
func parseEncoders(text string) []string {
	_, list, ok := strings.Cut(text, "------")
	if !ok {
		return nil
	}
	var names []string
	for line := range strings.Lines(list) {
		if f := strings.Fields(line); len(f) >= 2 && len(f[0]) == 6 {
			names = append(names, f[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// identify finds a program, and what tells it from another program.
func (t *Tool) identify(name string) (identity, error) {
	path := name
	if t.path != "" { // "ffmpeg7" goes with "ffprobe7"
		path = filepath.Join(filepath.Dir(t.path), strings.Replace(filepath.Base(t.path), "ffmpeg", name, 1))
	}
	if !filepath.IsAbs(path) {
		var err error
		if path, err = t.host.LookPath(path); err != nil {
			return identity{}, missing(path, err)
		}
	}
	f, err := t.host.Open(path)
	if err != nil {
		return identity{}, missing(name, err)
	}
	info, err := f.Stat()
	if err := errors.Join(err, f.Close()); err != nil {
		return identity{}, missing(name, err)
	}
	return identity{path: path, size: info.Size(), mtime: info.ModTime()}, nil
}

func missing(name string, err error) error {
	var e *koda.Error
	if errors.As(err, &e) && e.Code == koda.CodeMissingTool && e.Hint != "" {
		return err
	}
	return &koda.Error{Code: koda.CodeMissingTool, Op: name + " is not installed", Err: err, Hint: "install it: " + packages}
}

// again is how often a program that something ended is run in total.
const again = 3

// run is once. If something else than the program itself ended the program, run
// runs it again: the program writes its output anew.
func (t *Tool) run(ctx context.Context, path string, args []string, input []byte) (out []byte, stderr string, err error) {
	for range again {
		out, stderr, err = t.once(ctx, path, args, input)
		if ctx.Err() != nil || !ended(err) {
			break
		}
	}
	return out, stderr, err
}

// ended reports whether something else than the child itself ended the child.
func ended(err error) bool {
	var exit *proc.ExitError
	return errors.Is(err, errAsleep) || errors.As(err, &exit) && exit.Signal != 0
}

// errEnded is in the error of an encoding whose ffmpeg something else ended.
type errEnded struct{ error }

func (e errEnded) Unwrap() error { return e.error }

// Ended reports whether an encoding failed because ffmpeg was killed, stopped or
// crashed: another ffmpeg may finish. What runs in one call the Tool itself tries
// again.
func Ended(err error) bool {
	var e errEnded
	return errors.As(err, &e)
}

// once starts ffmpeg or ffprobe, gives it input, and returns its output and the
// tail of its standard error when it has ended.
func (t *Tool) once(ctx context.Context, path string, args []string, input []byte) (out []byte, stderr string, err error) {
	p, err := t.host.Start(ctx, sandbox.Program{Path: path, Args: args})
	if err != nil {
		return nil, "", err
	}
	w := t.watched(p, true)
	defer w.stop()
	fed := make(chan struct{})
	go func() {
		defer close(fed)
		_, _ = p.Stdin().Write(input) //nolint:errcheck // a program that does not read its input reports the reason itself
		_ = p.Stdin().Close()         //nolint:errcheck // likewise
	}()
	out, readErr := io.ReadAll(io.LimitReader(p.Stdout(), maxOutput))
	_, _ = io.Copy(io.Discard, p.Stdout()) //nolint:errcheck // drained so that the child can end
	err = p.Wait()
	<-fed
	_ = p.Stdout().Close() //nolint:errcheck // a pipe end
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	return out, p.StderrTail(), w.cause(errors.Join(err, readErr))
}

// runTo runs an ffmpeg that writes a file.
func (t *Tool) runTo(ctx context.Context, op string, args []string, input []byte) error {
	id, err := t.identify("ffmpeg")
	if err != nil {
		return err
	}
	if _, stderr, err := t.run(ctx, id.path, args, input); err != nil {
		return failure(ctx, op, err, stderr)
	}
	return nil
}

// maxOutput bounds what is read from a program: a PNG of the largest size.
const maxOutput = 256 << 20

// failure turns the end of a child into an error that a person can act on.
func failure(ctx context.Context, op string, err error, stderr string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var known *koda.Error
	if errors.As(err, &known) {
		return err
	}
	// The child's words are the only trace of its errno.
	if strings.Contains(stderr, "No space left on device") || strings.Contains(stderr, "Disk quota exceeded") {
		return &koda.Error{Code: koda.CodeDiskFull, Op: op, Err: errors.New("no space left on device"), Hint: "free some space and go on: what is finished is kept", Details: stderr}
	}
	e := &koda.Error{Code: koda.CodeEncodeFailed, Op: op, Err: err, Hint: "run koda doctor to check ffmpeg", Details: stderr}
	var exit *proc.ExitError
	switch {
	case errors.Is(err, errAsleep):
		e.Err = errEnded{err}
		e.Hint = "run the same command again; finished segments are kept. If it keeps happening a disk or a graphics driver is stuck, or this ffmpeg is broken: koda doctor checks it"
	case errors.As(err, &exit) && exit.Signal == syscall.SIGKILL:
		e.Err = errEnded{fmt.Errorf("ffmpeg was killed by signal %d", int(exit.Signal))}
		e.Hint = "run the same command again; finished segments are kept. If it keeps happening the machine is short of memory: use --workers 1"
	case errors.As(err, &exit) && exit.Signal != 0:
		e.Err = errEnded{fmt.Errorf("ffmpeg was ended by signal %d (%v)", int(exit.Signal), exit.Signal)}
		e.Hint = "run the same command again; finished segments are kept. If it keeps happening this ffmpeg is broken: install another one"
	}
	return e
}
