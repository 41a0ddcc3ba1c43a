package browser

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/runtime"
	"github.com/go-sourcemap/sourcemap"

	"github.com/koda-video/koda/internal/koda"
)

// thrown is something the page threw while koda waited for its answer.
type thrown struct{ text string }

func newThrown(details *runtime.ExceptionDetails, page koda.Page) *thrown {
	raw, err := json.Marshal(details)
	var e exception
	if err == nil {
		err = json.Unmarshal(raw, &e)
	}
	if err != nil {
		return &thrown{details.Text}
	}
	return &thrown{clip(e.in(page))}
}

func (e *thrown) Error() string { return e.text }

// exception is what the protocol says about something thrown.
type exception struct {
	ID        int    `json:"exceptionId"`
	Text      string `json:"text"`
	URL       string `json:"url"`
	Line      int    `json:"lineNumber"`
	Column    int    `json:"columnNumber"`
	Exception *struct {
		Description string          `json:"description"`
		Value       json.RawMessage `json:"value"`
		Subtype     string          `json:"subtype"`
		Preview     *struct {
			Properties []struct {
				Name  string `json:"name"`
				Value string `json:"value"`
			} `json:"properties"`
		} `json:"preview"`
	} `json:"exception"`
	Stack *exceptionStack `json:"stackTrace"`
}

type exceptionStack struct {
	Frames []callFrame `json:"callFrames"`
}

// place is where the author of a page will look first: the first frame in a file of the
// project, else the first that is not in koda's clock; otherwise nil.
func (s *exceptionStack) place(page koda.Page) *callFrame {
	if s == nil {
		return nil
	}
	var first *callFrame
	for i, f := range s.Frames {
		if file, _ := page.Origin("/"+shortURL(f.URL), f.Line); file != "" && !strings.Contains(file, "node_modules/") {
			return &s.Frames[i]
		}
		if first == nil && f.URL != clockURL {
			first = &s.Frames[i]
		}
	}
	return first
}

type callFrame struct {
	Function string `json:"functionName"`
	URL      string `json:"url"`
	Line     int    `json:"lineNumber"` // from 0
	Column   int    `json:"columnNumber"`
}

// in gives "TypeError: x is not a function (app.js:3:5)".
func (e exception) in(page koda.Page) string {
	text := e.Text
	if e.Exception != nil {
		switch {
		case e.Exception.Subtype != "error" && e.Exception.Preview != nil: // "Object" says nothing
			var parts []string
			for _, p := range e.Exception.Preview.Properties {
				parts = append(parts, p.Name+": "+p.Value)
			}
			text = firstLine(e.Exception.Description) + " {" + strings.Join(parts, ", ") + "}"
		case e.Exception.Description != "":
			text = firstLine(e.Exception.Description)
		case len(e.Exception.Value) > 0:
			text = string(e.Exception.Value)
		}
	}
	at := callFrame{URL: e.URL, Line: e.Line, Column: e.Column}
	if f := e.Stack.place(page); f != nil {
		at = *f
	}
	if at.URL == "" || at.URL == clockURL { // the exception does not say where it was thrown
		return text
	}
	return fmt.Sprintf("%s (%s)", text, at.in(page))
}

// in gives "spin at app.js:3:5", or "spin at src/app.ts:3:5: code" for a line of a bundle,
// because line numbers of a bundle mean nothing to people.
func (f callFrame) in(page koda.Page) string {
	at := fmt.Sprintf("%s:%d:%d", shortURL(f.URL), f.Line+1, f.Column+1)
	path := "/" + shortURL(f.URL)
	if file, code := page.Origin(path, f.Line); file != "" {
		at = file + f.source(page.Maps[path], file) + ": " + clip(code)
	}
	if f.Function != "" {
		return f.Function + " at " + at
	}
	return at
}

// source is ":3:5", the place in the file that a place of a bundle comes from; "" if the map
// does not say.
func (f callFrame) source(lines []byte, file string) string {
	m, err := sourcemap.Parse("", lines)
	if err != nil {
		return ""
	}
	name, _, line, column, ok := m.Source(f.Line+1, f.Column)
	if !ok || !strings.HasSuffix(name, file) {
		return ""
	}
	return fmt.Sprintf(":%d:%d", line, column+1)
}

// shortURL removes koda's own origin from a URL.
func shortURL(url string) string {
	s := strings.TrimPrefix(strings.TrimPrefix(url, origin), "/")
	s, _, _ = strings.Cut(s, "?")
	if s == "" && url != "" {
		return "index.html"
	}
	return s
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
