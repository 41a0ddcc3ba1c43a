package offline

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// difference is the change of one parameter from one value to another.
type difference struct {
	name     string // of a scene's own value: "scene 2 background"
	kind     recipe.Type
	from, to string
}

// differences lists what changed, in the order of the recipe's parameters, then scene
// by scene.
func differences(m *recipe.Manifest, from, to recipe.Values) []difference {
	var out []difference
	for i := range m.Params {
		p := &m.Params[i]
		if from[p.Name] != to[p.Name] {
			out = append(out, difference{p.Name, p.Type, from[p.Name], to[p.Name]})
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
			d := difference{fmt.Sprintf("scene %d %s", n, p.Name), p.Type, was[n][p.Name], is[n][p.Name]}
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
		out = append(out, "Not used: "+clipped(c.left)+".")
	}
	return strings.Join(out, " ")
}

// told is a value for people.
func (d difference) told(value string) string {
	switch d.kind {
	case recipe.Text:
		return koda.Quote(value)
	case recipe.Texts, recipe.Rows:
		return clip(value, 80)
	case recipe.Number, recipe.Integer, recipe.Color, recipe.Choice, recipe.File, recipe.Flag:
	}
	return value
}

func capital(s string) string {
	r := []rune(s)
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}
