package engine_test

import (
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// events are all that were published so far.
func (b *bench) events() []koda.Event {
	b.feed.Flush()
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.shown)
}

// forget begins the list of events anew.
func (b *bench) forget() {
	b.feed.Flush()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.shown = nil
}

// next is closed with the next event of a type.
func (b *bench) next(t koda.EventType) <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wanted, b.came = t, make(chan struct{})
	return b.came
}
