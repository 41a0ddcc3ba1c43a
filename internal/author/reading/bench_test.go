package reading_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/author/reading"
)

// A prompt is read in some 20 ms, most of it by the network, and the longest in time that grows with its length.
func BenchmarkRead(b *testing.B) {
	r, _ := reader(b)
	b.Run("prompt", func(b *testing.B) {
		for b.Loop() {
			r.Read(reading.Brief{Prompt: "bar chart of sales: Jan 10, Feb 25, Mar 30, red on navy, 5 seconds, vertical"})
		}
	})
	for _, part := range []string{
		"a bouncing red ball 3 times as big, ", `title "x" `, "ball '", "5 to 6 and 7 ", "saying a ", "navy in scene 2 and ", "outro, ", "no wait, red ", "Apples 30, ", "a-b.c/d",
		"- a\n", "xqzv wrtz ", "not ", "the ", "スターボール", "3, ", "by A ", "replace a with b ", "add x ", "1. a ", ": a, b, c; ",
	} {
		b.Run("64KB of "+part, func(b *testing.B) {
			prompt := "animation " + strings.Repeat(part, (64<<10-20)/len(part))
			for b.Loop() {
				r.Read(reading.Brief{Prompt: prompt})
			}
		})
	}
}
