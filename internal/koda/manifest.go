package koda

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// The limits of a page.
const (
	MinSide     = 16   // CSS pixels
	MaxSide     = 7680 // CSS pixels
	MaxDuration = 3600 // seconds
	MaxScale    = 8    // pixels of a picture for each CSS pixel
)

// ParseManifest reads a koda.json. Every field but scenes must be there and
// within its limits, and no other: a misspelt field would otherwise be a setting
// that silently does nothing. The error has code INVALID_INPUT and names the field.
func ParseManifest(data []byte) (Manifest, error) {
	bad := func(format string, args ...any) (Manifest, error) {
		return Manifest{}, &Error{
			Code: CodeInvalidInput, Op: "koda.json: " + fmt.Sprintf(format, args...),
			Hint: `write it like {"schema": 1, "name": "ball", "width": 1920, "height": 1080, "fps": 60, "duration": 5}`,
		}
	}
	var m Manifest
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	var wrong *json.UnmarshalTypeError
	switch err := d.Decode(&m); {
	case errors.As(err, &wrong) && wrong.Field == "":
		return bad("it holds no object: %s", wrong.Value)
	case errors.As(err, &wrong):
		return bad("%s cannot be this: %s", wrong.Field, wrong.Value)
	case errors.Is(err, io.EOF):
		return bad("it is empty")
	case err != nil:
		return bad("%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return bad("something follows the object")
	}
	if m.Schema == 0 {
		return bad("schema is missing")
	}
	if m.Schema != SchemaVersion {
		return bad("schema is %d, this koda reads %d", m.Schema, SchemaVersion)
	}
	if strings.TrimSpace(m.Name) == "" || utf8.RuneCountInString(m.Name) > 200 {
		return bad("name must be 1 to 200 characters")
	}
	for _, side := range []struct {
		name string
		n    int
	}{{"width", m.Width}, {"height", m.Height}} {
		if side.n < MinSide || side.n > MaxSide {
			return bad("%s is %d, it must be %d to %d", side.name, side.n, MinSide, MaxSide)
		}
		if side.n%2 != 0 {
			return bad("%s is %d, it must be even: use %d", side.name, side.n, side.n+1)
		}
	}
	if m.FPS.IsZero() {
		return bad("fps is missing")
	}
	if math.IsNaN(m.Duration) || m.Duration <= 0 || m.Duration > MaxDuration {
		return bad("duration is %v, it must be above 0 and at most %d seconds", m.Duration, MaxDuration)
	}
	if err := CheckScenes(m.Scenes, m.Duration); err != nil {
		return Manifest{}, &Error{Code: CodeInvalidInput, Op: "koda.json: " + err.Error(), Hint: HintOf(err)}
	}
	return m, nil
}

// Encode writes a koda.json as people like to read it: a member a line, and a
// scene a line.
func (m Manifest) Encode() ([]byte, error) {
	scenes := m.Scenes
	m.Scenes = nil
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode koda.json: %w", err)
	}
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(data, []byte("\n}")))
	between, end := ",\n  \"scenes\": [\n    ", ""
	for _, s := range scenes {
		line, err := json.Marshal(s)
		if err != nil {
			return nil, fmt.Errorf("encode koda.json: %w", err)
		}
		b.WriteString(between + string(line))
		between, end = ",\n    ", "\n  ]"
	}
	b.WriteString(end)
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}
