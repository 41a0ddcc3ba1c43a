package browser

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

const (
	mostKept = 8   // entries of each kind
	mostText = 400 // bytes of one entry

	mostScripts = 2000 // whose URLs are known
)

// diary remembers, within bounds, what the page did that may explain a failure.
type diary struct {
	log  func(string)
	gone func() // called when the document koda loaded is no longer there

	mu         sync.Mutex
	exceptions list
	errors     list                 // console.error
	refused    list                 // URLs of other origins
	lacking    list                 // paths the page does not have
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
	kept  []string
	total int
}

func (l *list) add(s string) {
	l.total++
	if s = clip(s); len(l.kept) < mostKept && !slices.Contains(l.kept, s) {
		l.kept = append(l.kept, s)
	}
}

func clip(s string) string {
	if len(s) > mostText {
		return strings.ToValidUTF8(s[:mostText], "") + " …"
	}
	return s
}

func newDiary(log func(string), gone func()) *diary {
	var one sync.Mutex
	logged := func(line string) {
		if log != nil {
			one.Lock()
			defer one.Unlock()
			log(line)
		}
	}
	return &diary{log: logged, gone: gone, loading: map[string]string{}, scripts: map[string]string{}}
}

func (d *diary) refuse(url string) {
	d.write(&d.refused, url, "refused, as koda renders without network: ")
}

func (d *diary) lack(path string) { d.write(&d.lacking, path, "the page has no file ") }

// enters notes that the main frame asks for a document, and reports whether it
// is the one koda opened.
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

// inFlight is how many requests are not answered yet, and how many were ever
// made.
func (d *diary) inFlight() (open, made int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.loading), d.requests
}

// fate says what happened to the document that koda loaded, if it is no longer
// there.
func (d *diary) fate() (crashed bool, left string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.crashed, d.left
}

// stopped hands Debugger.paused to whoever waits for it, if somebody does.
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

// script is the URL of a script; "" for one without.
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

// mistaken reports whether the page did something that cannot be meant.
func (d *diary) mistaken() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.exceptions.total+d.lacking.total > 0
}

// sentences says the first entries of a list, and how many there are.
func (l *list) sentences(format string) []string {
	var all []string
	for i, s := range l.kept {
		if i == 3 {
			return append(all, fmt.Sprintf("and more of that kind, %d in all", l.total))
		}
		all = append(all, fmt.Sprintf(format, s))
	}
	return all
}

// mishaps lists what the page did that cannot be meant, also where it went on.
func (d *diary) mishaps() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Concat(
		d.exceptions.sentences("the page threw %s"),
		d.refused.sentences("the page reached for %s, but koda renders without network"),
		d.lacking.sentences("the page has no file %s"),
	)
}

// causes lists what may explain a failure, the likeliest first.
func (d *diary) causes() []string {
	all := d.mishaps()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, url := range d.loading {
		all = append(all, "still loading "+shortURL(url))
		if len(all) > mostKept {
			break
		}
	}
	return append(all, d.errors.sentences("the page logged %s")...)
}

// event takes a protocol event. It is called in the order events and replies
// came, by the goroutine that reads them.
func (d *diary) event(method string, params []byte) {
	switch method {
	case "Runtime.exceptionThrown":
		var e struct {
			Details exception `json:"exceptionDetails"`
		}
		if json.Unmarshal(params, &e) == nil {
			d.write(&d.exceptions, e.Details.String(), "uncaught: ")
		}
	case "Runtime.consoleAPICalled":
		d.console(params)
	case "Log.entryAdded":
		var e struct {
			Entry struct{ Level, Text, URL string } `json:"entry"`
		}
		if json.Unmarshal(params, &e) == nil && e.Entry.Level == "error" {
			d.log(clip("error: " + e.Entry.Text + " " + shortURL(e.Entry.URL)))
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

// write adds a line to a list and to the log, where prefix comes before it.
func (d *diary) write(l *list, line, prefix string) {
	d.mu.Lock()
	l.add(line)
	d.mu.Unlock()
	d.log(prefix + clip(line))
}

func (d *diary) console(params []byte) {
	var e struct {
		Type string `json:"type"`
		Args []struct {
			Value       json.RawMessage `json:"value"`
			Description string          `json:"description"`
		} `json:"args"`
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
		d.write(&d.errors, firstLine(line), "error: ")
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
