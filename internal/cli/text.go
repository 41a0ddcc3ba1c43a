package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/koda-video/koda/tui/widget"
)

// number prints a number such as seconds, with at most two decimals and no trailing
// zeros.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// count gives "1 scene", "2 scenes".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// size gives bytes as people read them.
func size(n int64) string { return widget.Size(n) }

// ago gives an age as people say it.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return count(int(d.Minutes()), "minute") + " ago"
	case d < 48*time.Hour:
		return count(int(d.Hours()), "hour") + " ago"
	}
	return count(int(d.Hours()/24), "day") + " ago"
}

// oneLine squeezes text into at most width columns of one line.
func oneLine(text string, width int) string {
	return widget.Cut(widget.Line(text), max(width, 1), "…")
}
