package recipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/templates"
)

// Row returns the parameters of one render of a project, a JSON object, in the form
// that the page reads: "Red" becomes #ff0000. Fields in others are not for the page
// and stay. INVALID_INPUT: the recipe has no such parameter, the recipe lays the
// parameter into keyframes, or a value is out of range. If no recipe made the
// project, or its components were changed, the row passes as it is, because the
// page knows what it reads.
func Row(files fs.FS, row json.RawMessage, others []string) (json.RawMessage, error) {
	recipe := untouched(files)
	if recipe == "" {
		return row, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(row, &fields); err != nil {
		return nil, &koda.Error{Code: koda.CodeInvalidInput, Op: "read the parameters", Err: err, Hint: "give a JSON object"}
	}
	for _, name := range sortedNames(fields) {
		p, ok := findParam(recipe, name)
		switch {
		case !ok && slices.Contains(others, name):
			continue
		case !ok:
			return nil, unknownField(recipe, name)
		case !p.static:
			return nil, &koda.Error{
				Code: koda.CodeInvalidInput, Op: fmt.Sprintf("%s is laid into the keyframes of the project: it cannot differ from row to row", name),
				Hint: fmt.Sprintf("leave it out of the rows, or change %s for all of them with koda edit", name),
			}
		}
		value, err := p.read(fields[name])
		if err != nil {
			return nil, &koda.Error{Code: koda.CodeInvalidInput, Op: err.Error(), Hint: name + ": " + p.Help}
		}
		fields[name] = p.json(value)
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("write the parameters: %w", err)
	}
	return out, nil
}

// read returns the canonical form of a JSON value.
func (p Param) read(value json.RawMessage) (string, error) {
	text := string(value)
	number := len(value) > 0 && strings.IndexByte("-0123456789", value[0]) >= 0
	switch {
	case bytes.HasPrefix(value, []byte(`"`)):
		if err := json.Unmarshal(value, &text); err != nil {
			return "", fmt.Errorf("%s: %w", p.Name, err)
		}
	case !number:
		return "", fmt.Errorf("%s cannot be %s: it takes %s", p.Name, text, p.rangeText())
	}
	return p.parse(text)
}

func unknownField(recipe, name string) error {
	var names []string
	for _, p := range paramsOf(recipe) {
		if p.static {
			names = append(names, p.Name)
		}
	}
	hint := "there are " + strings.Join(names, ", ")
	if near := koda.Nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean %s? There are %s", near, strings.Join(names, ", "))
	}
	return &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("%q is not a parameter of the recipe %s", name, recipe), Hint: hint}
}

func sortedNames(fields map[string]json.RawMessage) []string {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// untouched is the recipe of a project whose components are as koda wrote them; "" if
// there is no such recipe. The components read the parameters of a render.
func untouched(files fs.FS) string {
	var written struct {
		Recipe string `json:"recipe"`
	}
	data, err := fs.ReadFile(files, paramsPath)
	if err != nil || json.Unmarshal(data, &written) != nil || !slices.Contains(Names(), written.Recipe) {
		return ""
	}
	for name, want := range templates.Recipe(written.Recipe) {
		if !strings.HasPrefix(name, "src/components/") {
			continue
		}
		if got, err := fs.ReadFile(files, name); err != nil || string(got) != want {
			return ""
		}
	}
	return written.Recipe
}

// Reread returns the plan that follows from the parameters in a project's files. It
// serves projects that were copied without their .koda. NOT_FOUND: no recipe made
// these files. INVALID_INPUT: the parameters make no sense.
func Reread(files map[string][]byte) (koda.Plan, error) {
	var written struct {
		Recipe string `json:"recipe"`
	}
	if json.Unmarshal(files[paramsPath], &written) != nil || !slices.Contains(Names(), written.Recipe) {
		return koda.Plan{}, &koda.Error{Code: koda.CodeNotFound, Op: "no recipe of koda made these files", Hint: "koda render draws any page"}
	}
	m, err := koda.ParseManifest(files[manifestPath])
	if err != nil {
		return koda.Plan{}, err
	}
	w := &work{recipe: written.Recipe, params: defaults(written.Recipe, playful)}
	if err := w.decodeParams(string(files[paramsPath])); err != nil {
		return koda.Plan{}, err
	}
	return newPlan(w.recipe, w.params, m.FPS, nil), nil
}
