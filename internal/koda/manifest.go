package koda

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The limits of a page.
const (
	MinSide     = 16   // CSS pixels
	MaxSide     = 7680 // CSS pixels
	MaxDuration = 3600 // seconds
	MaxScale    = 8    // pixels of a picture for each CSS pixel
	MinScale    = 0.5  // likewise; below this limit Chromium does not draw
)

// What a brief can ask for, and what holds when it does not say.
const (
	MinBrief        = 1.5 // seconds: a scene
	DefaultWidth    = 1920
	DefaultHeight   = 1080
	DefaultDuration = 5 // seconds
)

// DefaultFPS is the frame rate of a page whose maker asked for none.
var DefaultFPS = FPS{Num: 60, Den: 1}

// Encode writes a koda.json as people like to read it: one line for each member,
// and one line for each scene.
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
