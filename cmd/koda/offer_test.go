package main

import (
	"testing"
)

// TestTerminal_Offer: a prompt that no recipe draws is answered by the nearest recipes with
// their pictures, in one question together with the style.
func TestTerminal_Offer(t *testing.T) {
	t.Parallel()
	tm := openTerminal(t, t.TempDir(), 110)
	tm.types("export COLORTERM=truecolor TERM=xterm-256color")
	tm.runs(`koda new "a unicorn flying over a castle"`)
	tm.sees(`▀{30,}  ▀{30,}`)
	tm.sees(`1 Headline +2 List +3 Bar chart`)
	tm.sees(`No recipe draws this\.`)
	tm.sees(`1-3, or in your own words\?`)
	tm.types("2 smooth")
	tm.sees(`smooth, 1 scene`)
	tm.sees(`What it shows is an example`)
	tm.sees(`accept, change WHAT, or reject WHY\?`)
	tm.types("quit")
	tm.sees(`status=3\.`)

	// In few columns, and where pictures cannot be shown, the words do.
	tm.types("export COLORTERM= TERM=xterm")
	tm.runs(`koda new "a horse that jumps a fence"`)
	tm.sees(`No recipe draws this\.`)
	tm.sees(`1-3, or in your own words\?`)
	for _, line := range tm.lines()[tm.from:] {
		if len(line) > 0 && []rune(line)[min(1, len([]rune(line))-1)] == '▀' {
			t.Errorf("a picture for 16 colours: %s", line)
		}
	}
	tm.types("quit")
	tm.sees(`status=3\.`)

	tm.types("export COLORTERM=truecolor TERM=xterm-256color")
	tm.runs(`koda recipes show bars`)
	tm.sees(`▀{60,}`)
	tm.sees(`Parameters, for --set`)
	tm.runs(`koda recipes show bars | cat`)
	tm.sees(`^Bar chart: `)
	tm.sees(`status=0\.`)
}
