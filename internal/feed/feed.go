package feed

import (
	"sync"

	"github.com/koda-video/koda/internal/koda"
)

// backlog is how many events can wait for a subscriber. A glimpse waits behind few
// others: one that comes late shows nothing new.
const (
	backlog     = 256
	fewBeforeIt = 8
)

// Feed is where events are published. The zero value is ready for use.
type Feed struct {
	mu   sync.Mutex
	subs map[*Subscription]bool
}

// Subscriber is a receiver of events.
type Subscriber struct {
	// Project is the id of the project whose events the subscriber wants; "" wants
	// all events.
	Project string
	// Glimpses: the subscriber wants glimpses, too.
	Glimpses bool
	// Show is called with each event.
	Show func(koda.Event)
	// Missed is called instead of Show when there was no room for durable events of
	// a project: the events numbered above after, and up to last at least. Missed
	// returns the number of the newest event it has seen.
	Missed func(project string, after, last int64) int64
}

// Publish offers an event to all subscribers, and waits for none of them.
func (f *Feed) Publish(ev koda.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for s := range f.subs {
		s.offer(ev)
	}
}

// Subscribe begins a subscription to the events published from now on. The caller
// must End the subscription.
func (f *Feed) Subscribe(who Subscriber) *Subscription {
	s := &Subscription{feed: f, who: who, missed: map[string]gap{}, seen: map[string]int64{}, done: make(chan struct{})}
	s.changed = sync.NewCond(&s.mu)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.subs == nil {
		f.subs = map[*Subscription]bool{}
	}
	f.subs[s] = true
	go s.run()
	return s
}

// gap are durable events that were not kept: after < number ≤ last.
type gap struct{ after, last int64 }

// Subscription is the place of a subscriber in a feed. A nil Subscription has no
// subscriber.
type Subscription struct {
	feed *Feed
	who  Subscriber
	done chan struct{}
	seen map[string]int64 // by project, the newest durable event shown; only run uses it

	mu      sync.Mutex
	changed *sync.Cond
	queue   []koda.Event
	missed  map[string]gap // by project
	busy    bool           // the subscriber is being called
	ended   bool
}

// offer takes an event in, if there is room. When there is no room for a durable
// event of a project, the next durable events of the project are missed, too, until
// the subscriber has caught up: it must read the first missed event before them.
func (s *Subscription) offer(ev koda.Event) {
	glimpse := ev.Type == koda.EventGlimpse
	if s.who.Project != "" && s.who.Project != ev.Project || glimpse && !s.who.Glimpses {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g, behind := s.missed[ev.Project]
	durable := ev.Seq > 0
	switch {
	case s.ended, glimpse && len(s.queue) >= fewBeforeIt:
		return
	case durable && (behind || len(s.queue) >= backlog):
		if !behind {
			g.after = ev.Seq - 1
		}
		g.last = ev.Seq
		s.missed[ev.Project] = g
	case len(s.queue) < backlog:
		s.queue = append(s.queue, ev)
	}
	s.changed.Broadcast()
}

// run calls the subscriber until the subscription ends.
func (s *Subscription) run() {
	defer close(s.done)
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for !s.ended && len(s.queue) == 0 && len(s.missed) == 0 {
			s.changed.Wait()
		}
		if s.ended {
			return
		}
		s.busy = true
		if len(s.queue) > 0 {
			ev := s.queue[0]
			s.queue = s.queue[1:]
			s.call(func() { s.show(ev) })
		} else {
			missed := s.missed
			s.missed = map[string]gap{}
			s.call(func() {
				for project, g := range missed {
					s.seen[project] = max(g.last, s.who.Missed(project, max(g.after, s.seen[project]), g.last))
				}
			})
		}
		s.busy = false
		s.changed.Broadcast()
	}
}

// call lets events come in while f runs.
func (s *Subscription) call(f func()) {
	s.mu.Unlock()
	defer s.mu.Lock()
	f()
}

func (s *Subscription) show(ev koda.Event) {
	if ev.Seq > 0 {
		if ev.Seq <= s.seen[ev.Project] {
			return // the subscriber read it in the journal
		}
		s.seen[ev.Project] = ev.Seq
	}
	s.who.Show(ev)
}

// Flush waits until the subscriber was called with everything published before. The
// subscriber must not call Flush.
func (s *Subscription) Flush() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.ended && (s.busy || len(s.queue)+len(s.missed) > 0) {
		s.changed.Wait()
	}
}

// End ends the subscription. When End returns, the subscriber is not called any
// more. The subscriber must not call End itself.
func (s *Subscription) End() {
	if s == nil {
		return
	}
	s.feed.mu.Lock()
	delete(s.feed.subs, s)
	s.feed.mu.Unlock()
	s.mu.Lock()
	s.ended = true
	s.changed.Broadcast()
	s.mu.Unlock()
	<-s.done
}
