package offline_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/dataset"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// TestStoryFiles: what a scene of a file cannot show is told, and what makes no sense is USAGE with the scene named.
func TestStoryFiles(t *testing.T) {
	t.Parallel()
	for scene, want := range map[string]string{
		`{scene: clock, items: "foo; bar"}`:                                                     `scene 1 (clock): "foo" is no time of the day`,
		`{scene: clock, items: "25:00; 99:99"}`:                                                 `scene 1 (clock): "25:00" is no time`,
		`{scene: number, items: abc}`:                                                           `scene 1 (number): "abc" is no number`,
		`{scene: pie, items: "A -3; B 5"}`:                                                      `scene 1 (pie): "A" is -3`,
		`{scene: shape, text: dodecahedron}`:                                                    `scene 1 (shape): there is no shape named dodecahedron`,
		`{scene: sign, sign: flumox}`:                                                           `s.yaml, line 1: "flumox" in the column sign`,
		`{scene: title, text: A, color: blurple}`:                                               `s.yaml, line 1: "blurple" in the column color is no colour`,
		`{scene: title, text: A, seconds: -3}`:                                                  `scene 1 (title): it cannot last -3 seconds`,
		`{scene: title, text: A, seconds: 9999}`:                                                `scene 1 (title): it cannot last 9999 seconds`,
		`{scene: bars, items: "A 3; B; C 5"}`:                                                   `scene 1 (bars): "B" has no number`,
		`{scene: orbit, items: 99}`:                                                             `scene 1 (orbit): there are 1 to 8 planets, not 99`,
		`{scene: countdown, items: "x; y"}`:                                                     `scene 1 (countdown): "x" is no number to count from`,
		`{scene: countdown, items: "99999999; 1"}`:                                              `scene 1 (countdown): it counts more than 3600 seconds`,
		`{scene: compare, items: "Tea: warm; Coffee: strong", color: red}`:                      "Scene 1 (compare) has no place for color.",
		`{scene: number, items: "73%", form: bogus}`:                                            "Scene 1 (number) has no form bogus: there are ring, bar, gauge, thermometer.",
		`{scene: code, text: "x = 1", items: klingon}`:                                          "koda does not know the language klingon.",
		`{scene: bars, rows: [{label: A, value: 3, mass: 5}, {label: B, value: 4}]}`:            "In the rows of s.yaml, mass is not shown.",
		`{scene: progress, items: "73%"}`:                                                       "A bar fills to 73 %.",
		`{scene: lower third, text: Ann, subtitle: CEO}`:                                        `A caption names "Ann", "CEO".`,
		`{scene: number, items: "12,000 USD", sign: heart}`:                                     "A number runs from 0 to 12000.",
		`{scene: orbit, items: 3, subtitle: inner}`:                                             `The note "inner"`,
		`{scene: bars, rows: [{label: A, value: 3, unit: kg}, {label: B, value: 4, unit: km}]}`: "numbers run up together: A 3 kg and B 4 km",
	} {
		s, err := dataset.Read("s.yaml", []byte("- "+scene+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		b := brief("s.yaml", func(b *koda.Brief) { b.Data = s.Encode() })
		got := ""
		if p, err := author().Plan(t.Context(), b, koda.Answer{OptionID: "smooth"}, nil, tool.Desk{}); err == nil {
			got = p.Scenes[0].Description + " " + strings.Join(p.Notes, " ")
		} else if got = err.Error(); koda.CodeOf(err) != koda.CodeUsage {
			t.Errorf("%s: %v", scene, err)
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", scene, got, want)
		}
	}
}

// TestNothingMeant: a long prompt of which no word means anything is no greeting.
func TestNothingMeant(t *testing.T) {
	t.Parallel()
	_, err := author().Plan(t.Context(), brief(strings.Repeat("lorem ipsum ", 900)), koda.Answer{}, nil, tool.Desk{})
	if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), "none of its words says what to show") {
		t.Error(err)
	}
}

// TestReleases: of a changelog the newest release is shown, and that there are more is told.
func TestReleases(t *testing.T) {
	t.Parallel()
	s, err := dataset.Read("c.md", []byte("## 2.1.0\n- New\n## 2.0.0\n- Old\n"))
	if err != nil {
		t.Fatal(err)
	}
	p := plan(t, brief("c.md", func(b *koda.Brief) { b.Data = s.Encode() }), koda.Answer{OptionID: "smooth"})
	if note := "There are 2 releases; 2.1.0 is shown. Name another one to see it."; !strings.Contains(strings.Join(p.Notes, " "), note) {
		t.Error(p.Notes)
	}
}
