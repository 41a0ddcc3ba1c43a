package koda_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

func TestParseManifest(t *testing.T) {
	t.Parallel()
	good := `{"schema": 1, "name": "ball", "width": 1920, "height": 1080, "fps": "30000/1001", "duration": 5}`
	m, err := koda.ParseManifest([]byte(good))
	if err != nil || m.FPS != (koda.FPS{Num: 30000, Den: 1001}) || m.Width != 1920 {
		t.Fatalf("ParseManifest = %+v, %v", m, err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"1920", "1921", "use 1922"},
		{"1920", "0", "width is 0"},
		{"1080", "8000", "height is 8000"},
		{`"schema": 1`, `"schema": 2`, "schema is 2"},
		{`"ball"`, `" "`, "name"},
		{`"duration": 5`, `"duration": 0`, "duration is 0"},
		{`"duration": 5`, `"duration": 3601`, "at most 3600"},
		{`"duration": 5`, `"duraton": 5`, "duraton"},
		{`, "duration": 5`, ``, "duration is 0"},
		{`"fps": "30000/1001", `, ``, "fps is missing"},
		{`"30000/1001"`, `"fast"`, "frame rate"},
		{`"30000/1001"`, `1000`, "frame rate"},
		{`1920`, `"wide"`, "width is no place for a string"},
		{`1920`, `1920.5`, "width is no place for a number 1920.5"},
		{`5}`, `5} {}`, "follows"},
		{good, `[]`, "array"},
		{good, ``, "EOF"},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if text == good {
			t.Fatalf("%q is not in the good manifest", c.old)
		}
		_, err := koda.ParseManifest([]byte(text))
		if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want something with %q", text, err, c.want)
		}
	}
}
