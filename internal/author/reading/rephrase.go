package reading

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
)

// rephrased is a change in words that all else reads, where what the change says hangs on what the video shows: "we have 16 offices now" is
// about the row of the offices, "the middle scene" is the 2nd of three, and "Closing at 15:00" is one more line of a schedule.
func (r *Reader) rephrased(m *recipe.Manifest, v recipe.Values, said string) string {
	for p, list := range lists(m, v) {
		if len(list) == 0 {
			continue
		}
		if len(list) > 2 {
			said = r.of(m).Read(said).Middle(len(list))
		}
		clauses := r.choosing.Read(said).Clauses()
		for _, c := range slices.Backward(clauses) {
			clause := said[c.From:c.To]
			if strings.ContainsAny(clause, quotes) {
				continue
			}
			if _, number := columns(p); p.Type == recipe.Texts {
				clause = r.timed(p, list, clause)
			} else if number != "" && worded(p) == "" {
				clause = r.counted(p, list, clause)
			}
			said = said[:c.From] + clause + said[c.To:]
		}
	}
	return said
}

// quotes are the signs around what somebody says.
const quotes = "\"“”„«»「」`"

// counts is a number before what it counts.
const counts = `(?i)(?:^|\s)(\d[\d.,]*)\s+`

// counted is a clause with the row first, if it says nothing but how many there are of what a row names: "offices: 16".
func (r *Reader) counted(p *recipe.Param, list []json.RawMessage, clause string) string {
	for _, item := range list {
		label := text(p, item)
		if from, _ := find(clause, label, 0); label == "" || from < 0 {
			continue
		}
		at := regexp.MustCompile(counts + regexp.QuoteMeta(label) + `(?:\s|$)`).FindStringSubmatchIndex(clause)
		if at == nil {
			continue
		}
		rest := r.choosing.Read(clause[:at[0]] + " " + clause[at[1]:])
		if rest.Turns() || len(rest.Wishes()) > 0 || slices.ContainsFunc(rest.Left(nil), func(word string) bool { return !r.choosing.Knows(word) }) {
			return clause
		}
		return " " + label + ": " + clause[at[2]:at[3]] + " "
	}
	return clause
}

// atClock is a line that begins with a time of the day.
var atClock = regexp.MustCompile(`^(\d{1,2})[:.h](\d\d)\s`)

// hour is a time of the day in a clause, with the word before it.
var hour = regexp.MustCompile(`(?i)(?:^|\s)(?:(?:at|um|a las|à|às|alle)\s+)?(\d{1,2}[:.]\d\d)(?:\s|$)`)

// timed is a clause that adds a line to a schedule, with the line as all others are, before the first that is later: add "11:00 Coffee".
func (r *Reader) timed(p *recipe.Param, list []json.RawMessage, clause string) string {
	if slices.ContainsFunc(list, func(item json.RawMessage) bool { return !atClock.MatchString(text(p, item)) }) {
		return clause
	}
	from, ok := r.choosing.Read(clause).Coming()
	at := hour.FindStringSubmatchIndex(clause)
	if !ok || at == nil || at[2] < from {
		return clause
	}
	said := strings.TrimSpace(clause[from:max(at[0], from)] + " " + clause[at[1]:])
	if said == "" || digits.MatchString(said) {
		return clause
	}
	line := strconv.Quote(clause[at[2]:at[3]] + " " + capital(said))
	for _, item := range list {
		if stands := text(p, item); minutesOf(stands) > minutesOf(clause[at[2]:at[3]]+" ") {
			return clause[:from] + line + " before " + strconv.Quote(stands) + " "
		}
	}
	return clause[:from] + line + " "
}

// minutesOf are the minutes since midnight of the time that a line begins with.
func minutesOf(line string) int {
	m := atClock.FindStringSubmatch(line)
	if m == nil {
		return 0
	}
	return whole(m[1])*60 + whole(m[2])
}
