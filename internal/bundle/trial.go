package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/templates"
)

// TrialArg is the one argument with which this program is started to be [Trial].
const TrialArg = "try-sources"

// What the sources of a page may take, all of them together. Most sources take a
// third of a second and 40 MB for each megabyte, and half a megabyte each for
// being looked at.
const (
	trialSeconds = 10        // of work
	trialLonger  = 1         // second more for each megabyte of sources
	trialStack   = 256 << 20 // bytes; a quarter of what ends a process that bundles
	trialMemory  = 1 << 30   // bytes, of what is taken and given back, too
	trialEach    = 1 << 20   // bytes more for each source
	trialByte    = 64        // bytes more for each byte of sources
)

// trialRead is what was read for trial.
type trialRead struct{ sources, bytes atomic.Int64 }

// tooMuch reports whether reading it took more than it may.
func (r *trialRead) tooMuch() bool {
	var held runtime.MemStats
	runtime.ReadMemStats(&held)
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return true
	}
	work := time.Duration(used.Utime.Nano() + used.Stime.Nano())
	most := time.Second * time.Duration(trialSeconds+trialLonger*(r.bytes.Load()>>20))
	return work > most || int64(held.TotalAlloc) > trialMemory+trialEach*r.sources.Load()+trialByte*r.bytes.Load()
}

// source is one that is tried.
type source struct {
	Name, Text string
	Loader     api.Loader
}

// Trial reads sources as bundling does, as they come on descriptor 3, and answers
// each on descriptor 4. esbuild goes down into what is nested, and for some code
// takes twice the time for each level: code that somebody prepared ends the
// process that reads it, keeps it for ever, or fills the memory, and none of these
// can be stopped from inside. So a process is asked first that may end.
func Trial() error {
	debug.SetMaxStack(trialStack)
	const most = trialSeconds + trialLonger*maxLoaded>>20 // whatever becomes of the ticks
	limit := syscall.Rlimit{Cur: most, Max: most}
	if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &limit); err != nil {
		return err
	}
	read, done := &trialRead{}, make(chan error, 1)
	go func() { done <- read.try(os.NewFile(3, "sources"), os.NewFile(4, "answers")) }()
	ticks := time.NewTicker(20 * time.Millisecond)
	defer ticks.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-ticks.C:
		}
		if read.tooMuch() {
			return errors.New("the sources are too much")
		}
	}
}

// try tries sources until there are no more.
func (r *trialRead) try(in io.Reader, out io.Writer) error {
	from, to := gob.NewDecoder(in), gob.NewEncoder(out)
	for {
		var s source
		if err := from.Decode(&s); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		r.sources.Add(1)
		r.bytes.Add(int64(len(s.Text)))
		o := (&pageBuild{}).options(nil)
		api.Transform(s.Text, api.TransformOptions{
			Loader: s.Loader, Target: o.Target, MinifySyntax: o.MinifySyntax, Charset: o.Charset, TsconfigRaw: o.TsconfigRaw, Supported: o.Supported, Define: o.Define, LogLevel: o.LogLevel,
		})
		if err := to.Encode(true); err != nil {
			return err
		}
	}
}

// trial asks such a process. The zero value asks none, and all sources are right.
type trial struct {
	spec proc.Spec
	ctx  context.Context // of the build

	mu    sync.Mutex
	child *proc.Process
	to    *gob.Encoder
	from  *gob.Decoder
	known map[[sha256.Size]byte]bool // to be readable
	over  bool                       // there is one that is not; no other is tried
}

// tried are the kinds of source that esbuild takes apart.
var tried = []api.Loader{api.LoaderJS, api.LoaderJSX, api.LoaderTS, api.LoaderTSX, api.LoaderCSS, api.LoaderLocalCSS, api.LoaderJSON}

// plainData is how large JSON may be that is not tried: what stands in it is read
// once, and is no deeper than Go's own reader goes.
const plainData = 1 << 20

// harmless reports whether a source needs no trial, so that most builds start no
// process: code that koda brings itself, and data.
func harmless(s source) bool {
	return s.Loader == api.LoaderJSON && len(s.Text) <= plainData && json.Valid([]byte(s.Text)) || templates.Ours(s.Text)
}

// readable reports whether a source can be read, in the time there is for it.
func (t *trial) readable(s source) (bool, error) {
	if t.spec.Path == "" || !slices.Contains(tried, s.Loader) || harmless(s) {
		return true, nil
	}
	key := sha256.Sum256([]byte(s.Name + "\x00" + s.Text))
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over || t.known[key] {
		return !t.over, nil
	}
	if t.child == nil {
		child, err := proc.Start(t.ctx, t.spec)
		if err != nil {
			return false, err
		}
		t.child, t.to, t.from = child, gob.NewEncoder(child.Stdin()), gob.NewDecoder(child.Stdout())
	}
	ok := false
	if err := errors.Join(t.to.Encode(s), t.from.Decode(&ok)); err != nil {
		t.over = true
		t.end()
		return false, t.ctx.Err()
	}
	if t.known == nil {
		t.known = map[[sha256.Size]byte]bool{}
	}
	t.known[key] = true
	return true, nil
}

// end ends the process, if there is one.
func (t *trial) end() {
	if t.child == nil {
		return
	}
	_ = t.child.Stdin().Close()  //nolint:errcheck // nothing more to say to it
	t.child.Kill()               // it may be at work
	_ = t.child.Stdout().Close() //nolint:errcheck // nothing more to hear
	t.child = nil
}

// Self is this program, started to be [Trial].
func Self() proc.Spec {
	path := "/proc/self/exe" // which is there even when the file was replaced
	if _, err := os.Readlink(path); err != nil {
		path, _ = os.Executable() //nolint:errcheck // without a name nothing is tried
	}
	return proc.Spec{Path: path, Args: []string{TrialArg}, Env: os.Environ(), Pipe: true}
}
