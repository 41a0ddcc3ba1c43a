package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
)

func TestPeriods(t *testing.T) {
	t.Parallel()
	load := func(idle string) (config.Config, error) {
		s := world(nil, nil)
		s.Flags = map[string]string{"idle-timeout": idle}
		return config.Load(s)
	}
	c, err := load("")
	if want := (config.Periods{Checkpoint: 30 * time.Second, Idle: 5 * time.Minute, Life: 30 * time.Minute, Model: 5 * time.Minute}); err != nil || c.Periods() != want {
		t.Errorf("by default %v, %v, want %v", c.Periods(), err, want)
	}
	for text, want := range map[string]time.Duration{
		"none": 0, "NONE": 0, "300": 5 * time.Minute, "1.5": 1500 * time.Millisecond, " 10m ": 10 * time.Minute, "1h30m": 90 * time.Minute, "1s": time.Second,
	} {
		if c, err := load(text); err != nil || c.Periods().Idle != want {
			t.Errorf("%q: %v, %v, want %v", text, c.Periods().Idle, err, want)
		}
	}
	for _, text := range []string{"soon", "0", "-5m", "500us", "1e300", "NaN", "inf", "9000h", "5 minutes"} {
		_, err := load(text)
		if koda.CodeOf(err) != koda.CodeUsage || !strings.Contains(err.Error(), "idle-timeout") || koda.HintOf(err) == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
}
