package browser

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/koda-video/koda/internal/koda"
)

const (
	mostKept = 8   // entries of each kind
	mostText = 400 // bytes of one entry

	mostScripts = 2000 // whose URLs are known
	mostThrown  = 1000 // promises that may still be caught
)

// diary remembers, within bounds, what the page did. Its entries may explain a failure.
type diary struct {
	page koda.Page
	log  func(string)
	gone func() // called when the document that koda loaded goes away

	mu         sync.Mutex
	exceptions list
	thrown     map[int]string       // by promise id: a promise may be caught late
	errors     list                 // console.error
	refused    list                 // URLs of other origins
	lacking    list                 // paths the page does not have
	notes      list                 // what the clock says of the page
	loading    map[string]string    // requests in flight, id to URL
	requests   int                  // how many were made
	asked      int                  // documents the main frame asked for
	documents  int                  // navigations of the main frame that were committed
	left       string               // where the page navigated to
	crashed    bool                 // the renderer is gone
	scripts    map[string]string    // URLs by script id
	paused     chan json.RawMessage // Debugger.paused, while somebody waits for it
}

// list keeps the first entries and counts the rest.
type list struct {
	format string // of the sentence about an entry
	others string // the sentence about the entries that are not told one by one
	counts bool   // whether the sentence says how often an entry came
	kept   []koda.Mishap
	total  int
}

// mostTold is how many entries of a list are told one by one.
const mostTold = 3

func (l *list) add(s string) {
	l.total++
	s = clip(s)
	if i := l.find(s); i >= 0 {
		l.kept[i].Times++
	} else if len(l.kept) < mostKept {
		l.kept = append(l.kept, koda.Mishap{What: s, Times: 1})
	}
}

func (l *list) find(s string) int {
	return slices.IndexFunc(l.kept, func(m koda.Mishap) bool { return m.What == s })
}

// drop removes an entry.
func (l *list) drop(s string) {
	l.total--
	if i := l.find(clip(s)); i >= 0 {
		if l.kept[i].Times--; l.kept[i].Times == 0 {
			l.kept = slices.Delete(l.kept, i, i+1)
		}
	}
}

// told turns the entries into sentences.
func (l *list) told() []koda.Mishap {
	var all []koda.Mishap
	rest := l.total
	for _, m := range l.kept[:min(len(l.kept), mostTold)] {
		rest -= m.Times
		if !l.counts {
			m.Times = 1
		}
		all = append(all, koda.Mishap{What: fmt.Sprintf(l.format, m.What), Times: m.Times})
	}
	if rest > 0 {
		all = append(all, koda.Mishap{What: l.others, Times: rest})
	}
	return all
}

func clip(s string) string {
	if len(s) > mostText {
		return strings.ToValidUTF8(s[:mostText], "") + " …"
	}
	return s
}

func newDiary(page koda.Page, log func(string), gone func()) *diary {
	var one sync.Mutex
	logged := func(line string) {
		if log != nil {
			one.Lock()
			defer one.Unlock()
			log(line)
		}
	}
	return &diary{
		page: page, log: logged, gone: gone, loading: map[string]string{}, scripts: map[string]string{}, thrown: map[int]string{},
		exceptions: list{format: "the page threw %s", others: "the page threw other things", counts: true},
		errors:     list{format: "the page logged %s", others: "the page logged other errors", counts: true},
		refused:    list{format: "the page reached for %s, but koda renders without network", others: "the page reached for other addresses"},
		lacking:    list{format: "the page has no file %s", others: "the page lacks other files"},
		notes:      list{format: "%s", others: "the page did more that a video does not show"},
	}
}

func (d *diary) refuse(url string) {
	d.write(&d.refused, url, "refused, as koda renders without network: ")
}

// offers notes a download. One of a file is noted when its request is refused: the
// browser does not announce each of them. One of data: or blob: has no request, so the
// browser's announcement notes this one.
func (d *diary) offers(name string) {
	d.write(&d.notes, "the page offers a download, "+name+", which koda refuses", "")
}

func (d *diary) lack(path string) { d.write(&d.lacking, path, "the page has no file ") }

// fault notes what is wrong with a video or a sound of the page.
func (d *diary) fault(what string) { d.write(&d.notes, what, "") }

// enters notes that the main frame asks for a document, and reports whether this is the
// document that koda opened.
func (d *diary) enters(url string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.asked++; d.asked == 1 {
		return true
	}
	d.left = url
	d.gone()
	return false
}

func (d *diary) finished(request string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.loading, request)
}

// inFlight counts the requests without an answer so far, and all requests so far.
func (d *diary) inFlight() (open, made int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.loading), d.requests
}

// fate says what happened to the document that koda loaded, if the document is gone.
func (d *diary) fate() (crashed bool, left string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.crashed, d.left
}

// stopped hands Debugger.paused to whoever waits for it. If nobody waits, the answer is
// false.
func (d *diary) stopped(params []byte) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.paused == nil {
		return false
	}
	d.paused <- append(json.RawMessage(nil), params...)
	d.paused = nil
	return true
}

// script is the URL of a script; "" if the script has none.
func (d *diary) script(id string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.scripts[id]
}

// awaitPause returns the channel that gets the next Debugger.paused.
func (d *diary) awaitPause() <-chan json.RawMessage {
	ch := make(chan json.RawMessage, 1)
	d.mu.Lock()
	d.paused = ch
	d.mu.Unlock()
	return ch
}

// mistaken reports whether the page did something that its author cannot have meant.
func (d *diary) mistaken() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.exceptions.total+d.lacking.total > 0
}

// mishaps lists what the page did that its author cannot have meant, even if the page
// went on.
func (d *diary) mishaps() []koda.Mishap {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Concat(d.exceptions.told(), d.refused.told(), d.lacking.told(), d.notes.told())
}

// causes lists possible causes of a failure, the likeliest first.
func (d *diary) causes() []string {
	var all []string
	for _, m := range d.mishaps() {
		all = append(all, m.String())
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, url := range d.loading {
		all = append(all, "still loading "+shortURL(url))
		if len(all) > mostKept {
			break
		}
	}
	for _, m := range d.errors.told() {
		all = append(all, m.String())
	}
	return all
}

// event takes a protocol event. The goroutine that reads events and replies calls it, in
// the order they came.
func (d *diary) event(method string, params []byte) {
	switch method {
	case "Runtime.exceptionThrown":
		d.threw(params)
	case "Runtime.exceptionRevoked":
		d.caught(params)
	case "Runtime.bindingCalled":
		var e struct {
			Name    string `json:"name"`
			Payload string `json:"payload"`
		}
		if json.Unmarshal(params, &e) == nil && e.Name == tellName {
			d.write(&d.notes, e.Payload, "")
		}
	case "Runtime.consoleAPICalled":
		d.console(params)
	case "Log.entryAdded":
		d.logged(params)
	case "Page.downloadWillBegin":
		var e struct {
			URL  string `json:"url"`
			Name string `json:"suggestedFilename"`
		}
		if json.Unmarshal(params, &e) == nil && !strings.HasPrefix(e.URL, "http") {
			d.offers(e.Name)
		}
	case "Network.requestWillBeSent":
		var e struct {
			RequestID string               `json:"requestId"`
			Type      string               `json:"type"`
			Request   struct{ URL string } `json:"request"`
		}
		// Media is fetched piece by piece, as it plays; the clock waits for it.
		if json.Unmarshal(params, &e) == nil && e.Type != "Media" && strings.HasPrefix(e.Request.URL, "http") {
			d.mu.Lock()
			d.loading[e.RequestID] = clip(e.Request.URL)
			d.requests++
			d.mu.Unlock()
		}
	case "Network.loadingFinished", "Network.loadingFailed", "Network.requestServedFromCache":
		var e struct {
			RequestID string `json:"requestId"`
		}
		if json.Unmarshal(params, &e) == nil {
			d.finished(e.RequestID)
		}
	case "Debugger.scriptParsed":
		var e struct {
			ID  string `json:"scriptId"`
			URL string `json:"url"`
		}
		if json.Unmarshal(params, &e) == nil && e.URL != "" {
			d.mu.Lock()
			if len(d.scripts) < mostScripts {
				d.scripts[e.ID] = clip(e.URL)
			}
			d.mu.Unlock()
		}
	case "Network.webSocketCreated":
		var e struct {
			URL string `json:"url"`
		}
		if json.Unmarshal(params, &e) == nil {
			d.refuse(e.URL)
		}
	case "Page.frameNavigated":
		d.navigated(params)
	case "Inspector.targetCrashed", "Target.targetCrashed":
		d.mu.Lock()
		d.crashed = true
		d.mu.Unlock()
		d.gone()
	}
}

// threw notes an exception that nobody caught. A promise may still be caught later; only
// the first promises are remembered for that.
func (d *diary) threw(params []byte) {
	var e struct {
		Details exception `json:"exceptionDetails"`
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	text := e.Details.in(d.page)
	d.mu.Lock()
	if strings.Contains(e.Details.Text, "in promise") && len(d.thrown) < mostThrown {
		d.thrown[e.Details.ID] = text
	}
	d.mu.Unlock()
	d.write(&d.exceptions, text, "uncaught: ")
}

// caught takes back an exception that was caught late.
func (d *diary) caught(params []byte) {
	var e struct {
		ID int `json:"exceptionId"`
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if text, ok := d.thrown[e.ID]; ok {
		delete(d.thrown, e.ID)
		d.exceptions.drop(text)
	}
}

// exceptionsSoFar counts the exceptions that nobody caught.
func (d *diary) exceptionsSoFar() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.exceptions.total
}

// write adds a line to a list, and to the log with prefix in front of it.
func (d *diary) write(l *list, line, prefix string) {
	d.mu.Lock()
	l.add(line)
	d.mu.Unlock()
	d.log(prefix + clip(line))
}

// logged takes an entry of the browser's log. Exceptions of workers appear there.
func (d *diary) logged(params []byte) {
	var e struct {
		Entry struct {
			Source, Level, Text, URL string
			Line                     int `json:"lineNumber"`
		} `json:"entry"`
	}
	if json.Unmarshal(params, &e) != nil || e.Entry.Level != "error" {
		return
	}
	if text, ok := strings.CutPrefix(e.Entry.Text, "Uncaught "); ok && e.Entry.Source == "worker" {
		d.write(&d.exceptions, fmt.Sprintf("%s (%s:%d)", text, shortURL(e.Entry.URL), e.Entry.Line+1), "uncaught: ")
		return
	}
	d.log(clip("error: " + e.Entry.Text + " " + shortURL(e.Entry.URL)))
}

func (d *diary) console(params []byte) {
	var e struct {
		Type string `json:"type"`
		Args []struct {
			Value       json.RawMessage `json:"value"`
			Description string          `json:"description"`
		} `json:"args"`
		Stack *exceptionStack `json:"stackTrace"`
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	var words []string
	for _, a := range e.Args {
		var s string
		switch {
		case a.Description != "":
			s = a.Description
		case json.Unmarshal(a.Value, &s) != nil:
			s = string(a.Value)
		}
		words = append(words, s)
	}
	line := strings.Join(words, " ")
	if e.Type == "error" {
		line = firstLine(line)
		if at := e.Stack.place(d.page); at != nil && at.URL != "" {
			line += " (" + at.in(d.page) + ")"
		}
		d.write(&d.errors, line, "error: ")
		return
	}
	d.log(clip(e.Type + ": " + line))
}

func (d *diary) navigated(params []byte) {
	var e struct {
		Frame struct {
			ParentID       string `json:"parentId"`
			URL            string `json:"url"`
			UnreachableURL string `json:"unreachableUrl"`
		} `json:"frame"`
	}
	if json.Unmarshal(params, &e) != nil || e.Frame.ParentID != "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if e.Frame.URL == "about:blank" && d.documents == 0 {
		return
	}
	if d.documents++; d.documents > 1 || e.Frame.UnreachableURL != "" {
		d.left = e.Frame.URL
		if e.Frame.UnreachableURL != "" {
			d.left = e.Frame.UnreachableURL
		}
		d.gone()
	}
}
