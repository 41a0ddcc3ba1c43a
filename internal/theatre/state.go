package theatre

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

// version is the definitionVersion that @theatre/core 0.7 reads.
const version = "0.4.0"

// State is the state of a Theatre.js project, as far as @theatre/core reads it. The
// zero value is not ready; see [New] and [Decode].
type State struct{ p projectState }

// Fields keep the order in which Theatre's own exports write them.
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

// New is the complete state of a motion.
func New(m Motion, fps koda.FPS) *State {
	s := &State{projectState{Sheets: map[string]*sheetState{}, Version: version, Revision: []string{"koda"}}}
	for _, sheet := range m {
		s.open(sheet, fps)
		for _, t := range sheet.Tracks {
			s.Put(sheet.ID, t, math.Inf(-1), math.Inf(1))
		}
	}
	return s
}

// Empty is the state of a motion before it has keyframes.
func Empty(m Motion, fps koda.FPS) *State {
	bare := slices.Clone(m)
	for i := range bare {
		bare[i].Tracks = nil
	}
	return New(bare, fps)
}

func (s *State) open(sheet Sheet, fps koda.FPS) {
	fresh := &sheetState{Sequence: sequenceState{
		Type: "PositionalSequence", Length: sheet.Length, Tracks: map[string]*objectState{},
		SubUnits: max(1, int(math.Round(float64(fps.Num)/float64(max(1, fps.Den))))),
	}}
	fresh.Static.ByObject = map[string]json.RawMessage{}
	s.p.Sheets[sheet.ID] = fresh
}

// Put replaces the keyframes of a track at times in [from, to) and keeps the
// keyframes outside. A track that is missing is made; a sheet must be there.
func (s *State) Put(sheet string, t Track, from, to float64) {
	seq := &s.p.Sheets[sheet].Sequence
	obj := seq.Tracks[t.Object]
	if obj == nil {
		obj = &objectState{Paths: map[string]string{}, Data: map[string]*trackState{}}
		seq.Tracks[t.Object] = obj
	}
	path := propPath(t.Prop)
	id, ok := obj.Paths[path]
	if !ok {
		id = t.Object + "-" + t.Prop
		obj.Paths[path] = id
	}
	data := obj.Data[id]
	if data == nil {
		data = &trackState{Type: "BasicKeyframedTrack", Debug: t.Object + ":" + path}
		obj.Data[id] = data
	}
	kept := slices.DeleteFunc(slices.Clone(data.Keys), func(k keyState) bool { return k.Position >= from && k.Position < to })
	for i, k := range t.states() {
		if t.Keys[i].At >= from && t.Keys[i].At < to {
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
func (t Track) states() []keyState {
	out := make([]keyState, len(t.Keys))
	for i, k := range t.Keys {
		before, after := Linear, k.Out
		if i > 0 {
			before = t.Keys[i-1].Out
		}
		s := keyState{
			ID: "k" + strconv.Itoa(i), Position: k.At,
			Connected: after != Hold && i < len(t.Keys)-1, Type: "bezier",
			Value: json.RawMessage(strconv.FormatFloat(k.Value, 'f', -1, 64)),
		}
		if before == Hold {
			before = Linear
		}
		if after == Hold {
			after = Linear
		}
		s.Handles = [4]float64{round(before[2]), round(before[3]), round(after[0]), round(after[1])}
		out[i] = s
	}
	return out
}

// Again is the state of a new motion, with the tracks that s has; if s has all tracks of
// the motion before, it is the complete state. So keyframes that later work adds are not
// there early.
func (s *State) Again(before, next Motion, fps koda.FPS) *State {
	lacks := func(m Motion) bool {
		for _, sheet := range m {
			for _, t := range sheet.Tracks {
				if s.track(sheet.ID, t) == nil {
					return true
				}
			}
		}
		return false
	}
	if !lacks(before) {
		return New(next, fps)
	}
	again := Empty(next, fps)
	for _, sheet := range next {
		for _, t := range sheet.Tracks {
			if s.track(sheet.ID, t) != nil {
				again.Put(sheet.ID, t, math.Inf(-1), math.Inf(1))
			}
		}
	}
	return again
}

// Merge brings a state that a person may have edited to a new motion, sheet by sheet.
// Tracks that the person left as in base become the tracks of next. Tracks that the
// person changed stay, unless next changes nothing there anyway. Sheets and tracks
// that next no longer has go, except those that the person changed. It returns the
// tracks that stay although the new motion differs, as "Object.prop".
func (s *State) Merge(base, next Motion, fps koda.FPS) (kept []string) {
	was, will := New(base, fps), New(next, fps)
	for _, sheet := range base {
		gone := !slices.ContainsFunc(next, func(n Sheet) bool { return n.ID == sheet.ID })
		for _, t := range sheet.Tracks {
			if will.track(sheet.ID, t) != nil {
				continue
			}
			if same(s.track(sheet.ID, t), was.track(sheet.ID, t)) {
				s.drop(sheet.ID, t)
			} else {
				gone = false
			}
		}
		if gone {
			delete(s.p.Sheets, sheet.ID)
		}
	}
	for _, sheet := range next {
		if s.p.Sheets[sheet.ID] == nil {
			s.open(sheet, fps)
		}
		for _, t := range sheet.Tracks {
			mine, ours, theirs := will.track(sheet.ID, t), was.track(sheet.ID, t), s.track(sheet.ID, t)
			switch {
			case theirs == nil || same(theirs, ours):
				s.Put(sheet.ID, t, math.Inf(-1), math.Inf(1))
			case !same(mine, ours):
				kept = append(kept, t.Object+"."+t.Prop)
			}
		}
		seq := &s.p.Sheets[sheet.ID].Sequence
		if before := was.p.Sheets[sheet.ID]; before != nil && seq.Length == before.Sequence.Length {
			seq.Length = sheet.Length
		}
	}
	return kept
}

func (s *State) track(sheet string, t Track) *trackState {
	if s.p.Sheets[sheet] == nil || s.p.Sheets[sheet].Sequence.Tracks[t.Object] == nil {
		return nil
	}
	obj := s.p.Sheets[sheet].Sequence.Tracks[t.Object]
	return obj.Data[obj.Paths[propPath(t.Prop)]]
}

func (s *State) drop(sheet string, t Track) {
	if s.track(sheet, t) == nil {
		return
	}
	tracks := s.p.Sheets[sheet].Sequence.Tracks
	obj := tracks[t.Object]
	delete(obj.Data, obj.Paths[propPath(t.Prop)])
	delete(obj.Paths, propPath(t.Prop))
	if len(obj.Data) == 0 {
		delete(tracks, t.Object)
	}
}

func same(a, b *trackState) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.EqualFunc(a.Keys, b.Keys, func(x, y keyState) bool {
		return x.Position == y.Position && x.Connected == y.Connected && x.Handles == y.Handles && x.Type == y.Type && bytes.Equal(x.Value, y.Value)
	})
}

// Encode writes the state with one line for each keyframe: short enough for a diff,
// and loadable by Theatre.js as it is.
func (s *State) Encode() string {
	var b bytes.Buffer
	b.WriteString("{\n \"sheetsById\": {\n")
	each(&b, "  ", s.p.Sheets, func(sheet *sheetState) {
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
	fmt.Fprintf(&b, " },\n \"definitionVersion\": %s,\n \"revisionHistory\": %s\n}\n", compact(s.p.Version), compact(s.p.Revision))
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
		panic("theatre: encode JSON: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Decode reads a state.json, which a person may have edited. Sheets that the motion
// has and the text has not are made empty, but if none of the motion's sheets is
// there, the text is of something else and an error says so.
func Decode(text string, m Motion, fps koda.FPS) (*State, error) {
	s := &State{}
	if err := json.Unmarshal([]byte(text), &s.p); err != nil {
		return nil, err
	}
	if s.p.Version != version {
		return nil, fmt.Errorf("definitionVersion is %q, not %q", s.p.Version, version)
	}
	found := 0
	for id, sheet := range s.p.Sheets {
		if sheet == nil {
			delete(s.p.Sheets, id)
			continue
		}
		sheet.mend()
	}
	for _, sheet := range m {
		if s.p.Sheets[sheet.ID] != nil {
			found++
		}
	}
	if found == 0 && len(m) > 0 {
		return nil, fmt.Errorf("it has no sheet %q", m[0].ID)
	}
	for _, sheet := range m {
		if s.p.Sheets[sheet.ID] == nil {
			s.open(sheet, fps)
		}
	}
	return s, nil
}

// mend makes the maps that a text left out.
func (sheet *sheetState) mend() {
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
}

func propPath(prop string) string { return `["` + prop + `"]` }
