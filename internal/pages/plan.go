package pages

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/koda-video/koda/internal/koda"
)

// Way is how koda makes a page show a time.
type Way string

// The ways.
const (
	// WaySeeks: the page already offers window.__exportSeekTo.
	WaySeeks Way = "seeks"
	// WaySeek: a script beside the page offers window.__exportSeekTo.
	WaySeek Way = "seek"
	// WayPlay: the page plays, and its frames are drawn in order.
	WayPlay Way = "play"
	// WayByHand: the page does not move by itself, and only its own code can show a time.
	WayByHand Way = "by hand"
)

// seekFile is the script that koda puts beside a page.
const seekFile = "koda-seek.js"

// Options is what a person says about a page. A zero value means that the person said
// nothing.
type Options struct {
	Name          string
	Directory     string // the name of the page's directory
	Width, Height int
	FPS           koda.FPS
	Duration      float64
	Play          bool // the page plays, even if it could seek
	Force         bool // replace koda.json
}

// Change is a file that koda will write.
type Change struct {
	Name string // in the page's directory
	Data []byte
	Line string // the line that was put into an existing file; "" means a new file
}

// Plan says what koda has to write before it can draw a page.
type Plan struct {
	Manifest koda.Manifest
	Way      Way
	Why      string   // one sentence
	Changes  []Change // in the order of writing; koda.json is the last
	// Lines show a time, if only the page's own code can do so. Where names the file that
	// needs them.
	Lines, Where string
	Notes        []string // sentences about further work
}

// Plan says what to write. If everything is there, it writes nothing.
//
// Errors: INVALID_INPUT for an impossible size, rate or duration, EXISTS for a file in
// the way.
func (p Page) Plan(files fs.FS, o Options) (Plan, error) {
	plan := Plan{Manifest: p.manifest(o)}
	known, err := readManifest(files)
	if err != nil && !o.Force {
		return plan, err
	}
	keep := known != nil && !o.Force
	if keep {
		plan.Manifest = *known
	}
	script := p.way(&plan, o.Play || keep && known.Play)
	if err := p.write(&plan, files, script); err != nil {
		return plan, err
	}
	if keep {
		return plan, nil
	}
	plan.Manifest.Play = plan.Way == WayPlay
	data, err := plan.Manifest.Encode()
	if err != nil {
		return plan, err
	}
	if _, err := koda.ParseManifest(data); err != nil {
		return plan, err
	}
	if old, err := fs.ReadFile(files, "koda.json"); err != nil || !bytes.Equal(old, data) {
		plan.Changes = append(plan.Changes, Change{Name: "koda.json", Data: data})
	}
	return plan, nil
}

// readManifest reads koda.json; nil if it does not exist.
func readManifest(files fs.FS) (*koda.Manifest, error) {
	data, err := fs.ReadFile(files, "koda.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable("koda.json", err)
	}
	m, err := koda.ParseManifest(data)
	return &m, err
}

// manifest joins what the page's files tell and what the person said.
func (p Page) manifest(o Options) koda.Manifest {
	name := o.Directory
	if ending(p.File) == ".svg" || p.lottie != nil {
		name = strings.TrimSuffix(path.Base(p.File), path.Ext(p.File))
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, name)
	m := koda.Manifest{
		Schema: koda.SchemaVersion, Name: cmp.Or(o.Name, string([]rune(name)[:min(100, len([]rune(name)))]), "animation"),
		Width: cmp.Or(o.Width, p.Width), Height: cmp.Or(o.Height, p.Height), FPS: p.FPS, Duration: cmp.Or(o.Duration, p.Duration),
	}
	if !o.FPS.IsZero() {
		m.FPS = o.FPS
	}
	// One side alone keeps the shape.
	switch {
	case o.Width > 0 && o.Height == 0:
		m.Height = 2 * ((o.Width*p.Height + p.Width) / (2 * p.Width))
	case o.Height > 0 && o.Width == 0:
		m.Width = 2 * ((o.Height*p.Width + p.Height) / (2 * p.Height))
	}
	return m
}

// way chooses how a page shows a time. If the way needs a script, way returns the script.
func (p Page) way(plan *Plan, play bool) (script string) {
	var libs []Kind
	for _, k := range p.Kinds {
		if isLibrary(k) {
			libs = append(libs, k)
		}
	}
	set := func(way Way, why string) { plan.Way, plan.Why = way, why }
	only := func(k Kind, name string) bool {
		return len(libs) == 1 && libs[0] == k && slices.Contains(p.source.packages, name) && p.source.calm() && !slices.Contains(p.Kinds, Canvas)
	}
	switch {
	case p.Seeks && !play:
		set(WaySeeks, "it offers window.__exportSeekTo, by which koda asks for each time")
	case p.lottie != nil:
		set(WaySeek, "a Lottie file shows any time it is asked for")
	case play:
		set(WayPlay, "it plays by itself, as koda.json says: its frames are drawn in order")
	case !slices.ContainsFunc(p.Kinds, func(k Kind) bool { return !slices.Contains(drivenByClock, k) }) && p.source.calm():
		set(WaySeek, "koda's clock drives all that moves in it")
		if len(p.Kinds) == 0 {
			plan.Why = "nothing was found that moves in it"
		}
		return clockSeek
	case only(Lottie, "lottie-web"):
		set(WaySeek, "Lottie hands out its animations, which show any time they are asked for")
		return p.source.global("lottie-web", "lottie", lottieSeek)
	case only(GSAP, "gsap"):
		set(WaySeek, "GSAP hands out its timelines, which show any time they are asked for")
		return p.source.global("gsap", "gsap", gsapSeek)
	case slices.Contains(libs, Theatre) && !p.source.unseen && !strings.Contains(p.source.all(), ".play("):
		set(WayByHand, "nothing in it plays its sequence, and only its own code can show a time")
		p.byHand(plan, libs)
	default:
		set(WayPlay, "it plays by itself: its frames are drawn in order")
		p.byHand(plan, libs)
	}
	return ""
}

// byHand gives the lines with which the page's own code can show a time.
func (p Page) byHand(plan *Plan, libs []Kind) {
	plan.Lines = ownLines
	var own []script // code that people wrote
	for _, s := range p.source.scripts {
		if libraryOf(s.name) == "" && !strings.Contains(path.Base(s.name), ".min.") {
			own = append(own, s)
		}
	}
	for _, l := range libraries {
		if len(libs) > 0 && l.kind == libs[0] {
			plan.Lines = l.lines
			for _, s := range own {
				if l.words != nil && l.words.MatchString(s.text) || slices.ContainsFunc(l.packages, func(name string) bool { return strings.Contains(s.text, name) }) {
					plan.Where = s.name
					break
				}
			}
		}
	}
	if n := len(own); plan.Where == "" && n > 0 {
		plan.Where = own[n-1].name
	}
	plan.Where = cmp.Or(plan.Where, p.File)
}

// write plans the changes beside koda.json.
func (p Page) write(plan *Plan, files fs.FS, script string) error {
	document := p.text
	switch {
	case p.lottie != nil:
		var err error
		if document, err = lottieDocument(plan, files, p.File); err != nil {
			return err
		}
	case ending(p.File) == ".svg":
		document = svgDocument(plan.Manifest.Name, p.text)
	}
	line := ""
	if script != "" {
		tag := fmt.Sprintf(`<script src="%s"></script>`, seekFile)
		if strings.HasPrefix(script, "import ") {
			tag = fmt.Sprintf(`<script type="module" src="%s"></script>`, seekFile)
		}
		if !p.source.loads(seekFile) {
			document, line = withLine(document, tag), tag
		}
		old, err := fs.ReadFile(files, seekFile)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && bytes.HasPrefix(old, []byte(seekHead)):
		case err != nil:
			return unreadable(seekFile, err)
		default:
			return &koda.Error{Code: koda.CodeExists, Op: seekFile + " is there, and koda did not write it", Hint: "move it away, or say --play"}
		}
		if text := seekHead + script; string(old) != text {
			plan.Changes = append(plan.Changes, Change{Name: seekFile, Data: []byte(text)})
		}
	}
	if p.File == Document {
		if line != "" {
			plan.Changes = append(plan.Changes, Change{Name: Document, Data: document, Line: line})
		}
		return nil
	}
	old, err := fs.ReadFile(files, Document)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return unreadable(Document, err)
	case bytes.Equal(old, document):
		return nil
	default:
		return &koda.Error{Code: koda.CodeExists, Op: "koda draws index.html, and there is one that is not of " + p.File, Hint: "move index.html away, or give " + p.File + " a directory of its own"}
	}
	plan.Changes = append(plan.Changes, Change{Name: Document, Data: document})
	return nil
}

// loads reports whether a tag of the document loads the script.
func (s *source) loads(name string) bool {
	for _, tag := range s.tags {
		if src := attribute(tag, "src"); tag.Data == "script" && path.Base(src) == name {
			return true
		}
	}
	return false
}

// global is a script that uses a library: the library that tags of the page load, or the
// library that the page's modules import.
func (s *source) global(pkg, name, script string) string {
	if slices.Contains(s.globals, pkg) || s.specs[pkg] == "" {
		return script
	}
	return fmt.Sprintf("import %s from '%s'\n\n%s", name, s.specs[pkg], script)
}
