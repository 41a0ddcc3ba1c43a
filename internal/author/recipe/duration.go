package recipe

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/koda-video/koda/internal/koda"
)

// units are the words for units of time, in seconds.
var units = map[string]float64{
	"ms": 0.001, "millisecond": 0.001, "milliseconds": 0.001,
	"s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
	"min": 60, "mins": 60, "minute": 60, "minutes": 60,
	"h": 3600, "hour": 3600, "hours": 3600, "day": 86400, "days": 86400,
}

// notLength are words before which a time is not the length of the video: "every 2
// seconds", "after the first 3 seconds".
var notLength = []string{"every", "each", "after", "at", "within", "last", "first", "per", "before", "until", "another", "extra", "additional", "by"}

// readDuration reads the length of the video in seconds; 0 when no length is given.
// A span ("5 to 10 seconds") counts as its middle.
func (w *words) readDuration() float64 {
	var found float64
	for i := 0; i < len(w.list); i++ {
		value, n := w.stretch(i)
		if n == 0 {
			continue
		}
		before := w.skip(i-1, -1, "the", "of", "about", "around", "roughly", "approximately", "a", "an")
		if w.is(before, notLength...) {
			i += n - 1
			continue
		}
		w.claim(i, i+n)
		w.claim(w.skip(i-1, -1, "for", "about", "around", "roughly", "of", "to", "in", "long", "lasting", "lasts", "last", "duration", "length")+1, i)
		if w.is(i+n, "long", "duration", "length") {
			w.claim(i+n, i+n+1)
		}
		found = value
		i += n - 1
	}
	return found
}

// stretch reads a length of time that begins at token i.
func (w *words) stretch(i int) (seconds float64, n int) {
	if i < len(w.list) && w.list[i].kind == clock {
		told := w.is(i-1, "for", "of", "long", "lasting", "lasts", "to", "duration", "length") || w.is(i+1, "long")
		span := w.is(i-1, "to") && i > 1 && w.list[i-2].kind == clock // "from 9:00 to 5:00" are times of the day
		if !told || span || ratios[w.list[i].text] {
			return 0, 0
		}
		return w.list[i].num, 1
	}
	value, k, article := w.quantity(i)
	if k == 0 {
		return 0, 0
	}
	n = k
	// "5-10 seconds", "5 to 10 seconds", "between 5 and 10 seconds"
	if j := w.skip(i+n, 1, "to", "and", "or"); !article && (j > i+n || w.span(i+n)) {
		if second, m, _ := w.quantity(j); m > 0 && second > value && units[w.at(j+m)] > 0 {
			value, n = (value+second)/2, j+m-i
		}
	}
	unit := units[w.at(i+n)]
	glued := i+n < len(w.list) && w.list[i+n].glued
	if w.is(i+n, "m") && glued {
		unit = 60
	}
	if unit == 0 || w.is(i+n, "h") && !glued {
		return 0, 0
	}
	if unit == 1 && n == 1 && glued && w.is(i+n, "s") && value >= 1000 && value < 3000 && math.Mod(value, 10) == 0 {
		return 0, 0 // "the 1920s" are years
	}
	if article && unit == 1 && !w.isPhrase(i+n+1, "and a half") {
		return 0, 0 // "a second" is a rate or a manner of speaking
	}
	seconds = value * unit
	n++
	switch {
	case w.isPhrase(i+n, "and a half"): // "a minute and a half"
		return seconds + unit/2, n + 3
	case unit == 60: // "1 min 30 s", "1m30s", "a minute and 30 seconds"
		j := w.skip(i+n, 1, "and")
		if rest, m := w.stretch(j); m > 0 && rest < 60 {
			return seconds + rest, j + m - i
		}
		if j == i+n && j < len(w.list) && w.list[j].kind == number && w.list[j].glued && w.list[j].num < 60 {
			return seconds + w.list[j].num, n + 1
		}
	}
	return seconds, n
}

// span reports whether tokens i-1 and i are numbers joined by a dash.
func (w *words) span(i int) bool {
	return i > 0 && i < len(w.list) && w.list[i-1].kind == number && w.list[i].kind == number
}

func (w *words) isPhrase(i int, p string) bool {
	_, ok := w.phrase(i, p)
	return ok
}

// ratios are shapes of pictures, not times.
var ratios = map[string]bool{"16:9": true, "9:16": true, "1:1": true, "4:3": true, "3:4": true, "4:5": true, "5:4": true, "21:9": true}

// checkDuration refuses a length that no recipe can fill. said is what the person
// wrote.
func checkDuration(seconds float64) error {
	if math.IsNaN(seconds) || seconds < koda.MinBrief || seconds > koda.MaxBrief {
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("a duration of %s s is out of range", trim(seconds)),
			Hint: fmt.Sprintf("recipes make videos of %s to %d seconds", trim(koda.MinBrief), koda.MaxBrief),
		}
	}
	return nil
}

// trim writes a number without needless zeros: 5, 1.5, 0.333.
func trim(v float64) string {
	r := math.Round(v*1000) / 1000
	if r == 0 {
		r = 0 // not -0
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}

// tile cuts a duration into n scenes of at least koda.MinBrief: the first and the
// last take a quarter each, less of a long video, and the others share the rest.
// The cuts lie on tenths of a second (halves from 5 s up) and the scenes add up
// to the duration exactly.
func tile(duration float64, n int) []float64 {
	total := int(math.Round(duration * 1000)) // milliseconds
	least := int(koda.MinBrief * 1000)
	n = max(1, min(n, total/least))
	grid := 100
	if total >= 5000 && total/n >= least+500 {
		grid = 500
	}
	out := make([]float64, n)
	cut := 0
	for i := range n - 1 {
		share := 0.5 // of two scenes; of more, up to the end of scene i
		if n > 2 {
			side := min(0.25, 0.8/float64(n))
			share = side + (1-2*side)*float64(i)/float64(n-2)
		}
		next := int(math.Round(float64(total)*share/float64(grid))) * grid
		next = max(cut+least, min(next, total-(n-1-i)*least))
		out[i] = float64(next-cut) / 1000
		cut = next
	}
	out[n-1] = float64(total-cut) / 1000
	return out
}

// sceneCount is how many scenes a duration is told in: at most seven up to half
// a minute, fifteen above.
func sceneCount(duration float64) int {
	switch {
	case duration < 2*koda.MinBrief:
		return 1
	case duration < 3*koda.MinBrief:
		return 2
	case duration <= 30:
		return min(7, max(3, int(math.Round(duration/3.2))))
	}
	return min(15, max(7, int(math.Round(duration/6))))
}

// starts gives the second each scene begins at, and the end after the last.
func starts(durations []float64) []float64 {
	at := make([]float64, 0, len(durations)+1)
	sum := 0
	at = append(at, 0)
	for _, d := range durations {
		sum += int(math.Round(d * 1000))
		at = append(at, float64(sum)/1000)
	}
	return slices.Clip(at)
}
