package browser_test

import (
	"context"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

func TestProbe(t *testing.T) {
	start := time.Now()
	info, err := browser.CachedProbe(context.Background(), hostos.New(""), "", t.TempDir())
	t.Logf("%+v %v %v", info, err, time.Since(start))
}
