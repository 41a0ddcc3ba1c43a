package reading

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

var assignment = regexp.MustCompile(`^\s*set ([A-Za-z0-9.]+)\s*=\s*(.*)$`)

// Assignment is a line that gives a parameter a value exactly, for [Reader.Change].
func Assignment(name, value string) string {
	var list bytes.Buffer
	switch {
	case json.Compact(&list, []byte(value)) == nil && strings.HasPrefix(list.String(), "["):
		value = list.String()
	case strings.ContainsAny(value, "\n\r\""):
		value = recipe.Encode(value)
	}
	return "set " + name + " = " + value
}

// assigned reads a text in which each line is an assignment, such as "set bounces = 4" or
// "set scene2.background = navy": its values are taken as they stand, as those of --set.
// If the text is anything else, ok is false. INVALID_INPUT: there is no such parameter, or
// it cannot have the value.
func (r *Reader) assigned(m *recipe.Manifest, v recipe.Values, said string) (next recipe.Values, ok bool, err error) {
	next = maps.Clone(v)
	for line := range strings.Lines(strings.TrimSpace(said)) {
		match := assignment.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if match == nil {
			return nil, false, nil
		}
		name, value := match[1], match[2]
		p := m.Param(name)
		scene, param, own := recipe.ParseOwn(name)
		if own {
			if p, err = m.SceneParam(param); err != nil {
				return nil, true, &koda.Error{Code: koda.CodeInvalidInput, Op: "set " + name, Err: err}
			}
			name = recipe.Own(scene, p.Name)
		}
		if p == nil {
			return nil, true, &koda.Error{
				Code: koda.CodeInvalidInput, Op: fmt.Sprintf("the recipe %s has no parameter %q", m.Name, name), Hint: "it has " + strings.Join(m.ParamNames(), ", "),
			}
		}
		var quoted string
		if json.Unmarshal([]byte(value), &quoted) == nil {
			value = quoted
		}
		if value, err = p.Parse(value, r); err != nil {
			return nil, true, &koda.Error{Code: koda.CodeInvalidInput, Op: "set " + name, Err: err, Hint: p.Name + ": " + p.Help}
		}
		switch {
		case name == styleParam:
			next = m.Restyle(next, value)
		case own && value == next[p.Name]:
			delete(next, name) // it is as the rest
		default:
			next[name] = value
		}
	}
	return next, true, nil
}
