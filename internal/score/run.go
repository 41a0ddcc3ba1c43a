package score

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/theatre"
)

// Global is the name under which a compiled score leaves its exports.
const Global = "kodaScore"

// Input is what a score is given.
type Input struct {
	Params json.RawMessage `json:"params"` // an object
	Env    recipe.Env      `json:"env"`
}

// result is what the function of a score returns.
type result struct {
	Duration float64
	Scenes   []struct {
		ID, Title, Description, Notes string
		Seconds                       float64
	}
	Sheets map[string]struct {
		Length float64
		Tracks []struct {
			Object, Prop string
			Keys         [][]json.RawMessage
		}
	}
	Said   []string
	Errors []struct{ Param, Message, Hint string }
	Auto   map[string]any // numbers and colours
	Pace   *recipe.Pace
}

// call runs a script, which leaves its function as the member default of [Global], and
// returns the JSON of what the function returns.
func call(ctx context.Context, script string, in Input) (string, error) {
	vm := goja.New()
	vm.SetMaxCallStackSize(2000)
	stop := context.AfterFunc(ctx, func() { vm.Interrupt(context.Cause(ctx)) })
	defer stop()
	input, err := json.Marshal(in)
	if err != nil {
		return "", fmt.Errorf("write the parameters: %w", err)
	}
	const around = `
delete Math.random
delete globalThis.Date
%s
;(function () {
	const given = JSON.parse(input)
	return JSON.stringify(%s.default(given.params, given.env))
})()`
	if err := vm.Set("input", string(input)); err != nil {
		return "", err
	}
	v, err := vm.RunString(fmt.Sprintf(around, script, Global))
	if err != nil {
		var interrupted *goja.InterruptedError
		if errors.As(err, &interrupted) {
			return "", context.Cause(ctx)
		}
		return "", thrown(err)
	}
	if goja.IsUndefined(v) {
		return "", errors.New("its function returns nothing")
	}
	return v.String(), nil
}

// thrown is the message of an exception without goja's stack.
func thrown(err error) error {
	var deep *goja.StackOverflowError
	if errors.As(err, &deep) {
		return errors.New("a function calls itself too often")
	}
	var e *goja.Exception
	if errors.As(err, &e) {
		text, _, _ := strings.Cut(e.Value().String(), "\n")
		return errors.New(text)
	}
	return err
}

// decode reads what a score returns. Keys is how many keyframes it may have; 0: any
// number.
func decode(text []byte, keys int) (recipe.Score, error) {
	var r result
	if err := json.Unmarshal(text, &r); err != nil {
		return recipe.Score{}, err
	}
	s := recipe.Score{Duration: r.Duration, Said: r.Said, Pace: r.Pace}
	for name, value := range r.Auto {
		if s.Auto == nil {
			s.Auto = map[string]string{}
		}
		if number, ok := value.(float64); ok {
			value = recipe.Trim(number)
		}
		s.Auto[name] = fmt.Sprint(value)
	}
	for _, e := range r.Errors {
		s.Refused = append(s.Refused, recipe.Refusal{Param: e.Param, Message: e.Message, Hint: e.Hint})
	}
	seen, all := map[string]bool{}, 0
	for _, scene := range r.Scenes {
		s.Scenes = append(s.Scenes, recipe.Scene(scene))
	}
	order, err := sheetOrder(text)
	if err != nil {
		return recipe.Score{}, err
	}
	for _, id := range order {
		sheet := theatre.Sheet{ID: id, Length: r.Sheets[id].Length}
		for _, t := range r.Sheets[id].Tracks {
			track := theatre.Track{Object: t.Object, Prop: t.Prop}
			name := id + "/" + t.Object + "." + t.Prop
			if seen[name] {
				return recipe.Score{}, fmt.Errorf("there are two tracks %s", name)
			}
			seen[name] = true
			for _, k := range t.Keys {
				key, err := keyOf(k)
				if err == nil {
					err = track.Add(key)
				}
				if err != nil {
					return recipe.Score{}, fmt.Errorf("%s.%s: %w", t.Object, t.Prop, err)
				}
				if all++; keys > 0 && all > keys {
					return recipe.Score{}, fmt.Errorf("it has more than %d keyframes", keys)
				}
			}
			sheet.Tracks = append(sheet.Tracks, track)
		}
		s.Motion = append(s.Motion, sheet)
	}
	return s, nil
}

// sheetOrder lists the sheets as the score wrote them.
func sheetOrder(text []byte) ([]string, error) {
	var outer struct{ Sheets json.RawMessage }
	if err := json.Unmarshal(text, &outer); err != nil || len(outer.Sheets) == 0 {
		return nil, err
	}
	d := json.NewDecoder(strings.NewReader(string(outer.Sheets)))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	var ids []string
	for d.More() {
		id, err := d.Token()
		if err != nil {
			return nil, err
		}
		ids = append(ids, fmt.Sprint(id))
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// keyOf reads [at, value], [at, value, ease] or [at, value, "hold"].
func keyOf(parts []json.RawMessage) (theatre.Key, error) {
	k := theatre.Key{Out: theatre.Linear}
	const form = `a keyframe is [seconds, value, [x1, y1, x2, y2]] or [seconds, value, "hold"]`
	if len(parts) < 2 || len(parts) > 3 {
		return k, errors.New(form)
	}
	var at, value *float64 // JSON has null for what is no number
	if json.Unmarshal(parts[0], &at) != nil || json.Unmarshal(parts[1], &value) != nil || at == nil || value == nil {
		return k, fmt.Errorf("%s is no keyframe: %s", join(parts), form)
	}
	k.At, k.Value = *at, *value
	if len(parts) == 2 || string(parts[2]) == "null" {
		return k, nil
	}
	if string(parts[2]) == `"hold"` {
		k.Out = theatre.Hold
		return k, nil
	}
	var ease []float64
	if err := json.Unmarshal(parts[2], &ease); err != nil || len(ease) != 4 || ease[0] < 0 || ease[0] > 1 || ease[2] < 0 || ease[2] > 1 {
		return k, fmt.Errorf("%s has no ease: %s", join(parts), form)
	}
	k.Out = theatre.Ease(ease)
	return k, nil
}

func join(parts []json.RawMessage) string {
	texts := make([]string, len(parts))
	for i := range parts {
		texts[i] = string(parts[i])
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
