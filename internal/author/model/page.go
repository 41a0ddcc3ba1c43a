package model

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/tool"
)

// The frames of one look: those of the times that the model names, or of the usual times; and
// after a mend, also those of the times it looked at before.
const (
	mostStills = 6
	mostAgain  = 3
)

// pageErrors are the failures of a look that the model may mend.
var pageErrors = []koda.Code{
	koda.CodeBuildFailed, koda.CodePageFailed, koda.CodeSeekFailed, koda.CodeCaptureFailed, koda.CodeInvalidInput, koda.CodeTimeout,
}

// unseen are the failures of a look after which a video may still be possible: nobody can
// tell whether the page is the reason.
var unseen = []koda.Code{koda.CodeCaptureFailed, koda.CodeTimeout}

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
	times := slices.Clone(in.Times[:min(len(in.Times), mostStills)])
	for i, at := range times {
		times[i] = max(0, min(at, m.Duration))
	}
	if len(times) == 0 {
		times = j.usual(m)
	} else {
		j.named = times
	}
	if err := tool.Think(ctx, j.desk, "Looking at the page"); err != nil {
		return nil, nil, err
	}
	seen, err := tool.LookAt(ctx, j.desk, times)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return j.broken(ctx, err)
	}
	j.fresh, j.unread, j.clean = false, true, len(seen.Problems) == 0
	j.serious = nil
	for _, p := range seen.Problems {
		if p.Serious {
			j.serious = append(j.serious, p)
		}
	}
	picture, err := pictureOf(seen.ImageURL)
	if err != nil {
		return nil, nil, err
	}
	parts = []llm.Part{{Text: "The page builds and draws. The picture shows the frames of these times, from left to right and from top to bottom.\n" + tagged("page", "", bounded(aboutLook(seen), mostResult))}}
	if !j.sightless {
		parts = append(parts, llm.Part{Picture: picture})
	}
	return parts, nil, nil
}

// usual are the usual times, with those where the look before found something serious, and
// those that the model named itself: there it sees whether a mend did what it should.
func (j *job) usual(m koda.Manifest) []float64 {
	times := momentsOf(m, j.task.Scene)
	var again []float64
	for _, p := range j.serious {
		again = append(again, p.At)
	}
	most := len(times) + mostAgain
	for _, at := range append(again, j.named...) {
		const near = 0.02
		if len(times) < most && at <= m.Duration && !slices.ContainsFunc(times, func(t float64) bool { return math.Abs(t-at) < near }) {
			times = append(times, at)
		}
	}
	slices.Sort(times)
	return times
}

// problemKey names a problem, whatever its numbers are.
func problemKey(p tool.Problem) string {
	about, _, _ := strings.Cut(p.About, "\n")
	return p.Kind + strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, about)
}

// broken counts an error of the page. If the same error came too often and the page may
// still draw, the todo goes on without a look; else it fails. The message to the person is
// the last answered call then, so that a retry asks anew.
func (j *job) broken(ctx context.Context, wrong error) (parts []llm.Part, failed, err error) {
	if !slices.Contains(pageErrors, koda.CodeOf(wrong)) {
		return nil, wrong, nil
	}
	key := koda.Sentence(wrong)
	if j.failed[key]++; j.failed[key] <= mostErrors {
		return nil, wrong, nil
	}
	if slices.Contains(unseen, koda.CodeOf(wrong)) {
		j.fresh, j.unread, j.clean, j.serious = false, false, false, nil
		return []llm.Part{{Text: "The page builds, but it cannot be looked at here. Go on without that, and call finish when the todo is done."}}, nil,
			tool.Say(ctx, j.desk, "Warning: nobody could look at the page: "+key)
	}
	if err := tool.Say(ctx, j.desk, "The page is still broken: "+key); err != nil {
		return nil, nil, err
	}
	hint := "`koda resume` lets it try again; or mend the file yourself and resume"
	if j.task.Kind.Asked() {
		hint += "; `koda undo` gives the change up"
	}
	return nil, nil, &koda.Error{
		Code: koda.CodeFailed, Op: fmt.Sprintf("the model could not mend the page in %d tries", mostErrors), Err: wrong, Details: koda.DetailsOf(wrong), Hint: hint,
	}
}

// finish ends the todo if the page builds and draws, and if the model has seen it: in this
// todo, or at the end of the one before, if there is nothing to do in this one. It does not end
// it if another call of the same answer was missed: the model does not know that it failed. What is
// seriously wrong is to be mended first; if that fails too often, the person is warned, and
// has a video.
func (j *job) finish(ctx context.Context, input json.RawMessage, missed bool) (parts []llm.Part, done bool, failed, err error) {
	var in finishInput
	if failed := decode(input, &in); failed != nil {
		return nil, false, failed, nil
	}
	if j.fresh {
		if parts, failed, err = j.check(ctx, noInput); failed != nil || err != nil {
			return nil, false, failed, err
		}
	}
	if (j.fresh || j.unread || parts != nil) && !j.nothingToDo() {
		return append(parts, llm.Part{Text: "Look at the picture and at what seems wrong. If all is as it should be, call finish again; else mend it first."}), false, nil, nil
	}
	if j.task.Kind.Asked() && !j.changed && !j.urged {
		j.urged = true
		return nil, false, broken("nothing was changed in this todo; do what the person asks for, or call decline with the reason"), nil
	}
	if failed, err := j.demonstrates(ctx); failed != nil || err != nil {
		return nil, false, failed, err
	}
	if missed {
		return nil, false, broken("another call of this answer failed: see to it, then call finish again"), nil
	}
	var still []string
	for _, p := range j.serious {
		key := problemKey(p)
		if j.failed[key]++; j.failed[key] <= mostErrors {
			failed = broken("this is still wrong: %s: %s. Mend it, then call finish", p.Kind, p.About)
		}
		still = append(still, clip(oneLine(p.Kind+": "+p.About), 300))
	}
	if failed != nil {
		return nil, false, failed, nil
	}
	if missing, err := j.missing(ctx); err != nil || missing != nil {
		return nil, false, missing, err
	}
	if still != nil {
		if err := tool.Say(ctx, j.desk, "Warning: the model could not mend this: "+strings.Join(still, "; ")); err != nil {
			return nil, false, nil, err
		}
	}
	if summary := strings.TrimSpace(in.Summary); summary != "" {
		err = tool.Say(ctx, j.desk, clip(summary, 2000))
	}
	return nil, err == nil, nil, err
}

// demonstrates refuses a page that is the starter's demonstration still. FAILED: the model does
// not write another one.
func (j *job) demonstrates(ctx context.Context) (failed, err error) {
	for _, name := range demonstration {
		text, err := tool.ReadFile(ctx, j.desk, name)
		if koda.CodeOf(err) == koda.CodeFileNotFound || err == nil && text != j.demo[name] {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	const about = "the page is the starter's demonstration still"
	if j.failed[about]++; j.failed[about] <= mostErrors {
		return broken("%s: nothing of the plan is shown. Write %s and what it imports, then call finish", about, demonstration[0]), nil
	}
	return nil, &koda.Error{Code: koda.CodeFailed, Op: "the model wrote no animation: " + about, Hint: "`koda resume` asks it again; or choose another model"}
}

// nothingToDo reports whether the model finishes a todo at once because one before did it, and
// nothing seems wrong: the page is as the model saw it then.
func (j *job) nothingToDo() bool {
	return j.clean && !j.changed && len(j.task.HandEdited) == 0 && (j.task.Kind == koda.TaskScene || j.task.Kind == koda.TaskTodo)
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

// momentsOf are the times to look at: three of a scene, or else the first frame, the middle
// of scenes, two moments of each if they are few, and the end.
func momentsOf(m koda.Manifest, scene int) []float64 {
	starts := append([]float64{0}, m.Cuts()...)
	ends := append(slices.Clone(starts[1:]), m.Duration)
	if scene > 0 && scene <= len(starts) {
		from, length := starts[scene-1], ends[scene-1]-starts[scene-1]
		return []float64{from + 0.15*length, from + 0.5*length, from + 0.9*length}
	}
	shares := []float64{0.5}
	if 2*len(starts)+2 <= mostStills {
		shares = []float64{0.3, 0.7}
	}
	times := []float64{0}
	step := (len(starts) + mostStills - 3) / (mostStills - 2)
	for i := 0; i < len(starts); i += step {
		for _, share := range shares {
			times = append(times, starts[i]+share*(ends[i]-starts[i]))
		}
	}
	return append(times, 0.98*m.Duration)
}

// pictureOf is the picture of a data URL.
func pictureOf(url string) (*llm.Picture, error) {
	about, data, ok := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil || !ok {
		return nil, errors.New("decode look: it is no data URL of a picture")
	}
	return &llm.Picture{MediaType: about, Data: raw}, nil
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

// aboutFiles tells the files of the project as they are now, and their paths. Its code is
// whole; data is left out if it is long.
func aboutFiles(ctx context.Context, desk tool.Desk, hard hardness) (about string, paths []string, err error) {
	files, err := tool.ListFiles(ctx, desk, ".", true)
	if err != nil {
		return "", nil, err
	}
	var names, texts []string
	for _, f := range files {
		if f.Type != "file" {
			continue
		}
		paths = append(paths, f.Path)
		names = append(names, fmt.Sprintf("%s (%d bytes)", oneLine(f.Path), f.SizeBytes))
		if !shown(f.Path) || f.SizeBytes > mostFile && (hard == bare || path.Ext(f.Path) == ".json") {
			continue
		}
		text, err := tool.ReadFile(ctx, desk, f.Path)
		if err != nil {
			return "", nil, err
		}
		texts = append(texts, tagged("file", fmt.Sprintf(" path=%q", strings.NewReplacer("<", "‹", ">", "›").Replace(f.Path)), text))
	}
	return "The files of the project:\n" + tagged("files", "", strings.Join(names, "\n")) + "\n\n" + strings.Join(texts, "\n\n"), paths, nil
}
