package cli

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/koda-video/koda/internal/koda"
)

// AudioOptions are the flags about sound.
type AudioOptions struct {
	File string
	Loop bool
	Off  bool

	Sound koda.Audio // the result of check
}

func (o *AudioOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.File, "audio", "", "sound `FILE` (default: the project's in public/audio)")
	f.BoolVar(&o.Loop, "audio-loop", false, "repeat the sound to the end of the video")
	f.BoolVar(&o.Off, "no-audio", false, "make a silent video")
}

// check examines the file before any work begins.
func (o *AudioOptions) check(asset func(string) (koda.Asset, error)) error {
	if o.Off && (o.File != "" || o.Loop) {
		return usage("leave out one of the two", "--no-audio does not go with --audio and --audio-loop")
	}
	o.Sound = koda.Audio{Loop: o.Loop, Off: o.Off}
	if o.File == "" {
		return nil
	}
	found, err := asset(o.File)
	if err != nil {
		return &koda.Error{Code: koda.CodeOf(err), Op: "--audio", Err: err, Hint: cmp.Or(koda.HintOf(err), "give an mp3, wav, ogg, flac or m4a file")}
	}
	if found.Kind != "audio" {
		return usage("give an mp3, wav, ogg, flac or m4a file", "--audio %s is not a sound", o.File)
	}
	if o.Sound.Path, err = filepath.Abs(o.File); err != nil {
		return fmt.Errorf("find %s: %w", o.File, err)
	}
	o.Sound.SHA256 = found.SHA256
	return nil
}
