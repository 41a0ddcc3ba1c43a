package tui

import (
	"context"
	"image"
	"maps"
	"path"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
)

// briefScreen takes the prompt of a new project, and in a form below it what else can be
// said of a new video.
type briefScreen struct {
	in     line
	fields []Field
	// at is what the keys go to: 0 the prompt, then the fields, and last what makes the video.
	at      int
	list    *picker // of the field at, or of the files that the prompt names
	shut    bool    // no list until the prompt names another file
	stills  map[string]image.Image
	problem error // why there is no project
}

func newBrief(prompt string) briefScreen {
	s := briefScreen{in: newLine("What should the video show? For example: happy birthday Anna! with balloons, vertical")}
	s.in.area.SetValue(prompt)
	return s
}

// query is an intent that only reads. What comes of it, the screen hears.
type query interface {
	ask(ctx context.Context, s Session) tea.Msg
}

// hearer is a screen that hears what came of its queries.
type hearer interface {
	hear(msg tea.Msg) (screen, intent)
}

// The queries of the brief, and what comes of them.
type (
	fieldsQuery struct{}
	filesQuery  struct{ typed string }
	attachQuery struct {
		paths []string
		text  string // as it was pasted
	}
	stillQuery struct{ recipe string }
	fileQuery  struct{ field, path string }

	fieldsMsg struct {
		fields []Field
		err    error
	}
	filesMsg struct {
		typed string
		files []File
		err   error
	}
	attachedMsg struct {
		files   []File
		missing []string
		text    string
	}
	stillMsg struct {
		recipe string
		img    image.Image
	}
	fileMsg struct {
		of  fileQuery
		err error
	}
)

func (fieldsQuery) ask(ctx context.Context, s Session) tea.Msg {
	fields, err := s.Fields(ctx)
	return fieldsMsg{fields, err}
}

func (q filesQuery) ask(ctx context.Context, s Session) tea.Msg {
	files, err := s.Files(ctx, q.typed)
	return filesMsg{q.typed, files, err}
}

// ask finds the files that were dropped on the form.
func (q attachQuery) ask(ctx context.Context, s Session) tea.Msg {
	msg := attachedMsg{text: q.text}
	for _, path := range q.paths {
		files, err := s.Files(ctx, path)
		i := slices.IndexFunc(files, func(f File) bool { return base(f.Path) == base(path) && f.Field != "" })
		if err != nil || i < 0 {
			msg.missing = append(msg.missing, path)
			continue
		}
		msg.files = append(msg.files, files[i])
	}
	return msg
}

func (q stillQuery) ask(_ context.Context, s Session) tea.Msg {
	return stillMsg{q.recipe, s.Still(q.recipe)}
}

func (q fileQuery) ask(ctx context.Context, s Session) tea.Msg {
	return fileMsg{q, s.CheckFile(ctx, q.field, q.path)}
}

// hear takes in what a query found.
func (s briefScreen) hear(msg tea.Msg) (screen, intent) {
	switch msg := msg.(type) {
	case fieldsMsg:
		if len(s.fields) == 0 {
			s.fields = msg.fields
		}
		if msg.err != nil {
			s.problem = msg.err
		}
	case filesMsg:
		if s.list != nil && s.list.found && s.list.typed == msg.typed {
			list := *s.list
			list.items = nil
			for _, f := range msg.files {
				list.items = append(list.items, item{value: f.Path, label: base(f.Path), about: f.Field, open: f.Dir})
			}
			s.list = &list
		}
	case attachedMsg:
		for _, f := range msg.files {
			s = s.bring(f)
		}
		switch {
		case len(msg.missing) == 1 && len(msg.files) == 0 && slices.Contains(data, path.Ext(msg.missing[0])): // a text, such as /users.json
			s.in = s.in.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(msg.text), Paste: true})
		case len(msg.missing) > 0:
			s.problem = &koda.Error{Code: koda.CodeUsage, Op: strings.Join(msg.missing, ", ") + " is no file that a video can take", Hint: "pictures, sound, CSV, JSON, YAML or Markdown, and recordings of terminals (.cast)"}
		}
	case fileMsg:
		if msg.err != nil {
			return s.wrong(msg)
		}
	case stillMsg:
		s.stills = maps.Clone(s.stills)
		if s.stills == nil {
			s.stills = map[string]image.Image{}
		}
		s.stills[msg.recipe] = msg.img
	}
	return s, s.picture()
}

// wrong says why a field cannot take a file, takes the file out again, and lets the person correct
// its path.
func (s briefScreen) wrong(msg fileMsg) (screen, intent) {
	s.problem = msg.err
	at := slices.IndexFunc(s.fields, func(f Field) bool { return f.Name == msg.of.field && slices.Contains(f.Value, msg.of.path) })
	if at < 0 {
		return s, nil
	}
	now, list := s.at, s.list
	s.at = at + 1
	s = s.set(slices.DeleteFunc(slices.Clone(s.fields[at].Value), func(path string) bool { return path == msg.of.path })...)
	if s.at = now; s.at != at+1 || list != nil {
		return s, nil
	}
	s.list = &picker{typed: msg.of.path, found: true, own: true}
	return s, filesQuery{msg.of.path}
}

// attach brings files that were dropped on the screen.
func (s briefScreen) attach(paths []string, text string) (screen, intent) {
	return s, attachQuery{paths, text}
}

// bring gives a file to the field that takes it.
func (s briefScreen) bring(file File) briefScreen {
	s.fields = slices.Clone(s.fields)
	for i, f := range s.fields {
		if f.Name != file.Field || slices.Contains(f.Value, file.Path) {
			continue
		}
		value := append(slices.Clone(f.Value), file.Path)
		s.fields[i].Value = value[max(len(value)-f.Files, 0):]
	}
	return s
}

// base is the last part of a path; that of a directory ends in a slash.
func base(path string) string {
	dir := strings.TrimSuffix(path, "/")
	return dir[strings.LastIndexByte(dir, '/')+1:] + path[len(dir):]
}

// picture asks for the picture of the option that is shown, unless it is there.
func (s briefScreen) picture() intent {
	if o, ok := s.pictured(); ok {
		if _, known := s.stills[o.Recipe]; !known {
			return stillQuery{o.Recipe}
		}
	}
	return nil
}

// pictured is the option whose picture and example are shown.
func (s briefScreen) pictured() (Option, bool) {
	f, ok := s.field()
	if !ok || f.Files > 0 {
		return Option{}, false
	}
	value := strings.Join(f.Value, "")
	if s.list != nil {
		it, _ := s.list.marked()
		value = it.value
	}
	i := slices.IndexFunc(f.Options, func(o Option) bool { return o.Value == value && o.Recipe != "" })
	if i < 0 {
		return Option{}, false
	}
	return f.Options[i], true
}

// field is the field that the keys go to.
func (s briefScreen) field() (Field, bool) {
	if s.at > 0 && s.at <= len(s.fields) {
		return s.fields[s.at-1], true
	}
	return Field{}, false
}

// set gives the field that the keys go to a value.
func (s briefScreen) set(value ...string) briefScreen {
	s.fields = slices.Clone(s.fields)
	s.fields[s.at-1].Value = value
	return s
}

func (s briefScreen) key(k tea.KeyMsg) (screen, intent) {
	s.problem = nil
	switch {
	case s.offers():
		return s.keyOfList(k)
	case s.at == 0:
		return s.keyOfPrompt(k)
	}
	return s.keyOfForm(k)
}

// offers reports whether a list is on the screen. The list of the files that the prompt may
// name is not while there are none.
func (s briefScreen) offers() bool {
	return s.list != nil && (s.at > 0 || len(s.list.items) > 0 && s.list.items[0].value != s.list.typed)
}

// make is what enter means in the end: make the video.
func (s briefScreen) make() (screen, intent) {
	b := Brief{Prompt: s.in.text()}
	files := false
	for _, f := range s.fields {
		if b.Values == nil {
			b.Values = map[string][]string{}
		}
		b.Values[f.Name] = f.Value
		files = files || f.Files == 1 && len(f.Value) > 0
	}
	if b.Prompt == "" && !files {
		s.at, s.problem = 0, &koda.Error{Code: koda.CodeUsage, Op: "the prompt is empty", Hint: "say what the video should show, or bring a data file"}
		return s, nil
	}
	return s, create{b}
}

func (s briefScreen) keyOfPrompt(k tea.KeyMsg) (screen, intent) {
	switch k.String() {
	case "tab":
		return s.to(1)
	case "shift+tab":
		return s.to(-1)
	case "esc":
		return s, browse{}
	case "enter":
		return s.make()
	}
	s.in = s.in.key(k)
	return s.naming()
}

// naming opens the list of files when the prompt names one, and closes it when it does not.
func (s briefScreen) naming() (screen, intent) {
	typed, ok := s.in.mention()
	switch {
	case !ok:
		s.list, s.shut = nil, false
		return s, nil
	case s.shut:
		return s, nil
	}
	list := picker{typed: typed, found: true}
	if s.list != nil {
		list.items = s.list.items
	}
	s.list = &list
	return s, filesQuery{typed}
}

// to moves on to another part of the form.
func (s briefScreen) to(at int) (screen, intent) {
	s.at, s.list = (at+len(s.fields)+2)%(len(s.fields)+2), nil
	return s, s.picture()
}

func (s briefScreen) keyOfForm(k tea.KeyMsg) (screen, intent) {
	f, ok := s.field()
	switch name := k.String(); {
	case name == "tab", name == "down":
		return s.to(s.at + 1)
	case name == "shift+tab", name == "up":
		return s.to(s.at - 1)
	case name == "esc":
		return s.to(0)
	case !ok && name == "enter":
		return s.make()
	case !ok:
		return s, nil
	case name == "backspace", name == "delete":
		s = s.set(f.Value[:max(len(f.Value)-1, 0)]...)
		return s, s.picture()
	case (name == "left" || name == "right") && f.Files == 0:
		s = s.set(f.next(map[string]int{"left": -1, "right": 1}[name])...)
		return s, s.picture()
	case name == "enter", printable(k):
		list := picker{own: f.Own || f.Files > 0, found: f.Files > 0}
		if f.Files == 0 {
			list.items = f.items()
			list.at = max(slices.IndexFunc(list.items, func(it item) bool { return it.value == strings.Join(f.Value, "") }), 0)
		}
		if printable(k) {
			list, _ = list.edit(k)
		}
		s.list = &list
		if f.Files > 0 {
			return s, filesQuery{list.typed}
		}
		return s, s.picture()
	}
	return s, nil
}

// keyOfList gives a key to the open list: it moves the mark, types, takes or closes.
func (s briefScreen) keyOfList(k tea.KeyMsg) (screen, intent) {
	it, some := s.list.marked()
	names := s.at == 0 // the list is about a file that the prompt names
	switch name := k.String(); {
	case name == "esc":
		s.list, s.shut = nil, names
		return s, nil
	case (name == "enter" || name == "tab") && some:
		return s.take(it)
	case name == "enter", name == "tab":
		return s, nil
	}
	if names && !slices.Contains([]string{"up", "down", "pgup", "pgdown"}, k.String()) {
		return s.keyOfPrompt(k)
	}
	list, moved := s.list.move(k)
	if !moved {
		var typed bool
		if list, typed = list.edit(k); !typed {
			return s, nil
		}
	}
	s.list = &list
	if list.found && !moved {
		return s, filesQuery{list.typed}
	}
	return s, s.picture()
}

// take takes an item of the list: a directory is entered, everything else becomes the value.
func (s briefScreen) take(it item) (screen, intent) {
	if s.at == 0 {
		s.in = s.in.named(it)
		s.list = nil
		return s.naming()
	}
	f, _ := s.field()
	switch {
	case it.open:
		list := picker{typed: it.value, found: true, own: true}
		s.list = &list
		return s, filesQuery{it.value}
	case it.value == "":
		s = s.set()
	case f.Files > 1 && slices.Contains(f.Value, it.value):
	case f.Files > 1:
		s = s.set(append(slices.Clone(f.Value), it.value)...)
	default:
		s = s.set(it.value)
	}
	s.list = nil
	if f.Files > 0 && it.value != "" {
		return s, fileQuery{f.Name, it.value}
	}
	return s, s.picture()
}

// next is the value that is n options after the present one.
func (f Field) next(n int) []string {
	list := f.items()
	if len(list) == 0 {
		return f.Value
	}
	i := slices.IndexFunc(list, func(it item) bool { return it.value == strings.Join(f.Value, "") })
	if i < 0 {
		i = 0
	}
	if value := list[(i+n+len(list))%len(list)].value; value != "" {
		return []string{value}
	}
	return nil
}

// items are the options of a field; the first leaves it empty.
func (f Field) items() []item {
	var out []item
	if f.None != "" {
		out = append(out, item{label: f.None, about: f.About})
	}
	for _, o := range f.Options {
		out = append(out, item{value: o.Value, label: o.label(), about: o.About})
	}
	return out
}

func (o Option) label() string {
	if o.Label != "" {
		return o.Label
	}
	return o.Value
}

func (s briefScreen) help() []hint {
	keys := hint{key: "f1", what: "keys", more: "show all keys"}
	f, ok := s.field()
	switch {
	case s.offers():
		hints := []hint{{key: "type", what: "to filter"}, {key: "esc", what: "close the list"}, keys}
		if n := len(s.list.shown()); n > 1 {
			hints = slices.Insert(hints, 0, hint{key: "↑↓", what: "choose"})
		}
		if _, some := s.list.marked(); some {
			hints = slices.Insert(hints, 0, hint{key: "enter", what: "take it", also: "tab"})
		}
		return hints
	case s.at == 0:
		hints := s.in.help("make it", "projects")
		return slices.Insert(hints, 1, hint{key: "tab", what: "choices", more: "choose recipe, style, preset and files"}, hint{key: "@", what: "file", more: "name a file: @sales.csv"})
	case !ok:
		return []hint{{key: "enter", what: "make it"}, {key: "tab", what: "next"}, {key: "esc", what: "back to the prompt"}, keys}
	case f.Files > 0:
		hints := []hint{{key: "enter", what: "choose a file"}, {key: "tab", what: "next", also: "down"}, {key: "esc", what: "back to the prompt"}, keys}
		if len(f.Value) > 0 {
			hints = slices.Insert(hints, 1, hint{key: "backspace", what: "remove"})
		}
		return hints
	}
	hints := []hint{{key: "enter", what: "list"}, {key: "tab", what: "next"}, {key: "esc", what: "back to the prompt"}, keys}
	if len(f.items()) > 1 {
		hints = slices.Insert(hints, 0, hint{key: "←→", what: "choose"})
	}
	return hints
}

// point marks a line of the form, or of the open list; if it is marked already, it does what
// enter does.
func (s briefScreen) point(row int) (screen, intent) {
	enter := tea.KeyMsg{Type: tea.KeyEnter}
	switch {
	case s.offers() && row == min(s.list.at, len(s.list.shown())-1), !s.offers() && row == s.at:
		return s.key(enter)
	case s.offers():
		list := *s.list
		list.at = row
		s.list = &list
		return s, s.picture()
	}
	return s.to(row)
}
