package patch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/patch"
)

// TestApply_slips quotes lines of a text with slips in blanks, line ends and indentation, and
// changes one of them. That line is changed where it is, and no byte besides.
func TestApply_slips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		unit := rapid.SampledFrom([]string{"\t", "  ", "    "}).Draw(rt, "unit")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "end")
		var lines []string
		var full []int
		for i := range rapid.IntRange(1, 12).Draw(rt, "lines") {
			if rapid.IntRange(0, 4).Draw(rt, "blank") == 0 {
				lines = append(lines, rapid.SampledFrom([]string{"", " ", "\t"}).Draw(rt, "blanks"))
			}
			full = append(full, len(lines))
			dent := strings.Repeat(unit, rapid.IntRange(0, 3).Draw(rt, "level"))
			lines = append(lines, fmt.Sprintf("%sline%d(%s)%s", dent, i, rapid.SampledFrom([]string{"", "x", "größe", "}"}).Draw(rt, "arg"), rapid.SampledFrom([]string{"", "", " "}).Draw(rt, "tail")))
		}
		last := rapid.SampledFrom([]string{"", end}).Draw(rt, "last end")
		text := strings.Join(lines, end) + last

		from := rapid.IntRange(0, len(full)-1).Draw(rt, "from")
		to := rapid.IntRange(from, len(full)-1).Draw(rt, "to")
		changed := rapid.IntRange(from, to).Draw(rt, "changed")
		shift := strings.Repeat(unit, rapid.IntRange(0, 2).Draw(rt, "shift"))
		spaces := rapid.Bool().Draw(rt, "spaces")
		var old, replacement []string
		for i := full[from]; i <= full[to]; i++ {
			if strings.TrimSpace(lines[i]) == "" && rapid.Bool().Draw(rt, "no blank line") {
				continue
			}
			l := shift + strings.TrimRight(lines[i], " \t")
			if spaces {
				l = strings.ReplaceAll(l, "\t", "  ")
			}
			old = append(old, l+rapid.SampledFrom([]string{"", "  "}).Draw(rt, "quoted tail"))
			if i == full[changed] {
				l = l[:strings.Index(l, "line")] + "changed()"
			}
			replacement = append(replacement, l)
		}
		quoted := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(rt, "quoted end")
		close := rapid.SampledFrom([]string{"", quoted}).Draw(rt, "quoted last end")
		got, err := patch.Apply(text, strings.Join(old, quoted)+close, strings.Join(replacement, quoted)+close)
		if err != nil {
			rt.Fatalf("%v", err)
		}
		want := slices.Clone(lines)
		dent, _, _ := strings.Cut(want[full[changed]], "line")
		want[full[changed]] = dent + "changed()"
		tight := func(lines []string) string {
			for i := range lines {
				lines[i] = strings.TrimRight(lines[i], " \t\r")
			}
			return strings.Join(lines, "\n")
		}
		if got.Strategy == patch.Exact { // replaces all that was quoted, with its blanks
			if g, w := tight(strings.Split(got.Text, end)), tight(append(want, strings.Split(last, end)[1:]...)); g != w {
				rt.Fatalf("exact: %q, not %q", g, w)
			}
			return
		}
		if w := strings.Join(want, end) + last; got.Text != w {
			rt.Fatalf("%s: %q became %q, not %q", got.Strategy, text, got.Text, w)
		}
	})
}
