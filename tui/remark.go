package tui

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// remarker is a screen below which a line stands open for what a person says of it. Letters
// and digits are always text of that line. The other keys are the screen's while the line is
// empty, and then the line's.
type remarker interface {
	typist
	// bare is what keys do while the line is empty.
	bare() []hint
	// send does what a text means, and empties the line.
	send(text string) (screen, intent)
}

// drop is a text that was typed and is not sent. It comes back by the arrow up.
type drop struct{ what string }

// The lines of remarks, while they are empty.
const (
	differently = "what should be different?"
	ownWords    = "your own words"
	sayMore     = "say what should be different; koda takes it in as soon as it can"
)

// toChange is the hint that a text is a change.
var toChange = hint{key: "type", what: "to change it", more: "say what should be different, then enter"}

// sayLater is the hint that a text is a change for which there is time later.
var sayLater = hint{key: "type", what: "to say more", more: "say what should be different: it waits until this is done"}

// edits are the keys with alt that a text takes; the others stay the screen's.
var edits = []string{"alt+b", "alt+f", "alt+d", "alt+c", "alt+l", "alt+u"}

// table is what keys do on a screen with an open line.
func table(s remarker) []hint {
	l, on := s.typed()
	if !on || l.empty() {
		return s.bare()
	}
	hints := l.help("send", "clear")
	hints[0].do = func(string) (screen, intent) { return s.send(l.text()) }
	hints[2].more = "clear the line; ↑ brings the text back"
	hints[2].do = func(string) (screen, intent) { return s.retype(l.cleared()), drop{l.text()} }
	var stay []hint
	for _, h := range s.bare() {
		if strings.HasPrefix(h.key, "alt+") && !slices.Contains(edits, h.key) || h.key == "ctrl+t" {
			stay = append(stay, h)
		}
	}
	return slices.Insert(hints, len(hints)-1, stay...)
}

// remark gives a key to a screen with an open line.
func remark(s remarker, k tea.KeyMsg) (screen, intent) {
	if h, ok := hit(s.help(), k); ok {
		return h.do(k.String())
	}
	l, on := s.typed()
	switch {
	case !on, k.Alt && k.Type == tea.KeyRunes && !slices.Contains(edits, k.String()):
		return s, nil
	case l.empty() && (k.Type == tea.KeySpace || k.Type == tea.KeyEnter || k.Type == tea.KeyEsc):
		return s, nil
	}
	return s.retype(l.key(k)), nil
}

// closing are the hints that screens with an open line have at the end.
func closing(s screen) []hint {
	return []hint{{key: "/", what: "commands", more: "find what can be done, and do it", stays: true, do: wants(s, showPalette{})}, askKeys(s)}
}

// empty reports whether nothing is typed.
func (l line) empty() bool { return strings.TrimSpace(l.area.Value()) == "" }

// cleared is the line without its text.
func (l line) cleared() line { return newLine(l.area.Placeholder) }

// draft is the text that is typed below a screen, and not sent.
func draft(s screen) string {
	if r, ok := s.(remarker); ok {
		if l, on := r.typed(); on {
			return l.text()
		}
	}
	return ""
}

// noter is a screen that says something of what is typed.
type noter interface{ note() string }

// mostRows is how many rows a remark has; a longer one scrolls.
const mostRows = 5

// remarkRows are the rows of the line that stands open, as many as its text needs; none where no line
// is open. In a small window an empty line has none.
func (m *Studio) remarkRows() []string {
	r, ok := m.at.(remarker)
	if !ok || m.first != nil {
		return nil
	}
	l, on := r.typed()
	if small := m.height < airyLines; !on || small && (l.empty() || m.over != nil) {
		return nil
	}
	c := canvas{th: m.cfg.Theme, width: m.width - 2*margin}
	most := max(min(mostRows, m.height/5), 1)
	if m.height < airyLines {
		most = 1
	}
	rows := strings.Split(l.view(c, most), "\n")
	rows = rows[:min(l.rows(c.width-2), len(rows))]
	if n, ok := r.(noter); ok && m.height >= airyLines {
		if text := n.note(); text != "" {
			rows = append(rows, c.th.Muted.Render("  "+widget.Cut(text, c.width-2, c.th.Glyphs.Ellipsis)))
		}
	}
	return rows
}

// rows is how many rows of a width the text needs.
func (l line) rows(width int) (n int) {
	for text := range strings.SplitSeq(l.area.Value(), "\n") {
		n += max(len(widget.Wrap(text, max(width-1, 1))), 1)
	}
	return n
}

// Words that point at the moment that is shown. Quoted texts are to be shown, and point at nothing.
// The French "qui" stands between words, and is another word than the Italian one.
var (
	pointing = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(here|(?:this|the current) (?:scene|moment|point|frame)|hier|dies(?:e|er|em|en|es) (?:szene|stelle|moment|bild)|aquí|aqui|est[ae] (?:escena|cena|momento)|ici|cette scène|ce(?: |t )(?:moment|instant)|questa scena|questo momento|qua|здесь|тут|эт[ау] сцен[ау]|этой сцене|tutaj|burada|bu sahne\p{L}*|deze scène|här|هنا|هذا المشهد|यहाँ|यहां|여기\p{L}*|이 장면\p{L}*)(?:$|[^\p{L}])|^qui(?:$|[^\p{L}])|[^\p{L}]qui\P{L}*$|ここ|このシーン|この場面|この瞬間|这里|這裡|这儿|此处|此處|这个?场景|這個?場景`)
	inQuotes = regexp.MustCompile(`"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」`)
	numbered = regexp.MustCompile(`(?i)\bscene (\d+)`)
)

// sceneWords are what a scene is called in the languages that recipes read, by what points at a
// moment in these languages: the first that a phrase has counts.
var sceneWords = [][2]string{
	{"here", "scene"}, {"this", "scene"}, {"current", "scene"}, {"hier", "Szene"}, {"dies", "Szene"}, {"ici", "scène"}, {"cette", "scène"}, {"ce ", "scène"}, {"cet ", "scène"},
	{"aquí", "escena"}, {"escena", "escena"}, {"este m", "escena"}, {"aqui", "cena"}, {"cena", "cena"}, {"qu", "scena"}, {"こ", "シーン"},
}

// Words before what points: on the way to or from the moment, and at it.
var (
	wayBefore   = regexp.MustCompile(`(?i)(?:^|\s)(?:from|until|till|after|before|since|up to|ab|von|bis|nach|vor|seit|depuis|jusqu'|après|avant|desde|hasta|después de|antes de|até|depois de|da|fino a|dopo|prima di)\s*$`)
	placeBefore = regexp.MustCompile(`(?i)(?:^|\s)(?:in|at|on|for|during|an|bei|für|während|dans|à|pour|en|em|para|durante|per)\s+$`)
	leftover    = regexp.MustCompile(`^[\s,.;:!?]+|\s+$|\s+([,.;:!?])`)
)

// pointed is where in a text the words are that point at the moment that is shown; to is 0 if
// none do.
func pointed(text string) (from, to int) {
	text = inQuotes.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(" ", len(s)) })
	at := pointing.FindStringSubmatchIndex(text)
	if at == nil || numbered.MatchString(text) {
		return 0, 0
	}
	if at[2] >= 0 {
		return at[2], at[3]
	}
	words := strings.TrimLeft(text[at[0]:at[1]], " ,.;:!?")
	from = at[1] - len(words)
	return from, from + len(strings.TrimRight(words, " ,.;:!?"))
}

// about is how a remark is sent: with the scene at the playhead for the words that point there, in
// the language of these words. A model is told the whole text, and the time.
func (s previewScreen) about(text string) string {
	from, to := pointed(text)
	n := strconv.Itoa(s.number())
	if to == 0 || n == "0" {
		return text
	}
	scene, alone := "scene "+n, len(s.scenes) == 1
	switch {
	case s.model && alone:
		return "at " + widget.Clock(s.at) + ": " + text
	case s.model:
		return scene + ", at " + widget.Clock(s.at) + ": " + text
	}
	before, phrase, after := text[:from], strings.ToLower(text[from:to]), text[to:]
	i := slices.IndexFunc(sceneWords, func(w [2]string) bool { return strings.Contains(phrase, w[0]) })
	place := placeBefore.FindStringIndex(before)
	whole := i < 0 // no recipe reads this language
	inPlace := !whole && (sceneWords[i][1] == "シーン" || wayBefore.MatchString(before) || place == nil && strings.Contains(phrase, " "))
	if place != nil {
		before = before[:place[0]]
	}
	rest := leftover.ReplaceAllString(strings.TrimRight(before, " ")+after, "$1")
	switch {
	case alone && (whole || inPlace || rest == ""):
		return text
	case alone:
		return rest
	case whole || rest == "":
		return scene + ": " + text
	}
	if scene = sceneWords[i][1] + " " + n; sceneWords[i][1] == "シーン" {
		scene = sceneWords[i][1] + n
	}
	if inPlace {
		return before + scene + after
	}
	return scene + ": " + rest
}

// note says which scene a text points at; "" if it points at none.
func (s previewScreen) note() string {
	text, n := s.in.text(), s.number()
	from, to := pointed(text)
	if to == 0 || n == 0 || len(s.scenes) == 1 {
		return ""
	}
	return koda.Quote(text[from:to]) + " is scene " + strconv.Itoa(n) + ", " + widget.Line(s.scenes[n-1].Title) + ", at " + widget.Clock(s.at)
}
