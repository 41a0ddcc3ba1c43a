package patch

import (
	"maps"
	"slices"
	"strings"
)

// replace puts the replacement in the place of a window. Lines at the beginning and at the
// end that old and the replacement share stay as they are in the text.
func (m *matcher) replace(w int, replacement, end string) string {
	old, full := m.old.lines, m.old.full
	n := len(full)
	lead, trail := full[0], len(old)-1-full[n-1]
	old = old[lead : full[n-1]+1]
	lines := slices.Collect(strings.Lines(replacement))
	for ; lead > 0 && len(lines) > 0 && strings.TrimSpace(lines[0]) == ""; lead-- {
		lines = lines[1:]
	}
	for ; trail > 0 && len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == ""; trail-- {
		lines = lines[:len(lines)-1]
	}
	head := shared(old, lines, func(i int, l []string) string { return l[i] })
	tail := shared(old[head:], lines[head:], func(i int, l []string) string { return l[len(l)-1-i] })
	from, to := m.place(w, old, head, tail)
	lines = lines[head : len(lines)-tail]
	dents := m.dentsOf(w, lines)
	out := slices.Clone(m.text.lines[:from])
	for _, l := range lines {
		if l = trimEnds(l); strings.TrimSpace(l) != "" {
			l = dents.put(l)
		}
		out = append(out, l+end)
	}
	out = append(out, m.text.lines[to:]...)
	return endAs(out, m.text.lines, end)
}

// shared is how many lines a and b have in common, in the order of at.
func shared(a, b []string, at func(int, []string) string) int {
	n := 0
	for n < min(len(a), len(b)) && trimEnd(at(n, a)) == trimEnd(at(n, b)) {
		n++
	}
	return n
}

// place are the lines of the text, from one to before another, that stand for the lines of
// old between head and tail. Blank lines are only among them if old has some there.
func (m *matcher) place(w int, old []string, head, tail int) (from, to int) {
	blank := func(i int) bool { return strings.TrimSpace(old[i]) == "" }
	full, end := m.text.full[w:], len(old)-tail
	k := len(pageOf(strings.Join(old[:head], "")).full)
	n := len(pageOf(strings.Join(old[head:end], "")).full)
	switch {
	case head == end && head > 0 && !blank(head-1): // something is put in
		return full[k-1] + 1, full[k-1] + 1
	case head == end:
		return full[k], full[k]
	}
	if from = full[k]; blank(head) {
		from = full[k-1] + 1
	}
	if to = full[k+n-1] + 1; blank(end - 1) {
		to = full[k+n]
	}
	return from, to
}

func trimEnds(line string) string { return strings.TrimRight(line, "\r\n") }

// endAs joins lines: the last line has an end if the text before had one.
func endAs(lines, before []string, end string) string {
	for i, l := range lines {
		if trimEnds(l) == l && i < len(lines)-1 {
			lines[i] = l + end
		}
	}
	if n := len(lines); n > 0 && len(before) > 0 {
		if last := before[len(before)-1]; trimEnds(last) == last {
			lines[n-1] = trimEnds(lines[n-1])
		}
	}
	return strings.Join(lines, "")
}

// dents turn the indentation of a quote into that of the text.
type dents struct {
	to       map[string]string // by the indentation in the quote
	mixed    map[string]bool   // indentations of the quote that stand for several
	lines    map[string]string // of the lines that were quoted, by their text
	unit     string            // one level in the text
	quoted   int               // columns of one level in the quote
	sameHere bool
}

// dentsOf learns from a window and its quote, and from the lines that go in.
func (m *matcher) dentsOf(w int, lines []string) dents {
	d := dents{to: map[string]string{}, mixed: map[string]bool{}, lines: map[string]string{}, sameHere: true}
	for k, i := range m.old.full {
		have, want := indentation(m.text.lines[m.text.full[w+k]]), indentation(m.old.lines[i])
		d.sameHere = d.sameHere && have == want
		d.lines[m.want[k].text] = have
		if to, ok := d.to[want]; !ok {
			d.to[want] = have
		} else if to != have {
			d.mixed[want] = true
		}
	}
	d.unit = unitOf(m.text.lines)
	d.quoted = columns(unitOf(append(slices.Clone(m.old.lines), lines...)), tab)
	return d
}

// put gives a line its place.
func (d dents) put(line string) string {
	if d.sameHere {
		return line
	}
	rest, own := strings.TrimLeft(line, " \t"), indentation(line)
	if have, ok := d.lines[trimEnd(rest)]; ok && d.mixed[own] {
		return have + rest
	}
	if have, ok := d.to[own]; ok {
		return have + rest
	}
	// The nearest indentation that was quoted, and as many levels more or less.
	base, least := "", -1
	for _, quoted := range slices.Sorted(maps.Keys(d.to)) {
		if far := abs(columns(own, d.quoted) - columns(quoted, d.quoted)); least < 0 || far < least {
			base, least = quoted, far
		}
	}
	more := columns(own, d.quoted) - columns(base, d.quoted)
	have := d.to[base]
	for ; more <= -d.quoted; more += d.quoted {
		have = strings.TrimSuffix(have, d.unit)
	}
	for ; more >= d.quoted; more -= d.quoted {
		have += d.unit
	}
	return have + strings.Repeat(" ", max(0, more)) + rest
}

func abs(n int) int { return max(n, -n) }

// tab is the width of a tab among spaces.
const tab = 4

func indentation(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// columns is the width of an indentation whose levels have so many columns.
func columns(dent string, level int) int {
	tabs := strings.Count(dent, "\t")
	return tabs*level + len(dent) - tabs
}

// unitOf is one level of the indentation of lines: a tab, or the step that most lines
// make; two spaces if no line makes any.
func unitOf(lines []string) string {
	tabs, steps, before := 0, map[int]int{}, 0
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		dent := indentation(l)
		if strings.HasPrefix(dent, "\t") {
			tabs++
		} else if n := len(dent) - before; n > 0 {
			steps[n]++
		}
		before = len(dent)
	}
	best := 0
	for _, n := range slices.Sorted(maps.Keys(steps)) {
		if steps[n] > steps[best] {
			best = n
		}
	}
	switch {
	case tabs > steps[best]:
		return "\t"
	case best == 0:
		return "  "
	}
	return strings.Repeat(" ", best)
}
