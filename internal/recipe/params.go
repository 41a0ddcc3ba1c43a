package recipe

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// The members of params.json that are no parameters.
const (
	recipeKey = "recipe"
	scenesKey = "scenes"
	digestKey = "stateDigest"
)

// Params is a params.json: parameters, and whatever a person added, in the order of the
// file.
type Params struct {
	Values  Values
	members []member
}

type member struct {
	name  string
	value json.RawMessage
}

// RecipeOf is the name of the recipe that a params.json names; "" if there is none.
func RecipeOf(text []byte) string {
	var p struct {
		Recipe string `json:"recipe"`
	}
	if json.Unmarshal(text, &p) != nil {
		return ""
	}
	return p.Recipe
}

// Own names the value of a parameter in a single scene.
func Own(scene int, param string) string { return fmt.Sprintf("scene%d.%s", scene, param) }

// ParseOwn takes the name of such a value apart.
func ParseOwn(name string) (scene int, param string, ok bool) {
	rest, ok := strings.CutPrefix(name, "scene")
	if !ok {
		return 0, "", false
	}
	number, param, ok := strings.Cut(rest, ".")
	if !ok {
		return 0, "", false
	}
	scene, ok = sceneNumber(number)
	return scene, param, ok
}

// sceneNumber reads the number of a scene as it stands in params.json.
func sceneNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0 && n < 1000 && strconv.Itoa(n) == s
}

// Owns lists the values of single scenes by scene and parameter, in order of scenes.
func (v Values) Owns() map[int]map[string]string {
	all := map[int]map[string]string{}
	for name, value := range v {
		if n, param, ok := ParseOwn(name); ok {
			if all[n] == nil {
				all[n] = map[string]string{}
			}
			all[n][param] = value
		}
	}
	return all
}

// SceneParams lists the parameters that a scene may have for itself.
func (m *Manifest) SceneParams() []string {
	var can []string
	for i := range m.Params {
		if m.Params[i].Scene {
			can = append(can, m.Params[i].Name)
		}
	}
	return can
}

// SceneParam finds a parameter that a scene may have for itself.
func (m *Manifest) SceneParam(name string) (*Param, error) {
	p, can := m.Param(name), m.SceneParams()
	switch near := koda.Nearest(name, can); {
	case p != nil && p.Scene:
		return p, nil
	case len(can) == 0:
		return nil, fmt.Errorf("a scene of %s has no values of its own", m.Name)
	case p != nil:
		return nil, fmt.Errorf("%s concerns the whole video; a scene of its own can have %s", name, strings.Join(can, ", "))
	case near != "":
		return nil, fmt.Errorf("%s is no parameter of a scene; did you mean %s?", name, near)
	}
	return nil, fmt.Errorf("%s is no parameter of a scene; there are %s", name, strings.Join(can, ", "))
}

// DecodeParams reads a params.json, which a person may have edited. Parameters that the
// file does not have keep the value that they have in v.
func (m *Manifest) DecodeParams(text string, v Values, colours Colours) (*Params, error) {
	p := &Params{Values: maps.Clone(v)}
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("it is not a JSON object")
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		one := member{name: fmt.Sprint(t)}
		if err := d.Decode(&one.value); err != nil {
			return nil, err
		}
		p.members = append(p.members, one)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	maps.DeleteFunc(p.Values, func(name, _ string) bool { // scenes that the file may no longer have
		_, _, own := ParseOwn(name)
		return own
	})
	for _, one := range p.members {
		if one.name == scenesKey {
			if err := m.decodeOwns(one.value, p.Values, colours); err != nil {
				return nil, err
			}
		} else if param := m.Param(one.name); param != nil {
			value, err := param.Read(one.value, colours)
			if err != nil {
				return nil, err
			}
			p.Values[one.name] = value
		}
	}
	return p, nil
}

func (m *Manifest) decodeOwns(value json.RawMessage, v Values, colours Colours) error {
	const form = `scenes is written like {"2": {"background": "navy"}}`
	var scenes map[string]map[string]json.RawMessage
	if err := json.Unmarshal(value, &scenes); err != nil {
		return fmt.Errorf("%s: %w", form, err)
	}
	for _, number := range slices.Sorted(maps.Keys(scenes)) {
		n, ok := sceneNumber(number)
		if !ok {
			return fmt.Errorf("%q is not the number of a scene: %s", number, form)
		}
		for _, name := range slices.Sorted(maps.Keys(scenes[number])) {
			p, err := m.SceneParam(name)
			if err != nil {
				return err
			}
			read, err := p.Read(scenes[number][name], colours)
			if err != nil {
				return fmt.Errorf("scene %d: %w", n, err)
			}
			v[Own(n, name)] = read
		}
	}
	return nil
}

// StateDigest is the digest of the state.json that koda wrote; "" if there is none.
func (p *Params) StateDigest() string {
	for _, one := range p.members {
		if one.name == digestKey {
			return literal(one.value)
		}
	}
	return ""
}

// Has reports whether the file has a member.
func (p *Params) Has(name string) bool {
	return slices.ContainsFunc(p.members, func(one member) bool { return one.name == name })
}

// Strange are the members of a file that are no parameters of the recipe.
func (m *Manifest) Strange(p *Params) (names []string) {
	for _, one := range p.members {
		if m.Param(one.name) == nil && !slices.Contains([]string{recipeKey, scenesKey, digestKey}, one.name) {
			names = append(names, one.name)
		}
	}
	return names
}

// Drop forgets members of the file.
func (p *Params) Drop(names []string) {
	p.members = slices.DeleteFunc(p.members, func(one member) bool { return slices.Contains(names, one.name) })
}

// EncodeParams writes params.json: the recipe, its parameters as JSON values, and
// whatever the person added to the file before, each on a line. State is the digest of
// state.json as koda wrote it, see [Digest]; "" leaves it out.
func (m *Manifest) EncodeParams(v Values, before *Params, state string) string {
	set := map[string]json.RawMessage{recipeKey: raw(m.Name)}
	order := []string{recipeKey}
	for i := range m.Params {
		p := &m.Params[i]
		set[p.Name] = p.JSON(v[p.Name])
		order = append(order, p.Name)
	}
	if owns := m.encodeOwns(v); owns != nil {
		set[scenesKey] = owns
	}
	if state != "" {
		set[digestKey] = raw(state)
	}
	var out []member
	if before != nil {
		for _, one := range before.members { // in the person's order, with the person's members
			if value, known := set[one.name]; known {
				one.value = value
				delete(set, one.name)
			} else if one.name == scenesKey || one.name == digestKey {
				continue // nothing of the member is left
			}
			out = append(out, one)
		}
	}
	for _, name := range append(order, scenesKey, digestKey) {
		if value, ok := set[name]; ok {
			out = append(out, member{name, value})
		}
	}
	return object(out)
}

// ScoreParams is what a score and a page are given: every parameter with its type.
func (m *Manifest) ScoreParams(v Values) json.RawMessage {
	set := make([]member, len(m.Params))
	for i := range m.Params {
		set[i] = member{m.Params[i].Name, m.Params[i].JSON(v[m.Params[i].Name])}
	}
	if owns := m.encodeOwns(v); owns != nil {
		set = append(set, member{scenesKey, owns})
	}
	return json.RawMessage(object(set))
}

// encodeOwns is the member "scenes"; nil if no scene has a value of its own.
func (m *Manifest) encodeOwns(v Values) json.RawMessage {
	owns := v.Owns()
	if len(owns) == 0 {
		return nil
	}
	var b bytes.Buffer
	for i, n := range slices.Sorted(maps.Keys(owns)) {
		b.WriteString([]string{"{", ", "}[min(i, 1)])
		fmt.Fprintf(&b, "%q: {", strconv.Itoa(n))
		first := true
		for j := range m.Params {
			if value, ok := owns[n][m.Params[j].Name]; ok {
				if !first {
					b.WriteString(", ")
				}
				first = false
				fmt.Fprintf(&b, "%q: %s", m.Params[j].Name, m.Params[j].JSON(value))
			}
		}
		b.WriteString("}")
	}
	b.WriteString("}")
	return b.Bytes()
}

// object writes members as a JSON object, each on a line.
func object(members []member) string {
	var b strings.Builder
	b.WriteString("{\n")
	for i, one := range members {
		comma := ","
		if i == len(members)-1 {
			comma = ""
		}
		fmt.Fprintf(&b, "  %s: %s%s\n", Encode(one.name), one.value, comma)
	}
	b.WriteString("}\n")
	return b.String()
}

// Digest is the digest of a file that params.json holds.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
