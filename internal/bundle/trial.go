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

// TrialArg is the one argument with which this program starts itself as [Trial].
const TrialArg = "try-sources"

// Bounds for reading all sources of a page. Most sources take a third of a second and 40
// MB for each megabyte, and half a megabyte for each source.
const (
	trialSeconds = 10        // of work
	trialLonger  = 1         // more seconds for each megabyte of sources
	trialStack   = 256 << 20 // bytes; a quarter of what ends a process that bundles
	trialMemory  = 1 << 30   // bytes allocated in total, including those given back
	trialEach    = 1 << 20   // more bytes for each source
	trialByte    = 64        // more bytes for each byte of sources
)

// trialRead counts what a trial has read. Begun is closed when the first source has come.
type trialRead struct {
	sources, bytes atomic.Int64
	begun          chan struct{}
}

// tooMuch reports whether reading the sources took more than they may take.
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

// source is a source that is tried.
type source struct {
	Name, Text string
	Loader     api.Loader
}

// Trial reads sources as bundling does. The sources come on descriptor 3, and Trial
// answers each on descriptor 4. esbuild recurses into nested code, and for some code each
// level takes twice the time of the level before. So code that somebody prepared can end
// the process that reads it, keep it busy for ever, or fill the memory, and no check
// inside the process can stop this. Therefore a process that may end reads the sources
// first.
func Trial() error {
	debug.SetMaxStack(trialStack)
	const most = trialSeconds + trialLonger*maxLoaded>>20 // even if no ticks come
	limit := syscall.Rlimit{Cur: most, Max: most}
	if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &limit); err != nil {
		return err
	}
	read, done := &trialRead{begun: make(chan struct{})}, make(chan error, 1)
	go func() { done <- read.try(os.NewFile(3, "sources"), os.NewFile(4, "answers")) }()
	select { // waiting takes nothing of what the sources may take
	case err := <-done:
		return err
	case <-read.begun:
	}
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
		if r.sources.Add(1) == 1 {
			close(r.begun)
		}
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

// trial asks such a process. The zero value asks no process and takes every source.
type trial struct {
	spec  proc.Spec
	ctx   context.Context // of the build
	spare *spare          // of the bundler; nil: there is none

	mu    sync.Mutex
	child *proc.Process
	loose func() bool // lets a process that waited outlive the build's context; nil: another one
	to    *gob.Encoder
	from  *gob.Decoder
	known map[[sha256.Size]byte]bool // sources that can be read
	over  bool                       // a source could not be read; no further source is tried
}

// spare is a process for the next trial, which waits for it. Starting a process takes longer
// than bundling.
type spare struct {
	life  context.Context //nolint:containedctx // of the processes
	ready chan *proc.Process
}

// Hasten has a process wait for each next build until ctx ends, so that builds of people's
// code take half the time.
func (b *Bundler) Hasten(ctx context.Context) {
	b.spare = &spare{ctx, make(chan *proc.Process, 1)}
	b.spare.start(b.trial)
}

// start starts a process that waits.
func (s *spare) start(spec proc.Spec) {
	if spec.Path == "" {
		return
	}
	go func() {
		child, err := proc.Start(s.life, spec)
		if err != nil {
			return // the next build starts its own, and tells why it cannot
		}
		select {
		case s.ready <- child:
		default:
			child.Kill()
		}
	}()
}

// start gives a process for the trial. It ends with the build.
func (t *trial) start() (*proc.Process, error) {
	if t.spare != nil {
		defer t.spare.start(t.spec)
		select {
		case child := <-t.spare.ready:
			select {
			case <-child.Done():
			default:
				t.loose = context.AfterFunc(t.ctx, child.Kill)
				return child, nil
			}
		default:
		}
	}
	return proc.Start(t.ctx, t.spec)
}

// tried are the kinds of source that esbuild parses.
var tried = []api.Loader{api.LoaderJS, api.LoaderJSX, api.LoaderTS, api.LoaderTSX, api.LoaderCSS, api.LoaderLocalCSS, api.LoaderJSON}

// plainData bounds the size of JSON that is not tried: JSON is read once, and is not
// nested deeper than Go's own reader allows.
const plainData = 1 << 20

// harmless reports whether a source needs no trial: code that koda itself brings, and
// data. So most builds start no process.
func harmless(s source) bool {
	return s.Loader == api.LoaderJSON && len(s.Text) <= plainData && json.Valid([]byte(s.Text)) || templates.Ours(s.Text)
}

// readable reports whether a source can be read within the time it has.
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
		child, err := t.start()
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
	if t.loose != nil {
		t.loose()
	}
	_ = t.child.Stdin().Close()  //nolint:errcheck // nothing more to say to the process
	t.child.Kill()               // it may be at work
	_ = t.child.Stdout().Close() //nolint:errcheck // nothing more to hear from it
	t.child = nil
}
