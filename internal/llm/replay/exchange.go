package replay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// exchange is a request with its answer or its error.
type exchange struct {
	// Like is the number of an earlier exchange, 0 for none: this one has its system text and
	// its tools, and begins with Same of its messages.
	Like     int           `json:"like,omitempty"`
	Same     int           `json:"same,omitempty"`
	Request  llm.Request   `json:"request"` // the rest
	Response *llm.Response `json:"response"`
	Error    *failure      `json:"error,omitempty"`

	whole  llm.Request
	digest string // of the whole request
}

// failure is an error of a model, whole.
type failure struct {
	Code    koda.Code `json:"code"`
	Message string    `json:"message"`
	Hint    string    `json:"hint,omitempty"`
	Lasting bool      `json:"lasting,omitempty"`
}

// answer is what was answered.
func (e exchange) answer() (llm.Response, error) {
	resp := *e.Response
	resp.Usage.USD, resp.Usage.Unpriced = 0, 0
	if f := e.Error; f != nil {
		return resp, &koda.Error{Code: f.Code, Op: f.Message, Hint: f.Hint, Lasting: f.Lasting}
	}
	return resp, nil
}

// file is the name of the nth exchange, from 1.
func file(dir string, n int) string { return filepath.Join(dir, fmt.Sprintf("%04d.json", n)) }

// read reads a recording. There may be none yet.
func read(dir string) (all []exchange, err error) {
	for n := 1; ; n++ {
		text, err := os.ReadFile(file(dir, n))
		if errors.Is(err, os.ErrNotExist) {
			return all, nil
		}
		var e exchange
		if err == nil {
			err = json.Unmarshal(text, &e)
		}
		if err == nil && (e.Response == nil || e.Like < 0 || e.Like >= n || e.Like > 0 && (e.Same < 0 || e.Same > len(all[e.Like-1].whole.Messages))) {
			err = errors.New("it is no exchange")
		}
		if err != nil {
			return nil, &koda.Error{
				Code: koda.CodeUsage, Op: fmt.Sprintf("read answer %d of %s", n, dir), Err: err, Hint: "KODA_RECORD names a directory that koda wrote, or none yet",
			}
		}
		e.whole = e.Request
		if e.Like > 0 {
			like := all[e.Like-1].whole
			e.whole.System, e.whole.Tools = like.System, like.Tools
			e.whole.Messages = slices.Concat(like.Messages[:e.Same], e.Request.Messages)
		}
		if e.digest, err = digest(e.whole); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
}

// shorten leaves out what an earlier exchange has as well.
func (e *exchange) shorten(all []exchange) {
	e.Request = e.whole
	for i, before := range all {
		same := common(before.whole, e.whole)
		if same < 0 || e.Like > 0 && same < e.Same {
			continue
		}
		e.Like, e.Same = i+1, same
		e.Request = llm.Request{Messages: e.whole.Messages[same:], MaxTokens: e.whole.MaxTokens, Cache: e.whole.Cache}
	}
}

// common is how many messages two requests begin with, -1 if already their system texts or
// their tools differ.
func common(a, b llm.Request) (n int) {
	if a.System != b.System || !equal(a.Tools, b.Tools) {
		return -1
	}
	for n < min(len(a.Messages), len(b.Messages)) && equal(a.Messages[n], b.Messages[n]) {
		n++
	}
	return n
}

func equal(a, b any) bool {
	one, err1 := json.Marshal(a)
	other, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && bytes.Equal(one, other)
}

// bare is a request without the pixels of its pictures, as JSON would give it back.
func bare(req llm.Request) (out llm.Request, err error) {
	raw, err := json.Marshal(req)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		return out, &koda.Error{Code: koda.CodeInvalidInput, Op: "encode the request to the model", Err: err}
	}
	var blank func(parts []llm.Part)
	blank = func(parts []llm.Part) {
		for i := range parts {
			if p := parts[i].Picture; p != nil {
				p.Data = nil
			}
			if r := parts[i].Result; r != nil {
				blank(r.Parts)
			}
		}
	}
	for _, m := range out.Messages {
		blank(m.Parts)
	}
	return out, nil
}

func digest(req llm.Request) (string, error) {
	raw, err := json.Marshal(req)
	if err != nil {
		return "", fmt.Errorf("encode a request: %w", err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

// changed says in which part a request differs from a recorded one, and how.
func changed(recorded, now llm.Request) (what, details string) {
	if recorded.System != now.System {
		return "the system prompt changed", differ(recorded.System, now.System)
	}
	tools := func(req llm.Request) map[string]llm.Tool {
		m := map[string]llm.Tool{}
		for _, t := range req.Tools {
			m[t.Name] = t
		}
		return m
	}
	was, is := tools(recorded), tools(now)
	for _, t := range now.Tools {
		before, known := was[t.Name]
		switch {
		case !known:
			return "the tool " + t.Name + " is new", ""
		case !equal(before, t):
			return "the contract of the tool " + t.Name + " changed", differ(before.Description+string(before.Input), t.Description+string(t.Input))
		}
	}
	for _, t := range recorded.Tools {
		if _, known := is[t.Name]; !known {
			return "the tool " + t.Name + " is gone", ""
		}
	}
	n := common(recorded, now)
	switch {
	case n == len(recorded.Messages) && n == len(now.Messages):
		return "its bounds changed", ""
	case n == len(recorded.Messages) || n == len(now.Messages):
		return fmt.Sprintf("it has %d messages, not %d", len(now.Messages), len(recorded.Messages)), ""
	}
	text := func(m llm.Message) string {
		raw, _ := json.MarshalIndent(m, "", " ") //nolint:errcheck // it was JSON
		return string(raw)
	}
	return fmt.Sprintf("message %d changed", n+1), differ(text(recorded.Messages[n]), text(now.Messages[n]))
}

// differ shows the first place where two texts differ.
func differ(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	from := max(0, n-80)
	around := func(s string) string { return fmt.Sprintf("%q", s[from:min(len(s), n+160)]) }
	return "recorded: " + around(a) + "\nnow:      " + around(b)
}
