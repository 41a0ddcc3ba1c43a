package koda_test

import (
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for length := 1; length < 50; length++ {
		for n := 1; n <= length; n++ {
			next := 7
			for _, s := range (koda.Span{Start: 7, End: 7 + length}).Split(n) {
				if s.Start != next || s.Len() < length/n || s.Len() > (length+n-1)/n {
					t.Fatalf("%d frames in %d: span %v after frame %d", length, n, s, next)
				}
				next = s.End
			}
			if next != 7+length {
				t.Fatalf("%d frames in %d end at %d", length, n, next)
			}
		}
	}
}
