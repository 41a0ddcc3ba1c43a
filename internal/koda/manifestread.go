package koda

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// manifestFields are the fields of a koda.json, with a description of each.
var manifestFields = []struct {
	name, what string
	optional   bool
}{
	{"schema", "1", false},
	{"name", "a text", true},
	{"width", "a whole number", false},
	{"height", "a whole number", false},
	{"fps", `a rate from 1 to 240, such as 60, 29.97 or "30000/1001"`, false},
	{"duration", "a number of seconds", false},
	{"play", "true or false", true},
	{"scenes", "a list of objects", true},
}

const manifestHint = `write it like {"schema": 1, "name": "ball", "width": 1920, "height": 1080, "fps": 60, "duration": 5}`

// ParseManifest reads a koda.json. Every field but name, play and scenes must be
// there and within its limits. No other field is allowed: a misspelt field would
// otherwise be a setting that silently does nothing. The error has code
// INVALID_INPUT and names the line and the column of the first mistake; its details
// list all mistakes.
func ParseManifest(data []byte) (Manifest, error) {
	r := &manifestReader{data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))}
	m := r.read()
	if len(r.slips) > 0 {
		return Manifest{}, r.err()
	}
	return m, nil
}

// manifestReader reads a koda.json and notes its mistakes.
type manifestReader struct {
	data  []byte
	slips []slip
}

// slip is a mistake at an offset; a missing field is a mistake at the end of the
// file.
type slip struct {
	at         int
	text, hint string
}

func (r *manifestReader) slip(at int, hint, format string, args ...any) {
	r.slips = append(r.slips, slip{at, fmt.Sprintf(format, args...), hint})
}

func (r *manifestReader) read() (m Manifest) {
	if len(bytes.TrimSpace(r.data)) == 0 {
		r.slip(len(r.data), "", "it is empty")
		return m
	}
	var whole json.RawMessage
	d := json.NewDecoder(bytes.NewReader(r.data))
	if err := d.Decode(&whole); err != nil {
		r.syntax(err)
		return m
	}
	from := int(d.InputOffset()) - len(whole)
	if whole[0] != '{' {
		r.slip(from, "", "it must be an object, not %s", described(whole))
		return m
	}
	if rest := bytes.TrimLeft(r.data[d.InputOffset():], " \t\r\n"); len(rest) > 0 {
		r.slip(len(r.data)-len(rest), "", "something follows the object")
		return m
	}
	r.object(&m, r.members(from))
	return m
}

func (r *manifestReader) object(m *Manifest, all []member) {
	names := make([]string, len(manifestFields))
	for i, f := range manifestFields {
		names[i] = f.name
	}
	have := r.known(all, names, "")
	for _, f := range manifestFields {
		v, ok := have[f.name]
		switch {
		case !ok && f.optional:
		case !ok:
			r.slip(len(r.data), fmt.Sprintf("add %q: %s", f.name, f.what), "%s is missing", f.name)
		default:
			r.field(m, f.name, f.what, v)
		}
	}
}

// known returns the members by name, and refuses members of other names. A misspelt
// field is not reported as missing, too.
func (r *manifestReader) known(all []member, names []string, head string) map[string]member {
	have := map[string]member{}
	for _, v := range all {
		if slices.Contains(names, v.name) {
			have[v.name] = v
			continue
		}
		text := head + "a field koda does not know: " + fmt.Sprintf("%.60s", v.name)
		near := Nearest(v.name, names)
		if near != "" {
			text += "; did you mean " + near + "?"
			if _, said := have[near]; !said {
				have[near] = member{}
			}
		}
		r.slip(v.at, "the fields are "+strings.Join(names, ", "), "%s", text)
	}
	return have
}

// field reads the value of a field.
func (r *manifestReader) field(m *Manifest, name, what string, v member) {
	if v.value == nil {
		return // the field is there under a misspelt name
	}
	var into any
	switch name {
	case "schema":
		into = &m.Schema
	case "name":
		into = &m.Name
	case "width":
		into = &m.Width
	case "height":
		into = &m.Height
	case "duration":
		into = &m.Duration
	case "play":
		into = &m.Play
	case "fps":
		r.rate(m, what, v)
		return
	case "scenes":
		r.scenes(m, v)
		return
	}
	if r.value(v, name, what, into) {
		r.bounds(*m, name, v.from)
	}
}

// bounds refuses a value out of range.
func (r *manifestReader) bounds(m Manifest, name string, at int) {
	side := func(n int) {
		if n < MinSide || n > MaxSide {
			r.slip(at, fmt.Sprintf("use an even number from %d to %d", MinSide, MaxSide), "%s is %d, it must be %d to %d", name, n, MinSide, MaxSide)
		} else if n%2 != 0 {
			r.slip(at, "a video has even sides", "%s is %d, it must be even: use %d", name, n, n+1)
		}
	}
	switch name {
	case "schema":
		if m.Schema != SchemaVersion {
			r.slip(at, fmt.Sprintf(`write "schema": %d, or use the koda the page was made for`, SchemaVersion), "schema is %d, this koda reads %d", m.Schema, SchemaVersion)
		}
	case "name":
		if strings.TrimSpace(m.Name) == "" || utf8.RuneCountInString(m.Name) > 200 {
			r.slip(at, "write a short name, or leave the field out", "name must be 1 to 200 characters")
		}
	case "width":
		side(m.Width)
	case "height":
		side(m.Height)
	case "duration":
		if math.IsNaN(m.Duration) || m.Duration <= 0 || m.Duration > MaxDuration {
			r.slip(at, "give seconds, such as 5 or 2.5", "duration is %v, it must be above 0 and at most %d seconds", m.Duration, MaxDuration)
		}
	}
}

// value reads a value into the type it must have.
func (r *manifestReader) value(v member, name, what string, into any) bool {
	if v.value[0] == 'n' || json.Unmarshal(v.value, into) != nil {
		r.slip(v.from, "", "%s must be %s, not %s", name, what, described(v.value))
		return false
	}
	return true
}

func (r *manifestReader) rate(m *Manifest, what string, v member) {
	if c := v.value[0]; c != '"' && c != '-' && (c < '0' || c > '9') {
		r.slip(v.from, "", "fps must be %s, not %s", what, described(v.value))
		return
	}
	switch err := json.Unmarshal(v.value, &m.FPS); {
	case err != nil:
		r.slip(v.from, HintOf(err), "fps is %s: %v", v.value, err)
	case m.FPS.IsZero():
		r.slip(v.from, "use "+what, "fps is 0, it must be 1 to 240")
	}
}

func (r *manifestReader) scenes(m *Manifest, v member) {
	if v.value[0] != '[' {
		r.slip(v.from, scenesHint, "scenes must be a list of objects, not %s", described(v.value))
		return
	}
	before := len(r.slips)
	for i, at := range r.elements(v.from) {
		var s SceneStart
		if r.data[at.from] != '{' {
			r.slip(at.from, scenesHint, "scene %d must be an object, not %s", i+1, described(at.value))
			continue
		}
		have := r.known(r.members(at.from), []string{"title", "start"}, fmt.Sprintf("scene %d has ", i+1))
		if v := have["title"]; v.value != nil {
			r.value(v, fmt.Sprintf("the title of scene %d", i+1), "a text", &s.Title)
		}
		if v := have["start"]; v.value != nil {
			r.value(v, fmt.Sprintf("the start of scene %d", i+1), "a number of seconds", &s.Start)
		}
		m.Scenes = append(m.Scenes, s)
	}
	if len(r.slips) > before || m.Duration <= 0 {
		return
	}
	if err := CheckScenes(m.Scenes, m.Duration); err != nil {
		r.slip(v.from, HintOf(err), "%v", err)
	}
}

// member is a value of an object with its name, or a value of a list without a
// name, and the offsets at which both begin.
type member struct {
	name     string
	value    json.RawMessage
	at, from int
}

// members are the members of the object that begins at an offset. The file is known
// to be JSON.
func (r *manifestReader) members(from int) []member { return r.walk(from, true) }

// elements are the elements of the list that begins at an offset.
func (r *manifestReader) elements(from int) []member { return r.walk(from, false) }

func (r *manifestReader) walk(from int, named bool) (all []member) {
	text := r.data[from:]
	d := json.NewDecoder(bytes.NewReader(text))
	_, err := d.Token()
	for err == nil && d.More() {
		var v member
		if named {
			start := int(d.InputOffset())
			v.at = from + start + bytes.IndexByte(text[start:], '"')
			var name json.Token
			if name, err = d.Token(); err != nil {
				break
			}
			v.name, _ = name.(string)
		}
		err = d.Decode(&v.value)
		v.from = from + int(d.InputOffset()) - len(v.value)
		all = append(all, v)
	}
	return all
}

// described is a value in words.
func described(v json.RawMessage) string {
	switch v[0] {
	case '"':
		return "a text"
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	return string(v[:min(len(v), 40)])
}

// syntax says what is wrong with text that is not JSON.
func (r *manifestReader) syntax(err error) {
	at := len(r.data)
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = min(max(int(wrong.Offset)-1, 0), len(r.data))
	}
	if at >= len(bytes.TrimRight(r.data, " \t\r\n")) || !errors.As(err, new(*json.SyntaxError)) {
		r.slip(len(r.data), "", "it ends too early: a \" or a } is missing")
		return
	}
	before := bytes.TrimRight(r.data[:at], " \t\r\n")
	last := byte(0)
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	switch c := r.data[at]; {
	case (c == '}' || c == ']') && last == ',':
		r.slip(len(before)-1, "", "there is a comma too many before %c", c)
	case c == ',' && last == ',':
		r.slip(at, "", "there is a comma too many")
	case c == '"' && last != ':' && last != ',' && last != '{':
		r.slip(at, "", "a comma is missing before this")
	case c == '/' || c == '#':
		r.slip(at, "", "JSON has no comments")
	case c == '\'' || last == '{' || last == ',':
		r.slip(at, "", "names and texts stand between double quotes")
	default:
		r.slip(at, "", "this is not JSON: %v", err)
	}
}

// err makes one error of all mistakes; the first mistake comes first.
func (r *manifestReader) err() error {
	slices.SortStableFunc(r.slips, func(a, b slip) int { return cmp.Compare(a.at, b.at) })
	var lines []string
	for _, s := range r.slips {
		lines = append(lines, r.place(s.at)+": "+s.text)
	}
	e := &Error{Code: CodeInvalidInput, Op: lines[0], Hint: cmp.Or(r.slips[0].hint, manifestHint)}
	if len(lines) > 1 {
		e.Op += fmt.Sprintf(" (and %d more)", len(lines)-1)
		e.Details = strings.Join(lines[:min(len(lines), 20)], "\n")
	}
	return e
}

// place is the file, line and column of an offset, for people; at the end of the
// file it is only the file.
func (r *manifestReader) place(at int) string {
	if at >= len(r.data) {
		return "koda.json"
	}
	start := bytes.LastIndexByte(r.data[:at], '\n') + 1
	return fmt.Sprintf("koda.json:%d:%d", bytes.Count(r.data[:at], []byte("\n"))+1, utf8.RuneCount(r.data[start:at])+1)
}
