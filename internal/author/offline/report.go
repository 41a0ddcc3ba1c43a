package offline

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// difference is the change of one parameter from one value to another.
type difference struct {
	name     string // of a scene's own value: "scene 2 background"
	param    *recipe.Param
	from, to string
}

// differences lists what changed, in the order of the recipe's parameters, then scene
// by scene.
func differences(m *recipe.Manifest, from, to recipe.Values) []difference {
	var out []difference
	for i := range m.Params {
		p := &m.Params[i]
		if from[p.Name] != to[p.Name] {
			out = append(out, difference{p.Name, p, from[p.Name], to[p.Name]})
		}
	}
	was, is := from.Owns(), to.Owns()
	scenes := slices.Compact(slices.Sorted(maps.Keys(merged(was, is))))
	for _, n := range scenes {
		for i := range m.Params {
			p := &m.Params[i]
			if was[n][p.Name] == is[n][p.Name] {
				continue
			}
			d := difference{fmt.Sprintf("scene %d %s", n, p.Name), p, was[n][p.Name], is[n][p.Name]}
			if d.from == "" {
				d.from = to[p.Name]
			}
			if d.to == "" {
				d.to = "as the rest"
			}
			out = append(out, d)
		}
	}
	return out
}

func merged(a, b map[int]map[string]string) map[int]map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

func names(diff []difference) []string {
	list := make([]string, len(diff))
	for i := range diff {
		list[i] = diff[i].name
	}
	return list
}

// report tells what was changed, what was not, and how wishes were understood.
func report(diff []difference, c change, kept []string) string {
	var out, list []string
	for _, d := range diff {
		list = append(list, fmt.Sprintf("%s %s → %s", d.name, d.told(d.from), d.told(d.to)))
	}
	if len(list) > 0 {
		out = append(out, capital(strings.Join(list, ", "))+".")
	}
	out = append(out, c.notes...)
	if len(kept) > 0 {
		out = append(out, "Keyframes you edited by hand were kept: "+join(kept)+".")
	}
	if len(c.left) > 0 {
		out = append(out, unused(c.left))
	}
	return strings.Join(out, " ")
}

// told is a value for people.
func (d difference) told(value string) string {
	switch d.param.Type {
	case recipe.Text:
		return koda.Quote(value)
	case recipe.Texts, recipe.Rows:
		return clip(listed(d.param, value), 80)
	case recipe.Number:
		return degree(d.param, value)
	case recipe.Integer, recipe.Color, recipe.Choice, recipe.File, recipe.Flag, recipe.Sign:
	}
	return value
}

// listed is a list for people: "Apples 30, Pears 45".
func listed(p *recipe.Param, value string) string {
	var texts []string
	var rows []map[string]any
	if json.Unmarshal([]byte(value), &texts) != nil {
		texts = nil
		if json.Unmarshal([]byte(value), &rows) != nil {
			return value
		}
	}
	for _, row := range rows {
		var cells []string
		for _, c := range p.Columns {
			if cell := fmt.Sprint(row[c.Name]); row[c.Name] != nil && cell != "" {
				cells = append(cells, strings.ReplaceAll(cell, "\n", ", "))
			}
		}
		texts = append(texts, strings.Join(cells, " "))
	}
	if len(texts) == 0 {
		return "none"
	}
	between := ", "
	if strings.Contains(strings.Join(texts, ""), between) {
		between = "; "
	}
	return strings.Join(texts, between)
}

// degree is a number for people. A number that goes to both sides of 0 is said by the words that
// make it less and more: "a little darker".
func degree(p *recipe.Param, value string) string {
	n := num(value)
	if p.Min == nil || *p.Min >= 0 || p.Step <= 0 || len(p.Less["en"]) == 0 || len(p.More["en"]) == 0 || math.IsNaN(n) {
		return value
	}
	word := p.More["en"][0]
	if n < 0 {
		word = p.Less["en"][0]
	}
	switch steps := math.Round(math.Abs(n) / p.Step); {
	case n == 0:
		return "usual"
	case steps <= 1:
		return "a little " + word
	case steps >= 3:
		return "much " + word
	}
	return word
}

func capital(s string) string {
	r := []rune(s)
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}
