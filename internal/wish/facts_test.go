package wish_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestFacts(t *testing.T) {
	v := vocabulary(t)
	for _, c := range []struct{ text, facts string }{
		{"Saturday 14 June, 2pm", "day Saturday, date 14 June, time 2pm"},
		{"20% off until 30 de junio", "% 20%, date 30 de junio"},
		{"2x1 los martes", "number 2, number 1, day martes"}, {"es los miércoles", "day miércoles"},
		{"the 19th, 10km", "nth 19th, number 10"}, {"version 2.4.1, in 3 days", "version 2.4.1, long 3"},
	} {
		var out []string
		for _, f := range v.Facts(c.text) {
			out = append(out, fmt.Sprint(f.Kind, " ", c.text[f.Span.From:f.Span.To]))
		}
		if got := strings.Join(out, ", "); got != c.facts {
			t.Errorf("Facts(%q)\n got %s\nwant %s", c.text, got, c.facts)
		}
	}
}
