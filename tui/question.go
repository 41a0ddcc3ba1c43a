package tui

import (
	"fmt"
	"image"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// questionScreen asks the one question.
type questionScreen struct {
	q      koda.Question
	stills map[int]image.Image // by option
	at     int                 // the marked option
	ahead  bool                // a redo comes back to a plan
	in     line
}

func newQuestion(q koda.Question, still func(string) image.Image) questionScreen {
	s := questionScreen{q: q, in: newLine("or say it in " + ownWords), stills: map[int]image.Image{}}
	if len(q.Options) == 0 {
		s.in = newLine(ownWords)
	}
	for i, o := range q.Options {
		if img := still(o.Recipe); o.Recipe != "" && img != nil {
			s.stills[i] = img
		}
	}
	return s
}

func (s questionScreen) key(k tea.KeyMsg) (screen, intent) {
	return remark(s, k)
}

// marked is the option that enter takes: that of the number that is typed, else the marked one. It is
// none while words are typed.
func (s questionScreen) marked() (i int, ok bool) {
	if s.in.empty() {
		return s.at, len(s.q.Options) > 0
	}
	n, err := strconv.Atoi(s.in.text())
	return n - 1, err == nil && n >= 1 && n <= len(s.q.Options)
}

// send answers with a text. A number is that of an option, or a slip.
func (s questionScreen) send(text string) (screen, intent) {
	n, err := strconv.Atoi(text)
	s.in = s.in.cleared()
	switch {
	case err != nil || len(s.q.Options) == 0:
		return s, choose{koda.Answer{Text: text}}
	case n >= 1 && n <= len(s.q.Options):
		return s.take(text)
	}
	s.in = newLine(fmt.Sprintf("there is no %d: 1 to %d, or %s", n, len(s.q.Options), ownWords))
	return s, nil
}

// move marks another option.
func (s questionScreen) move(name string) (screen, intent) {
	n := len(s.q.Options)
	if name == "up" || name == "shift+tab" {
		s.at += n - 2
	}
	s.at = (s.at + 1) % n
	return s, nil
}

// take answers with an option: the marked one, or that of a number.
func (s questionScreen) take(name string) (screen, intent) {
	i := s.at
	if n, err := strconv.Atoi(name); err == nil {
		i = n - 1
	}
	return s, choose{koda.Answer{OptionID: s.q.Options[i].ID}}
}

// point marks an option, or gives the marked one as the answer.
func (s questionScreen) point(row int) (screen, intent) {
	if i, ok := s.marked(); ok && row == i {
		return s.take(strconv.Itoa(row + 1))
	}
	said := s.in.text()
	s.at, s.in = row, s.in.cleared()
	return s, drop{said}
}

func (s questionScreen) view(c canvas) string {
	at, marked := s.marked()
	text := widget.Choice(c.th, s.q, at, marked, c.width)
	if strings.Count(text, "\n") >= c.height {
		return s.small(c)
	}
	if stills := s.pictures(c, c.height-strings.Count(text, "\n")-2); stills != "" {
		text = stills + "\n\n" + text
	}
	return text
}

// leastTold is how many lines a screen has on which an answer is told about.
const leastTold = 8

// small is the view in a small window: of the answers at most the marked one is told about, and the
// lines around it are shown.
func (s questionScreen) small(c canvas) string {
	i, marked := s.marked()
	q := s.q
	q.Options = slices.Clone(q.Options)
	for n := range q.Options {
		if n != i || c.height < leastTold {
			q.Options[n].Description = ""
		}
	}
	lines := strings.Split(widget.Choice(c.th, q, i, marked, c.width), "\n")
	if len(lines) > c.height { // without the blank line below the question
		lines = slices.DeleteFunc(lines, func(l string) bool { return l == "" })
	}
	first := slices.IndexFunc(lines, func(l string) bool { return widget.RowOf(l) == i })
	last := first
	for last+1 < len(lines) && widget.RowOf(lines[last+1]) == i {
		last++
	}
	top := min(max(last+2-c.height, 0), max(first-1, 0)) // all of the marked answer, and as much as there is room for before it
	return strings.Join(window(c, lines, top, c.height), "\n")
}

// pictures are the stills of the options: all of them, in one row or in more, or that of the
// marked option alone, whatever room lines hold; "" if they hold none.
func (s questionScreen) pictures(c canvas, room int) string {
	var all []widget.Picture
	at, marked := s.marked()
	for i, o := range s.q.Options {
		if s.stills[i] != nil {
			all = append(all, widget.Picture{Label: strconv.Itoa(i+1) + " " + o.Label, Image: s.stills[i], Marked: marked && i == at})
		}
	}
	draw := func(of []widget.Picture, per, width int) string { // a row that is not full has pictures as wide as the others
		var rows []string
		for row := range slices.Chunk(of, per) {
			rows = append(rows, widget.Pictures(c.th, row, width*len(row)/per))
		}
		return strings.Join(rows, "\n\n")
	}
	fits := func(of []widget.Picture, per, width int) bool {
		lines := -1
		for row := range slices.Chunk(of, per) {
			n := widget.PictureLines(c.th, row, width*len(row)/per)
			if n == 0 {
				return false
			}
			lines += n + 1
		}
		return lines <= room
	}
	for n := 1; n < len(all); n++ {
		per := (len(all) + n - 1) / n
		for width := c.width; width >= per; width -= per {
			if fits(all, per, width) {
				return draw(all, per, width)
			}
		}
	}
	all = slices.DeleteFunc(all, func(p widget.Picture) bool { return !p.Marked })
	for width := min(c.width, 40); width > 0 && len(all) > 0; width-- {
		if fits(all, 1, width) {
			return draw(all, 1, width)
		}
	}
	return ""
}

func (s questionScreen) help() []hint { return table(s) }

func (s questionScreen) bare() []hint {
	hints := []hint{{key: "enter", what: "send"}}
	if n := len(s.q.Options); n > 0 {
		hints = []hint{
			{key: "enter", what: "take it", more: "give the marked answer", do: s.take},
			{key: "↑↓", what: "choose", more: "the answer before, the answer after", also: "tab shift+tab", do: s.move},
		}
		numbers := hint{key: "1-" + strconv.Itoa(n), what: "mark that", more: "mark the answer of that number; enter takes it"}
		if !s.q.CustomInput {
			numbers.what, numbers.more, numbers.do = "take that", "give the answer of that number", s.take
			for i := range n {
				numbers.also += " " + strconv.Itoa(i+1)
			}
		}
		hints = append(hints, numbers)
	}
	if s.ahead {
		hints = append(hints, hint{key: "ctrl+y", what: "redo", more: "come back to the plan after", do: wants(s, redo{})})
	}
	if _, on := s.typed(); on {
		hints = append(hints, hint{key: "type", what: ownWords, more: "answer in your own words, then enter"})
	}
	hints = append(hints, hint{key: "esc", what: "projects", more: "show all projects", do: wants(s, browse{})})
	return append(hints, closing(s)...)
}
