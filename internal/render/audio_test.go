package render_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/koda-video/koda/internal/koda"
)

// tone is a mono WAV file at 48 kHz.
func tone(seconds, level float64) []byte {
	n := int(seconds * 48_000)
	var b bytes.Buffer
	b.WriteString("RIFF")
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(36+2*n)))
	b.WriteString("WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\xbb\x00\x00\x00\x77\x01\x00\x02\x00\x10\x00data")
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(2*n)))
	for i := range n {
		b.Write(binary.LittleEndian.AppendUint16(nil, uint16(int16(32767*level*math.Sin(float64(i)/10)))))
	}
	return b.Bytes()
}

// streams describes the streams of a file by ffprobe, one line for each stream.
func streams(t *testing.T, file string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-show_entries", "stream=codec_name,duration", "-of", "csv=p=0", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// A final carries the sound of its project, or a sound that was named, or no sound
// if none is wanted. The pictures are drawn once for all three.
func TestSound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	files := fstest.MapFS{
		"public/audio/b.WAV": {Data: tone(1, 0.1)}, "public/audio/c.wav": {Data: tone(1, 0.3)}, "public/audio/README.md": {Data: []byte("not this")},
	}
	koda0, err := fs.ReadFile(project(5), "koda.json")
	if err != nil {
		t.Fatal(err)
	}
	files["koda.json"] = &fstest.MapFile{Data: koda0}
	other := filepath.Join(t.TempDir(), "other.wav")
	if err := os.WriteFile(other, tone(9, 0.1), 0o644); err != nil {
		t.Fatal(err)
	}
	digest := func(b []byte) string { sum := sha256.Sum256(b); return hex.EncodeToString(sum[:]) }
	const both = "h264,5.000000\naac,5.000000\n"
	tests := []struct {
		name    string
		kind    koda.RenderKind
		audio   koda.Audio
		sound   *koda.Sound
		streams string
		note    string
	}{
		{"off", koda.RenderFinal, koda.Audio{Off: true}, nil, "h264,5.000000\n", ""},
		{"project", koda.RenderFinal, koda.Audio{}, &koda.Sound{Path: "public/audio/b.WAV", SHA256: digest(tone(1, 0.1))}, both, "the sound is public/audio/b.WAV, the first of 2 by name; choose another with --audio"},
		{"loop", koda.RenderFinal, koda.Audio{Loop: true}, &koda.Sound{Path: "public/audio/b.WAV", SHA256: digest(tone(1, 0.1)), Loop: true}, both, "the sound is public/audio/b.WAV, the first of 2 by name; choose another with --audio"},
		{"file", koda.RenderFinal, koda.Audio{Path: other, SHA256: digest(tone(9, 0.1))}, &koda.Sound{Path: other, SHA256: digest(tone(9, 0.1))}, both, ""},
		{"preview", koda.RenderPreview, koda.Audio{}, nil, "h264,5.000000\n", ""},
		{"preview, asked for", koda.RenderPreview, koda.Audio{Path: other}, &koda.Sound{Path: other, SHA256: digest(tone(9, 0.1))}, both, ""},
	}
	for i, tt := range tests {
		s := spec(t)
		s.Kind, s.Audio = tt.kind, tt.audio
		res, err := w.renderer().Render(t.Context(), files, s, nil)
		if err != nil {
			t.Fatalf("%s: %v\n%s", tt.name, err, koda.DetailsOf(err))
		}
		if d := cmp.Diff(tt.sound, res.Sound, cmpopts.IgnoreFields(koda.Sound{}, "LUFS", "Gain", "Reused")); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
		if res.Sound != nil && (res.Sound.LUFS == nil || math.Abs(*res.Sound.LUFS+res.Sound.Gain+14) > 0.01) {
			t.Errorf("%s: %+v", tt.name, res.Sound)
		}
		if got := streams(t, s.Output); got != tt.streams || res.Note != tt.note {
			t.Errorf("%s: streams %q, note %q", tt.name, got, res.Note)
		}
		if i > 0 && res.Reused != 150 {
			t.Errorf("%s: %d frames were drawn again", tt.name, res.Captured)
		}
	}
}

// The other formats that can carry sound carry it too.
func TestSoundFormats(t *testing.T) {
	t.Parallel()
	other := filepath.Join(t.TempDir(), "other.wav")
	if err := os.WriteFile(other, tone(1, 0.1), 0o644); err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]string{"webm": "vp9,opus", "mov": "prores,aac", "apng": ""} {
		s := spec(t)
		s.Format, s.Output = format, strings.TrimSuffix(s.Output, ".mp4")+"."+format
		s.Frames, s.Duration = 30, 1
		s.Audio = koda.Audio{Path: other}
		_, err := newWorld(t).renderer().Render(t.Context(), project(1), s, nil)
		if want == "" {
			if koda.CodeOf(err) != koda.CodeUsage {
				t.Errorf("%s: %v", format, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", format, err, koda.DetailsOf(err))
			continue
		}
		var codecs []string
		for line := range strings.Lines(streams(t, s.Output)) {
			codec, _, _ := strings.Cut(strings.TrimSpace(line), ",")
			codecs = append(codecs, codec)
		}
		if got := strings.Join(codecs, ","); got != want {
			t.Errorf("%s: %s", format, got)
		}
	}
}

// A file that is no sound ends the render with one line, and no file is left.
func TestSoundBad(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bad := filepath.Join(t.TempDir(), "bad.mp3")
	if err := os.WriteFile(bad, []byte(strings.Repeat("no music ", 1000)), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, audio := range map[string]koda.Audio{
		"damaged": {Path: bad}, "missing": {Path: bad + ".not"}, "directory": {Path: filepath.Dir(bad)}, "changed": {Path: bad, SHA256: "00"},
	} {
		s := spec(t)
		s.Audio = audio
		_, err := w.renderer().Render(t.Context(), project(5), s, nil)
		if koda.CodeOf(err) != koda.CodeUsage || strings.Contains(err.Error(), "\n") || koda.HintOf(err) == "" {
			t.Errorf("%s: %v (%s)", name, err, koda.CodeOf(err))
		}
		if left := list(t, filepath.Dir(s.Output)); len(left) > 0 {
			t.Errorf("%s left %v", name, left)
		}
	}
	if w.live != 0 {
		t.Errorf("%d browsers are left", w.live)
	}
}
