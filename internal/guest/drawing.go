package guest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// Drawing draws in a guest. It implements [Drawer]: files of jobs travel to the guest,
// those that it does not have yet, and what the guest made travels back to the paths of
// the job. Methods fail with SANDBOX_NOT_FOUND once the sandbox is gone.
type Drawing struct{ s *Sandbox }

var _ Drawer = (*Drawing)(nil)

// OpenDrawing greets a guest that draws. PROVIDER_ERROR: it is not the guest that was
// expected.
func OpenDrawing(ctx context.Context, o Options) (*Drawing, error) {
	s, err := Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Drawing{s}, nil
}

// Touch prolongs the guest's life by its idle time from now.
func (d *Drawing) Touch(ctx context.Context) error { return d.s.Touch(ctx) }

// Destroy ends the guest with all it does.
func (d *Drawing) Destroy(ctx context.Context) error { return d.s.Destroy(ctx) }

// maxFindings bounds what a guest finds out about its machine, in bytes.
const maxFindings = 64 << 10

// Findings are what the guest found out about its machine, which takes a guest seconds.
// They are to be taken before the guest opens a page.
func (d *Drawing) Findings(ctx context.Context) ([]byte, error) {
	return d.s.fetch(ctx, d.s.bulk, "ask what draws there", http.MethodGet, "/findings", nil, nil, maxFindings)
}

// Learn tells the guest the findings of another guest on the same image.
func (d *Drawing) Learn(ctx context.Context, found []byte) error {
	return d.s.post(ctx, d.s.bulk, "tell what draws there", http.MethodPut, "/findings", nil, bytes.NewReader(found))
}

// Facts implements [Drawer].
func (d *Drawing) Facts(ctx context.Context, job koda.FactsJob) (f koda.Facts, err error) {
	if err = d.do(ctx, call{what: doFacts, job: &job, value: &f}); err == nil {
		err = checkFacts(f)
	}
	return f, err
}

// Inspect implements [Drawer].
func (d *Drawing) Inspect(ctx context.Context, job koda.InspectJob) (seen koda.Inspected, err error) {
	page := job.Page
	job.Page = koda.Page{}
	if err = d.do(ctx, call{what: doInspect, page: &page, job: &job, value: &seen}); err == nil {
		err = checkInspected(job, seen)
	}
	return seen, err
}

// Draw implements [Drawer].
func (d *Drawing) Draw(ctx context.Context, job koda.SegmentJob, report func(koda.SegmentProgress)) (drawn koda.Drawn, err error) {
	page := job.Page
	job.Page = koda.Page{}
	err = d.do(ctx, call{what: doSegment, page: &page, job: &job, value: &drawn, report: func(p koda.SegmentProgress) {
		if report != nil {
			report(plausible(p, job))
		}
	}})
	return checkDrawn(drawn, job), err
}

// Finish implements [Drawer].
func (d *Drawing) Finish(ctx context.Context, job koda.FinishJob) (done koda.Finished, err error) {
	return done, d.do(ctx, call{what: doFinish, job: &job, value: &done})
}

// Look implements [Drawer].
func (d *Drawing) Look(ctx context.Context, job koda.LookJob) (seen koda.Looked, err error) {
	page := job.Page
	job.Page = koda.Page{}
	most := slack + int64(len(job.Frames))*int64(job.Width)*int64(job.Height)*pixelBytes
	err = d.do(ctx, call{what: doLook, page: &page, job: &job, value: &seen, most: most})
	if err == nil {
		err = checkLooked(job, seen)
	}
	seen.Mishaps = checkMishaps(seen.Mishaps)
	return seen, err
}

// call is a job to be done by the guest.
type call struct {
	what   string
	page   *koda.Page
	job    any // pointer; its page is left out
	value  any // pointer to the answer
	most   int64
	report func(koda.SegmentProgress)
}

// rounds is how often a job is sent if its files had to make room for others.
const rounds = 3

// do has the guest do a job.
func (d *Drawing) do(ctx context.Context, c call) error {
	for round := 1; ; round++ {
		a, files, out, err := prepare(c)
		if err == nil {
			err = d.carry(ctx, files)
		}
		if err != nil {
			return err
		}
		err = d.assign(ctx, c, a, out)
		if koda.CodeOf(err) != koda.CodeNotFound || round == rounds {
			return err
		}
	}
}

// source is a file to carry to the guest: a path, or bytes.
type source struct {
	path string
	body []byte
}

func (s source) open() (io.ReadCloser, error) {
	if s.path == "" {
		return io.NopCloser(bytes.NewReader(s.body)), nil
	}
	return os.Open(s.path)
}

// prepare makes the assignment of a call, with names in place of paths. It also returns
// the files to carry, by digest, and the files to come, with their paths.
func prepare(c call) (a assignment, files map[string]source, out []output, err error) {
	files = map[string]source{}
	carry := func(s source) (string, error) {
		r, err := s.open()
		if err != nil {
			return "", err
		}
		sum, _, err := sumOf(r)
		files[sum] = s
		return sum, errors.Join(err, r.Close())
	}
	if c.page != nil {
		a.Page = &sentPage{Page: *c.page, Files: map[string]sentFile{}}
		a.Page.Page.Files = nil
		for path, f := range c.page.Files {
			sum, err := carry(source{body: f.Body})
			if err != nil {
				return a, nil, nil, err
			}
			a.Page.Files[path] = sentFile{f.Type, sum}
		}
	}
	in, made := paths(c.job)
	back := map[*string]string{} // the paths are put back: the job is the caller's
	defer func() {
		for p, path := range back {
			*p = path
		}
	}()
	for _, p := range private(c.job) {
		back[p], *p = *p, ""
	}
	names := map[string]string{} // of what the job makes, by path
	for i, o := range made {
		path := *o.path
		kept := o
		kept.path = &path
		out = append(out, kept)
		back[o.path], names[path] = path, fmt.Sprintf("out/%d/made%s", i, strings.ToLower(endingPattern.FindString(path)))
		*o.path = names[path]
	}
	for _, p := range in {
		path := *p
		back[p] = path
		if name, ok := names[path]; ok {
			*p = name
			continue
		}
		sum, err := carry(source{path: path})
		if err != nil {
			return a, nil, nil, unreadable(c, path, err)
		}
		*p = "in/" + sum + endingPattern.FindString(path)
	}
	a.Job, err = encode(c.job)
	return a, files, out, err
}

// unreadable is the error for a file of a job that cannot be read here. A sound is the
// person's, all other files are koda's.
func unreadable(c call, path string, err error) error {
	if job, ok := c.job.(*koda.FinishJob); ok && job.Track != nil && job.Track.Input == path {
		return &koda.Error{Code: koda.CodeUsage, Op: "no sound can be read", Err: err, Hint: drawHints[koda.CodeUsage]}
	}
	return koda.DiskError("read what was drawn", err)
}

// carry sends the files that the guest lacks.
func (d *Drawing) carry(ctx context.Context, files map[string]source) error {
	const op = "send what is to be drawn"
	if len(files) == 0 {
		return nil
	}
	body, err := encode(slices.Sorted(maps.Keys(files)))
	if err != nil {
		return err
	}
	limited, cancel := patient(ctx)
	defer cancel()
	resp, err := d.s.ask(limited, d.s.bulk, op, http.MethodPost, "/lacks", nil, bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer closeAnswer(resp)
	var missing []string
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&missing); err != nil {
		return d.s.broken(limited, op, err)
	}
	for _, sum := range missing {
		file, ok := files[sum]
		if !ok {
			continue // it asks for what koda did not offer
		}
		if err := d.send(ctx, op, sum, file); err != nil {
			return err
		}
	}
	return nil
}

func (d *Drawing) send(ctx context.Context, op, sum string, file source) error {
	r, err := file.open()
	if err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	return errors.Join(d.s.post(ctx, d.s.bulk, op, http.MethodPut, "/keep", url.Values{"sum": {sum}}, onlyReader{r}), r.Close())
}

// onlyReader hides that a reader can be closed: the one who opened it closes it.
type onlyReader struct{ io.Reader }

// assign sends a job and takes in what the guest says and makes.
func (d *Drawing) assign(ctx context.Context, c call, a assignment, out []output) error {
	const op = "draw in the sandbox"
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	long, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	body, done := telling(ctx, cancel, func(sent *frames) {
		if sendParts(sent, frameInput, a) == nil {
			_ = sent.send(frameGo, nil) //nolint:errcheck // the answer tells
		}
	})
	defer done()
	resp, err := d.s.ask(long, d.s.bulk, op, http.MethodPost, "/draw", url.Values{"do": {c.what}}, body)
	if err == nil {
		defer closeAnswer(resp)
		err = d.take(long, op, resp.Body, c, out)
	}
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), err)
	}
	return err
}

// take reads what the guest says of a job to its end.
func (d *Drawing) take(ctx context.Context, op string, r io.Reader, c call, out []output) error {
	most := max(c.most, slack)
	var text []byte
	got := &arrival{out: out, left: make([]int64, len(out)), whole: make([]bool, len(out))}
	for i, o := range out {
		got.left[i] = o.most
	}
	defer got.finish() //nolint:errcheck // an earlier failure is the one to report
	for {
		kind, data, err := readFrame(r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return d.s.broken(ctx, op, err)
		}
		switch kind {
		case frameProgress:
			var p koda.SegmentProgress
			if json.Unmarshal(data, &p) == nil && c.report != nil {
				c.report(p)
			}
		case frameFile:
			err = got.begin(data)
		case frameOutput:
			err = got.write(data)
		case frameDone:
			if text = append(text, data...); int64(len(text)) > most {
				err = errTooMuch
			}
		}
		if err != nil {
			return d.refuse(ctx, op, err)
		}
	}
	var end conclusion
	err := json.Unmarshal(text, &end)
	if err == nil && len(end.Value) > 0 {
		err = json.Unmarshal(end.Value, c.value)
	}
	if err != nil {
		return d.s.broken(ctx, op, err)
	}
	if err := end.Failure.drawErr(); err != nil {
		return err
	}
	if err := got.close(); err != nil {
		return d.refuse(ctx, op, err)
	}
	return nil
}

// refuse is the error for an answer that cannot be taken: the guest's fault, or the
// disk's.
func (d *Drawing) refuse(ctx context.Context, op string, err error) error {
	if errors.Is(err, errTooMuch) || errors.Is(err, errStrange) {
		return d.s.broken(ctx, op, err)
	}
	return koda.DiskError("write what was drawn", err)
}

var (
	errTooMuch = errors.New("it sent more than the job can be")
	errStrange = errors.New("it sent another file than the job makes")
)

// arrival are the files that come from a job, one after the other.
type arrival struct {
	out   []output
	left  []int64 // bytes that may still come for each
	whole []bool
	file  *os.File
	at    int
	more  int64 // bytes that the file at hand lacks
}

// begin begins the next file.
func (a *arrival) begin(data []byte) error {
	var m made
	if err := a.finish(); err != nil {
		return err
	}
	if json.Unmarshal(data, &m) != nil || m.Index < 0 || m.Index >= len(a.out) || m.Size < 0 || a.out[m.Index].dir != (m.Name != "") {
		return errStrange
	}
	path := *a.out[m.Index].path
	if m.Name != "" {
		if !picturePattern.MatchString(m.Name) {
			return errStrange
		}
		path = filepath.Join(path, m.Name)
	}
	if m.Size > a.left[m.Index] {
		return errTooMuch
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	a.left[m.Index] -= m.Size
	a.file, a.at, a.more = f, m.Index, m.Size
	return nil
}

func (a *arrival) write(data []byte) error {
	if a.file == nil || int64(len(data)) > a.more {
		return errTooMuch
	}
	a.more -= int64(len(data))
	_, err := a.file.Write(data)
	return err
}

// finish ends the file at hand, if there is one.
func (a *arrival) finish() error {
	if a.file == nil {
		return nil
	}
	err := a.file.Close()
	a.file = nil
	if err == nil && a.more > 0 {
		err = errStrange
	}
	a.whole[a.at] = err == nil
	return err
}

// close ends the last file. It fails if a file did not come.
func (a *arrival) close() error {
	err := a.finish()
	if err == nil && slices.Contains(a.whole, false) {
		err = errStrange
	}
	return err
}
