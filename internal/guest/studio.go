package guest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
)

// studio is the part of a guest that draws. It keeps the files of jobs by their digests,
// so that a file travels once, and gives each job a directory of its own with links.
type studio struct {
	Studio
	jobs atomic.Int64

	mu    sync.Mutex
	kept  []keptFile // the longest unused first
	bytes int64
	page  [sha256.Size]byte // of the page below, as it was sent
	last  koda.Page
}

type keptFile struct {
	sum  string
	size int64
}

// keepMost bounds the files that a studio keeps beyond the jobs at work, in bytes.
const keepMost = 2 << 30

func (s *studio) handlers() map[string]func(http.ResponseWriter, *http.Request) error {
	return map[string]func(http.ResponseWriter, *http.Request) error{
		"POST /lacks": s.lacks, "PUT /keep": s.put, "POST /draw": s.draw, "GET /findings": s.findings, "PUT /findings": s.learn,
	}
}

// findings answers what the drawer found out about its browser and left in Dir.
func (s *studio) findings(w http.ResponseWriter, _ *http.Request) error {
	found := findings{}
	all, err := filepath.Glob(filepath.Join(s.Dir, "browser-*.json"))
	if err != nil {
		return err
	}
	for _, file := range all {
		if found[filepath.Base(file)], err = os.ReadFile(file); err != nil {
			return err
		}
	}
	return reply(w, found)
}

// learn takes in findings of an earlier guest. The drawer checks that they still hold.
func (s *studio) learn(_ http.ResponseWriter, r *http.Request) error {
	var found findings
	if err := json.NewDecoder(r.Body).Decode(&found); err != nil {
		return err
	}
	for name, data := range found {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%q is no finding", name)
		}
		if err := atomicfile.Write(filepath.Join(s.Dir, name), data, 0o600); err != nil {
			return koda.DiskError("keep a finding", err)
		}
	}
	return nil
}

func (s *studio) place(sum string) string { return filepath.Join(s.Dir, "kept", sum) }

// use marks a file as used now, and reports whether it is kept.
func (s *studio) use(sum string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, k := range s.kept {
		if k.sum == sum {
			s.kept = append(append(s.kept[:i:i], s.kept[i+1:]...), k)
			return true
		}
	}
	return false
}

// keep takes a link to a file in by the file's digest. The longest unused files make
// room.
func (s *studio) keep(file, sum string, size int64) error {
	if s.use(sum) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.MkdirAll(filepath.Join(s.Dir, "kept"), 0o700); err != nil {
		return koda.DiskError("keep a file", err)
	}
	if err := os.Link(file, s.place(sum)); errors.Is(err, fs.ErrExist) {
		return nil // another job was faster
	} else if err != nil {
		return err
	}
	s.kept = append(s.kept, keptFile{sum, size})
	s.bytes += size
	for s.bytes > keepMost && len(s.kept) > 1 {
		if err := os.Remove(s.place(s.kept[0].sum)); err != nil {
			return err
		}
		s.bytes -= s.kept[0].size
		s.kept = s.kept[1:]
	}
	return nil
}

// lacks answers which of the digests it is asked for are not kept.
func (s *studio) lacks(w http.ResponseWriter, r *http.Request) error {
	var sums []string
	if err := json.NewDecoder(r.Body).Decode(&sums); err != nil {
		return err
	}
	missing := []string{}
	for _, sum := range sums {
		if !s.use(sum) {
			missing = append(missing, sum)
		}
	}
	return reply(w, missing)
}

// put takes in a file.
func (s *studio) put(_ http.ResponseWriter, r *http.Request) error {
	f, err := os.CreateTemp(s.Dir, "coming-*")
	if err != nil {
		return koda.DiskError("keep a file", err)
	}
	defer os.Remove(f.Name()) //nolint:errcheck // it ends with the guest
	sum, size, err := sumOf(io.TeeReader(r.Body, f))
	if err := errors.Join(err, f.Close()); err != nil {
		return koda.DiskError("keep a file", err)
	}
	if want := r.URL.Query().Get("sum"); want != sum {
		return fmt.Errorf("a file has the digest %s, not %.64q", sum, want)
	}
	return s.keep(f.Name(), sum, size)
}

// draw does a job. It cancels the job when the request's body ends.
func (s *studio) draw(w http.ResponseWriter, r *http.Request) error {
	a, err := readAssignment(r.Body)
	if err != nil {
		return fmt.Errorf("read a job: %w", err)
	}
	dir := filepath.Join(s.Dir, strconv.FormatInt(s.jobs.Add(1), 10))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return koda.DiskError("make a directory", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it ends with the guest
	ctx, cancel := whileTold(r)
	defer cancel()
	out := &frames{w: w.(*started).live()}
	value, outputs, err := s.do(ctx, r.URL.Query().Get("do"), a, dir, func(p koda.SegmentProgress) {
		_ = out.sendJSON(frameProgress, p) //nolint:errcheck // koda is gone, so the job ends
	})
	if err == nil {
		err = s.hand(out, outputs)
	}
	c := conclusion{Failure: failureOf(err)}
	if err != nil {
		c.Failure.Details, c.Failure.Lasting = clip(koda.DetailsOf(err)), koda.Lasting(err)
		for name, way := range ways {
			if errors.Is(err, way) {
				c.Failure.Way = name
			}
		}
	}
	if c.Value, err = encode(value); err != nil {
		return err
	}
	return sendParts(out, frameDone, c)
}

// sendParts sends a value in as many frames as it takes.
func sendParts(out *frames, kind byte, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		_, err = out.as(kind).Write(data)
	}
	return err
}

func readAssignment(r io.Reader) (a assignment, err error) {
	var text []byte
	for {
		kind, data, err := readFrame(r)
		if err != nil {
			return a, err
		}
		if kind == frameGo {
			return a, json.Unmarshal(text, &a)
		}
		text = append(text, data...)
	}
}

// do does a job in a directory of its own. It returns the files it made.
func (s *studio) do(ctx context.Context, what string, a assignment, dir string, report func(koda.SegmentProgress)) (value any, made []output, err error) {
	var page koda.Page
	if a.Page != nil {
		if page, err = s.pageOf(*a.Page); err != nil {
			return nil, nil, err
		}
	}
	// given reads a job and lays its files ready.
	given := func(job any) error {
		if err := json.Unmarshal(a.Job, job); err != nil {
			return err
		}
		made, err = s.lay(job, dir)
		return err
	}
	switch what {
	case doFacts:
		var job koda.FactsJob
		if err = given(&job); err == nil {
			value, err = s.Facts(ctx, job)
		}
	case doInspect:
		var job koda.InspectJob
		if err = given(&job); err == nil {
			job.Page = page
			value, err = s.Inspect(ctx, job)
		}
	case doSegment:
		var job koda.SegmentJob
		if err = given(&job); err == nil {
			job.Page = page
			value, err = s.Draw(ctx, job, report)
		}
	case doFinish:
		var job koda.FinishJob
		if err = given(&job); err == nil {
			value, err = s.Finish(ctx, job)
		}
	case doLook:
		var job koda.LookJob
		if err = given(&job); err == nil {
			job.Page = page
			value, err = s.Look(ctx, job)
		}
	default:
		err = fmt.Errorf("there is no job %.20q", what)
	}
	return value, made, err
}

// lay puts links to the files that a job reads into its directory, makes the
// directories of those it makes, and writes all their paths into the job.
func (s *studio) lay(job any, dir string) ([]output, error) {
	in, out := paths(job)
	for _, o := range out {
		*o.path = filepath.Join(dir, *o.path)
		place := filepath.Dir(*o.path)
		if o.dir {
			place = *o.path
		}
		if err := os.MkdirAll(place, 0o700); err != nil {
			return nil, koda.DiskError("make a directory", err)
		}
	}
	for _, p := range in {
		name := *p
		*p = filepath.Join(dir, name)
		file, ok := strings.CutPrefix(name, "in/")
		if !ok { // an earlier part of the job makes it
			continue
		}
		sum := strings.TrimSuffix(file, filepath.Ext(file))
		if err := os.MkdirAll(filepath.Dir(*p), 0o700); err != nil {
			return nil, koda.DiskError("make a directory", err)
		}
		if err := os.Link(s.place(sum), *p); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, notKept(err)
		}
	}
	return out, nil
}

// notKept says that a file had to make room after koda asked for it.
func notKept(err error) error {
	return &koda.Error{Code: koda.CodeNotFound, Op: "a file of the job is not kept any more", Err: err}
}

// pageOf is a page with its files. The last page stays in memory.
func (s *studio) pageOf(sent sentPage) (koda.Page, error) {
	text, err := encode(sent)
	if err != nil {
		return koda.Page{}, err
	}
	name := sha256.Sum256(text)
	s.mu.Lock()
	last, same := s.last, s.page == name
	s.mu.Unlock()
	if same {
		return last, nil
	}
	page := sent.Page
	page.Files = map[string]koda.PageFile{}
	for path, f := range sent.Files {
		body, err := os.ReadFile(s.place(f.Sum))
		if err != nil {
			return koda.Page{}, notKept(err)
		}
		page.Files[path] = koda.PageFile{Type: f.Type, Body: body}
	}
	s.mu.Lock()
	s.page, s.last = name, page
	s.mu.Unlock()
	return page, nil
}

// hand sends the files that a job made, and keeps them.
func (s *studio) hand(out *frames, all []output) error {
	for i, o := range all {
		if !o.dir {
			if err := s.handFile(out, made{Index: i}, *o.path); err != nil {
				return err
			}
			continue
		}
		entries, err := os.ReadDir(*o.path)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := s.handFile(out, made{Index: i, Name: e.Name()}, filepath.Join(*o.path, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *studio) handFile(out *frames, m made, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was only read
	info, err := f.Stat()
	if err != nil {
		return err
	}
	m.Size = info.Size()
	if err := out.sendJSON(frameFile, m); err != nil {
		return err
	}
	h := sha256.New()
	if _, err := io.CopyBuffer(onlyWriter{io.MultiWriter(out.as(frameOutput), h)}, io.LimitReader(f, m.Size), make([]byte, chunk)); err != nil {
		return err
	}
	if m.Name != "" {
		return nil
	}
	return s.keep(path, hex.EncodeToString(h.Sum(nil)), m.Size)
}
