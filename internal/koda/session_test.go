package koda_test

import (
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

func TestSessionStatus_CanBecome(t *testing.T) {
	t.Parallel()
	all := []koda.SessionStatus{"", koda.SessionActive, koda.SessionSuspended, koda.SessionClosed, "asleep"}
	allowed := map[koda.SessionStatus]string{
		"": "0a000", koda.SessionActive: "0asc0", koda.SessionSuspended: "0asc0", koda.SessionClosed: "000c0", "asleep": "00000",
	}
	for from, row := range allowed {
		for i, to := range all {
			if got, want := from.CanBecome(to), row[i] != '0'; got != want {
				t.Errorf("%q to %q: %v, want %v", from, to, got, want)
			}
		}
	}
}
