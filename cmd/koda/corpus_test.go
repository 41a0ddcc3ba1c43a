package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
)

// corpusFull, set to "all" in the environment, tries every page of the corpus in
// every way; set to "each", it draws every page twice.
const corpusFull = "KODA_CORPUS"

// corpusLimit bounds the time of a command on a busy machine.
const corpusLimit = 5 * time.Minute

// corpusManifest is the koda.json of a page that brings none: 120 frames, which are
// drawn in two segments. corpusShort is the beginning of that video, drawn in one
// segment.
const (
	corpusManifest = `{"schema": 1, "name": %q, "width": 480, "height": 270, "fps": 60, "duration": %g}`
	corpusDuration = 2.0
	corpusShort    = 1.6
)

var corpusRates = []koda.FPS{{Num: 24, Den: 1}, {Num: 25, Den: 1}, {Num: 30000, Den: 1001}, {Num: 30, Den: 1}, {Num: 50, Den: 1}, {Num: 60, Den: 1}, {Num: 120, Den: 1}}

// TestCorpus draws the pages of testdata/pages, of every kind that people write.
// Each page is drawn correctly, or koda refuses it or warns of it by name, as
// expect.txt says:
//
//   - every frame shows its own time, as the page's barcode says;
//   - five renders have the same bytes: two without options, one by one worker, one
//     while four loops keep the machine busy, one killed and resumed;
//   - a frame looks the same as in a fresh page;
//   - a frame after a cut looks the same as without the cut.
//
// KODA_CORPUS=all tries all of this and prints a table; otherwise a few pages are
// drawn twice.
func TestCorpus(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	c := newCorpus(t)
	t.Run("each", func(t *testing.T) {
		for _, p := range needs.SomeThat(c.pages, c.each, func(p corpusPage) bool { return p.first }) {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				c.note(t, p, c.try(t, p))
			})
			if !p.matrix || !c.all {
				continue
			}
			for _, format := range []string{"mp4", "webm", "mov", "png"} {
				t.Run(p.name+" "+format, func(t *testing.T) {
					t.Parallel()
					c.rates(t, p, format)
				})
			}
		}
	})
	t.Log("\n" + c.table())
}

type corpus struct {
	each    bool // every page
	all     bool // every way of drawing
	pages   []corpusPage
	modules func() (string, error) // the installed packages
	media   func() (string, error) // a directory of still.* and moving.*

	mu     sync.Mutex
	rows   map[string]corpusRow
	matrix map[string]corpusRow // by page
}

// corpusPage is a line of testdata/pages/expect.txt. That file explains its words.
type corpusPage struct {
	name                      string
	says, code                string
	like                      *regexp.Regexp
	first, matrix, npm, media bool
	gray, notime, bad, own    bool
	chance                    bool
	step, from                float64 // ms, s
	fresh                     float64 // of frames, 0 to 1
}

// corpusRow is a line of the table.
type corpusRow struct {
	said          string
	frames, wrong int
	alike, of     int // renders with the same bytes, of all renders
	fresh         frameDifference
	cut           frameDifference
	timed         bool
}

// frameDifference says how much frames differ from frames that should be equal.
type frameDifference struct {
	frames, differ int
	pixels, levels int // the greatest difference in a frame
}

func (d *frameDifference) add(a, b image.Image) {
	d.frames++
	pixels, levels := 0, 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			by := 0
			for _, pair := range [][2]uint32{{r1, r2}, {g1, g2}, {b1, b2}} {
				by = max(by, int(pair[0]>>8)-int(pair[1]>>8), int(pair[1]>>8)-int(pair[0]>>8))
			}
			if by > 0 {
				pixels, levels = pixels+1, max(levels, by)
			}
		}
	}
	if pixels > 0 {
		d.differ++
	}
	d.pixels, d.levels = max(d.pixels, pixels), max(d.levels, levels)
}

func (d frameDifference) share() float64 {
	if d.frames == 0 {
		return 0
	}
	return float64(d.differ) / float64(d.frames)
}

func (d frameDifference) String() string {
	switch {
	case d.frames == 0:
		return "-"
	case d.differ == 0:
		return fmt.Sprintf("0 of %d", d.frames)
	}
	return fmt.Sprintf("%d of %d: %d px, %d levels", d.differ, d.frames, d.pixels, d.levels)
}

// corpusPages reads expect.txt and fails the test if a page is missing from it.
func corpusPages(t *testing.T) []corpusPage {
	t.Helper()
	root := filepath.Join("..", "..", "testdata", "pages")
	data, err := os.ReadFile(filepath.Join(root, "expect.txt"))
	must(t, err)
	var all []corpusPage
	var names []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, " | ")
		if len(fields) < 2 {
			t.Fatalf("expect.txt: %q is no line", line)
		}
		p := corpusPage{name: strings.TrimSpace(fields[0])}
		p.bad = strings.HasPrefix(p.name, "bad-")
		must(t, p.expect(strings.TrimSpace(fields[1])))
		for _, word := range strings.Fields(strings.Join(fields[2:], " ")) {
			must(t, p.word(word))
		}
		all, names = append(all, p), append(names, p.name)
	}
	entries, err := os.ReadDir(root)
	must(t, err)
	for _, entry := range entries {
		if entry.IsDir() && entry.Name() != "node_modules" && !slices.Contains(names, entry.Name()) {
			t.Errorf("expect.txt says nothing of %s", entry.Name())
		}
	}
	return all
}

func (p *corpusPage) expect(text string) (err error) {
	rest := ""
	p.says, rest, _ = strings.Cut(text, " ")
	switch p.says {
	case "right":
		return nil
	case "refused":
		p.code, rest, _ = strings.Cut(rest, " ")
	case "warned":
	default:
		return fmt.Errorf("%s: koda does not say %q", p.name, text)
	}
	p.like, err = regexp.Compile(rest)
	return err
}

func (p *corpusPage) word(word string) (err error) {
	key, value, _ := strings.Cut(word, "=")
	switch key {
	case "first":
		p.first = true
	case "matrix":
		p.matrix = true
	case "npm":
		p.npm = true
	case "media":
		p.media = true
	case "gray":
		p.gray = true
	case "own":
		p.own = true
	case "chance":
		p.chance = true
	case "notime":
		p.notime = true
	case "step":
		p.step, err = strconv.ParseFloat(value, 64)
	case "from":
		p.from, err = strconv.ParseFloat(value, 64)
	case "fresh":
		p.fresh, err = strconv.ParseFloat(strings.TrimSuffix(value, "%"), 64)
		p.fresh /= 100
	default:
		err = fmt.Errorf("%s: unknown word %q", p.name, word)
	}
	return err
}

// corpusEnd is the outcome of a koda that drew something.
type corpusEnd struct {
	Killed   bool `json:"-"`
	ExitCode int
	Error    struct{ Code, Message, Hint string }
	Render   struct {
		Video, SHA256     string
		Frames, Reused    int
		Warnings, Retries []string
	}
	Still string
}

func (d corpusEnd) said() string {
	switch {
	case d.ExitCode != 0:
		return fmt.Sprintf("refused %s: %s", d.Error.Code, d.Error.Message)
	case len(d.Render.Warnings) > 0:
		return "warned: " + strings.Join(d.Render.Warnings, "; ")
	}
	return "right"
}

// draw runs koda in a home.
func (c *corpus) draw(t *testing.T, home, env string, args ...string) (d corpusEnd) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), corpusLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], append(args, "--json")...)
	cmd.Dir = home
	cmd.Env = append(os.Environ(), asKoda+"=1", "HOME="+home, "KODA_HOME="+filepath.Join(home, "koda"), "XDG_CONFIG_HOME=", env)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stdout, &stderr, time.Second
	var exit *exec.ExitError
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("koda %q took more than %v", args, corpusLimit)
	}
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if d.Killed = cmd.ProcessState.ExitCode() < 0; d.Killed {
		return d
	}
	lines := bytes.Split(bytes.TrimSpace(stdout.Bytes()), []byte("\n"))
	line := struct {
		Type    string
		Payload *corpusEnd
	}{Payload: &d}
	if err := json.Unmarshal(lines[len(lines)-1], &line); err != nil || line.Type != "result" {
		t.Fatalf("koda %q: no result: %v\n%s%s", args, err, stdout.String(), stderr.String())
	}
	if d.ExitCode != 0 && d.Error.Hint == "" {
		t.Errorf("koda %q gives no hint: %s", args, d.Error.Message)
	}
	return d
}

// rendered is like draw, but fails the test if the page is not drawn.
func (c *corpus) rendered(t *testing.T, home, env string, args ...string) corpusEnd {
	t.Helper()
	d := c.draw(t, home, env, append([]string{"render"}, args...)...)
	if d.ExitCode != 0 || d.Killed {
		t.Fatalf("koda render %q: killed %v, %s", args, d.Killed, d.said())
	}
	return d
}

// note keeps the result of a page and compares it with the expectation.
func (c *corpus) note(t *testing.T, p corpusPage, r corpusRow) {
	t.Helper()
	c.mu.Lock()
	c.rows[p.name] = r
	t.Logf("page %d: %s", len(c.rows), r.line(p.name))
	c.mu.Unlock()
	switch {
	case p.says == "right" && r.said != "right",
		p.says == "warned" && !(strings.HasPrefix(r.said, "warned: ") && p.like.MatchString(r.said)),
		p.says == "refused" && !(strings.HasPrefix(r.said, "refused "+p.code+":") && p.like.MatchString(r.said)):
		t.Errorf("koda said %q, want %s %s %v", r.said, p.says, p.code, p.like)
	}
	if r.wrong > 0 {
		t.Errorf("%d of %d frames show a wrong time", r.wrong, r.frames)
	}
	if r.alike != r.of && !p.chance {
		t.Errorf("%d of %d renders have the same bytes", r.alike, r.of)
	}
	if r.fresh.share() > p.fresh {
		t.Errorf("frames differ from a fresh page: %v, allowed are %.0f %%", r.fresh, p.fresh*100)
	}
	if r.cut.differ > 0 && p.fresh == 0 {
		t.Errorf("frames after a cut differ: %v", r.cut)
	}
}

// corpusLine is the format of a line of the table.
const corpusLine = "%-20s %6v %6v %6v  %-28v %-28v %v\n"

func (r corpusRow) line(name string) string {
	frames, wrong, alike := "-", "-", "-"
	if r.frames > 0 {
		frames = strconv.Itoa(r.frames)
	}
	if r.timed {
		wrong = strconv.Itoa(r.wrong)
	}
	if r.of > 0 {
		alike = fmt.Sprintf("%d/%d", r.alike, r.of)
	}
	return fmt.Sprintf(corpusLine, name, frames, wrong, alike, r.fresh, r.cut, fmt.Sprintf("%.120s", r.said))
}

// table shows all results, one line for each page.
func (c *corpus) table() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	var sum corpusRow
	fmt.Fprintf(&b, corpusLine, "page", "frames", "wrong", "alike", "differ from a fresh page", "after a cut", "koda said")
	for _, p := range c.pages {
		r, ok := c.rows[p.name]
		if !ok {
			continue
		}
		b.WriteString(r.line(p.name))
		sum.frames, sum.wrong, sum.alike, sum.of = sum.frames+r.frames, sum.wrong+r.wrong, sum.alike+r.alike, sum.of+r.of
		sum.fresh.frames, sum.fresh.differ = sum.fresh.frames+r.fresh.frames, sum.fresh.differ+r.fresh.differ
	}
	for _, p := range c.pages {
		if r, ok := c.matrix[p.name]; ok {
			fmt.Fprintf(&b, corpusLine, p.name+" ×", r.frames, r.wrong, "-", "-", "-", fmt.Sprintf("%d videos: mp4, webm, mov, png at 24 to 120 fps, and smaller", r.of))
			sum.frames, sum.wrong = sum.frames+r.frames, sum.wrong+r.wrong
		}
	}
	fmt.Fprintf(&b, "%d pages, %d frames: %d wrong times; %d of %d renders alike; %.1f %% of frames differ from a fresh page\n",
		len(c.rows), sum.frames, sum.wrong, sum.alike, sum.of, 100*sum.fresh.share())
	return b.String()
}
