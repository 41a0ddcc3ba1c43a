package reading

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// portion is a number and the whole that it is a part of, as texts have them: "7,500 of 10,000", "640/800".
var portion = regexp.MustCompile(`(\d[\d.,]*)(\D{1,24}?)(\d[\d.,]*)`)

// thousands is a number of which dots or commas part the thousands.
var thousands = regexp.MustCompile(`^\d{1,3}(?:[.,]\d{3})+$`)

// numberOf is the number that digits say; 0 if they say none.
func numberOf(digits string) float64 {
	digits = strings.TrimRight(digits, ".,")
	if thousands.MatchString(digits) {
		digits = strings.NewReplacer(".", "", ",", "").Replace(digits)
	}
	n, err := strconv.ParseFloat(strings.Replace(digits, ",", ".", 1), 64)
	if err != nil {
		return 0
	}
	return n
}

// shareIn is how much of a whole a text says that there is, in percent, and where its first number stands.
func shareIn(text string) (percent float64, part []int, ok bool) {
	at := portion.FindStringSubmatchIndex(text)
	if at == nil {
		return 0, nil, false
	}
	now, whole := numberOf(text[at[2]:at[3]]), numberOf(text[at[6]:at[7]])
	return 100 * now / whole, at[2:4], whole > 0
}

// portioned is the text that says of which whole a video shows a share, "7500 of 10000", and the share; p is nil if no text does.
func (f *filler) portioned() (p, share *recipe.Param) {
	share = taker(f.m, "percent")
	if !f.change || share == nil {
		return nil, nil
	}
	now, err := strconv.ParseFloat(f.values[share.Name], 64)
	for i := range f.m.Params {
		p := &f.m.Params[i]
		if percent, _, ok := shareIn(f.values[p.Name]); err == nil && p.Type == recipe.Text && ok && math.Abs(percent-now) < 0.6 {
			return p, share
		}
	}
	return nil, nil
}

// reached changes how much there is of a whole: "we are at 8000". It reports whether the video tells of a whole.
func (f *filler) reached(w wish.Wish) bool {
	p, share := f.portioned()
	if p == nil || w.Unit == "%" || f.assigned(p.Name) != nil {
		return false
	}
	old := f.values[p.Name]
	_, part, _ := shareIn(old)
	said := strings.TrimFunc(f.read.Said(w.Span), func(r rune) bool { return r < '0' || r > '9' })
	next := old[:part[0]] + said + old[part[1]:]
	percent, _, ok := shareIn(next)
	if !ok || said == "" || percent > 100 {
		return false
	}
	f.put(p.Name, next, w)
	f.put(share.Name, recipe.Trim(math.Round(percent*10)/10), w)
	return true
}

// reshared changes the share that a video shows with the text that tells of it: "$8,000 of $10,000".
func (f *filler) reshared() {
	p, share := f.portioned()
	if p == nil || f.assigned(share.Name) != nil || f.assigned(p.Name) == nil {
		return
	}
	if percent, _, ok := shareIn(f.assigned(p.Name).Value); ok && percent <= 100 {
		f.edits = append(f.edits, Edit{Param: share.Name, Value: recipe.Trim(math.Round(percent*10) / 10)})
	}
}

// ofWhole is a number right behind a text, the whole of which the text tells, and joint a text that ends with a short word.
var (
	ofWhole = regexp.MustCompile(`^ [$€£¥]?\d[\d.,]*\d[kKmM]?\b(?: ?[€£$])?`)
	joint   = regexp.MustCompile(`\pL \pL{1,3}$`)
)

// wholes are phrases with the whole of which a share is told, behind the text between: "75% of our goal of $20,000".
func wholes(phrases []wish.Phrase, prompt string) []wish.Phrase {
	for i := range phrases {
		p := &phrases[i]
		share := strings.HasSuffix(strings.TrimSpace(prompt[:p.From]), "%")
		if share && (p.Role == wish.Headline || p.Role == wish.Second) && joint.MatchString(prompt[p.From:p.To]) {
			p.To += len(ofWhole.FindString(prompt[p.To:]))
		}
	}
	return phrases
}
