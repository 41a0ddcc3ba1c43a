package tui_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"maps"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
)

// script is a session whose calls return what a test put into it, and note what was asked.
type script struct {
	calls   []string
	next    tui.Standing
	err     error
	all     []koda.Project
	still   image.Image
	clip    *clip
	typed   []string // before
	kept    []string
	own     error // why there is no editor
	past    tui.History
	differs tui.Diff
	left    []string
	clips   map[int]*clip // of versions; else clip
	asked   []string      // whose frames
	fields  []tui.Field
	files   []tui.File
	machine tui.Machine

	asleep  bool         // the person is away for long at once
	events  []koda.Event // of the journal
	seen    []koda.Seen  // of the decisions
	changes func(saw tui.Standing)
	watched tui.Standing // where a project stands when another process is done
}

func (s *script) Typed() []string  { return s.typed }
func (s *script) Keep(text string) { s.kept = append(s.kept, text) }

func (s *script) Compose(text string) (func() (string, error), error) {
	s.calls = append(s.calls, "compose "+text)
	return func() (string, error) { return "", nil }, s.own
}

func (s *script) Install(commands []string) func() error {
	s.calls = append(s.calls, "install "+strings.Join(commands, "; "))
	return func() error { return s.err }
}

func (s *script) call(format string, args ...any) (tui.Standing, error) {
	s.calls = append(s.calls, fmt.Sprintf(format, args...))
	return s.next, s.err
}

func (s *script) New(_ context.Context, b tui.Brief) (tui.Standing, error) {
	said := ""
	for _, name := range slices.Sorted(maps.Keys(b.Values)) {
		if len(b.Values[name]) > 0 {
			said += fmt.Sprintf(" %s=%q", name, b.Values[name])
		}
	}
	return s.call("new %s%s", b.Prompt, said)
}
func (s *script) Fields(context.Context) ([]tui.Field, error) { return s.fields, nil }
func (s *script) Files(_ context.Context, typed string) ([]tui.File, error) {
	var out []tui.File
	for _, f := range s.files {
		if rest, ok := strings.CutPrefix(f.Path, typed); ok && (rest != "" || !f.Dir) && !strings.Contains(strings.TrimSuffix(rest, "/"), "/") {
			out = append(out, f)
		}
	}
	return out, nil
}
func (s *script) CheckFile(_ context.Context, _, path string) error {
	if slices.ContainsFunc(s.files, func(f tui.File) bool { return f.Path == path }) {
		return nil
	}
	return &koda.Error{Code: koda.CodeUsage, Op: path + " does not exist", Hint: "check the path"}
}
func (s *script) Machine(context.Context) (tui.Machine, error) { return s.machine, nil }
func (s *script) Answer(_ context.Context, id string, seen koda.Seen, a koda.Answer) (tui.Standing, error) {
	s.seen = append(s.seen, seen)
	return s.call("answer %s %s%s", id, a.OptionID, a.Text)
}
func (s *script) Accept(_ context.Context, id string, seen koda.Seen, presets ...string) (tui.Standing, error) {
	s.seen = append(s.seen, seen)
	return s.call("%s", strings.Join(append([]string{"accept", id}, presets...), " "))
}
func (s *script) Reject(_ context.Context, id string, seen koda.Seen, why string) (tui.Standing, error) {
	s.seen = append(s.seen, seen)
	return s.call("reject %s %s", id, why)
}
func (s *script) Edit(_ context.Context, id string, seen koda.Seen, text string) (tui.Standing, error) {
	s.seen = append(s.seen, seen)
	return s.call("edit %s %s", id, text)
}
func (s *script) Resume(_ context.Context, id string) (tui.Standing, error) {
	return s.call("resume %s", id)
}
func (s *script) Undo(_ context.Context, id string) (tui.Standing, error) {
	return s.call("undo %s", id)
}
func (s *script) Redo(_ context.Context, id string) (tui.Standing, error) {
	return s.call("redo %s", id)
}
func (s *script) Stand(_ context.Context, id string) (tui.Standing, error) {
	return s.call("stand %s", id)
}
func (s *script) Away(context.Context, string) (bool, error) { return s.asleep, nil }
func (s *script) Changed(_ context.Context, saw tui.Standing) (tui.Standing, error) {
	if s.changes != nil {
		s.changes(saw)
	}
	return tui.Standing{}, nil
}
func (s *script) Shot(_ context.Context, _ string, seconds float64) (image.Image, error) {
	if s.still == nil {
		return nil, &koda.Error{Code: koda.CodeCaptureFailed, Op: "the browser does not start"}
	}
	s.calls = append(s.calls, fmt.Sprintf("shot %.1f", seconds))
	return s.still, nil
}

func (s *script) Projects(context.Context) ([]koda.Project, error)      { return s.all, nil }
func (s *script) Events(context.Context, string) ([]koda.Event, error)  { return s.events, nil }
func (s *script) Log(context.Context, string) (string, error)           { return "the log of it", nil }
func (s *script) OpenFolder(context.Context, string) error              { return errors.New("no desktop") }
func (s *script) Watch(context.Context, string) (tui.Standing, error)   { return s.watched, s.err }
func (s *script) Presets(context.Context, string) ([]tui.Preset, error) { return presets, nil }
func (s *script) Render(_ context.Context, id, preset string) (tui.Standing, error) {
	return s.call("render %s %s", id, preset)
}
func (s *script) Still(string) image.Image { return s.still }
func (s *script) Say(_ context.Context, id, text string) error {
	_, err := s.call("say %s %s", id, text)
	return err
}

func (s *script) Frames(_ context.Context, id string, version int) (tui.Frames, error) {
	s.asked = append(s.asked, fmt.Sprintf("%s v%d", id, version))
	clip, ok := s.clips[version]
	if !ok {
		clip = s.clip
	}
	if clip == nil {
		return nil, &koda.Error{Code: koda.CodeNotFound, Op: "there are no frames"}
	}
	clip.opened++
	return clip, nil
}

// clip is a video of two seconds whose brightness is the time.
type clip struct {
	version, high  int     // 0: v1, 9 pixels
	long           float64 // 0: 2 seconds
	opened, closed int
	asked          float64 // the time of the last picture
	count          int     // of pictures
}

func (c *clip) Version() int      { return max(c.version, 1) }
func (c *clip) Duration() float64 { return max(c.long, 2) }
func (c *clip) Step() float64     { return 0.1 }
func (c *clip) Close() error      { c.closed++; return nil }
func (c *clip) At(t float64) (image.Image, error) {
	c.asked = t
	c.count++
	img := image.NewRGBA(image.Rect(0, 0, 16, max(c.high, 9)))
	for i := range img.Pix {
		img.Pix[i] = uint8(t * 100)
	}
	img.Set(0, 0, color.White)
	return img, nil
}
