package feed_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
)

func durable(project string, seq int64) koda.Event {
	return koda.Event{Project: project, Seq: seq, Type: koda.EventMessage}
}

// TestFeed_Order: a subscriber that keeps up gets all events of its project in
// order, and no event after the end.
func TestFeed_Order(t *testing.T) {
	t.Parallel()
	var f feed.Feed
	f.Publish(durable("p", 1)) // nobody watches
	var shown []string
	s := f.Subscribe(feed.Subscriber{Project: "p", Show: func(ev koda.Event) { shown = append(shown, fmt.Sprint(ev.Type, ev.Seq)) }})
	f.Publish(durable("p", 2))
	f.Publish(koda.Event{Project: "p", Type: koda.EventThinking})
	f.Publish(durable("q", 7))
	f.Publish(durable("p", 3))
	s.Flush()
	want := []string{"MESSAGE2", "THINKING0", "MESSAGE3"}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Error(diff)
	}
	s.End()
	f.Publish(durable("p", 4))
	s.Flush()
	s.End()
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("after the end: %s", diff)
	}
}

// TestFeed_Slow: a subscriber that does not return holds up nobody. Afterwards it
// gets the events there was room for, and reads the other durable events in the
// journal. No durable event is missing or comes twice.
func TestFeed_Slow(t *testing.T) {
	t.Parallel()
	var f feed.Feed
	const events = 5000
	var seen [2][]int64
	called, free := make(chan struct{}), make(chan struct{})
	passed, first := 0, true
	index := map[string]int{"p": 0, "q": 1}
	s := f.Subscribe(feed.Subscriber{
		Show: func(ev koda.Event) {
			if first {
				first = false
				close(called)
				<-free
			}
			if ev.Seq == 0 {
				passed++
				return
			}
			seen[index[ev.Project]] = append(seen[index[ev.Project]], ev.Seq)
		},
		Missed: func(project string, after, last int64) int64 {
			for seq := after + 1; seq <= last; seq++ {
				seen[index[project]] = append(seen[index[project]], seq)
			}
			if last == events { // more was journaled while it read
				for seq := last + 1; seq <= last+3; seq++ {
					f.Publish(durable(project, seq))
					seen[index[project]] = append(seen[index[project]], seq)
				}
				return last + 3
			}
			return last
		},
	})
	publish := func(from, to int64) {
		for seq := from; seq <= to; seq++ {
			f.Publish(durable("p", seq))
			f.Publish(koda.Event{Project: "p", Type: koda.EventThinking})
			f.Publish(durable("q", seq))
		}
	}
	publish(1, 1)
	<-called
	publish(2, events) // this returns
	close(free)
	s.Flush()
	for _, got := range seen {
		if len(got) != events+3 || !slices.IsSorted(got) || got[len(got)-1] != events+3 {
			t.Errorf("%d durable events, the last %d", len(got), got[len(got)-1])
		}
	}
	if passed == 0 || passed == events {
		t.Errorf("%d passing events came", passed)
	}
	s.End()
}

// TestFeed_Stuck: a subscriber that never comes back holds up neither Publish nor
// other subscribers.
func TestFeed_Stuck(t *testing.T) {
	t.Parallel()
	var f feed.Feed
	stuck := make(chan struct{})
	defer close(stuck)
	f.Subscribe(feed.Subscriber{
		Show:   func(koda.Event) { <-stuck },
		Missed: func(_ string, _, last int64) int64 { return last },
	})
	shown := 0
	other := f.Subscribe(feed.Subscriber{Show: func(koda.Event) { shown++ }})
	for seq := range int64(1000) {
		f.Publish(durable("p", seq+1))
		other.Flush()
	}
	if other.End(); shown != 1000 {
		t.Errorf("the other was shown %d events", shown)
	}
}

// TestFeed_Glimpses: only who wants glimpses gets them, and a slow subscriber gets a few
// at most. They take no room from other events.
func TestFeed_Glimpses(t *testing.T) {
	t.Parallel()
	var f feed.Feed
	glimpse := koda.Event{Project: "p", Type: koda.EventGlimpse}
	plain := f.Subscribe(feed.Subscriber{Show: func(ev koda.Event) { t.Errorf("%s for one who did not ask", ev.Type) }})
	defer plain.End()
	called, free := make(chan struct{}, 100), make(chan struct{})
	var shown []koda.EventType
	s := f.Subscribe(feed.Subscriber{Project: "p", Glimpses: true, Show: func(ev koda.Event) {
		called <- struct{}{}
		<-free
		shown = append(shown, ev.Type)
	}})
	f.Publish(glimpse)
	<-called
	for range 1000 {
		f.Publish(glimpse)
	}
	close(free)
	s.Flush()
	if n := len(shown); n < 2 || n > 9 {
		t.Errorf("%d glimpses came", n)
	}
	s.End()
}
