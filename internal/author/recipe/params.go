package recipe

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// member is one member of params.json, in the order of the file.
type member struct {
	name  string
	value json.RawMessage
}

// encodeParams writes params.json: the recipe, its parameters as JSON values, and
// whatever the person added, each on a line.
func (w *work) encodeParams() string {
	set := map[string]json.RawMessage{recipeKey: raw(w.recipe)}
	order := []string{recipeKey}
	for _, p := range paramsOf(w.recipe) {
		set[p.Name] = p.json(w.params[p.Name])
		order = append(order, p.Name)
	}
	if owns := w.params.encodeOwns(w.recipe); owns != "" {
		set[scenesKey] = json.RawMessage(owns)
	}
	if w.state != nil && w.mine {
		set[digestKey] = raw(digest(w.state.encode()))
	} else if d := w.digest(); d != "" {
		set[digestKey] = raw(d)
	}
	order = append(order, scenesKey, digestKey)
	var out []member
	for _, m := range w.extra { // in the person's order, with the person's members
		if v, known := set[m.name]; known {
			m.value = v
			delete(set, m.name)
		} else if m.name == scenesKey {
			continue // nothing of the member is left
		}
		out = append(out, m)
	}
	for _, name := range order {
		if v, ok := set[name]; ok {
			out = append(out, member{name, v})
		}
	}
	var b strings.Builder
	b.WriteString("{\n")
	for i, m := range out {
		fmt.Fprintf(&b, "  %s: %s%s\n", compact(m.name), m.value, comma(i, len(out)))
	}
	b.WriteString("}\n")
	return b.String()
}

func raw(s string) json.RawMessage { return json.RawMessage(compact(s)) }

// decodeParams reads params.json, which a person may have edited.
func (w *work) decodeParams(text string) error {
	bad := func(err error) error {
		return &koda.Error{Code: koda.CodeInvalidInput, Op: "read " + paramsPath, Err: err, Hint: "put the file right, or delete it: koda then writes it anew"}
	}
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return bad(fmt.Errorf("it is not a JSON object"))
	}
	w.extra = nil
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return bad(err)
		}
		m := member{name: fmt.Sprint(t)}
		if err := d.Decode(&m.value); err != nil {
			return bad(err)
		}
		w.extra = append(w.extra, m)
	}
	if _, err := d.Token(); err != nil {
		return bad(err)
	}
	maps.DeleteFunc(w.params, func(name, _ string) bool { // values of the plan's scenes, which the file may no longer have
		_, _, own := parseOwn(name)
		return own
	})
	for _, m := range w.extra {
		p, ok := findParam(w.recipe, m.name)
		switch {
		case m.name == scenesKey:
			if err := w.decodeOwns(m.value); err != nil {
				return bad(err)
			}
		case ok:
			value, err := p.read(m.value)
			if err != nil {
				return bad(err)
			}
			w.params[p.Name] = value
		}
	}
	if _, err := settle(w.recipe, w.params); err != nil {
		return &koda.Error{Code: koda.CodeInvalidInput, Op: "read " + paramsPath, Err: err, Hint: koda.HintOf(err)}
	}
	return nil
}

// decodeOwns reads the values of single scenes.
func (w *work) decodeOwns(value json.RawMessage) error {
	const form = `scenes is written like {"2": {"background": "navy"}}`
	var scenes map[string]map[string]json.RawMessage
	if err := json.Unmarshal(value, &scenes); err != nil {
		return fmt.Errorf("%s: %w", form, err)
	}
	for _, number := range slices.Sorted(maps.Keys(scenes)) {
		n, ok := sceneNumber(number)
		if !ok {
			return fmt.Errorf("%s is not the number of a scene: %s", quote(number), form)
		}
		for _, name := range sortedNames(scenes[number]) {
			p, err := sceneParam(w.recipe, n, name)
			if err != nil {
				return err
			}
			read, err := p.read(scenes[number][name])
			if err != nil {
				return fmt.Errorf("scene %d: %w", n, err)
			}
			w.params[ownName(n, name)] = read
		}
	}
	return nil
}

// digest is the digest of state.json that params.json holds, "" when it holds none.
func (w *work) digest() string {
	for _, m := range w.extra {
		if m.name == digestKey {
			var s string
			if json.Unmarshal(m.value, &s) == nil {
				return s
			}
		}
	}
	return ""
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
