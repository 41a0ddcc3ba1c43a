package ffmpeg

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
)

// FilmFormats are the demuxers that may read a film: demuxers of single files that
// name no other files.
const FilmFormats = "mov,matroska,ogg,mp3,wav,flac,aac,avi"

// largestFilm bounds the pictures of a film, in pixels.
const largestFilm = 8192 * 4320

// Film is a video or sound file whose pictures are read one by one. Its methods
// may be called from several goroutines.
type Film struct {
	tool *Tool
	dir  string // on the Host
	file string
	info koda.Film
	keys []int // pictures that can be decoded without the pictures before them

	decoder, matrix string // ffmpeg's names; "" leaves the choice to ffmpeg

	mu      sync.Mutex
	readers []*filmReader // the last used reader comes last
}

// OpenFilm looks at the file of a video or a sound. The file is kept on the Host
// until Close. BUILD_FAILED: ffmpeg can make nothing of the file.
func (t *Tool) OpenFilm(ctx context.Context, data []byte) (*Film, error) {
	dir, err := t.host.MkdirTemp("film")
	if err != nil {
		return nil, fmt.Errorf("make temporary directory: %w", err)
	}
	f := &Film{tool: t, dir: dir, file: filepath.Join(dir, "film")}
	err = atomicfile.Write(f.file, data, 0o600)
	if err == nil {
		err = f.look(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Info is what the file says about itself.
func (f *Film) Info() koda.Film { return f.info }

// FilmProbeArgs are ffprobe's arguments for the streams of a film, and
// FilmTimesArgs for the times at which its pictures are shown. The pictures of VP8
// are counted by decoding them: some of its packets show nothing.
func FilmProbeArgs(file string) []string {
	return append(filmInput(), "-show_entries",
		"format=start_time,duration:stream=index,start_time,duration,codec_type,codec_name,width,height,pix_fmt,time_base,sample_aspect_ratio,color_space"+
			":stream_tags=alpha_mode:stream_side_data=rotation:stream_disposition=attached_pic", "-of", "json", "file:"+file)
}

// FilmTimesArgs : see FilmProbeArgs.
func FilmTimesArgs(file string, stream int, codec string) []string {
	what := []string{"-show_entries", "packet=pts,duration,flags"}
	if codec == "vp8" {
		what = []string{"-show_frames", "-show_entries", "frame=pts,pkt_dts,pkt_duration,key_frame"}
	}
	args := append(filmInput(), "-select_streams", strconv.Itoa(stream))
	return append(append(args, what...), "-of", "json", "file:"+file)
}

func filmInput() []string {
	return []string{"-v", "error", "-protocol_whitelist", "file", "-format_whitelist", FilmFormats}
}

// filmStream is a stream as ffprobe describes it.
type filmStream struct {
	Index    int    `json:"index"`
	Type     string `json:"codec_type"`
	Codec    string `json:"codec_name"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	Pixels   string `json:"pix_fmt"`
	TimeBase string `json:"time_base"`
	Aspect   string `json:"sample_aspect_ratio"`
	Matrix   string `json:"color_space"`
	Start    string `json:"start_time"`
	Duration string `json:"duration"`
	Tags     struct {
		Alpha string `json:"alpha_mode"`
	} `json:"tags"`
	SideData []struct {
		Rotation float64 `json:"rotation"`
	} `json:"side_data_list"`
	Disposition struct {
		Cover int `json:"attached_pic"`
	} `json:"disposition"`
}

// look fills in what the file says.
func (f *Film) look(ctx context.Context) error {
	var answer struct {
		Streams []filmStream `json:"streams"`
		Format  struct {
			Start    string `json:"start_time"`
			Duration string `json:"duration"`
		} `json:"format"`
	}
	if err := f.probe(ctx, FilmProbeArgs(f.file), &answer); err != nil {
		return err
	}
	start := seconds(answer.Format.Start)
	for _, s := range answer.Streams { // to the tick; the file's own is to the ms, and may count from before its start
		if own := seconds(s.Duration); own > 0 {
			f.info.Duration = max(f.info.Duration, seconds(s.Start)+own-start)
		}
	}
	if f.info.Duration == 0 {
		f.info.Duration = seconds(answer.Format.Duration)
	}
	f.info.Sound = slices.ContainsFunc(answer.Streams, func(s filmStream) bool { return s.Type == "audio" })
	at := slices.IndexFunc(answer.Streams, func(s filmStream) bool { return s.Type == "video" && s.Disposition.Cover == 0 })
	switch {
	case at >= 0:
		return f.lookAt(ctx, answer.Streams[at], start)
	case !f.info.Sound:
		return &koda.Error{Code: koda.CodeBuildFailed, Op: "there is neither picture nor sound in it", Hint: "give a video or a sound"}
	}
	return nil
}

// seconds reads a time; 0 for "N/A".
func seconds(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return f
}

// lookAt fills in what the file says of its pictures.
func (f *Film) lookAt(ctx context.Context, s filmStream, start float64) error {
	f.size(s)
	if w, h := f.info.Width, f.info.Height; w < 1 || h < 1 || w*h > largestFilm {
		return &koda.Error{Code: koda.CodeBuildFailed, Op: fmt.Sprintf("its pictures have %dx%d pixels", w, h), Hint: "make it smaller"}
	}
	f.info.Alpha = s.Tags.Alpha == "1" || strings.HasPrefix(s.Pixels, "yuva") || slices.Contains([]string{"rgba", "bgra", "argb", "abgr"}, s.Pixels)
	if s.Tags.Alpha == "1" { // ffmpeg's own decoders leave alpha out
		f.decoder = map[string]string{"vp8": "libvpx", "vp9": "libvpx-vp9"}[s.Codec]
	}
	f.matrix = matrixOf(s)
	var answer struct {
		Packets, Frames []filmPicture
	}
	if err := f.probe(ctx, FilmTimesArgs(f.file, s.Index, s.Codec), &answer); err != nil {
		return err
	}
	pictures := slices.DeleteFunc(append(answer.Packets, answer.Frames...), func(p filmPicture) bool {
		return p.PTS == nil || strings.Contains(p.Flags, "D") // an edit list leaves these pictures out
	})
	slices.SortStableFunc(pictures, func(a, b filmPicture) int { return cmp.Compare(*a.PTS, *b.PTS) })
	pictures = slices.CompactFunc(pictures, func(a, b filmPicture) bool { return *a.PTS == *b.PTS })
	if len(pictures) == 0 {
		return &koda.Error{Code: koda.CodeBuildFailed, Op: "there is no picture in it", Hint: "encode it again"}
	}
	num, den, ok := fraction(s.TimeBase)
	if !ok {
		return fmt.Errorf("read film: a time base of %q", s.TimeBase)
	}
	tick := num / den
	f.info.Slack = tick/2 + 1e-6
	for i, p := range pictures {
		f.info.Times = append(f.info.Times, float64(*p.PTS)*tick-start)
		if i == 0 || strings.HasPrefix(p.Flags, "K") || p.Key == 1 {
			f.keys = append(f.keys, i)
		}
	}
	last := pictures[len(pictures)-1]
	if f.info.Duration <= 0 {
		f.info.Duration = f.info.Times[len(pictures)-1] + float64(max(last.Duration, last.PacketDuration))*tick
	}
	return nil
}

// filmPicture is a packet or a frame as ffprobe describes it.
type filmPicture struct {
	PTS            *int64 `json:"pts"`
	Duration       int64  `json:"duration"`
	PacketDuration int64  `json:"pkt_duration"`
	Flags          string `json:"flags"`
	Key            int    `json:"key_frame"`
}

// size is the size of the pictures as they are shown: upright, with square pixels.
func (f *Film) size(s filmStream) {
	w, h := float64(s.Width), float64(s.Height)
	if num, den, ok := fraction(s.Aspect); ok && num > den {
		w = math.Round(w * num / den)
	} else if ok {
		h = math.Round(h * den / num)
	}
	for _, side := range s.SideData {
		if math.Mod(math.Abs(side.Rotation), 180) == 90 {
			w, h = h, w
		}
	}
	f.info.Width, f.info.Height = int(w), int(h)
}

// matrixOf is the colour matrix of a stream by swscale's name. If the file does not
// name a matrix, browsers take the matrix of high definition from 720 lines on.
func matrixOf(s filmStream) string {
	switch {
	case s.Matrix == "gbr" || strings.Contains(s.Pixels, "rgb") || strings.Contains(s.Pixels, "gbr"):
		return ""
	case s.Matrix == "bt709" || strings.HasPrefix(s.Matrix, "bt2020"):
		return strings.TrimRight(strings.TrimSuffix(s.Matrix, "nc"), "c")
	case s.Matrix == "smpte240m" || s.Matrix == "fcc":
		return s.Matrix
	case (s.Matrix == "" || s.Matrix == "unknown" || s.Matrix == "unspecified") && s.Height >= 720:
		return "bt709"
	}
	return "bt601"
}

// fraction reads "1/90000" and "4:3".
func fraction(s string) (num, den float64, ok bool) {
	a, b, found := strings.Cut(strings.ReplaceAll(s, ":", "/"), "/")
	num, errNum := strconv.ParseFloat(a, 64)
	den, errDen := strconv.ParseFloat(b, 64)
	return num, den, found && errNum == nil && errDen == nil && num > 0 && den > 0
}

// probe runs ffprobe and reads its answer.
func (f *Film) probe(ctx context.Context, args []string, answer any) error {
	id, err := f.tool.identify("ffprobe")
	if err != nil {
		return err
	}
	out, stderr, err := f.tool.run(ctx, id.path, args, nil)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return &koda.Error{Code: koda.CodeBuildFailed, Op: "ffmpeg can make nothing of it", Err: errors.New(lastLine(stderr)), Hint: "encode it as mp4 or webm"}
	}
	if err := json.Unmarshal(out, answer); err != nil {
		return fmt.Errorf("read film: %w", err)
	}
	return nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// Close ends the readers of the film and removes its file.
func (f *Film) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.readers {
		r.end()
	}
	f.readers = nil
	if err := f.tool.host.RemoveAll(f.dir); err != nil {
		return fmt.Errorf("remove film: %w", err)
	}
	return nil
}
