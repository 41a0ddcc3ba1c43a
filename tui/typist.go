package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
)

// typist is a screen with a line in which text is typed. For such a line the root has
// what was typed before, koda's words, and the person's own editor.
type typist interface {
	screen
	// typed is the line; on says whether it has the keys.
	typed() (l line, on bool)
	// retype is the screen with another line.
	retype(l line) screen
}

func (s briefScreen) typed() (line, bool)     { return s.in, s.at == 0 && !s.offers() }
func (s briefScreen) retype(l line) screen    { s.in, s.list = l, nil; return s }
func (s questionScreen) typed() (line, bool)  { return s.in, s.q.CustomInput || len(s.q.Options) == 0 }
func (s questionScreen) retype(l line) screen { s.in = l; return s }
func (s planScreen) typed() (line, bool)      { return s.in, true }
func (s planScreen) retype(l line) screen     { s.in = l; return s }
func (s previewScreen) typed() (line, bool)   { return s.in, !s.looking }
func (s doneScreen) typed() (line, bool)      { return s.in, s.presets == nil }
func (s doneScreen) retype(l line) screen     { s.in = l; return s }
func (s errorScreen) typed() (line, bool)     { return s.in, (s.edit || s.more) && !s.showing }
func (s errorScreen) retype(l line) screen    { s.in = l; return s }
func (s projectsScreen) typed() (line, bool)  { return s.in, s.mode == "fork" }
func (s projectsScreen) retype(l line) screen { s.in = l; return s }
func (s versionsScreen) typed() (line, bool)  { return s.in, s.forking }
func (s versionsScreen) retype(l line) screen { s.in = l; return s }
func (s workScreen) typed() (line, bool)      { return s.in, s.listens() || !s.in.empty() }
func (s workScreen) retype(l line) screen     { s.in = l; return s }

// retype pauses when a text begins: what it points at stays.
func (s previewScreen) retype(l line) screen {
	s.in = l
	s.playing = s.playing && l.empty()
	return s
}

// typing is the screen's line if text is typed on it now.
func typing(s screen) (typist, line, bool) {
	if t, ok := s.(typist); ok {
		if l, on := t.typed(); on {
			return t, l, true
		}
	}
	return nil, line{}, false
}

// with is the line with another text, and the cursor at its end.
func (l line) with(text string) line {
	l.area.SetValue(text)
	return l.shown()
}

// past is what was typed before, the latest last, and where a person is in it.
type past struct {
	lines []string
	at    int    // of lines
	own   string // what was typed before the person went back
	shown string // the text that at stands for
}

// step goes by lines through what was typed before; ok is false if there is no further
// one. A text that is not the one shown last begins at the end.
func (p past) step(text string, by int) (next past, line string, ok bool) {
	if text != p.shown || p.at > len(p.lines) {
		p.at, p.own = len(p.lines), text
	}
	at := p.at + by
	if at < 0 || at > len(p.lines) || by == 0 {
		return p, text, false
	}
	p.at, p.shown = at, p.own
	if at < len(p.lines) {
		p.shown = p.lines[at]
	}
	return p, p.shown, true
}

// add is the past with one line more.
func (p past) add(text string) past {
	if n := len(p.lines); n == 0 || p.lines[n-1] != text {
		p.lines = append(p.lines[:n:n], text)
	}
	return past{lines: p.lines, at: len(p.lines)}
}

// said is the text of an intent, "" if it has none.
func said(want intent) string {
	switch w := want.(type) {
	case create:
		return w.b.Prompt
	case choose:
		return w.a.Text
	case reject:
		return w.why
	case change:
		return cmp.Or(w.typed, w.what)
	case say:
		return w.what
	case goOnWith:
		return w.what
	case drop:
		return w.what
	}
	return ""
}

// typeKey gives a key to the line that is typed; done is false if the key is the screen's.
func (m *Studio) typeKey(k tea.KeyMsg) (cmd tea.Cmd, done bool) {
	if t, ok := m.at.(attacher); ok && k.Paste {
		text := string(k.Runes)
		if paths := pastedFiles(text); len(paths) > 0 {
			return m.became(t.attach(paths, text)), true
		}
	}
	s, l, on := typing(m.at)
	if !on {
		return nil, false
	}
	// The line moves by the rows that are shown.
	l.area.SetWidth(max(m.width-2*margin-2, 8))
	m.at = s.retype(l)
	if r, ok := s.(remarker); ok && l.empty() {
		if _, own := hit(r.bare(), k); own {
			return nil, false
		}
	}
	switch by := map[string]int{"up": -1, "down": 1}[k.String()]; {
	case by != 0 && l.atEdge(by):
		next, text, ok := m.past.step(l.area.Value(), by)
		if m.past = next; ok {
			m.at = s.retype(l.with(text))
		}
		return nil, true
	case k.String() == "enter":
		return m.order(s, l)
	}
	return nil, false
}

// order does what a text says that is one of koda's words; done is false if the text is the screen's.
func (m *Studio) order(s typist, l line) (cmd tea.Cmd, done bool) {
	_, brief := s.(briefScreen)
	_, question := s.(questionScreen)
	text, quoted := koda.Unquote(l.text())
	word := koda.WordOf(text)
	switch {
	case text == "" && !brief:
		if _, own := hit(s.help(), tea.KeyMsg{Type: tea.KeyEnter}); own {
			return nil, false
		}
		m.notice = "Type it first, or go back with esc: " + l.area.Placeholder
		return nil, true
	case brief, question: // most other words can be a prompt, or an answer
		want := map[koda.Word]intent{koda.WordQuit: leave{}, koda.WordHelp: showKeys{}, koda.WordProjects: browse{}}[word]
		if word == koda.WordUndo || word == koda.WordRedo {
			want = map[koda.Word]intent{koda.WordUndo: undo{}, koda.WordRedo: redo{}}[word]
			if brief {
				want = tell{"There is nothing to " + string(word) + " yet. In quotes it is a prompt."}
			}
		}
		if want == nil || quoted {
			return nil, false
		}
		m.at = s.retype(l.with(""))
		return m.do(want), true
	case m.stand.Project.ID == "":
		return nil, false
	case quoted:
		m.at = s.retype(l.with(text))
		return nil, false
	}
	if cmd, done := m.film(s, l); done {
		return cmd, true
	}
	return m.obey(word, text)
}

// Asked is what a text asks of the video file.
type Asked struct {
	Presets []string // names
	Unknown string   // a name that no preset has
	Now     bool     // the video is to be made now
}

// film makes the video file that a text asks for, or says how to have it made; done is false if the text
// asks for none.
func (m *Studio) film(s typist, l line) (cmd tea.Cmd, done bool) {
	if m.cfg.Asked == nil {
		return nil, false
	}
	a, want := m.cfg.Asked(l.text()), intent(nil)
	names := strings.Join(a.Presets, ",")
	done = names+a.Unknown != ""
	plan, isPlan := s.(planScreen)
	_, isPreview := s.(previewScreen)
	_, isDone := s.(doneScreen)
	if !done || !isPlan && !isPreview && !isDone || plan.mode != "" {
		return nil, false
	}
	switch {
	case a.Unknown != "":
		m.notice = "There is no preset " + koda.Quote(a.Unknown) + ". In quotes the text is for the author."
		if isDone {
			want = choice{}
		} else {
			m.notice = "There is no preset " + koda.Quote(a.Unknown) + ": alt+p of the finished video lists what there is. In quotes the text is for the author."
		}
	case isDone && len(a.Presets) == 1:
		want = render{names}
	case isDone:
		m.notice = "One video at a time: enter makes the marked one."
		want = choice{a.Presets[0]}
	case isPreview || a.Now:
		want = accept{names}
	default:
		m.notice = "The file is made when the plan is accepted: " + koda.Quote("render as "+strings.Join(a.Presets, " and ")) + " accepts the plan and makes that file."
	}
	m.at = s.retype(l.cleared())
	cmd = m.keep(l.text())
	if want != nil {
		cmd = tea.Batch(cmd, m.do(want))
	}
	return cmd, true
}

// atEdge reports whether the cursor is on the first row, or on the last one.
func (l line) atEdge(by int) bool {
	info := l.area.LineInfo()
	if by < 0 {
		return l.area.Line() == 0 && info.RowOffset == 0
	}
	return l.area.Line() == l.area.LineCount()-1 && info.RowOffset+1 >= info.Height
}

// wordsDone are the words, as the hints name what they do.
var wordsDone = map[koda.Word]string{
	koda.WordAccept: "accept", koda.WordChange: "change", koda.WordReject: "reject", koda.WordUndo: "undo", koda.WordRedo: "redo",
	koda.WordVersions: "versions", koda.WordShow: "about", koda.WordProjects: "projects", koda.WordHelp: "keys", koda.WordStop: "interrupt", koda.WordQuit: "leave",
}

// spoken are further texts for what hints name. Texts that can be changes of a video, as "loop" and
// "faster", are none of them.
var spoken = map[string]string{
	"play": "play", "play it": "play", "play again": "play", "replay": "play", "compare": "compare", "diff": "compare", "full size": "full size", "details": "details",
	"open": "open folder", "open it": "open folder", "open folder": "open folder", "copy": "copy path", "copy path": "copy path", "new": "new video", "new video": "new video",
	"render": "render", "export": "render",
}

// obey does what a word says, or another text for what a hint names, if the screen under the line can do it.
func (m *Studio) obey(word koda.Word, text string) (cmd tea.Cmd, done bool) {
	names := slices.DeleteFunc([]string{spoken[strings.ToLower(text)], wordsDone[word]}, func(name string) bool { return name == "" })
	if word == "" && len(names) == 0 {
		return nil, false
	}
	line := m.at
	s, l, _ := typing(line)
	_, open := s.(remarker)
	plan, _ := s.(planScreen)
	if m.at = s.retype(l.cleared()); !open || plan.mode != "" {
		m.give(tea.KeyMsg{Type: tea.KeyEsc})
	}
	for _, name := range names {
		for _, c := range m.commands() {
			if strings.HasPrefix(c.word, name) {
				return m.do(c.want), true
			}
		}
	}
	m.at = line
	if word == "" {
		return nil, false
	}
	why := map[koda.Word]string{
		koda.WordChange: "Type what should be different, then enter", koda.WordRedo: "There is nothing to redo", koda.WordStop: "Nothing is at work",
	}[word]
	switch _, finished := line.(doneScreen); {
	case m.stand.Busy && word == koda.WordStop:
		why = "Another koda is at work, and is interrupted there"
	case finished && word == koda.WordAccept:
		why = "The video is made already; say what should be different, or make another one by alt+p"
	}
	if why == "" {
		why = "Not possible here: " + string(word)
	}
	m.notice = why + ". In quotes it is a text for the author."
	m.at = s.retype(l.cleared()) // the next text is not glued to the word
	return m.keep(text), true
}

// goOn gives a text that was being typed to the screen that comes without the person.
func (m *Studio) goOn(was screen) {
	_, in, on := typing(was)
	next, l, open := typing(m.at)
	if !on || !open || in.text() == "" || !l.empty() {
		return
	}
	if p, ok := next.(planScreen); ok {
		if old, ok := was.(planScreen); ok {
			p.mode = old.mode
		}
		next = p
	}
	in.area.Placeholder = l.area.Placeholder
	m.at = next.retype(in)
}

// shelve remembers the text of a line that is about to go.
func (m *Studio) shelve() tea.Cmd { return m.keep(draft(m.at)) }
