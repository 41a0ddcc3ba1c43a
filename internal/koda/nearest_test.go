package koda_test

import (
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"playful", "minimal", "dramatic", "retro", "sandbox-provider", "sandbox-image"}
	tests := map[string]string{
		"playfull":        "playful",
		"Palyful":         "playful",
		"minmal":          "minimal",
		"dram":            "dramatic",
		"sandbox-provder": "sandbox-provider",
		"sandbox":         "sandbox-provider", // both begin so: the first
		"retor":           "retro",
		"weather":         "",
		"x":               "",
		"":                "",
		"  ":              "",
	}
	for word, want := range tests {
		if got := koda.Nearest(word, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := koda.Nearest("fpz", []string{"fps"}); got != "fps" {
		t.Errorf("Nearest of a short name = %q, want fps", got)
	}
}
