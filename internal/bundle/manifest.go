package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"

	"github.com/koda-video/koda/internal/koda"
)

const (
	manifestName = "koda.json"

	minSide     = 16
	maxSide     = 7680
	maxDuration = 3600 // seconds
)

// ReadManifest reads and checks koda.json at the root of files. Sides are even
// and from 16 to 7680 pixels, the rate is from 1 to 240 frames a second, the
// duration above 0 and up to an hour; scenes, which may be missing, rise from 0
// within it.
//
// Errors: NOT_FOUND when there is none, BUILD_FAILED when it is wrong.
func ReadManifest(files fs.FS) (koda.Manifest, error) {
	var m koda.Manifest
	data, err := fs.ReadFile(files, manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return m, &koda.Error{
			Code: koda.CodeNotFound, Op: "there is no koda.json, so this is no koda project",
			Hint: `write one: {"schema": 1, "name": "ball", "width": 1920, "height": 1080, "fps": 60, "duration": 5}`,
		}
	}
	if err != nil {
		return m, readFailed("read koda.json", err)
	}
	raw := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &raw); err != nil {
		at := int64(0)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at = max(syntax.Offset-1, 0)
		}
		return m, buildFailed([]mistake{mistakeAt(manifestName, data, int(at), 1, "koda.json is not a JSON object: "+err.Error(), "")})
	}
	if mistakes := checkManifest(data, raw, &m); len(mistakes) > 0 {
		return m, buildFailed(mistakes)
	}
	return m, nil
}

func checkManifest(data []byte, raw map[string]json.RawMessage, m *koda.Manifest) []mistake {
	var mistakes []mistake
	wrong := func(key, text, hint string) {
		at, length := 0, 1
		if where := regexp.MustCompile(`"` + key + `"\s*:`).FindIndex(data); where != nil {
			at, length = where[0], len(key)+2
		}
		mistakes = append(mistakes, mistakeAt(manifestName, data, at, length, text, hint))
	}
	field := func(key string, into any, what string) bool {
		value, ok := raw[key]
		if !ok {
			wrong(key, fmt.Sprintf("%q is missing", key), fmt.Sprintf("add %q: %s", key, what))
			return false
		}
		if err := json.Unmarshal(value, into); err != nil {
			wrong(key, fmt.Sprintf("%q is %s, want %s", key, value, what), koda.HintOf(err))
			return false
		}
		return true
	}
	if field("schema", &m.Schema, "1") && m.Schema != koda.SchemaVersion {
		wrong("schema", fmt.Sprintf("schema %d is not known here", m.Schema), "this koda reads schema 1")
	}
	if _, ok := raw["name"]; ok {
		field("name", &m.Name, "a text")
	}
	side := func(key string, into *int) {
		if !field(key, into, "an even number of pixels") {
			return
		}
		switch v := *into; {
		case v < minSide || v > maxSide:
			wrong(key, fmt.Sprintf("%s %d is out of range", key, v), fmt.Sprintf("use an even number from %d to %d", minSide, maxSide))
		case v%2 != 0:
			wrong(key, fmt.Sprintf("%s %d is odd, and video needs even sides", key, v), fmt.Sprintf("use %d", v+1))
		}
	}
	side("width", &m.Width)
	side("height", &m.Height)
	if rate := `a rate from 1 to 240, such as 60, 29.97 or "30000/1001"`; field("fps", &m.FPS, rate) && m.FPS.IsZero() {
		wrong("fps", "fps is 0", "use "+rate)
	}
	if field("duration", &m.Duration, "seconds") && !(m.Duration > 0 && m.Duration <= maxDuration) {
		wrong("duration", fmt.Sprintf("duration %v is out of range", m.Duration), fmt.Sprintf("use seconds above 0 and up to %d", maxDuration))
	}
	scenes := `a list like [{"title": "Intro", "start": 0}, {"title": "Loop", "start": 1.5}]`
	if _, ok := raw["scenes"]; ok && field("scenes", &m.Scenes, scenes) && len(mistakes) == 0 {
		if err := koda.CheckScenes(m.Scenes, m.Duration); err != nil {
			wrong("scenes", err.Error(), koda.HintOf(err))
		}
	}
	return mistakes
}
