package tui

import (
	"image"
	"math"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// previewScreen plays a preview and takes what the person says of it.
type previewScreen struct {
	scenes   []koda.SceneStart
	duration float64 // seconds
	step     float64 // seconds between two pictures; 0: there are no pictures
	at       float64
	speed    float64
	playing  bool
	loop     bool
	frame    image.Image
	shown    float64 // when the frame is
	asked    bool    // a picture is on its way
	in       line
	facts    []widget.Fact
	version  int     // that the pictures are of; 0: not known
	own      float64 // seconds of the preview alone; 0: not known
	against  against
	project  string // its id
	ahead    bool   // a redo comes back to a later version
	looking  bool   // it is only looked at, from the versions
	mark     int    // the version that is marked there
	model    bool   // a model reads what is said
}

func (s previewScreen) key(k tea.KeyMsg) (screen, intent) {
	return remark(s, k)
}

func (s previewScreen) send(text string) (screen, intent) {
	s.in = s.in.cleared()
	return s, change{s.about(text), text}
}

// play begins to play, or pauses.
func (s previewScreen) play(string) (screen, intent) {
	s.playing = !s.playing && s.step > 0
	if s.playing && s.at >= s.duration-s.step {
		return s.to(0)
	}
	return s, nil
}

// seek moves the playhead by frames, by scenes, or to an end.
func (s previewScreen) seek(name string) (screen, intent) {
	frames := map[string]float64{"left": -1, ",": -1, "right": 1, ".": 1, "shift+left": -10, "shift+right": 10}
	switch name {
	case "home":
		return s.to(0)
	case "end":
		return s.to(s.duration)
	case "[":
		return s.to(s.scene(-1))
	case "]":
		return s.to(s.scene(1))
	}
	s.playing = false
	return s.to(s.at + frames[name]*s.step)
}

// pace changes the speed, or whether the preview begins again at its end.
func (s previewScreen) pace(name string) (screen, intent) {
	switch name {
	case "l", "alt+l":
		s.loop = !s.loop
	case "-":
		s.speed = math.Max(s.speed/2, 0.125)
	default:
		s.speed = math.Min(s.speed*2, 4)
	}
	return s, nil
}

// to moves the playhead, and asks for the picture there.
func (s previewScreen) to(at float64) (screen, intent) {
	s.at = math.Max(0, math.Min(at, s.duration))
	return s, look{}
}

// scene is where the scene begins that is n after the present one; going back, the start of
// the present scene first.
func (s previewScreen) scene(n int) float64 {
	i := s.number() - 1
	if i < 0 {
		return 0
	}
	if n < 0 && s.at > s.scenes[i].Start+s.step*1.5 {
		n++
	}
	if i += n; i >= len(s.scenes) {
		return s.duration
	}
	return s.scenes[max(i, 0)].Start
}

// number is the scene at the playhead, from 1; 0 if the video has no scenes.
func (s previewScreen) number() int { return koda.SceneAt(s.scenes, s.at) }

// advance is the playhead after some seconds.
func (s previewScreen) advance(seconds float64) previewScreen {
	if s.playing {
		s.at += seconds * s.speed
		if s.at >= s.duration {
			if s.loop && s.duration > 0 {
				s.at = math.Mod(s.at, s.duration)
			} else {
				s.at, s.playing = s.duration, false
			}
		}
	}
	return s
}

func (s previewScreen) view(c canvas) string {
	ruler := widget.Ruler(c.th, s.scenes, s.duration, s.at, c.width)
	status := widget.Clock(s.at) + " / " + widget.Clock(s.duration)
	if s.step > 0 {
		status = c.th.Accent.Render(map[bool]string{true: "playing", false: "paused "}[s.playing]) + "  " + status
	}
	if s.speed != 1 {
		status += c.th.Muted.Render("  speed " + trim(s.speed))
	}
	if s.loop {
		status += c.th.Muted.Render("  loop")
	}
	if n := s.number(); n > 0 {
		status += c.th.Muted.Render("  " + widget.Cut(widget.Line(s.scenes[n-1].Title), max(c.width-40, 4), c.th.Glyphs.Ellipsis))
	}
	lines := append(strings.Split(ruler, "\n"), status)
	room := func() int {
		n := c.height - len(lines)
		if s.against.how != "" {
			n--
		}
		if n > leastPicture { // a blank line
			n--
		}
		return n
	}
	if room() < leastPicture && len(lines) > 2 { // without the titles of the scenes
		lines = []string{lines[0], status}
	}
	for i := range lines {
		lines[i] = widget.Row(0, lines[i]) // the mouse finds them
	}
	below := strings.Join(lines, "\n")
	above := s.picture(c, room())
	if compared := s.compared(c); compared != "" {
		below = compared + "\n" + below
	}
	if above == "" {
		facts := s.facts
		if s.frame != nil && c.th.Pixels() {
			facts = []widget.Fact{{Name: "picture", Value: "it has no room here: make the window larger"}}
		}
		if s.step > 0 && !c.th.Pixels() {
			facts = append(slices.Clone(facts), widget.Fact{Name: "pictures", Value: "not shown here: they need UTF-8 and 256 colours, such as TERM=xterm-256color has; the file plays in any player"})
		}
		above = fit(widget.FactsWithin(c.th, facts, c.width), max(room(), 1), false)
	}
	return above + "\n" + below
}

// picture is the frame as large as there is room.
func (s previewScreen) picture(c canvas, room int) string {
	img := s.both()
	if img != nil && s.against.mixed != nil {
		size := img.Bounds().Size()
		s.against.mixed.columns = min(c.width, room*2*size.X/max(size.Y, 1))
	}
	return inMiddle(c, img, room)
}

func (s previewScreen) help() []hint { return table(s) }

func (s previewScreen) bare() []hint {
	hints := []hint{{key: "enter", what: "accept", more: "make the final video", do: wants(s, accept{})}, toChange}
	loop := "alt+l"
	if s.looking {
		hints = []hint{{key: "esc", what: "versions", also: "q v h", do: wants(s, recall{s.mark})}}
		loop = "l"
	}
	if s.ahead {
		hints = append(hints, hint{key: "ctrl+y", what: "redo", more: "come back to the version after", do: wants(s, redo{})})
	}
	if s.step > 0 {
		hints = append(hints,
			hint{key: "space", what: "play", more: "play or pause", do: s.play},
			hint{key: "←→", what: "frame", more: "the frame before, the frame after", do: s.seek})
	}
	if !s.looking {
		hints = append(hints, hint{key: "alt+v", what: "versions", more: "show all versions", do: wants(s, recall{})})
	}
	if s.step > 0 {
		hints = append(hints, s.compareHelp()...)
	}
	if len(s.scenes) > 0 {
		hints = append(hints, hint{key: "[ ]", what: "scene", more: "the scene before, the scene after", do: s.seek})
	}
	if !s.looking && s.step > 0 {
		hints = append(hints, hint{key: "alt+f", what: "full size", more: "show the frame with all its pixels", do: s.full})
	}
	if s.step > 0 {
		hints = append(hints,
			hint{key: "+ -", what: "speed", more: "faster, slower", also: "=", do: s.pace},
			hint{key: loop, what: "loop", more: "begin again at the end", do: s.pace},
			hint{key: "shift+←→", what: "ten frames", more: "ten frames back, ten frames on", do: s.seek})
	}
	if s.looking {
		return append(hints, hint{key: "home end", what: "ends", more: "to the start, to the end", do: s.seek}, askKeys(s))
	}
	hints = append(hints, hint{key: "alt+u", what: "undo", more: "go back to the version before", do: wants(s, undo{})})
	return append(append(hints,
		hint{key: "alt+y", what: "copy path", more: "copy the path of the preview", do: wants(s, copyPath{})},
		hint{key: "home end", what: "ends", more: "to the start, to the end", do: s.seek},
		hint{key: "esc", what: "projects", more: "show all projects", do: wants(s, browse{})}), closing(s)...)
}
