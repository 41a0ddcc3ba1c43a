package live

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

// Shown is what there is to show.
type Shown struct {
	Page     koda.Page     // the zero value if a server has the picture
	Manifest koda.Manifest // of the page
	Digest   string        // differs when a page that was loaded before must be loaded again
	// Sound is the path of the sound below Page.Files; "" if there is none.
	Sound string
}

// Source says what a view shows.
type Source struct {
	// Now gives what there is to show now. It is called again and again, and remembers its
	// last answer. While it fails, people see the error, over the picture before.
	Now func(context.Context) (Shown, error)
	// Wait returns when Now may give something else, or with ctx. It is called while
	// somebody watches. Nil looks each second.
	Wait func(context.Context) error
	// Form is the parameters of a recipe; nil if there are none to change.
	Form Form
}

// Form has the parameters of a recipe.
type Form interface {
	// Fields lists the parameters with their values.
	Fields(context.Context) ([]Field, error)
	// Save changes parameters, given by name as people write them, and says what came of it.
	Save(ctx context.Context, set map[string]string) (said string, err error)
}

// Field is one parameter in a form.
type Field struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"` // as in a recipe's manifest
	Value   string   `json:"value"`
	Help    string   `json:"help,omitempty"`
	Range   string   `json:"range,omitempty"`
	Unit    string   `json:"unit,omitempty"`
	Choices []string `json:"choices,omitempty"`
}

// state is what the page around the picture is told.
type state struct {
	Name     string            `json:"name"`
	Digest   string            `json:"digest"` // of the page that can be loaded; "" before the first
	Width    int               `json:"width"`
	Height   int               `json:"height"`
	FPS      [2]int            `json:"fps"`
	Frames   int               `json:"frames"`
	Duration float64           `json:"duration"`
	Plays    bool              `json:"plays"`
	Scenes   []koda.SceneStart `json:"scenes"`
	Sound    string            `json:"sound,omitempty"`
	Picture  string            `json:"picture"` // address
	Origin   string            `json:"origin"`  // of the picture's messages
	Sandbox  string            `json:"sandbox"`
	Form     bool              `json:"form"`
	Saved    int               `json:"saved"` // how often the form was saved
	Notes    []string          `json:"notes"`
	Problem  *problem          `json:"problem,omitempty"`
}

type problem struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// viewer shows a source.
type viewer struct {
	src   Source
	place func(*http.Request) place

	mu     sync.Mutex
	last   Shown
	failed error
	saved  int
	more   chan struct{} // closed when the state changes
	told   string        // the state as JSON without its places, to know whether it changed
	eyes   int           // who watches
	stop   context.CancelFunc

	asking sync.Mutex
}

// place is where a request reaches the page and its picture.
type place struct {
	outer, picture string // origins
	opaque         bool   // the picture has no origin of its own
}

// sandboxOf is what the picture may do.
func (p place) sandbox() string {
	if p.opaque {
		return "allow-scripts"
	}
	return "allow-scripts allow-same-origin"
}

func newViewer(src Source) *viewer {
	if src.Wait == nil {
		src.Wait = func(ctx context.Context) error {
			t := time.NewTimer(time.Second)
			defer t.Stop()
			select {
			case <-t.C:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return &viewer{src: src, more: make(chan struct{})}
}

// look asks the source, and wakes who waits if there is something new.
func (v *viewer) look(ctx context.Context) (Shown, error) {
	v.asking.Lock()
	defer v.asking.Unlock()
	shown, err := v.src.Now(ctx)
	if ctx.Err() != nil {
		return shown, ctx.Err()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.failed = err; err == nil {
		v.last = shown
	}
	v.wake()
	return shown, err
}

// wake wakes who waits if the state is another. The caller holds mu.
func (v *viewer) wake() {
	if now := v.digest(); now != v.told {
		v.told = now
		close(v.more)
		v.more = make(chan struct{})
	}
}

func (v *viewer) digest() string {
	text, _ := json.Marshal(v.state(place{})) //nolint:errcheck // it is made of texts and numbers
	return string(text)
}

// state is the state for who reaches the view at a place. The caller holds mu.
func (v *viewer) state(p place) state {
	m, page := v.last.Manifest, v.last.Page
	s := state{
		Name: m.Name, Digest: v.last.Digest, Width: m.Width, Height: m.Height, FPS: [2]int{m.FPS.Num, m.FPS.Den},
		Duration: m.Duration, Plays: page.Plays, Scenes: m.Scenes, Notes: page.Warnings, Form: v.src.Form != nil, Saved: v.saved,
		Picture: p.picture + "/?export", Origin: p.picture, Sandbox: p.sandbox(),
	}
	if p.opaque {
		s.Origin = "null"
	}
	if m.FPS.Num > 0 {
		s.Frames = timeline.Frames(m.Duration, m.FPS)
	}
	if s.Scenes == nil {
		s.Scenes = []koda.SceneStart{}
	}
	if v.last.Sound != "" {
		s.Sound = viewPath + "sound?" + v.last.Digest
	}
	if v.failed != nil {
		s.Problem = &problem{Title: title(v.failed), Text: text(v.failed)}
	}
	return s
}

// title says in a few words what kind of thing failed.
func title(err error) string {
	switch koda.CodeOf(err) {
	case koda.CodeBuildFailed:
		return "The page cannot be built"
	case koda.CodeNotFound:
		return "There is nothing to show"
	}
	return "The page cannot be shown"
}

// text is an error with its places and its hint.
func text(err error) string {
	parts := []string{err.Error()}
	switch d := strings.TrimSpace(koda.DetailsOf(err)); {
	case strings.HasPrefix(d, parts[0]):
		parts[0] = d
	case d != "":
		parts = append(parts, d)
	}
	if hint := koda.HintOf(err); hint != "" {
		parts = append(parts, "Hint: "+hint)
	}
	return strings.Join(parts, "\n\n")
}

// watch lets the source be asked while somebody looks on. The caller calls the function
// that it gives when they no longer do.
func (v *viewer) watch(life context.Context) func() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.eyes++; v.eyes == 1 {
		ctx, stop := context.WithCancel(life)
		v.stop = stop
		go func() {
			for v.src.Wait(ctx) == nil {
				_, _ = v.look(ctx) //nolint:errcheck // who watches is told
			}
		}()
	}
	return func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if v.eyes--; v.eyes == 0 {
			v.stop()
		}
	}
}

// events tells a page each new state, until it leaves.
func (v *viewer) events(life context.Context, w http.ResponseWriter, r *http.Request) {
	defer v.watch(life)()
	_, _ = v.look(r.Context()) //nolint:errcheck // it is part of the state
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	beat := time.NewTicker(15 * time.Second)
	defer beat.Stop()
	for {
		v.mu.Lock()
		text, err := json.Marshal(v.state(v.place(r)))
		more := v.more
		v.mu.Unlock()
		if err == nil {
			_, err = fmt.Fprintf(w, "data: %s\n\n", text)
		}
		for waiting := err == nil; waiting; {
			if err = out.Flush(); err != nil {
				break
			}
			select {
			case <-more:
				waiting = false
			case <-beat.C:
				_, err = fmt.Fprint(w, ": \n\n")
			case <-r.Context().Done():
				return
			case <-life.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// secret is a name that nobody guesses.
func secret() string { return strings.ToLower(rand.Text()) }
