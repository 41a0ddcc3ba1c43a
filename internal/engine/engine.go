package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/koda-video/koda/internal/control"
	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/mirror"
	"github.com/koda-video/koda/internal/packages"
	"github.com/koda-video/koda/internal/phase"
	"github.com/koda-video/koda/internal/sandbox"
)

// Config is what an Engine is made of. Every field but Renderers, Live, LivePage, Answerer, Model, Texts, Named,
// Unguarded, Runtime, Reread, Packages and Sockets is needed.
type Config struct {
	Store    Store
	Journal  Journal
	Calls    Calls
	Sessions Sessions
	Storage  Storage
	// Sandboxes by kind; projects keep the kind they began with.
	Sandboxes map[sandbox.Kind]sandbox.Provider
	Renderer  Renderer
	// Renderers draw projects whose kind of sandbox has one of its own; Renderer draws all
	// others.
	Renderers map[sandbox.Kind]Renderer
	// Authors by name: AuthorRecipe and, when there is a model, AuthorModel.
	Authors map[string]Author
	// Answerer answers questions about projects, of whichever author; nil answers none.
	Answerer Answerer
	// Model opens what authors may ask, for the question and the plan, or for work; nil
	// where there is no model. It fails when it is asked.
	Model func(m koda.Models, planning bool) llm.Model
	// Texts are the texts for models that the person replaced, for the project in dir, by
	// name, and warnings about those that are not taken. Nil replaces none.
	Texts func(dir string) (own map[string]string, warnings []string, err error)
	// Named are the models that the person names now: a project that they work on goes on
	// with these.
	Named koda.Models
	// Unguarded says why a browser on this machine has no sandbox of its own; "" if it
	// has one. Nil knows of no reason.
	Unguarded func(context.Context) (string, error)
	// Starter is the project every sandbox begins with; Reserved are the
	// patterns of its files that authors may not write.
	Starter  fs.FS
	Reserved []string
	// Sockets is the directory of the sockets through which other processes reach
	// this process while it works; "" is none.
	Sockets string
	// Runtime is the digest of the page runtime that versions are made for; ""
	// where it is not known.
	Runtime string
	// Reread returns the plan that a project's files follow from. NOT_FOUND: no
	// author here made the files. A nil Reread knows no plan.
	Reread func(files map[string][]byte) (koda.Plan, error)
	// Live shows the server at a port of a sandbox, which dial connects to. Where it is
	// nil, nobody watches a project live.
	Live func(dial func(context.Context) (net.Conn, error), files LiveFiles, port int) (LiveView, error)
	// LivePage shows the page of files that may change, for a sandbox in which no server
	// can run; the digest says whether they did. Nil is as for Live.
	LivePage func(files LiveFiles, port int) (LiveView, error)
	// Packages says how packages come into sandboxes.
	Packages packages.Policy
	// Mirror has the files of a project's directory.
	Mirror func(dir string) mirror.Side
	// NameFrom derives a project's name from its prompt.
	NameFrom func(prompt string) string
	// Parent is where projects are made when nobody says where.
	Parent string
	Now    func() time.Time
	// Limits say how long things may take. After is the clock that watches them: it
	// returns a channel that is sent to after that time, unless stop is called
	// first.
	Limits Limits
	After  func(time.Duration) (c <-chan time.Time, stop func())
}

// The names of the authors.
const (
	AuthorRecipe = "recipe"
	AuthorModel  = "model"
)

// Engine runs projects in the process of the face that made it. Its methods may
// be called from several goroutines; two that work on the same project exclude
// each other (IN_USE).
type Engine struct {
	*Reader
	*Housekeeper
	cfg    Config
	events feed.Feed

	mu   sync.Mutex
	runs map[string]*run     // by project, those at work in this process
	live map[string]LiveView // by project

	limit atomic.Int64 // see Limit
}

// Limit says how long each video made from now on may take, and how long an author may
// work on what one call asks for if it asks a model; below 0 there is no limit. Before the
// first call the renderer's own limit holds.
func (e *Engine) Limit(d time.Duration) { e.limit.Store(d.Milliseconds()) }

// Make makes an Engine; nothing is opened or started.
func Make(cfg Config) *Engine {
	e := &Engine{cfg: cfg, runs: map[string]*run{}, live: map[string]LiveView{}}
	e.Reader = &Reader{
		index: cfg.Store, journal: cfg.Journal, shelf: cfg.Storage, sandboxes: cfg.Sandboxes, session: cfg.Sessions.Session, thinking: e.thinking,
	}
	e.Housekeeper = &Housekeeper{
		reader: e.Reader, rows: cfg.Store, sessions: cfg.Sessions, owners: cfg.Storage, leavings: cfg.Storage, idle: cfg.Limits.Idle, now: e.now,
		suspend: func(ctx context.Context, id string) error { return e.suspend(ctx, id, cfg.Storage.Hold) },
	}
	return e
}

// Subscribe calls show with all events of this process from now on, in order, on a
// goroutine of its own. The work waits for nobody: a slow subscriber misses passing
// events, and gets the durable events it missed from the journal. The caller ends
// the subscription before the store is closed.
func (e *Engine) Subscribe(show func(koda.Event)) *feed.Subscription { return e.subscribe(show, false) }

// Watch is Subscribe for who looks on: while renders run, show also gets glimpses.
func (e *Engine) Watch(show func(koda.Event)) *feed.Subscription { return e.subscribe(show, true) }

func (e *Engine) subscribe(show func(koda.Event), glimpses bool) *feed.Subscription {
	return e.events.Subscribe(feed.Subscriber{Show: show, Glimpses: glimpses, Missed: func(project string, after, last int64) int64 {
		events, err := e.cfg.Journal.Events(context.Background(), project, after)
		if err != nil {
			show(e.event(project, koda.EventWarning, koda.Warned{
				Message: fmt.Sprintf("the events from %d to %d cannot be read: %v", after+1, last, err),
			}))
		}
		for _, ev := range events {
			show(ev)
			last = ev.Seq
		}
		return last
	}})
}

// event is an event of a project at this moment.
func (e *Engine) event(project string, t koda.EventType, payload any) koda.Event {
	return koda.Event{Schema: koda.SchemaVersion, Project: project, At: e.now(), Type: t, Payload: payload}
}

// pass emits a passing event: nothing journals it.
func (r *run) pass(t koda.EventType, payload any) {
	r.e.events.Publish(r.e.event(r.project.ID, t, payload))
}

// now is the time as it is journaled: UTC, to the millisecond.
func (e *Engine) now() time.Time { return e.cfg.Now().UTC().Truncate(time.Millisecond) }

// run is a project held by this process, with its lock.
type run struct {
	e       *Engine
	project koda.Project // Seq is the last event known
	state   phase.State
	turn    koda.Turn
	blocks  int // of the turn so far

	sb       sandbox.Sandbox // nil until needed
	readable memoryFiles     // what may be read to answer an inquiry
	answered koda.CallMark   // the newest answer of the author's step; sb holds what its calls did
	kept     [32]byte        // digest of the files of sb at the last checkpoint
	refused  error           // why the author refused the change
	failure  error           // why the project is in phase error
	away     time.Duration   // how long nobody used a sandbox that is being stopped for that
	again    string          // what to say of a sandbox that was started again
	unkept   bool            // the last checkpoint failed, and the person was told
	// inherited is the effect that was pending when the run began, until the effect
	// is done again; "" for none. The process before this one ended in the middle
	// of it.
	inherited string
	saved     Saved
	planOnly  bool          // the run stops at the plan, whatever was approved in advance
	noFinal   bool          // likewise, at the preview
	paid      int           // how often models answered in this run
	worked    time.Duration // how long its author did, see within
	began     time.Time     // when this run began
	release   func() error

	// mu is held by whoever reads or changes any field above, for the length of a
	// change: by the run itself, except while it does slow work (see apart); by
	// calls, once they are answered; by the watch that checkpoints; and by whoever
	// says something.
	mu sync.Mutex
	// files is held while a call changes files of the sandbox, until the call is
	// journaled, and while a checkpoint copies the files. Whoever holds mu does not
	// wait for files.
	files    sync.Mutex
	over     bool                   // the project was given back
	visits   atomic.Bool            // this run begins or ends a visit, and no author works
	watch    *watch                 // nil unless an author works
	server   *control.Server        // nil: no other process can reach this process
	thinking atomic.Pointer[string] // the line that shows now
	cancel   atomic.Pointer[context.CancelCauseFunc]
	shells   shells // of the authors
}

// open loads a project and takes its lock. The caller must call close.
func (e *Engine) open(ctx context.Context, id string) (*run, error) {
	r, err := e.openBy(ctx, id, e.cfg.Storage.Lock)
	if err == nil && r.state.Inquiring() {
		if err = r.dropInquiry(ctx); err != nil {
			return nil, closed(r, err)
		}
	}
	return r, err
}

// locker is the method Lock or Hold of Storage.
type locker func(dir string) (release func() error, err error)

// How often a project is tried again that a shell, as it begins or ends, holds.
const (
	openingTries = 50
	openingPause = 200 * time.Millisecond
)

func (e *Engine) openBy(ctx context.Context, id string, lock locker) (*run, error) {
	p, _, err := e.cfg.Store.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	saved, err := e.stateAt(p)
	if err != nil {
		return nil, err
	}
	release, err := lock(p.Dir)
	for try := 0; koda.CodeOf(err) == koda.CodeInUse && !e.cfg.Storage.InUse(p.Dir); try++ {
		opening := e.opening(p)
		if opening == nil || try == openingTries {
			return nil, cmp.Or(opening, err)
		}
		if err := e.pause(ctx, openingPause); err != nil {
			return nil, err
		}
		release, err = lock(p.Dir)
	}
	if err != nil {
		return nil, err
	}
	if saved.Damage != "" {
		e.events.Publish(e.event(id, koda.EventWarning, koda.Warned{Message: saved.Damage + "; koda goes on from the checkpoint before"}))
	}
	r := e.newRun()
	r.release = release
	// Only under the lock is the state sure to be current.
	if err = r.load(ctx, id); err == nil {
		err = r.reconcile(ctx)
	}
	if err != nil {
		return nil, joinRelease(err, release)
	}
	r.unite(ctx)
	r.log("opened in phase %s", r.state.Node.Phase)
	r.attend()
	return r, nil
}

// load reads the project's row, state and turn.
func (r *run) load(ctx context.Context, id string) error {
	p, s, err := r.e.read(ctx, id)
	if err != nil {
		return err
	}
	r.project, r.state = p, s
	if s.Pending != nil {
		r.inherited = s.Pending.ID
	}
	relocate(&r.state, p.Dir)
	return r.loadTurn(ctx)
}

func joinRelease(err error, release func() error) error {
	if e := release(); e != nil {
		return fmt.Errorf("%w (and release the project: %w)", err, e)
	}
	return err
}

// close gives the project back.
func (r *run) close() error {
	r.shells.end()
	// The times of a session are for people and for the clean-up. If the session
	// cannot be written, the project is saved all the same.
	_ = r.touch(context.Background()) //nolint:errcheck // see above
	return r.leave(r.release)
}

func (r *run) loadTurn(ctx context.Context) error {
	turns, err := r.e.cfg.Journal.Turns(ctx, r.project.ID)
	if err != nil || len(turns) == 0 {
		return err
	}
	if work := ofWork(turns); len(work) > 0 {
		r.turn = work[len(work)-1]
	}
	if p := r.state.Pending; p != nil { // a question may have been asked since it began
		if i := slices.IndexFunc(turns, func(t koda.Turn) bool { return t.ID == p.TurnID }); i >= 0 {
			r.turn = turns[i]
		}
	}
	blocks, err := r.e.cfg.Journal.Blocks(ctx, r.turn.ID)
	r.blocks = len(blocks)
	return err
}

// outcome is where the project stands now.
func (r *run) outcome() Outcome {
	return Outcome{Project: r.project, State: r.state.Node, Version: r.state.Version, Seen: seenOf(r.state), Waiting: waiting(r.state), Saved: r.saved}
}

func seenOf(s phase.State) koda.Seen {
	return koda.Seen{Turn: s.Turn - s.Inquiries, Version: s.Version}
}

func waiting(s phase.State) Waiting {
	if s = s.Without(); s.Pending != nil {
		return WaitingRetry
	}
	// A state that came with a clone may lack what its phase is about.
	switch n := s.Node; {
	case n.Phase == koda.PhaseQuestion && n.Question != nil:
		return WaitingAnswer
	case n.Phase == koda.PhasePlan && n.Plan != nil:
		return WaitingPlan
	case n.Phase == koda.PhasePreview && n.Preview != nil:
		return WaitingPreview
	case n.Phase == koda.PhaseError:
		return WaitingRetry
	}
	return WaitingNothing
}

// newID makes a project id: 12 hexadecimal digits.
func newID() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) //nolint:errcheck // crypto/rand never fails
	return hex.EncodeToString(b[:])
}
