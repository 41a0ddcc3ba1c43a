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
	own    bool
	in     line
}

func newQuestion(q koda.Question, still func(string) image.Image) questionScreen {
	s := questionScreen{q: q, in: newLine(ownWords), own: len(q.Options) == 0, stills: map[int]image.Image{}}
	for i, o := range q.Options {
		if img := still(o.Recipe); o.Recipe != "" && img != nil {
			s.stills[i] = img
		}
	}
	return s
}

func (s questionScreen) key(k tea.KeyMsg) (screen, intent) {
	if s.own {
		next, sent, back := s.in.typing(k)
		s.in = next
		switch {
		case back && len(s.q.Options) == 0:
			return s, browse{}
		case back:
			s.own, s.in = false, newLine(ownWords)
		case sent != "":
			return s.say(sent)
		}
		return s, nil
	}
	if h, ok := hit(s.help(), k); ok {
		return h.do(k.String())
	}
	if s.q.CustomInput && printable(k) {
		s.own, s.in = true, s.in.key(k)
	}
	return s, nil
}

const ownWords = "your own words"

// say answers with a text. A number is that of an option, or a slip.
func (s questionScreen) say(text string) (screen, intent) {
	n, err := strconv.Atoi(text)
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
	if name == "up" || name == "k" || name == "shift+tab" {
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
	if row == s.at && !s.own {
		return s.take("")
	}
	s.at, s.own = row, false
	return s, nil
}

func (s questionScreen) view(c canvas) string {
	text := widget.Choice(c.th, s.q, s.at, !s.own, c.width)
	if s.own {
		text += "\n\n" + s.in.view(c, 3)
	}
	if strings.Count(text, "\n") >= c.height {
		return s.small(c)
	}
	if stills := s.pictures(c, c.height-strings.Count(text, "\n")-2); stills != "" {
		text = stills + "\n\n" + text
	}
	return text
}

// small is the view in a small window: the start of the question, and what is around the mark or the
// line.
func (s questionScreen) small(c canvas) string {
	head := widget.Wrap(widget.Line(s.q.Text), c.width)
	if most := max(c.height/4, 1); len(head) > most {
		head = append(head[:most-1], widget.Cut(strings.Join(head[most-1:], " "), c.width, c.th.Glyphs.Ellipsis))
	}
	for i := range head {
		head[i] = c.th.Title.Render(head[i])
	}
	q, room := s.q, c.height-len(head)
	if q.Text = ""; room < 3*len(q.Options) {
		q.Options = slices.Clone(q.Options)
		for i := range q.Options {
			q.Options[i].Description = ""
		}
	}
	lines := strings.Split(strings.TrimPrefix(widget.Choice(c.th, q, s.at, !s.own, c.width), "\n"), "\n")
	if s.own {
		c.height = room
		return strings.Join(append(head, s.in.below(c, strings.Join(lines, "\n"))), "\n")
	}
	at := slices.IndexFunc(lines, func(l string) bool { return widget.RowOf(l) == s.at })
	return strings.Join(append(head, window(c, lines, at-room/2, room)...), "\n")
}

// pictures are the stills of the options: all of them, in one row or in more, or that of the
// marked option alone, whatever room lines hold; "" if they hold none.
func (s questionScreen) pictures(c canvas, room int) string {
	var all []widget.Picture
	for i, o := range s.q.Options {
		if s.stills[i] != nil {
			all = append(all, widget.Picture{Label: strconv.Itoa(i+1) + " " + o.Label, Image: s.stills[i], Marked: i == s.at && !s.own})
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

func (s questionScreen) help() []hint {
	if s.own {
		return s.in.help("send", "back")
	}
	n := len(s.q.Options)
	numbers := make([]string, n)
	for i := range numbers {
		numbers[i] = strconv.Itoa(i + 1)
	}
	hints := []hint{
		{key: "enter", what: "take it", more: "give the marked answer", do: s.take},
		{key: "↑↓", what: "choose", more: "the answer before, the answer after", also: "k j tab shift+tab", do: s.move},
		{key: "1-" + strconv.Itoa(n), what: "take that", more: "give the answer of that number", also: strings.Join(numbers, " "), do: s.take},
	}
	if s.q.CustomInput {
		hints = append(hints, hint{key: "type", what: "your own words"})
	}
	return append(hints, hint{key: "esc", what: "projects", more: "show all projects", do: wants(s, browse{})},
		hint{key: "ctrl+y", what: "redo", more: "come back to the plan after", do: wants(s, redo{})}, askKeys(s))
}
