package tui

import (
	"context"
	"image"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/graphics"
	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// Config is how the studio begins.
type Config struct {
	Session Session
	Theme   theme.Theme
	// Terminal is what the terminal can do beside showing text.
	Terminal Terminal
	Now      func() time.Time
	// What to begin with: a prompt, or the id of a project; else the projects, or with Begin
	// a new prompt. With Resume the project goes on at once.
	Prompt, Project string
	Begin, Resume   bool
	Problem         error  // why the prompt made no video: the person mends it
	Name            string // of the project
	// Asked reads what a text asks of the video file, if the text asks for nothing else; nil: no text does.
	Asked func(text string) Asked
}

// Studio is the root model. It routes: keys to the screen, intents to the session, what
// came of them to the next screen.
type Studio struct {
	cfg     Config
	ctx     context.Context
	window  image.Point // the size of the terminal
	width   int         // of the screen
	height  int
	at      screen
	over    screen       // lies over the screen and has the keys; nil: nothing
	first   *firstScreen // lies over all, while this machine lacks something
	draft   briefScreen  // of the next new video
	past    past
	written koda.Plan // as the person's editor got it
	stand   Standing
	work    *work         // at work now
	frames  Frames        // of the preview shown
	rival   Frames        // of the version that it is compared with
	loading bool          // a thumbnail is on its way
	left    previewScreen // that was left last: whoever comes back goes on there
	// criticised is the preview of which a change was asked for: the one that comes of it begins there.
	criticised previewScreen
	opening    int // counts how often frames were opened
	away       *away
	rested     *away     // the wait before
	eye        *away     // looks for changes of other processes
	swapped    time.Time // when such a change was shown
	asleep     bool      // the project was put to rest
	story      story     // of the project that is open
	later      []string  // what the person said that is taken in when the work is done
	notice     string    // one line about what went wrong
	armed      bool      // ctrl+c was pressed, and nothing was at work
	tick       int
	pulse      pulse
	pics       pictures
	out        *output  // the terminal; nil: the studio is only drawn
	blurred    bool     // the person looks at another window
	ended      Standing // where the project stood at the end
}

// The messages of the studio.
type (
	eventMsg struct {
		ev      koda.Event
		picture image.Image // of a glimpse
	}
	stoodMsg struct {
		stand Standing
		err   error
		work  *work // nil: another process worked, and is done
		// elsewhere: another process changed what was shown, and may be at work.
		elsewhere bool
	}
	projectsMsg struct {
		all []koda.Project
		err error
	}
	framesMsg struct {
		id     string
		frames Frames
		err    error
	}
	frameMsg struct {
		of         int // which opening of frames
		img, other image.Image
		at         float64
		both       bool // other was asked for, too
	}
	noticeMsg struct{ text string }
)

// New makes the studio. Ctx ends its work.
func New(ctx context.Context, cfg Config) *Studio {
	return &Studio{
		cfg: cfg, ctx: ctx, window: image.Pt(80, 24), width: 80, height: 24, at: newWork(opening, story{}, time.Time{}),
		pics:  pictures{th: cfg.Theme, kitty: cfg.Terminal.Graphics.Within() == graphics.Kitty},
		draft: newBrief(cfg.Prompt),
	}
}

// Ended is where the project stood that was open at the end.
func (m *Studio) Ended() Standing { return m.ended }

// Init implements [tea.Model].
func (m *Studio) Init() tea.Cmd {
	switch {
	case m.cfg.Problem != nil:
		m.draft.problem = m.cfg.Problem
		return tea.Batch(m.begun(), m.do(begin{}))
	case m.cfg.Prompt != "":
		return tea.Batch(m.begun(), m.do(create{Brief{Prompt: m.cfg.Prompt}}))
	case m.cfg.Project != "" && m.cfg.Resume:
		id := m.cfg.Project
		m.stand.Project.ID, m.stand.Project.Name = id, m.cfg.Name
		return tea.Batch(m.begun(), m.retell(), m.call("Going on", func(ctx context.Context) (Standing, error) { return m.cfg.Session.Resume(ctx, id) }))
	case m.cfg.Project != "":
		return tea.Batch(m.begun(), m.do(open{m.cfg.Project}))
	case m.cfg.Begin:
		return tea.Batch(m.begun(), m.do(begin{}))
	}
	return tea.Batch(m.begun(), m.do(browse{}))
}

// begun brings what was typed before, so that the first key finds it, and has the machine looked at.
func (m *Studio) begun() tea.Cmd {
	lines := m.cfg.Session.Typed()
	m.past = past{lines: lines, at: len(lines)}
	return m.act(machineQuery{})
}

// Update implements [tea.Model].
func (m *Studio) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	was, _ := m.at.(previewScreen)
	typed := draft(m.at)
	cmd := m.update(msg)
	if _, _, on := typing(m.at); typed != "" && !on {
		cmd = tea.Batch(cmd, m.keep(typed))
	}
	if _, on := m.at.(previewScreen); !on && was.step > 0 && !was.looking {
		m.left = was
	}
	return m, tea.Batch(cmd, m.load(), m.beat())
}

func (m *Studio) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.window = image.Pt(msg.Width, msg.Height)
		m.width, m.height = max(msg.Width, leastColumns), max(msg.Height, leastLines)
	case tea.FocusMsg:
		m.blurred = false
	case tea.BlurMsg:
		m.blurred = true
	case tea.KeyMsg:
		woke, cmd := m.alive()
		if woke && !m.begins(msg) || m.tooSoon(msg) && msg.Type != tea.KeyCtrlC {
			return cmd
		}
		return tea.Batch(cmd, m.key(msg))
	case tea.MouseMsg:
		woke, cmd := m.alive()
		if woke || m.tooSoon(tea.KeyMsg{}) {
			return cmd
		}
		return tea.Batch(cmd, m.mouse(msg))
	case awayMsg:
		m.slept(msg)
	case changedMsg:
		return m.changed(msg)
	case eventMsg:
		m.learn(msg)
	case storyMsg:
		return m.retold(msg)
	case saidMsg:
		m.said(msg)
	case choiceMsg, recordMsg:
		m.answered(msg)
	case stoodMsg:
		cmd := m.stood(msg)
		return tea.Batch(cmd, m.ring(msg))
	case projectsMsg:
		if msg.err != nil {
			m.notice = koda.Sentence(msg.err)
		}
		s, _ := m.at.(projectsScreen)
		m.at, m.over = s.learn(msg.all, m.cfg.Now()), nil
	case framesMsg:
		return m.opened(msg)
	case frameMsg:
		m.framed(msg)
	case fieldsMsg, filesMsg, attachedMsg, stillMsg, fileMsg, shotMsg:
		if s, ok := m.at.(hearer); ok {
			next, want := s.hear(msg)
			m.at = next
			return m.do(want)
		}
	case machineMsg:
		m.machine(msg)
	case noticeMsg:
		m.notice = msg.text
	case composedMsg: // the terminal was another program's, and forgot the mouse
		return tea.Batch(tea.EnableMouseCellMotion, m.composed(msg))
	case installedMsg:
		return tea.Batch(tea.EnableMouseCellMotion, m.installed(msg))
	case tea.ResumeMsg:
		return tea.EnableMouseCellMotion
	case beatMsg:
		return m.moved(msg)
	default:
		return m.learnVersions(msg)
	}
	return nil
}

// key gives a key to the screen; ctrl+c is the root's. Keys that came at once are given one
// by one, unless they were pasted.
func (m *Studio) key(k tea.KeyMsg) tea.Cmd {
	if k.Type == tea.KeyRunes && len(k.Runes) > 1 && !k.Paste {
		var all []tea.Cmd
		for _, r := range k.Runes {
			one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: k.Alt}
			if r == ' ' {
				one.Type = tea.KeySpace
			}
			all = append(all, m.key(one))
		}
		return tea.Batch(all...)
	}
	m.notice = ""
	if k.String() == "ctrl+c" {
		switch {
		case m.work != nil && !m.armed:
			m.armed = true
			m.work.stop()
			m.notice = "Interrupting; the work is saved. ctrl+c again leaves."
			return nil
		default:
			return m.leave()
		}
	}
	m.armed = false
	if m.hidden() {
		return nil
	}
	if m.over == nil && m.first == nil {
		if h, ok := hit(m.everywhere(), k); ok {
			_, want := h.do(k.String())
			return m.do(want)
		}
		if cmd, done := m.typeKey(k); done {
			return cmd
		}
	}
	return m.give(k)
}

// front is the screen that has the keys.
func (m *Studio) front() screen {
	switch {
	case m.first != nil:
		return *m.first
	case m.over != nil:
		return m.over
	}
	return m.at
}

// give gives a key to the screen in front.
func (m *Studio) give(k tea.KeyMsg) tea.Cmd { return m.became(m.front().key(k)) }

// became takes what the screen in front returned.
func (m *Studio) became(next screen, want intent) tea.Cmd {
	switch {
	case m.first != nil:
		m.passed(next)
	case m.over != nil:
		m.over = next
	default:
		m.at = next
	}
	if want == nil {
		return nil
	}
	return m.do(want)
}

// screenOf is the screen of where a project stands.
func (m *Studio) screenOf(s Standing) screen {
	switch {
	case s.Busy:
		w := newWork("At work", m.story, m.cfg.Now())
		w.watching = true
		return w
	case s.Waiting == ForAnswer && s.State.Question != nil:
		q := newQuestion(s.State.Question.Question, m.cfg.Session.Still)
		q.ahead = s.Redo
		return q
	case s.Waiting == ForPlan && s.State.Plan != nil:
		p := newPlan(*s.State.Plan)
		p.ahead = s.Redo
		return p
	case s.Waiting == ForPreview && s.State.Preview != nil:
		p := previewScreen{speed: 1, project: s.Project.ID, model: s.Project.Author == "model", ahead: s.Redo, in: newLine(differently)}
		if s.State.Plan != nil {
			p.scenes, p.duration = s.State.Plan.Starts(), s.State.Plan.TotalDuration
		}
		p.facts = []widget.Fact{{Name: "preview", Value: s.State.Preview.VideoURL}}
		return p
	}
	return finished(s)
}

const margin = 1 // columns left and right

// The least size of a terminal on which the studio is shown, and the lines from which on there
// are blank lines around the body.
const (
	leastColumns = 20
	leastLines   = 6
	airyLines    = 12
)

// hidden reports whether the terminal is too small for the studio. Then keys do nothing but leave:
// nobody sees what they do.
func (m *Studio) hidden() bool {
	return m.window.X < leastColumns || m.window.Y < leastLines
}

// gap is how many blank lines are above the body, and below it.
func (m *Studio) gap() int {
	if m.height < airyLines {
		return 0
	}
	return 1
}

func (m *Studio) canvas() canvas {
	th := m.cfg.Theme
	if m.pics.kitty || th.Pixels() {
		th = th.With(&m.pics)
	}
	c := canvas{th, m.width - 2*margin, m.height - 2 - 2*m.gap(), m.tick}
	if n := len(m.noticed()); n > 0 {
		c.height -= n + m.gap() - 1 // in a small window the notice stands in place of the foot
	}
	if n := len(m.remarkRows()); n > 0 {
		c.height -= n + m.gap()
	}
	return c
}

// noticed are the lines of the notice: of all of it if they have room, for a remedy at its end is
// to be read.
func (m *Studio) noticed() []string {
	th, width := m.cfg.Theme, m.width-2*margin
	lines := widget.Wrap(widget.Line(m.notice), width)
	if most := max(m.height/2-2, 1); len(lines) > most {
		lines = append(lines[:most-1], widget.Cut(strings.Join(lines[most-1:], " "), width, th.Glyphs.Ellipsis))
	}
	for i := range lines {
		lines[i] = th.Warn.Render(lines[i])
	}
	return lines
}

// body is the screen between head and foot.
func (m *Studio) body(c canvas) []string {
	at := m.at
	if m.first != nil {
		at = *m.first
	}
	body := strings.Split(fit(at.view(c), c.height, false), "\n")
	for len(body) < c.height {
		body = append(body, "")
	}
	if m.over != nil && m.first == nil {
		body = under(body, strings.Split(m.over.view(c), "\n"))
	}
	return body
}

// View implements [tea.Model].
func (m *Studio) View() string {
	m.pics.begin()
	if m.hidden() {
		if m.out != nil {
			m.out.show(m.around())
		}
		return fit(strings.Join(widget.Wrap("make the window larger", m.window.X), "\n"), max(m.window.Y, 1), false)
	}
	c := m.canvas()
	head := c.th.Title.Render("koda")
	if name := m.stand.Project.Name; name != "" {
		head += c.th.Muted.Render(" " + c.th.Glyphs.Dot + " " + widget.Cut(widget.Line(name), max(c.width-14, 4), c.th.Glyphs.Ellipsis))
		if m.stand.Version > 0 {
			head += c.th.Muted.Render(" v" + strconv.Itoa(m.stand.Version))
		}
	}
	air := make([]string, m.gap())
	rows := slices.Concat([]string{head}, air, m.body(c), air)
	if typed := m.remarkRows(); len(typed) > 0 {
		rows = slices.Concat(rows, typed, air)
	}
	rows = append(rows, m.noticed()...)
	if m.gap() > 0 || m.notice == "" { // after the body: a view finds whether its text scrolls
		rows = append(rows, foot(c, spelled(c.th, m.front().help())))
	}
	for i := range rows {
		rows[i] = " " + ansi.Truncate(theme.Open(rows[i]), m.width-1, "")
	}
	if m.out != nil {
		m.out.show(m.around())
	}
	return strings.Join(rows, "\n")
}

func trim(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
