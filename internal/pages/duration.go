package pages

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// span is how long one animation takes: until its end, or for one round if it has no end.
type span struct {
	seconds float64
	endless bool
}

// duration is the longest animation in a page's styles, tags and scripts. Animations that
// end come before animations without an end. From says where the duration was found; ""
// if there is no animation.
func (s *source) duration() (seconds float64, from string) {
	best := span{endless: true}
	take := func(v span, what string) {
		longer := v.seconds > best.seconds && v.endless == best.endless || best.endless && !v.endless
		if v.seconds > 0 && (longer || best.seconds == 0) {
			best, from = v, what
		}
	}
	for _, v := range cssSpans(s.css()) {
		take(v, "its longest CSS animation")
	}
	for _, tag := range s.tags {
		if slices.Contains(smilTags, tag.Data) {
			take(smilSpan(tag), "its longest SMIL animation")
		}
	}
	for _, v := range scriptSpans(s.all()) {
		take(v, "its longest Web Animation")
	}
	if best.endless && from != "" {
		from = strings.Replace(from, "its longest", "one round of its longest", 1)
	}
	return best.seconds, from
}

var (
	declaration = regexp.MustCompile(`(?:^|[;{\s])(?:-webkit-)?(animation(?:-[a-z-]+)?)\s*:\s*([^;}]+)`)
	parenthesis = regexp.MustCompile(`\([^()]*\)`)
	cssTime     = regexp.MustCompile(`^(-?[\d.]+)(ms|s)$`)
	cssNumber   = regexp.MustCompile(`^[\d.]+$`)
)

// cssAnimation is one animation of a rule.
type cssAnimation struct {
	duration, delay, count float64
	endless, alternates    bool
}

func (a cssAnimation) span() span {
	round := a.duration
	if a.alternates {
		round *= 2
	}
	if a.endless {
		return span{max(a.delay, 0) + round, true}
	}
	return span{a.delay + a.duration*a.count, false}
}

// cssSpans are the animations of all rules.
func cssSpans(css string) (all []span) {
	for _, m := range rule.FindAllStringSubmatch(css, -1) {
		list := []cssAnimation{}
		for _, d := range declaration.FindAllStringSubmatch(m[2], -1) {
			list = applied(list, d[1], d[2])
		}
		for _, a := range list {
			all = append(all, a.span())
		}
	}
	return all
}

// applied are the animations of a rule after a declaration.
func applied(list []cssAnimation, property, value string) []cssAnimation {
	parts := strings.Split(parenthesis.ReplaceAllString(value, ""), ",")
	if property == "animation" {
		list = nil
	}
	for i, part := range parts {
		if i == len(list) {
			list = append(list, cssAnimation{count: 1})
		}
		timed := false
		for _, word := range strings.Fields(part) {
			switch property {
			case "animation", "animation-duration", "animation-delay", "animation-iteration-count", "animation-direction":
			default:
				continue
			}
			number, isTime := seconds(word)
			switch {
			case isTime && (property == "animation-delay" || timed):
				list[i].delay = number
			case isTime:
				list[i].duration, timed = number, true
			case word == "infinite":
				list[i].endless = true
			case strings.HasPrefix(word, "alternate"):
				list[i].alternates = true
			case cssNumber.MatchString(word):
				list[i].count, _ = strconv.ParseFloat(word, 64) //nolint:errcheck // 0 if it cannot be read, as in a browser
			}
		}
	}
	return list
}

func seconds(word string) (float64, bool) {
	m := cssTime.FindStringSubmatch(word)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if m[2] == "ms" {
		v /= 1000
	}
	return v, err == nil
}

// smilSpan is how long a SMIL animation takes.
func smilSpan(tag html.Token) span {
	clock := func(text string) float64 {
		v, ok := seconds(strings.TrimSpace(text))
		if !ok {
			v, _ = strconv.ParseFloat(strings.TrimSpace(text), 64) //nolint:errcheck // other forms of a time are not read
		}
		return v
	}
	dur, begin, count := clock(attribute(tag, "dur")), clock(attribute(tag, "begin")), 1.0
	switch repeat := attribute(tag, "repeatcount"); {
	case repeat == "indefinite" || attribute(tag, "repeatdur") == "indefinite":
		return span{begin + dur, true}
	case repeat != "":
		count = clock(repeat)
	}
	return span{begin + dur*count, false}
}

var (
	animateCall  = regexp.MustCompile(`\.animate\(`)
	jsDuration   = regexp.MustCompile(`\bduration\s*:\s*([\d.]+)`)
	jsDelay      = regexp.MustCompile(`\bdelay\s*:\s*([\d.]+)`)
	jsIterations = regexp.MustCompile(`\biterations\s*:\s*(Infinity|[\d.]+)`)
	jsPlain      = regexp.MustCompile(`^[^;]*?[\]}]\s*,\s*([\d.]+)\s*\)`)
)

// scriptSpans are the animations that scripts start with Element.animate.
func scriptSpans(code string) (all []span) {
	number := func(in *regexp.Regexp, text string, otherwise float64) float64 {
		m := in.FindStringSubmatch(text)
		if m == nil {
			return otherwise
		}
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return otherwise
		}
		return v
	}
	calls := animateCall.FindAllStringIndex(code, -1)
	for i, at := range calls {
		text := code[at[1]:min(len(code), at[1]+800)]
		if i+1 < len(calls) {
			text = code[at[1]:min(calls[i+1][0], at[1]+800)]
		}
		ms := number(jsDuration, text, number(jsPlain, text, 0))
		m := jsIterations.FindStringSubmatch(text)
		endless := m != nil && m[1] == "Infinity"
		count := 1.0
		if !endless {
			count = number(jsIterations, text, 1)
		}
		all = append(all, span{(number(jsDelay, text, 0) + ms*count) / 1000, endless})
	}
	return all
}
