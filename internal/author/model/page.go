package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/png" // screenshots are PNG
	"path"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/tool"
)

const (
	stillWidth = 640 // pixels of a picture that the model looks at
	mostStills = 6
)

// pageErrors are the failures of a screenshot that the model can mend.
var pageErrors = []koda.Code{
	koda.CodeBuildFailed, koda.CodePageFailed, koda.CodeSeekFailed, koda.CodeCaptureFailed, koda.CodeInvalidInput, koda.CodeTimeout,
}

// check builds and draws the page. Failed is what the model is told; err ends the todo.
func (j *job) check(ctx context.Context, input json.RawMessage) (parts []llm.Part, failed, err error) {
	var in checkInput
	if failed := decode(input, &in); failed != nil {
		return nil, failed, nil
	}
	m, err := manifestOf(ctx, j.desk)
	if err != nil {
		return nil, err, nil
	}
	times := in.Times[:min(len(in.Times), mostStills)]
	if len(times) == 0 {
		times = momentsOf(m, j.task.Scene)
	}
	if err := tool.Think(ctx, j.desk, "Looking at the page"); err != nil {
		return nil, nil, err
	}
	calls := make([]tool.Call, len(times))
	for i, at := range times {
		at = max(0, min(at, m.Duration-1e-3))
		raw, err := json.Marshal(tool.ScreenshotInput{SeekTo: at, Width: stillWidth})
		if err != nil {
			return nil, nil, fmt.Errorf("encode time: %w", err)
		}
		calls[i] = tool.Call{Name: tool.NameSandboxScreenshot, Input: raw}
	}
	// The first picture alone: a page that does not build fails once.
	results := j.desk.Calls(ctx, calls[:1])
	if results[0].Err == nil {
		results = append(results, j.desk.Calls(ctx, calls[1:])...)
	}
	var stills []llm.Part
	for i, r := range results {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if r.Err != nil {
			failed, err := j.broken(ctx, r.Err)
			return nil, failed, err
		}
		picture, empty, err := pictureOf(r.Output)
		if err != nil {
			return nil, nil, err
		}
		note := fmt.Sprintf("At %.4g s:", times[i])
		if empty {
			note += " the picture has a single colour; is something missing?"
		}
		stills = append(stills, llm.Part{Text: note}, llm.Part{Picture: picture})
	}
	j.fresh = false
	return append([]llm.Part{{Text: "The page builds and draws."}}, stills...), nil, nil
}

// broken counts an error of the page. If the same error came too often, the todo fails;
// the message to the person is the last answered call then, so that a retry asks anew.
func (j *job) broken(ctx context.Context, failed error) (told, err error) {
	if !slices.Contains(pageErrors, koda.CodeOf(failed)) {
		return nil, failed
	}
	key := koda.Sentence(failed)
	if j.failed[key]++; j.failed[key] <= mostErrors {
		return failed, nil
	}
	if err := tool.Say(ctx, j.desk, "The page is still broken: "+key); err != nil {
		return nil, err
	}
	return nil, &koda.Error{
		Code: koda.CodeFailed, Op: fmt.Sprintf("the model could not mend the page in %d tries", mostErrors), Err: failed, Details: koda.DetailsOf(failed),
		Hint: "`koda resume` lets it try again; or mend the file yourself and resume",
	}
}

// finish ends the todo if the page builds and draws, and if the model has seen it.
func (j *job) finish(ctx context.Context, input json.RawMessage) (parts []llm.Part, done bool, failed, err error) {
	var in finishInput
	if failed := decode(input, &in); failed != nil {
		return nil, false, failed, nil
	}
	if j.fresh {
		parts, failed, err := j.check(ctx, noInput)
		if failed != nil || err != nil {
			return nil, false, failed, err
		}
		parts = append(parts, llm.Part{Text: "Look at the pictures. If they are as they should be, call finish again; else mend them first."})
		return parts, false, nil, nil
	}
	if missing, err := j.missing(ctx); err != nil || missing != nil {
		return nil, false, missing, err
	}
	if summary := strings.TrimSpace(in.Summary); summary != "" {
		err = tool.Say(ctx, j.desk, clip(summary, 2000))
	}
	return nil, err == nil, nil, err
}

var noInput = json.RawMessage(`{}`)

// missing asks once for files of the design that are not there at the end of the work.
func (j *job) missing(ctx context.Context) (missing, err error) {
	want := designOf(j.task.Plan).Files
	if j.task.Kind != koda.TaskFinish || len(want) == 0 || j.asks > 0 {
		return nil, nil
	}
	j.asks++
	files, err := tool.ListFiles(ctx, j.desk, ".", true)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range want {
		there := slices.ContainsFunc(files, func(have tool.File) bool { return path.Base(have.Path) == path.Base(f.Path) })
		if !there {
			names = append(names, clip(oneLine(f.Path), 80))
		}
	}
	if names == nil {
		return nil, nil
	}
	return broken("your design has %s, which nobody wrote; write what is needed, or finish without it", strings.Join(names, ", ")), nil
}

// momentsOf are the times to look at: three of a scene, or else the middle of scenes and
// the end.
func momentsOf(m koda.Manifest, scene int) []float64 {
	starts := append([]float64{0}, m.Cuts()...)
	ends := append(slices.Clone(starts[1:]), m.Duration)
	if scene > 0 && scene <= len(starts) {
		from, length := starts[scene-1], ends[scene-1]-starts[scene-1]
		return []float64{from + 0.15*length, from + 0.5*length, from + 0.9*length}
	}
	var times []float64
	step := (len(starts) + mostStills - 2) / (mostStills - 1)
	for i := 0; i < len(starts); i += step {
		times = append(times, (starts[i]+ends[i])/2)
	}
	return append(times, 0.98*m.Duration)
}

// pictureOf reads the answer of a screenshot; empty says that it shows one colour.
func pictureOf(output json.RawMessage) (p *llm.Picture, empty bool, err error) {
	var shot tool.ScreenshotOutput
	if err := json.Unmarshal(output, &shot); err != nil {
		return nil, false, fmt.Errorf("decode screenshot: %w", err)
	}
	_, data, ok := strings.Cut(shot.ImageURL, ";base64,")
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil || !ok {
		return nil, false, errors.New("decode screenshot: it is no data URL of a picture")
	}
	img, _, err := image.Decode(bytes.NewReader(raw))
	return &llm.Picture{MediaType: "image/png", Data: raw}, err == nil && oneColour(img), nil
}

func oneColour(img image.Image) bool {
	b := img.Bounds()
	first := img.At(b.Min.X, b.Min.Y)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if img.At(x, y) != first {
				return false
			}
		}
	}
	return true
}

// manifestOf reads koda.json.
func manifestOf(ctx context.Context, desk tool.Desk) (koda.Manifest, error) {
	text, err := tool.ReadFile(ctx, desk, tool.ManifestPath)
	if err != nil {
		return koda.Manifest{}, err
	}
	return koda.ParseManifest([]byte(text))
}

// writeManifest gives koda.json the size, the rate, the duration and the scenes of the
// plan, unless the person wrote it by hand.
func writeManifest(ctx context.Context, desk tool.Desk, t koda.Task) error {
	m, err := manifestOf(ctx, desk)
	if err != nil || slices.Contains(t.HandEdited, tool.ManifestPath) {
		return err
	}
	want := m
	want.Width, want.Height, want.FPS = cmp.Or(t.Plan.Width, t.Brief.Width), cmp.Or(t.Plan.Height, t.Brief.Height), t.Brief.FPS
	want.Duration, want.Scenes = t.Plan.TotalDuration, t.Plan.Starts()
	if want.Equal(m) {
		return nil
	}
	data, err := want.Encode()
	if err != nil {
		return err
	}
	return tool.WriteFile(ctx, desk, tool.ManifestPath, string(data))
}

// aboutFiles tells the files of the project, whole as far as there is room, and their paths.
func aboutFiles(ctx context.Context, desk tool.Desk) (about string, paths []string, err error) {
	files, err := tool.ListFiles(ctx, desk, ".", true)
	if err != nil {
		return "", nil, err
	}
	var names, texts []string
	left := mostFiles
	for _, f := range files {
		if f.Type != "file" {
			continue
		}
		paths = append(paths, f.Path)
		names = append(names, fmt.Sprintf("%s (%d bytes)", f.Path, f.SizeBytes))
		if !shown(f.Path) || f.SizeBytes > mostFile || int(f.SizeBytes) > left {
			continue
		}
		text, err := tool.ReadFile(ctx, desk, f.Path)
		if err != nil {
			return "", nil, err
		}
		left -= len(text)
		texts = append(texts, tagged("file", fmt.Sprintf(" path=%q", f.Path), text))
	}
	return "The files of the project:\n" + strings.Join(names, "\n") + "\n\n" + strings.Join(texts, "\n\n"), paths, nil
}
