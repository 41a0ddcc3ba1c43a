package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/dataset"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/tui/widget"
)

const (
	maxBatch = 64 << 20 // bytes of a file of rows
	maxRows  = 10_000
)

// row is one video of a batch: the parameters that the page gets as window.__kodaProps.
type row struct {
	number int // from 1
	props  json.RawMessage
	fields map[string]any
}

// batchResult is the result of `koda render --batch`: the results of all rows, in order.
type batchResult struct {
	head
	Project *koda.Project `json:"project,omitempty"`
	Rows    []rowResult   `json:"rows"`
}

// rowResult is the result of a row: a render or an error. A row that was not tried has
// neither.
type rowResult struct {
	Row    int                `json:"row"` // from 1
	Output string             `json:"output"`
	Render *koda.RenderResult `json:"render,omitempty"`
	Error  *errorBody         `json:"error,omitempty"`
}

// rowUpdate is the payload of ROW_UPDATE.
type rowUpdate struct {
	Row    int        `json:"row"`  // from 1
	Rows   int        `json:"rows"` // of the batch
	Status rowStatus  `json:"status"`
	Output string     `json:"output"`           // absolute path
	Frames int        `json:"frames,omitempty"` // frames of the video
	Reused int        `json:"reused,omitempty"` // frames that were drawn before
	Error  *errorBody `json:"error,omitempty"`  // why the row failed
}

type rowStatus string

const (
	rowStarted rowStatus = "started"
	rowDone    rowStatus = "done"
	rowFailed  rowStatus = "failed"
)

func rowEvent(u rowUpdate) koda.Event {
	return koda.Event{Schema: koda.SchemaVersion, Type: koda.EventRow, Payload: u}
}

// readRows reads a JSON array of objects, one object after another, or a table such as CSV.
func readRows(in io.Reader, from string) ([]row, error) {
	bad := func(format string, args ...any) ([]row, error) {
		return nil, usage(`give a JSON array of objects, or one object a line: {"title": "Hello"}`, "%s: %s", from, fmt.Sprintf(format, args...))
	}
	data, err := io.ReadAll(io.LimitReader(in, maxBatch+1))
	switch {
	case err != nil:
		return bad("%v", err)
	case len(data) > maxBatch:
		return bad("it has more than %d MB", maxBatch>>20)
	}
	given := data
	data = bytes.TrimRight(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	text := bytes.TrimSpace(data)
	above := bytes.Count(data[:len(data)-len(text)], []byte("\n"))
	data = text
	var raw []json.RawMessage
	switch {
	case bytes.HasPrefix(data, []byte("[")):
		err := json.Unmarshal(data, &raw)
		var syntax *json.SyntaxError
		switch {
		case errors.As(err, &syntax):
			return bad("line %d: %v", above+1+bytes.Count(data[:syntax.Offset], []byte("\n")), err)
		case err != nil:
			return bad("%v", err)
		}
	case len(data) > 0 && data[0] != '{':
		set, err := dataset.Read(filepath.Base(from), given)
		if err != nil {
			return nil, err
		}
		if raw = set.Objects(); raw == nil {
			return nil, usage(`give a table with a header, or objects such as {"title": "Hello"}`, "%s: it holds no table and no JSON objects", from)
		}
	default:
		for d := json.NewDecoder(bytes.NewReader(data)); ; {
			var v json.RawMessage
			if err := d.Decode(&v); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return bad("row %d: %v", len(raw)+1, err)
			}
			raw = append(raw, v)
		}
	}
	if len(raw) == 0 {
		return bad("there are no rows")
	}
	if len(raw) > maxRows {
		return bad("there are %d rows, more than %d", len(raw), maxRows)
	}
	rows := make([]row, len(raw))
	for i, v := range raw {
		rows[i] = row{number: i + 1, props: v}
		d := json.NewDecoder(bytes.NewReader(v))
		d.UseNumber() // numbers such as 1e3 stay as they are written
		if err := d.Decode(&rows[i].fields); err != nil || rows[i].fields == nil {
			return bad("row %d is not an object", i+1)
		}
	}
	return rows, nil
}

// openRows reads the rows of --batch; "-" is standard input.
func (a *app) openRows(path string) ([]row, error) {
	if path == "-" {
		return readRows(a.io.In, "standard input")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, usage("name a JSON or CSV file, or - for standard input", "--batch: %v", err)
	}
	defer f.Close() //nolint:errcheck // read only
	return readRows(f, path)
}

var placeholder = regexp.MustCompile(`\{([^{}]*)\}`)

// fieldsOf are the fields that the placeholders of an output use.
func fieldsOf(pattern string) (used []string) {
	for _, m := range placeholder.FindAllStringSubmatch(pattern, -1) {
		used = append(used, m[1])
	}
	return used
}

// expand fills the placeholders of an output: {index} is the row's number from 1, {name}
// is the name of the target unless the row has a field of that name, and other
// placeholders are fields of the row. A value is a part of a file name and never a path.
func (r row) expand(pattern, name string) (string, error) {
	var wrong error
	out := placeholder.ReplaceAllStringFunc(pattern, func(m string) string {
		field := m[1 : len(m)-1]
		v, ok := r.fields[field]
		switch {
		case ok:
		case field == "index":
			v = strconv.Itoa(r.number)
		case field == "name":
			v = name
		default:
			wrong = usage("there are {index}, {name} and the fields of the row", "--output: row %d has no field %q", r.number, field)
			return m
		}
		var text string
		switch v := v.(type) {
		case string:
			text = v
		case json.Number, bool:
			text = fmt.Sprint(v)
		}
		if text == "" || text == "." || text == ".." || strings.ContainsAny(text, `/\`) || widget.Line(text) != text {
			wrong = usage("take another field, or {index}", "--output: %q of row %d cannot be part of a file name", field, r.number)
		}
		return text
	})
	return out, wrong
}

// planned is a row that will be drawn, or the reason why it will not be drawn.
type planned struct {
	koda.RenderSpec
	bad error
}

// batchSpecs plans every row before any work, so that no batch begins that cannot end.
func (a *app) batchSpecs(ctx context.Context, t target, p preset.Preset, o *RenderOptions, rows []row) ([]planned, error) {
	pattern := o.Output
	switch {
	case pattern == "":
		pattern = filepath.Join(t.home(), t.name()+suffix(p, o.Overrides)+"-{index}")
	case isDir(pattern) || strings.HasSuffix(pattern, string(filepath.Separator)):
		pattern = filepath.Join(pattern, t.name()+suffix(p, o.Overrides)+"-{index}")
	}
	// The ending comes from the pattern, not from a dot in a row's value.
	if format := formatOf(pattern); format == "" || strings.ContainsAny(format, "{}") {
		if format = cmp.Or(strings.TrimPrefix(strings.ToLower(o.Overrides.Format), "."), p.Format); format != preset.PNG {
			pattern += "." + format
		}
	}
	if err := canHold(t.home(), "", "'"+filepath.Base(pattern)+"'"); o.Output == "" && err != nil {
		return nil, err
	}
	used := fieldsOf(pattern)
	taken := map[string]int{}
	files, err := projectfs.Open(t.dir)
	if err != nil {
		return nil, fmt.Errorf("open directory: %w", err)
	}
	defer files.Close() //nolint:errcheck // only read
	specs := make([]planned, len(rows))
	for i, r := range rows {
		out, err := r.expand(pattern, t.name())
		if err != nil {
			return nil, err
		}
		one := *o
		one.Output = out
		if specs[i].RenderSpec, err = renderSpec(t, p, &one); err != nil {
			return nil, err
		}
		if other, ok := taken[specs[i].Output]; ok {
			return nil, usage("put {index} or another field into --output", "rows %d and %d would both be %s", other, r.number, specs[i].Output)
		}
		taken[specs[i].Output] = r.number
		specs[i].Props, specs[i].bad = a.deps.CheckRow(ctx, files, r.props, used)
	}
	return specs, hopeless(specs)
}

// runBatch renders every row of a project or a page.
func (a *app) runBatch(ctx context.Context, p preset.Preset, o *RenderOptions) error {
	rows, err := a.openRows(o.Batch)
	if err != nil {
		return err
	}
	if plainDir(o.Target) {
		t, err := plainTarget(o.Target)
		if err != nil {
			return err
		}
		return a.batchPlain(ctx, t, p, o, rows)
	}
	return a.working(ctx, func(ctx context.Context, e Engine) error {
		t, err := projectTarget(ctx, e, o.Target)
		if err != nil {
			return err
		}
		if t.project == nil {
			return a.batchPlain(ctx, t, p, o, rows)
		}
		return a.batchProject(ctx, e, t, p, o, rows, a.follow(e))
	})
}

// batchProject renders every row of a project.
func (a *app) batchProject(ctx context.Context, e Engine, t target, p preset.Preset, o *RenderOptions, rows []row, show *progress) error {
	if err := a.bringRows(ctx, t.dir, o.Batch, rows); err != nil {
		return err
	}
	specs, err := a.batchSpecs(ctx, t, p, o, rows)
	if err != nil {
		return err
	}
	return a.batch(ctx, t, specs, show, func(spec koda.RenderSpec, _ func(koda.Event)) (koda.RenderResult, error) {
		return e.Render(ctx, t.project.ID, spec)
	})
}

// newBatch makes a project, and then a video of it for each row.
func newBatch(ctx context.Context, a *app, o *NewOptions) error {
	switch {
	case !o.Yes || o.PlanOnly:
		return usage("add --yes, and leave --plan-only out", "new --batch asks nothing and ends with the videos")
	case len(o.Finals.Presets) > 1:
		return usage("give one preset", "--batch does not go with %d presets", len(o.Finals.Presets))
	}
	presets, err := lookupPresets(o.Finals.Presets)
	if err != nil {
		return err
	}
	rows, err := a.openRows(o.Batch)
	if err != nil {
		return err
	}
	render := &RenderOptions{Batch: o.Batch, Output: o.Finals.Output, NoClobber: o.Finals.NoClobber}
	o.Finals.Output, o.Finals.NoClobber = "", false // they are about the rows
	r, err := newRequest(ctx, a, o)
	if err != nil {
		return err
	}
	if err := a.checkRows(ctx, r, rows, fieldsOf(render.Output)); err != nil {
		return err
	}
	r.NoFinal = true // the rows are the videos
	return a.working(ctx, func(ctx context.Context, e Engine) error {
		if o.Timeout != 0 {
			e.Limit(time.Duration(o.Timeout))
		}
		c := &conversation{app: a, e: e, progress: a.follow(e)}
		out, err := e.New(ctx, r)
		c.progress.rest()
		c.remember(ctx, out)
		switch {
		case err != nil:
			return c.fail(interrupted(ctx, err))
		case out.Waiting != engine.WaitingPreview:
			return c.end(ctx, out)
		}
		t, err := projectTarget(ctx, e, out.Project.ID)
		if err != nil {
			return err
		}
		return a.batchProject(ctx, e, t, presets[0], render, rows, c.progress)
	})
}

// batchPlain renders every row of a directory that koda only reads.
func (a *app) batchPlain(ctx context.Context, t target, p preset.Preset, o *RenderOptions, rows []row) error {
	specs, err := a.batchSpecs(ctx, t, p, o, rows)
	if err != nil {
		return err
	}
	a.tellLocked(t)
	return a.drawing(ctx, t, func(r engine.Renderer, files fs.FS) error {
		return a.batch(ctx, t, specs, a.newProgress(), func(spec koda.RenderSpec, show func(koda.Event)) (koda.RenderResult, error) {
			spec.ID = rand.Text()
			return r.Render(ctx, files, spec, func(pr koda.Progress) {
				show(koda.Event{Schema: koda.SchemaVersion, Type: koda.EventRenderProgress, Payload: pr})
			})
		})
	})
}

// batch renders the rows one after another, and each row gets all browsers. If a row
// fails, batch notes it and goes on. If every row would fail in the same way, the batch
// ends.
func (a *app) batch(ctx context.Context, t target, specs []planned, show *progress,
	draw func(koda.RenderSpec, func(koda.Event)) (koda.RenderResult, error),
) error {
	result := &batchResult{Project: t.project, Rows: make([]rowResult, len(specs))}
	for i, spec := range specs {
		result.Rows[i] = rowResult{Row: i + 1, Output: spec.Output}
	}
	a.result = result
	var failed []string
	made := 0
	for i, spec := range specs {
		row := &result.Rows[i]
		show.next(fmt.Sprintf("row %d of %d: %s", i+1, len(specs), widget.Line(filepath.Base(spec.Output))))
		show.event(rowEvent(rowUpdate{Row: row.Row, Rows: len(specs), Status: rowStarted, Output: row.Output, Frames: spec.Frames}))
		var res koda.RenderResult
		err := spec.bad
		if err == nil {
			err = makeDir(spec.Output)
		}
		if err == nil {
			res, err = draw(spec.RenderSpec, show.event)
		}
		show.rest()
		if err != nil {
			row.Error = bodyOf(err)
			show.event(rowEvent(rowUpdate{Row: row.Row, Rows: len(specs), Status: rowFailed, Output: row.Output, Error: row.Error}))
			if ctx.Err() != nil {
				return &koda.Error{
					Code: koda.CodeInterrupted, Op: fmt.Sprintf("interrupted after %d of %d rows; what is finished is kept", made, len(specs)),
					Hint: "the same command goes on from there",
				}
			}
			if everyRow(err) {
				return fmt.Errorf("row %d of %d: %w", i+1, len(specs), err)
			}
			failed = append(failed, rowFailure(i+1, err))
			continue
		}
		made++
		row.Render = &res
		show.event(rowEvent(rowUpdate{Row: row.Row, Rows: len(specs), Status: rowDone, Output: res.Video, Frames: res.Frames, Reused: res.Reused}))
		if a.json {
			continue
		}
		for _, w := range slices.Concat(res.Retries, res.Warnings) {
			a.warn(w)
		}
		if _, err := fmt.Fprintln(a.io.Out, res.Video); err != nil {
			return err
		}
	}
	return partial(failed, len(specs))
}

// rowFailure is a line about a row that failed: what failed, and what to do.
func rowFailure(number int, err error) string {
	line := fmt.Sprintf("row %d: %s", number, widget.Line(err.Error()))
	if hint := koda.HintOf(err); hint != "" {
		line += " (" + widget.Line(hint) + ")"
	}
	return line
}

// partial is the error of a batch in which some rows failed.
func partial(failed []string, rows int) error {
	if len(failed) == 0 {
		return nil
	}
	e := &koda.Error{
		Code: koda.CodePartial, Op: fmt.Sprintf("%d of %s failed", len(failed), count(rows, "row")), Details: strings.Join(failed, "\n"),
		Hint: "mend them and run the same command again: what is drawn is not drawn twice",
	}
	if len(failed) == rows {
		e.Code = koda.CodeRenderFailed
	}
	return e
}

// everyRow reports whether every row would fail in the same way: because of the machine,
// or because of the project's code.
func everyRow(err error) bool {
	switch koda.CodeOf(err) {
	case koda.CodeRenderFailed, koda.CodePageFailed, koda.CodeSeekFailed, koda.CodeCaptureFailed, koda.CodeEncodeFailed,
		koda.CodeOutOfMemory, koda.CodeTimeout, koda.CodeInvalidInput, koda.CodeExists, koda.CodeFailed:
		return false
	}
	return true
}
