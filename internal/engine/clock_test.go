package engine_test

import (
	"sync"
	"time"
)

// clock moves on by a second whenever it is read. Its alarms go off when a test
// rings them.
type clock struct {
	mu     sync.Mutex
	at     time.Time
	alarms []*alarm
	set    *sync.Cond
}

type alarm struct {
	after time.Duration
	c     chan time.Time
}

func newClock() *clock {
	c := &clock{at: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	c.set = sync.NewCond(&c.mu)
	return c
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(time.Second)
	return c.at
}

// jump puts the clock forward, or back.
func (c *clock) jump(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func (c *clock) after(d time.Duration) (<-chan time.Time, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &alarm{d, make(chan time.Time, 1)}
	c.alarms = append(c.alarms, a)
	c.set.Broadcast()
	return a.c, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.take(func(b *alarm) bool { return a == b })
	}
}

// take removes and returns the alarm set for d; nil when there is no such alarm.
func (c *clock) take(which func(*alarm) bool) *alarm {
	for i, a := range c.alarms {
		if which(a) {
			c.alarms = append(c.alarms[:i:i], c.alarms[i+1:]...)
			return a
		}
	}
	return nil
}

// ring waits until an alarm for d is set, and sets it off.
func (c *clock) ring(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		if a := c.take(func(a *alarm) bool { return a.after == d }); a != nil {
			a.c <- c.at
			return
		}
		c.set.Wait()
	}
}

// waiting waits until an alarm for d is set.
func (c *clock) waiting(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for _, a := range c.alarms {
			if a.after == d {
				return
			}
		}
		c.set.Wait()
	}
}
