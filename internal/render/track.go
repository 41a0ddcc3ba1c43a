package render

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// trackVersion is raised whenever koda changes a sound in a way that ffmpeg's
// arguments do not show.
const trackVersion = 1

// trackExt ends the names of finished sound tracks, which are kept beside the
// segments: a line of JSON, trackHead, and the encoded sound.
const trackExt = ".sound"

type trackHead struct {
	Level  koda.Level `json:"level"`
	SHA256 string     `json:"sha256"` // of what follows, hex
}

// trackKey names the content of a finished track: equal keys, equal bytes. Source
// is the digest of the source file, and kind the ending of its name, which helps
// ffmpeg to tell the kind of file.
func (p plan) trackKey(loop bool, source, kind string) (string, error) {
	track := ffmpeg.Sounding(p.spec, loop)
	text, err := json.Marshal(struct {
		Version         int
		Source, Kind    string
		Measure, Encode []string
		FFmpeg          string
	}{trackVersion, source, kind, ffmpeg.MeasureArgs(track), ffmpeg.SoundArgs(track, ffmpeg.Gain{DB: 1, Limit: true}), p.facts.FFmpeg})
	if err != nil {
		return "", fmt.Errorf("name sound: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// track copies a finished track to a file and says how loud its source was. A
// damaged track counts as missing.
func (s store) track(key, file string) (koda.Level, bool) {
	in, err := os.Open(filepath.Join(s.dir, key+trackExt))
	if err != nil {
		return koda.Level{}, false
	}
	defer in.Close() //nolint:errcheck // read only
	r := bufio.NewReader(in)
	line, err := r.ReadBytes('\n')
	var head trackHead
	if err != nil || json.Unmarshal(line, &head) != nil {
		return koda.Level{}, false
	}
	out, err := atomicfile.Create(file, 0o600)
	if err != nil {
		return koda.Level{}, false
	}
	defer out.Abort()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(out, sum), r); err != nil || hex.EncodeToString(sum.Sum(nil)) != head.SHA256 {
		return koda.Level{}, false
	}
	if out.Commit() != nil {
		return koda.Level{}, false
	}
	now := s.now()
	_ = os.Chtimes(in.Name(), now, now) //nolint:errcheck // it only looks unused for longer
	return head.Level, true
}

// keepTrack puts a finished track of the host into the store.
func (s store) keepTrack(host sandbox.Host, file, key string, level koda.Level) error {
	in, err := host.Open(file)
	if err != nil {
		return koda.DiskError("read sound", err)
	}
	data, err := io.ReadAll(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return koda.DiskError("read sound", err)
	}
	sum := sha256.Sum256(data)
	head, err := json.Marshal(trackHead{level, hex.EncodeToString(sum[:])})
	if err != nil {
		return fmt.Errorf("describe sound: %w", err)
	}
	out, err := atomicfile.Create(filepath.Join(s.dir, key+trackExt), 0o644)
	if err != nil {
		return koda.DiskError("keep sound", err)
	}
	defer out.Abort()
	for _, part := range [][]byte{head, {'\n'}, data} {
		if _, err := out.Write(part); err != nil {
			return koda.DiskError("keep sound", err)
		}
	}
	failpoint.Hit("render.sound")
	if err := out.Commit(); err != nil {
		return koda.DiskError("keep sound", err)
	}
	return nil
}
