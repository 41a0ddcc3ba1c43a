package dataset

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
)

// Recording is what is known of a recording of a terminal, in asciicast format 2 or 3 as
// asciinema writes it. The file itself belongs to the project.
type Recording struct {
	// Seconds is how long it plays from the start to the last event. Pauses are cut to what
	// the recording says (idle_time_limit), else to two seconds. The page that plays it
	// counts in the same way.
	Seconds float64 `json:"seconds"`
	Title   string  `json:"title,omitempty"`
}

// longestPause is the longest pause that plays, in seconds, unless the recording names
// another one.
const longestPause = 2

// castExt is the ending of the name of a recording.
const castExt = ".cast"

// castHead is how an asciicast begins, whatever its name.
var castHead = regexp.MustCompile(`\A\{[^\n]*"version": ?[123]\b[^\n]*("width"|"term")`)

const recordAnew = "record it with asciinema rec session.cast, or convert it with asciinema convert"

// readRecording reads header and events of an asciicast. A last line that is cut off is
// left out, as a recorder that was killed leaves it.
func (s *Set) readRecording(text string) error {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	type size struct{ Cols, Rows float64 }
	var head struct {
		Version       int
		Width, Height float64
		Term          size
		Title         string
		IdleTimeLimit *float64 `json:"idle_time_limit"`
	}
	switch err := json.Unmarshal([]byte(lines[0]), &head); {
	case err != nil:
		return s.bad(1, recordAnew, "it is no recording of a terminal")
	case head.Version == 1:
		return s.bad(1, recordAnew, "it is an asciicast of version 1; koda plays versions 2 and 3")
	case head.Version != 2 && head.Version != 3:
		return s.bad(1, recordAnew, "it is an asciicast of version %d; koda plays versions 2 and 3", head.Version)
	}
	if head.Version == 2 {
		head.Term = size{head.Width, head.Height}
	}
	if !whole(head.Term.Cols) || !whole(head.Term.Rows) {
		return s.bad(1, recordAnew, "its screen has %v columns and %v rows; 1 to 999 can be played", head.Term.Cols, head.Term.Rows)
	}
	limit := float64(longestPause)
	if head.IdleTimeLimit != nil && *head.IdleTimeLimit > 0 {
		limit = *head.IdleTimeLimit
	}
	clock, last, seconds, shown := 0.0, 0.0, 0.0, 0
	for i, line := range lines[1:] {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at, code, ok := castEvent(line)
		if !ok {
			if i == len(lines)-2 {
				s.note("The last line of %s is cut off and is left out.", s.Name)
				break
			}
			return s.bad(i+2, recordAnew, "it is no event of a recording")
		}
		if head.Version == 3 {
			at += clock
		}
		clock = at
		if code == "o" || code == "r" {
			seconds += min(max(clock-last, 0), limit)
			last = clock
			shown++
		}
	}
	if shown == 0 {
		return s.bad(0, recordAnew, "nothing is shown in it")
	}
	s.Recording = &Recording{Seconds: math.Round(seconds*1000) / 1000, Title: strings.TrimSpace(head.Title)}
	return nil
}

// castEvent reads the time and the code of an event: [1.25, "o", "text"].
func castEvent(line string) (at float64, code string, ok bool) {
	var event []json.RawMessage
	if json.Unmarshal([]byte(line), &event) != nil || len(event) != 3 {
		return 0, "", false
	}
	var data string
	ok = json.Unmarshal(event[0], &at) == nil && json.Unmarshal(event[1], &code) == nil && json.Unmarshal(event[2], &data) == nil
	return at, code, ok && at >= 0
}

func whole(v float64) bool { return v >= 1 && v <= 999 && v == math.Trunc(v) }

// recording fills the parameters that take a recording. Its value is the name of the file.
func (f *filler) recording() error {
	p := f.taker(recipe.File, "recording")
	if p == nil {
		return f.bad(0, "koda recipes show "+f.m.Name+" says what it takes; without --recipe koda chooses a recipe for the data", "it is a recording of a terminal, which %s does not play", f.m.Name)
	}
	f.values[p.Name] = f.Name
	if p := f.taker(recipe.Number, "recording.seconds"); p != nil {
		f.values[p.Name] = recipe.Trim(f.Recording.Seconds)
	}
	if p := f.taker(recipe.Text, "subtitle"); p != nil && f.Recording.Title != "" {
		f.values[p.Name] = f.Recording.Title
	}
	return nil
}
