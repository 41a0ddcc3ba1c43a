package reading

import (
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/wish"
)

// has reports whether a list has an item of a name.
func (f *filler) has(name string) bool {
	for p, list := range lists(f.m, f.values) {
		if index(p, list, name) >= 0 {
			return true
		}
	}
	return false
}

// called is what a part names an item by: the item, its place, or the words of the part.
func (f *filler) called(p wish.Part) string {
	if f.has(p.Said) {
		return p.Said
	}
	if words := f.read.Thing(p.Span); words != "" {
		return words
	}
	for _, other := range f.r.choosing.Also(p.Said) { // "april", where "apr" stands
		if f.has(other) {
			return other
		}
	}
	for q := range lists(f.m, f.values) { // "Marte", where "Mars" stands
		if name := f.ownName(q, p.Said); name != p.Said && f.has(name) {
			return name
		}
	}
	if item := f.timed(p.Said); item != "" {
		return item
	}
	return p.Said
}

// timed is the item that is some words behind a time of the day: "10:30 Break"; "" if there is none.
func (f *filler) timed(said string) string {
	for q, list := range lists(f.m, f.values) {
		for _, one := range list {
			name := text(q, one)
			if time, ok := strings.CutSuffix(strings.ToLower(name), " "+strings.ToLower(said)); ok && clockTime.MatchString(time) {
				return name
			}
		}
	}
	return ""
}

// clockTime is a time of the day, or from when to when.
var clockTime = regexp.MustCompile(`^\d{1,2}([:.h]\d\d)?( ?\pL{1,3})?( ?[-–] ?\d{1,2}([:.h]\d\d)?( ?\pL{1,3})?)?:?$`)

// partly is the only item that the words of a part belong to, such as "old website" of "the old one"; "" if there is none.
func (f *filler) partly(p wish.Part) string {
	if !f.read.Strange(p.Span) {
		return ""
	}
	return f.hasPart(p.Said)
}

// hasPart is the only item that has one of some words; "" if there is none.
func (f *filler) hasPart(said string) (item string) {
	for q, list := range lists(f.m, f.values) {
		for _, one := range list {
			if name := text(q, one); slices.ContainsFunc(words(said), func(w string) bool { from, _ := find(name, w, 0); return from >= 0 }) {
				if item != "" && item != name {
					return ""
				}
				item = name
			}
		}
	}
	return item
}

// placed is where a thing is to go; an item may be named without its time: "before the break", of "10:30 Break".
func (f *filler) placed(where []wish.Part) string {
	to := f.read.Place(where)
	if name := strings.TrimLeft(to, "<>"); name != to && !f.has(name) {
		if item := f.timed(name); item != "" {
			return to[:len(to)-len(name)] + item
		}
	}
	return to
}
