package recipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// sheetName is the one sheet of every recipe; its sequence spans the video.
const sheetName = "Main"

// stateVersion is the definitionVersion @theatre/core 0.7 reads.
const stateVersion = "0.4.0"

// ease is the curve from one keyframe to the next: the two inner control points
// of a cubic Bézier from (0,0) to (1,1), as in CSS.
type ease [4]float64

// The curves of the style table, and the curves that motion is made of. rise and
// fall are exact: a cubic with these control points is the parabola of a body
// thrown up, and of a dropped body.
var (
	linear         = ease{1. / 3, 1. / 3, 2. / 3, 2. / 3}
	rise           = ease{1. / 3, 2. / 3, 2. / 3, 1}
	fall           = ease{1. / 3, 0, 2. / 3, 1. / 3}
	easeInSine     = ease{0.12, 0, 0.39, 0}
	easeOutSine    = ease{0.61, 1, 0.88, 1}
	easeInOutSine  = ease{0.37, 0, 0.63, 1}
	easeInOutCubic = ease{0.65, 0, 0.35, 1}
	easeOutQuint   = ease{0.22, 1, 0.36, 1}
	easeInOutQuart = ease{0.76, 0, 0.24, 1}
	easeOutBack    = ease{0.34, 1.56, 0.64, 1}
	easeInBack     = ease{0.36, 0, 0.66, -0.56}
	hold           = ease{-1}
)

// key is a value at a time, and the curve to the next key.
type key struct {
	at, value float64
	out       ease
}

// track is the keys of one property of one object, in order of time.
type track struct {
	object, prop string
	keys         []key
}

// motion is a whole sequence. Its tracks are in the order in which the recipe's
// project.ts declares their objects.
type motion struct {
	length float64 // seconds
	fps    koda.FPS
	tracks []track
}

// add appends a key. Two keys at one time would make a curve without a length, so
// the later key wins.
func (t *track) add(at, value float64, out ease) {
	at, value = round6(at), round6(value)
	if n := len(t.keys); n > 0 && t.keys[n-1].at >= at {
		if t.keys[n-1].at > at {
			panic(fmt.Sprintf("recipe: %s.%s goes back from %v to %v", t.object, t.prop, t.keys[n-1].at, at))
		}
		t.keys[n-1] = key{at, value, out}
		return
	}
	t.keys = append(t.keys, key{at, value, out})
}

// The Theatre.js project state, as far as @theatre/core reads it. Fields keep
// the order in which Theatre's own exports write them.
type (
	projectState struct {
		Sheets   map[string]*sheetState `json:"sheetsById"`
		Version  string                 `json:"definitionVersion"`
		Revision []string               `json:"revisionHistory"`
	}
	sheetState struct {
		Static struct {
			ByObject map[string]json.RawMessage `json:"byObject"`
		} `json:"staticOverrides"`
		Sequence sequenceState `json:"sequence"`
	}
	sequenceState struct {
		Type     string                  `json:"type"`
		Length   float64                 `json:"length"`
		SubUnits int                     `json:"subUnitsPerUnit"`
		Tracks   map[string]*objectState `json:"tracksByObject"`
	}
	objectState struct {
		Paths map[string]string      `json:"trackIdByPropPath"`
		Data  map[string]*trackState `json:"trackData"`
	}
	trackState struct {
		Type  string     `json:"type"`
		Debug string     `json:"__debugName"`
		Keys  []keyState `json:"keyframes"`
	}
	keyState struct {
		ID        string          `json:"id"`
		Position  float64         `json:"position"`
		Connected bool            `json:"connectedRight"`
		Handles   [4]float64      `json:"handles"`
		Type      string          `json:"type"`
		Value     json.RawMessage `json:"value"`
	}
)

func newState(m motion) *projectState {
	sheet := &sheetState{Sequence: sequenceState{
		Type: "PositionalSequence", Length: m.length, SubUnits: max(1, int(math.Round(float64(m.fps.Num)/float64(max(1, m.fps.Den))))),
		Tracks: map[string]*objectState{},
	}}
	sheet.Static.ByObject = map[string]json.RawMessage{}
	return &projectState{Sheets: map[string]*sheetState{sheetName: sheet}, Version: stateVersion, Revision: []string{"koda"}}
}

// stateOf is the complete state of a motion.
func stateOf(m motion) *projectState {
	s := newState(m)
	for _, t := range m.tracks {
		s.put(t, math.Inf(-1), math.Inf(1))
	}
	return s
}

// put replaces the keyframes of a track at times in [from, to) and keeps the
// keyframes outside. A missing track is made.
func (s *projectState) put(t track, from, to float64) {
	seq := &s.Sheets[sheetName].Sequence
	obj := seq.Tracks[t.object]
	if obj == nil {
		obj = &objectState{Paths: map[string]string{}, Data: map[string]*trackState{}}
		seq.Tracks[t.object] = obj
	}
	path := propPath(t.prop)
	id, ok := obj.Paths[path]
	if !ok {
		id = t.object + "-" + t.prop
		obj.Paths[path] = id
	}
	data := obj.Data[id]
	if data == nil {
		data = &trackState{Type: "BasicKeyframedTrack", Debug: t.object + ":" + path}
		obj.Data[id] = data
	}
	kept := slices.DeleteFunc(slices.Clone(data.Keys), func(k keyState) bool { return k.Position >= from && k.Position < to })
	for i, k := range t.states() {
		if t.keys[i].at >= from && t.keys[i].at < to {
			kept = append(kept, k)
		}
	}
	slices.SortStableFunc(kept, func(a, b keyState) int {
		switch {
		case a.Position < b.Position:
			return -1
		case a.Position > b.Position:
			return 1
		}
		return 0
	})
	data.Keys = kept
}

// states returns the keyframes of a track. A keyframe holds the incoming control
// point of the curve before it and the outgoing control point of the curve after
// it.
func (t track) states() []keyState {
	out := make([]keyState, len(t.keys))
	for i, k := range t.keys {
		before, after := linear, k.out
		if i > 0 {
			before = t.keys[i-1].out
		}
		s := keyState{
			ID: "k" + strconv.Itoa(i), Position: k.at,
			Connected: after != hold && i < len(t.keys)-1, Type: "bezier",
			Value: json.RawMessage(strconv.FormatFloat(k.value, 'f', -1, 64)),
		}
		if before == hold {
			before = linear
		}
		if after == hold {
			after = linear
		}
		s.Handles = [4]float64{round6(before[2]), round6(before[3]), round6(after[0]), round6(after[1])}
		out[i] = s
	}
	return out
}

// merge brings a state that the person edited by hand to the new motion. Tracks the
// person left as in base become the tracks of next. Tracks the person changed stay,
// unless next changes nothing there anyway. It returns the names of the tracks that
// stay although the new motion differs.
func (s *projectState) merge(base, next motion) (kept []string) {
	was, will := stateOf(base), stateOf(next)
	for _, t := range next.tracks {
		mine, ours, theirs := will.data(t), was.data(t), s.data(t)
		switch {
		case theirs == nil || sameTrack(theirs, ours):
			s.put(t, math.Inf(-1), math.Inf(1))
		case !sameTrack(mine, ours):
			kept = append(kept, t.object+"."+t.prop)
		}
	}
	seq := &s.Sheets[sheetName].Sequence
	if seq.Length == was.Sheets[sheetName].Sequence.Length {
		seq.Length = next.length
	}
	return kept
}

func (s *projectState) data(t track) *trackState {
	obj := s.Sheets[sheetName].Sequence.Tracks[t.object]
	if obj == nil {
		return nil
	}
	return obj.Data[obj.Paths[propPath(t.prop)]]
}

func sameTrack(a, b *trackState) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.EqualFunc(a.Keys, b.Keys, func(x, y keyState) bool {
		return x.Position == y.Position && x.Connected == y.Connected && x.Handles == y.Handles && x.Type == y.Type && bytes.Equal(x.Value, y.Value)
	})
}

// encode writes the state with one line for each keyframe: short enough for a diff,
// and loadable by Theatre.js as it is.
func (s *projectState) encode() string {
	var b bytes.Buffer
	b.WriteString("{\n \"sheetsById\": {\n")
	each(&b, "  ", s.Sheets, func(sheet *sheetState) {
		seq := sheet.Sequence
		fmt.Fprintf(&b, "{\n   \"staticOverrides\": %s,\n   \"sequence\": {\n", compact(sheet.Static))
		fmt.Fprintf(&b, "    \"type\": %s, \"length\": %s, \"subUnitsPerUnit\": %d,\n    \"tracksByObject\": {\n",
			compact(seq.Type), compact(seq.Length), seq.SubUnits)
		each(&b, "     ", seq.Tracks, func(obj *objectState) {
			fmt.Fprintf(&b, "{\n      \"trackIdByPropPath\": %s,\n      \"trackData\": {\n", compact(obj.Paths))
			each(&b, "       ", obj.Data, func(t *trackState) {
				fmt.Fprintf(&b, "{\"type\": %s, \"__debugName\": %s, \"keyframes\": [\n", compact(t.Type), compact(t.Debug))
				for i, k := range t.Keys {
					b.WriteString("        " + compact(k) + comma(i, len(t.Keys)) + "\n")
				}
				b.WriteString("       ]}")
			})
			b.WriteString("      }\n     }")
		})
		b.WriteString("    }\n   }\n  }")
	})
	fmt.Fprintf(&b, " },\n \"definitionVersion\": %s,\n \"revisionHistory\": %s\n}\n", compact(s.Version), compact(s.Revision))
	return b.String()
}

// each writes the members of an object, sorted by name, each on its own line.
func each[V any](b *bytes.Buffer, indent string, m map[string]V, write func(V)) {
	for i, name := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(b, "%s%s: ", indent, compact(name))
		write(m[name])
		b.WriteString(comma(i, len(m)) + "\n")
	}
}

func comma(i, n int) string {
	if i < n-1 {
		return ","
	}
	return ""
}

// compact is the JSON of v, which holds nothing that JSON cannot express.
func compact(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("recipe: encode JSON: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// decodeState reads a state.json, which a person may have edited.
func decodeState(text string) (*projectState, error) {
	var s projectState
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return nil, fmt.Errorf("decode %s: %w", statePath, err)
	}
	sheet := s.Sheets[sheetName]
	if sheet == nil {
		return nil, fmt.Errorf("decode %s: it has no sheet %q", statePath, sheetName)
	}
	if s.Version != stateVersion {
		return nil, fmt.Errorf("decode %s: definitionVersion is %q, not %q", statePath, s.Version, stateVersion)
	}
	if sheet.Sequence.Tracks == nil {
		sheet.Sequence.Tracks = map[string]*objectState{}
	}
	for name, obj := range sheet.Sequence.Tracks {
		if obj == nil {
			delete(sheet.Sequence.Tracks, name)
			continue
		}
		if obj.Paths == nil {
			obj.Paths = map[string]string{}
		}
		if obj.Data == nil {
			obj.Data = map[string]*trackState{}
		}
	}
	return &s, nil
}

func propPath(prop string) string { return `["` + prop + `"]` }

// round6 keeps numbers short, and equal on machines that fuse multiply and add.
func round6(v float64) float64 {
	r := math.Round(v*1e6) / 1e6
	if r == 0 {
		return 0 // not -0
	}
	return r
}
