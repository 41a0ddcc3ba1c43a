package config_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
)

func TestCacheBytes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"": 10e9, "0": 0, "none": -1, "500": 500, "500 MB": 500e6, "1.5GiB": 3 << 29, "2g": 2e9, "3 tb": 3e12, "7 b": 7, " 64k ": 64e3,
	} {
		if got := load(t, world(map[string]string{"KODA_CACHE_MAX": text}, nil)).CacheBytes(); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	for _, text := range []string{"x", "-1", "GB", "1e99", "nan", "10 XB", "1 2"} {
		if _, err := config.Load(world(map[string]string{"KODA_CACHE_MAX": text}, nil)); koda.CodeOf(err) != koda.CodeUsage || koda.HintOf(err) == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestBrowserBytes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"": 0, "none": -1, "0": 1, "6 GB": 6e9} {
		if got := load(t, world(map[string]string{"KODA_BROWSER_MEMORY": text}, nil)).BrowserBytes(); got != want {
			t.Errorf("%q is %d bytes, want %d", text, got, want)
		}
	}
}

func TestSandboxes(t *testing.T) {
	t.Parallel()
	if memory, cpus, most := load(t, world(nil, nil)).Sandboxes(); memory != 4e9 || cpus != 2 || most != 10 {
		t.Errorf("by default %d bytes, %g CPUs, %d sandboxes", memory, cpus, most)
	}
	c := load(t, world(map[string]string{"KODA_SANDBOX_MEMORY": "none", "KODA_SANDBOX_CPUS": "0.5", "KODA_SANDBOX_MAX": " NONE "}, nil))
	if memory, cpus, most := c.Sandboxes(); memory != 0 || cpus != 0.5 || most != 0 {
		t.Errorf("%d bytes, %g CPUs, %d sandboxes", memory, cpus, most)
	}
	for _, text := range []string{"0", "10kb", "255 MB", "-1", "much"} {
		if _, err := config.Load(world(map[string]string{"KODA_SANDBOX_MEMORY": text}, nil)); koda.CodeOf(err) != koda.CodeUsage || !strings.Contains(koda.HintOf(err), "256 MB") {
			t.Errorf("memory %q: %v", text, err)
		}
	}
	for _, text := range []string{"x", "0", "-1", "nan", "inf", "1e99"} {
		if _, err := config.Load(world(map[string]string{"KODA_SANDBOX_CPUS": text}, nil)); koda.CodeOf(err) != koda.CodeUsage || koda.HintOf(err) == "" {
			t.Errorf("%q: %v", text, err)
		}
	}
}
