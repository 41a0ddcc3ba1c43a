package render

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
)

// audioDir is where a project keeps its sound.
const audioDir = "public/audio"

// audioKinds are the endings of sound files.
var audioKinds = []string{".mp3", ".wav", ".ogg", ".flac", ".m4a", ".aac"}

// sound is the sound of a render; nil for a silent render.
type sound struct {
	koda.Sound
	files  fs.FS // the files that hold Path; nil: Path is absolute
	wanted string
	others int // further files of the project that were candidates
	level  koda.Level
	file   string // the finished track
}

// chooseSound says which sound the video has. It does not read the sound yet.
func chooseSound(files fs.FS, spec koda.RenderSpec) (*sound, error) {
	a := spec.Audio
	switch {
	case a.Off:
		return nil, nil
	case a.Path != "":
		if !preset.HasSound(spec.Format) {
			return nil, &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("a %s file carries no sound", spec.Format), Hint: "leave out --audio, or use --format mp4"}
		}
		return &sound{Sound: koda.Sound{Path: a.Path, Loop: a.Loop}, wanted: a.SHA256}, nil
	case spec.Kind != koda.RenderFinal || !preset.HasSound(spec.Format):
		return nil, nil
	}
	entries, err := fs.ReadDir(files, audioDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, koda.DiskError("look into "+audioDir, err)
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && slices.Contains(audioKinds, strings.ToLower(path.Ext(e.Name()))) {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	return &sound{Sound: koda.Sound{Path: path.Join(audioDir, slices.Min(names)), Loop: a.Loop}, files: files, others: len(names) - 1}, nil
}

// note says what was chosen, if there was a choice.
func (s *sound) note() string {
	if s == nil || s.others == 0 {
		return ""
	}
	return fmt.Sprintf("the sound is %s, the first of %d by name; choose another with --audio", s.Path, s.others+1)
}

func (s *sound) result() *koda.Sound {
	if s == nil {
		return nil
	}
	r := s.Sound
	r.Gain = ffmpeg.GainOf(s.level).DB
	if !s.level.Silent {
		r.LUFS = &s.level.LUFS
	}
	return &r
}

// drawWith draws all segments and makes the sound at the same time. If one of the
// two fails, the other is ended.
func (j *job) drawWith(ctx context.Context, s *sound) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	made := make(chan struct{})
	go func() {
		defer close(made)
		if err := j.makeSound(ctx, s); err != nil {
			stop(err)
		}
	}()
	err := j.drawAll(ctx)
	if err != nil {
		stop(err)
	}
	<-made
	return context.Cause(ctx)
}

// makeSound makes the whole track from a copy of the source, so that the same bytes
// are measured, encoded and named in the result. A track that was made before is
// used again.
func (j *job) makeSound(ctx context.Context, s *sound) error {
	if s == nil {
		return nil
	}
	kind := strings.ToLower(filepath.Ext(s.Path))
	source := filepath.Join(j.tmp, "sound"+kind)
	if err := s.copyTo(source); err != nil {
		return err
	}
	track := koda.TrackJob{Input: source, Loop: s.Loop, Spec: j.plan.spec, Facts: j.plan.facts, Output: filepath.Join(j.tmp, "track")}
	s.file = track.Output
	key, err := j.plan.trackKey(s.Loop, s.SHA256, kind)
	if err != nil {
		return err
	}
	if s.level, s.Reused = j.segments.track(key, track.Output); s.Reused {
		return nil
	}
	made, err := j.cfg.Drawer.Finish(ctx, koda.FinishJob{Track: &track})
	if err != nil {
		return s.fail(ctx, err)
	}
	s.level = made.Level
	return j.segments.keepTrack(j.host, track.Output, key, s.level)
}

// fail names the file an error is about.
func (s *sound) fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &koda.Error{Code: koda.CodeOf(err), Op: "use " + s.Path + " as sound", Err: err, Hint: koda.HintOf(err), Details: koda.DetailsOf(err)}
}

// copyTo copies the source and notes its digest.
func (s *sound) copyTo(file string) error {
	unreadable := func(err error) error {
		return &koda.Error{Code: koda.CodeUsage, Op: "use " + s.Path + " as sound", Err: err, Hint: "give a file that can be read, or --no-audio"}
	}
	var in fs.File
	var err error
	if s.files != nil {
		in, err = s.files.Open(s.Path)
	} else {
		in, err = os.Open(s.Path)
	}
	if err != nil {
		return unreadable(err)
	}
	defer in.Close() //nolint:errcheck // read only
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() {
		return unreadable(errors.Join(err, errors.New("it is not a regular file")))
	}
	out, err := atomicfile.Create(file, 0o600)
	if err != nil {
		return koda.DiskError("copy sound", err)
	}
	defer out.Abort()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(out, sum), in); err != nil {
		return koda.DiskError("copy sound", err)
	}
	if err := out.Commit(); err != nil {
		return koda.DiskError("copy sound", err)
	}
	s.SHA256 = hex.EncodeToString(sum.Sum(nil))
	if s.wanted != "" && s.wanted != s.SHA256 {
		return unreadable(errors.New("it changed since it was looked at"))
	}
	return nil
}
