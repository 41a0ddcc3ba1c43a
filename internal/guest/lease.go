package guest

import (
	"context"
	"fmt"
	"time"
)

// Lease waits for the end of a sandbox's life and says why it ended: nobody touched the
// sandbox for the time idle, or the time life is over. If ctx ends first, the reason is
// "". A time of 0 is no limit.
func Lease(ctx context.Context, idle, life time.Duration, touched <-chan struct{}) (reason string) {
	limit := func(d time.Duration) (<-chan time.Time, *time.Timer) {
		if d <= 0 {
			return nil, nil
		}
		t := time.NewTimer(d)
		return t.C, t
	}
	over, _ := limit(life)
	unused, timer := limit(idle)
	for {
		select {
		case <-ctx.Done():
			return ""
		case <-over:
			return fmt.Sprintf("the sandbox has lived for %v", life)
		case <-unused:
			return fmt.Sprintf("koda has not been here for %v", idle)
		case <-touched:
			if timer != nil {
				timer.Reset(idle)
			}
		}
	}
}
