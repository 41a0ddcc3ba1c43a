package reading

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// lastLonger makes the whole longer where the end is to stay longer, and no scene has a length of its own.
func lastLonger(m *recipe.Manifest, edits []Edit) {
	timed := slices.ContainsFunc(m.Params, func(p recipe.Param) bool {
		return slices.ContainsFunc(p.Columns, func(c recipe.Column) bool { return c.Name == secondsColumn })
	})
	for i := range edits {
		e := &edits[i]
		longer := e.op == times && e.by > 1 || e.op == plus && e.by > 0
		if e.Param == durationParam && longer && !timed && len(e.in) == 1 && e.in[0].Number == -1 {
			e.in = nil
		}
	}
}

// forATime drops all that a clause asks for where it is for a part of the time alone, and tells so: "red for the last 10 seconds".
func (f *filler) forATime(parts []wish.Part) {
	for _, w := range f.wishes {
		if !w.Partial() {
			continue
		}
		all := f.read.Clauses()
		clause := all[slices.IndexFunc(all, w.Span.Overlaps)]
		f.wishes = slices.DeleteFunc(f.wishes, func(o wish.Wish) bool { return o.Span.Overlaps(clause) })
		for k := range parts {
			if parts[k].Overlaps(clause) {
				parts[k].Role = wish.Idle
			}
		}
		f.shown = append(f.shown, clause)
		f.note("Nothing can differ for a part of the time: %s is not done.", koda.Quote(strings.TrimSpace(f.read.Said(clause))))
		return
	}
}

// itemLasts tells that one item alone has no length, where a change gives it one: "the before part for 3 seconds".
func (f *filler) itemLasts(h wish.Part, item string, w wish.Wish) bool {
	if w.Kind != wish.Length || w.Each() || h.Role != wish.Holder || !f.has(item) || len(f.m.Beats) > 0 {
		return false
	}
	f.onlyAll(w.Span, h.Said)
	return true
}

// clockTimes are times of the day in a line.
var clockTimes = regexp.MustCompile(`\b(\d{1,2})([:.h])([0-5]\d)\b`)

// shifted gives the lines that begin with a time of the day, or the one that a clause names, later or earlier times: "everything starts half an hour
// later".
func (f *filler) shifted(parts []wish.Part) {
	seconds, at, ok := f.read.Delay()
	if !ok || math.Mod(seconds, 60) != 0 {
		return
	}
	all := f.read.Clauses()
	clause := all[slices.IndexFunc(all, at.Overlaps)]
	before := f.read.Said(wish.Span{From: clause.From, To: at.From})
	for p, list := range lists(f.m, f.values) {
		if p.Type != recipe.Texts || slices.ContainsFunc(list, func(item json.RawMessage) bool {
			at := clockTimes.FindStringIndex(text(p, item))
			return at == nil || at[0] > 0
		}) {
			continue
		}
		one, padded := f.hasPart(before), strings.Contains(" "+f.value(p), `"0`)
		for i, item := range list {
			if line := text(p, item); one == "" || one == line {
				list[i] = json.RawMessage(recipe.Encode(clockTimes.ReplaceAllStringFunc(line, func(time string) string { return later(time, int(seconds)/60, padded) })))
			}
		}
		f.ahead(p, recipe.Encode(list), clause)
		f.shown = append(f.shown, clause)
		for k := range parts {
			if parts[k].Overlaps(clause) {
				parts[k].Role = wish.Idle
			}
		}
	}
}

// later is a time of the day so many minutes later, written as it was, with a zero before the hour if others have one.
func later(time string, minutes int, padded bool) string {
	at := clockTimes.FindStringSubmatch(time)
	const day = 24 * 60
	now := ((whole(at[1])*60+whole(at[3])+minutes)%day + day) % day
	hour := strconv.Itoa(now / 60)
	if padded {
		hour = fmt.Sprintf("%02s", hour)
	}
	return fmt.Sprintf("%s%s%02d", hour, at[2], now%60)
}
