package guest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// Drawer draws in a guest. It is the drawer of package render, whose contract it keeps.
type Drawer interface {
	Facts(ctx context.Context, job koda.FactsJob) (koda.Facts, error)
	Inspect(ctx context.Context, job koda.InspectJob) (koda.Inspected, error)
	Draw(ctx context.Context, job koda.SegmentJob, report func(koda.SegmentProgress)) (koda.Drawn, error)
	Finish(ctx context.Context, job koda.FinishJob) (koda.Finished, error)
	Look(ctx context.Context, job koda.LookJob) (koda.Looked, error)
}

// The kinds of jobs of a drawer.
const (
	doFacts   = "facts"
	doInspect = "inspect"
	doSegment = "segment"
	doFinish  = "finish"
	doLook    = "look"
)

// assignment is a job on its way to the guest. The paths of the job are names: "in/SUM"
// with an ending is the file with that digest, "out/0", "out/1", … with an ending are
// the files to make.
type assignment struct {
	Page *sentPage       `json:"page,omitempty"`
	Job  json.RawMessage `json:"job"` // without the page
}

// sentPage is a page whose files travel beforehand.
type sentPage struct {
	koda.Page
	Files map[string]sentFile // hides the files themselves
}

type sentFile struct{ Type, Sum string }

// conclusion is how a job went. It is the last that the guest says of a job.
type conclusion struct {
	Value   json.RawMessage `json:"value"`
	Failure *failure        `json:"failure,omitempty"`
}

// made begins a file that a job made: its bytes follow as frames.
type made struct {
	Index int    `json:"index"`          // of the job's outputs
	Name  string `json:"name,omitempty"` // in the output, if that is a directory
	Size  int64  `json:"size"`
}

// findings are files of a drawer about its machine, by their names.
type findings map[string][]byte

// Kinds of frames of a drawing, beside frameInput for parts of the assignment,
// frameOutput for parts of a file and frameDone for parts of the conclusion.
const (
	frameGo       = 'g' // the assignment is whole
	frameProgress = 'p' // a koda.SegmentProgress
	frameFile     = 'f' // a file begins: made
)

// output is a path of a job where the job makes something.
type output struct {
	path *string
	most int64 // bytes; of a directory all together
	dir  bool
}

const (
	slack      = 16 << 20  // what a file may have beside its pictures, in bytes
	pixelBytes = 8         // that no format needs for a pixel
	stillBytes = 256 << 20 // the largest picture
	soundBytes = 1 << 20   // a second of sound in any format
)

// paths are the paths in a job: of files to read, and of files to make.
func paths(job any) (in []*string, out []output) {
	video := func(spec koda.RenderSpec, frames int) int64 {
		return slack + int64(frames)*int64(spec.Width)*int64(spec.Height)*pixelBytes + int64(spec.Duration*soundBytes)
	}
	segments := func(all []koda.SegmentFile) (frames int) {
		for i := range all {
			in = append(in, &all[i].Path)
			frames += all[i].Frames
		}
		return frames
	}
	switch j := job.(type) {
	case *koda.SegmentJob:
		out = append(out, output{path: &j.Output, most: video(j.Spec, j.Span.Len())})
	case *koda.LookJob:
		if b := j.Bench; b != nil {
			if b.Track != "" {
				in = append(in, &b.Track)
			}
			out = append(out, output{path: &b.Output, most: video(b.Spec, 2*b.Spec.Frames)})
		}
	case *koda.FinishJob:
		if t := j.Track; t != nil {
			in = append(in, &t.Input)
			out = append(out, output{path: &t.Output, most: slack + int64(t.Spec.Duration*soundBytes)})
		}
		if f := j.Join; f != nil {
			frames := segments(f.Segments)
			if f.Track != "" {
				in = append(in, &f.Track)
			}
			out = append(out, output{path: &f.Output, most: video(f.Spec, frames), dir: f.Spec.Format == "png"})
		}
		for i := range j.Stills {
			in = append(in, &j.Stills[i].Video)
			out = append(out, output{path: &j.Stills[i].Output, most: stillBytes})
		}
		if s := j.Strip; s != nil {
			frames := segments(s.Segments)
			out = append(out, output{path: &s.Output, most: slack + int64(frames/max(1, s.Every)+1)*int64(s.Width)*int64(s.Height)*pixelBytes})
		}
		if c := j.Compare; c != nil {
			in = append(in, &c.Videos[0], &c.Videos[1])
			both := koda.RenderSpec{Width: c.Width(), Height: c.Height}
			out = append(out, output{path: &c.Output, most: video(both, max(c.Frames[0], c.Frames[1]))})
		}
	}
	return in, out
}

// private are the paths in a job that a drawer has no use for: the guest need not know
// them.
func private(job any) (all []*string) {
	of := func(specs ...*koda.RenderSpec) {
		for _, s := range specs {
			all = append(all, &s.Output, &s.Thumbnail, &s.Strip, &s.Audio.Path)
		}
	}
	switch j := job.(type) {
	case *koda.FactsJob:
		of(&j.Spec)
	case *koda.SegmentJob:
		of(&j.Spec)
	case *koda.LookJob:
		if j.Bench != nil {
			of(&j.Bench.Spec)
		}
	case *koda.FinishJob:
		if j.Track != nil {
			of(&j.Track.Spec)
		}
		if j.Join != nil {
			of(&j.Join.Spec)
		}
	}
	return all
}

var (
	sumPattern     = regexp.MustCompile(`^[0-9a-f]{64}$`)
	endingPattern  = regexp.MustCompile(`\.[A-Za-z0-9]{1,8}$`)
	picturePattern = regexp.MustCompile(`^frame_[0-9]{5,9}\.png$`) // of format "png"
)

// sumOf is the digest of a stream and its length.
func sumOf(r io.Reader) (sum string, size int64, err error) {
	h := sha256.New()
	size, err = io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// ways are the errors after which a job can be done in another way, by their names on
// the way.
var ways = map[string]error{
	"unfilled": koda.ErrUnfilled, "facts": koda.ErrFacts, "raw-wrong": koda.ErrRawWrong, "raw-refused": koda.ErrRawRefused,
}

// drawTold are the codes that a guest may say of a drawing.
var drawTold = []koda.Code{
	koda.CodePageFailed, koda.CodeSeekFailed, koda.CodeCaptureFailed, koda.CodeOutOfMemory, koda.CodeEncodeFailed, koda.CodeRenderFailed,
	koda.CodeUsage, koda.CodeMissingTool, koda.CodeDiskFull, koda.CodeBuildFailed, koda.CodeInvalidInput, koda.CodeTimeout, koda.CodeFailed, koda.CodeNotFound,
}

// drawHints are koda's own, as the guest's are not taken.
var drawHints = map[koda.Code]string{
	koda.CodePageFailed:    "mend the page's code; koda still --at TIME draws one frame of it",
	koda.CodeSeekFailed:    "make window.__exportSeekTo resolve once the time is shown; what it loads belongs before window.__exportReady",
	koda.CodeCaptureFailed: "run it again; if it happens again, build the image of sandboxes anew: koda sandbox build --again",
	koda.CodeOutOfMemory:   "give --workers 1 or a smaller --resolution, or give containers more memory",
	koda.CodeEncodeFailed:  "run it again: finished segments are kept",
	koda.CodeRenderFailed:  "run it again: finished segments are kept",
	koda.CodeUsage:         "give an mp3, wav, ogg, flac or m4a file that plays",
	koda.CodeMissingTool:   hints[koda.CodeMissingTool],
	koda.CodeDiskFull:      "free some space on the disk of the container engine: koda sandbox prune",
	koda.CodeBuildFailed:   "encode the video of the page again, as mp4 or webm",
}

// drawErr is the failure of a job as an error; nil for no failure.
func (f *failure) drawErr() error {
	if f == nil {
		return nil
	}
	e := &koda.Error{Code: koda.CodeFailed, Op: clip(f.Op), Details: clip(f.Details), Lasting: f.Lasting}
	for _, code := range drawTold {
		if f.Code == code {
			e.Code, e.Hint = code, drawHints[code]
		}
	}
	if way := ways[f.Way]; way != nil {
		e.Err, e.Op = way, strings.TrimSuffix(strings.TrimSuffix(e.Op, way.Error()), ": ")
	}
	return e
}

func encode(v any) (json.RawMessage, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode a job: %w", err)
	}
	return data, nil
}
