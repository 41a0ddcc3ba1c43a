package fonts_test

import (
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/fonts"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
)

// font is a TrueType font of nothing but tables that say what it is.
func font(family string, weight uint16, low, high uint16) []byte {
	be := binary.BigEndian
	var cmap []byte
	for _, v := range []uint16{0, 1, 3, 1, 0, 12, 4, 32, 0, 4, 0, 0, 0, high, 0xffff, 0, low, 0xffff, 1, 1, 0, 0} {
		cmap = be.AppendUint16(cmap, v)
	}
	units := utf16.Encode([]rune(family))
	var name []byte
	for _, v := range append([]uint16{0, 1, 18, 3, 1, 0x409, 1, uint16(2 * len(units)), 0}, units...) {
		name = be.AppendUint16(name, v)
	}
	tables := []struct {
		tag  string
		data []byte
	}{{"OS/2", be.AppendUint16(make([]byte, 4), weight)}, {"cmap", cmap}, {"name", name}}
	out := append([]byte("\x00\x01\x00\x00"), 0, byte(len(tables)), 0, 0, 0, 0, 0, 0)
	at := uint32(12 + 16*len(tables))
	var body []byte
	for _, t := range tables {
		out = append(out, t.tag...)
		for _, v := range []uint32{0, at + uint32(len(body)), uint32(len(t.data))} {
			out = be.AppendUint32(out, v)
		}
		body = append(body, t.data...)
	}
	return append(out, body...)
}

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func add(t *testing.T, s *fonts.Store, name string, data []byte) fonts.Family {
	t.Helper()
	f, err := s.AddFile(write(t, name, data))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAddFile(t *testing.T) {
	t.Parallel()
	s := fonts.Open(filepath.Join(t.TempDir(), "fonts"))
	f := add(t, s, "acme.ttf", font("Acme 'Sans", 400, 'ა', 'ჰ'))
	want := fonts.Family{Name: "Acme Sans", From: "acme.ttf", Own: true, Faces: []fonts.Face{{File: f.Faces[0].File, Weight: 400, Cover: fonts.Cover{{Low: 'ა', High: 'ჰ'}}}}}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("family (-want +got):\n%s", diff)
	}
	add(t, s, "acme-bold.ttf", font("Acme 'Sans", 700, 'ა', 'ჰ'))
	add(t, s, "acme-bold.ttf", font("Acme 'Sans", 700, 'ა', 'ჯ'))
	again := fonts.Open(filepath.Dir(s.Dir()))
	families, err := again.Families()
	if err != nil || len(families) != 1 || len(families[0].Faces) != 2 {
		t.Fatalf("families: %+v, %v", families, err)
	}
	c, err := again.Pick(fonts.Need{Lacks: []rune("აბ誕")})
	if err != nil {
		t.Fatal(err)
	}
	if string(c.Lacks) != "誕" || len(c.Files) != 2 || strings.Count(c.CSS, "font-weight: 700") != 1 || c.ID == "" {
		t.Errorf("lacks %q, %d files, id %q:\n%s", string(c.Lacks), len(c.Files), c.ID, c.CSS)
	}
	if removed, err := again.Remove("acme sans"); err != nil || !slices.Equal(removed, []string{"Acme Sans"}) {
		t.Errorf("removed %v, %v", removed, err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(s.Dir()), "own", "*.ttf"))
	if err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if _, err := again.Remove("Acme Sans"); koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("removed twice: %v", err)
	}
}

func TestAddFile_noFont(t *testing.T) {
	t.Parallel()
	s := fonts.Open(t.TempDir())
	whole := font("Acme", 400, 'a', 'z')
	for name, data := range map[string][]byte{
		"empty.ttf": nil, "text.ttf": []byte("hello"), "collection.ttc": []byte("ttcf\x00\x01\x00\x00"), "cut.ttf": whole[:60],
		"bad.woff2": append([]byte("wOF2"), bytes.Repeat([]byte{0xff}, 100)...), "head.woff2": []byte("wOF2"),
	} {
		if _, err := s.AddFile(write(t, name, data)); koda.CodeOf(err) != koda.CodeUsage {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none.ttf"), t.TempDir()} {
		if _, err := s.AddFile(path); koda.CodeOf(err) != koda.CodeUsage {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A font that was changed on disk is not used.
func TestPick_changed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := fonts.Open(dir)
	f := add(t, s, "acme.ttf", font("Acme", 400, 'ა', 'ჰ'))
	if err := os.WriteFile(filepath.Join(dir, "own", f.Faces[0].File), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Pick(fonts.Need{Lacks: []rune("ა")}); koda.CodeOf(err) != koda.CodeReadFailed {
		t.Errorf("picked a font that was changed: %v", err)
	}
}

func families(c fonts.Choice) []string {
	found := map[string]bool{}
	for line := range strings.Lines(c.CSS) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "font-family: "); ok {
			found[name] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Each script gets the slices that its text needs, and no others.
func TestPick_scripts(t *testing.T) {
	t.Parallel()
	s := fonts.Open(needs.Fonts(t))
	size := func(c fonts.Choice) (n int) {
		for _, data := range c.Files {
			n += len(data)
		}
		return n
	}
	for name, tc := range map[string]struct {
		text, locale string
		files, most  int // files, and kilobytes at most
	}{
		"Arabic":      {"مرحبا بالعالم", "", 1, 200},
		"Hebrew":      {"שלום עולם", "", 1, 40},
		"Hindi":       {"नमस्ते दुनिया", "", 1, 200},
		"Thai":        {"สวัสดีชาวโลก", "", 1, 60},
		"Japanese":    {"お誕生日おめでとう", "", 4, 300},
		"Chinese":     {"生日快乐", "", 4, 300},
		"Korean":      {"생일 축하합니다", "", 6, 400},
		"emoji":       {"🎉👩🏽‍🚀🇯🇵", "", 1, 2300},
		"Latin":       {"", "", 0, 0},
		"a Han title": {"東京", "ja-JP", 2, 200},
	} {
		lacks := slices.DeleteFunc([]rune(tc.text), fonts.Unseen)
		c, err := s.Pick(fonts.Need{Lacks: lacks, Locale: tc.locale})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Lacks) > 0 || len(c.Files) > tc.files || size(c) > tc.most<<10 || tc.files > 0 != (c.ID != "") {
			t.Errorf("%s: %d files with %d kB, lacks %q", name, len(c.Files), size(c)>>10, string(c.Lacks))
		}
		want := []string(nil)
		switch {
		case name == "emoji":
			want = []string{"'Koda Emoji';"}
		case tc.files > 0:
			want = []string{"'Koda Scripts';"}
		}
		if diff := cmp.Diff(want, families(c)); diff != "" {
			t.Errorf("%s: families (-want +got):\n%s", name, diff)
		}
	}
}

// Chinese characters have the shapes of the page's language; a text in another language
// beside it changes only what the page's language has not got.
func TestPick_language(t *testing.T) {
	t.Parallel()
	s := fonts.Open(needs.Fonts(t))
	pick := func(text, locale string) fonts.Choice {
		c, err := s.Pick(fonts.Need{Lacks: slices.DeleteFunc([]rune(text), fonts.Unseen), Locale: locale})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	chinese, japanese := pick("誕生", "zh-CN"), pick("誕生", "ja-JP")
	if cmp.Equal(chinese.Files, japanese.Files) || chinese.ID == japanese.ID {
		t.Error("Chinese and Japanese get the same font")
	}
	if kana := pick("誕生おめ", ""); kana.ID != japanese.ID {
		t.Error("kana do not make a page Japanese")
	}
	mixed := pick("誕生おめ们", "")
	if len(mixed.Lacks) > 0 || strings.Count(mixed.CSS, "unicode-range: U+4eec;") != 1 {
		t.Errorf("a Chinese character on a Japanese page: lacks %q", string(mixed.Lacks))
	}
	if c, err := s.Pick(fonts.Need{All: []rune("Hello 誕"), Families: []string{"Noto Sans JP", "Other"}}); err != nil || !slices.Equal(c.Missing, []string{"Other"}) || !slices.Equal(families(c), []string{"'Noto Sans JP';"}) {
		t.Errorf("a family by its name: %v, missing %v, %v", families(c), c.Missing, err)
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	s := fonts.Open(t.TempDir())
	for lacks, want := range map[string]string{
		"":      "",
		"誕":     "No font here has the character 「誕」: boxes are drawn instead. koda fonts add installs fonts for Arabic, Hebrew, Devanagari, Thai, Chinese, Japanese, Korean and emoji.",
		"ბა":    "No font here has the characters 「ა」「ბ」: boxes are drawn instead. koda fonts add FILE takes a font that has them.",
		"ეაბგდ": "No font here has the characters 「ა」「ბ」「გ」「დ」 and others: boxes are drawn instead. koda fonts add FILE takes a font that has them.",
	} {
		if got := s.Sentence([]rune(lacks)); got != want {
			t.Errorf("%s: %s", lacks, got)
		}
	}
}

func TestCover(t *testing.T) {
	t.Parallel()
	var c fonts.Cover
	if err := c.UnmarshalText([]byte("41-5a,4e00")); err != nil {
		t.Fatal(err)
	}
	for r, want := range map[rune]bool{'@': false, 'A': true, 'Z': true, '[': false, '一': true, '丁': false} {
		if c.Has(r) != want {
			t.Errorf("Has(%q) = %v", r, !want)
		}
	}
	if text, err := c.MarshalText(); err != nil || string(text) != "41-5a,4e00" {
		t.Errorf("%s, %v", text, err)
	}
	if err := c.UnmarshalText([]byte("4g")); err == nil {
		t.Error("4g is a number")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(font("Acme", 400, 'a', 'z'))
	f.Add([]byte("wOF2"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := fonts.Parse(data); err == nil && len(got.Faces[0].Cover) == 0 {
			t.Error("a font without characters")
		}
	})
}
