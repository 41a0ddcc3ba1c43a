package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// Model answers requests. Several goroutines may ask it at once.
type Model interface {
	// Answer sends a request and returns the whole response.
	//
	// While the response comes, its parts pass to show in their order, one call
	// at a time and none after Answer returned. Show may be nil. It need not be
	// called at all: an answer from the journal passes nothing.
	//
	// A failure is a *koda.Error: UNAUTHORIZED (no key, a wrong key, or one that
	// may not use the model), INVALID_INPUT (the service refuses the request, and
	// would again), LIMIT_REACHED (the service asks to come back later, or to
	// pay), NETWORK (the service cannot be reached), PROVIDER_ERROR (the service
	// failed, or ended the stream too early), TIMEOUT or INTERRUPTED (ctx ended).
	// Answer has tried again by itself where that helps; what passed before is
	// then void, see koda.TextDelta. Beside an error the response has its usage
	// and nothing else.
	Answer(ctx context.Context, req Request, show func(koda.TextDelta)) (Response, error)
}

// Catalogue lists the models of a service.
type Catalogue interface {
	// Models lists them in the service's order. A failure is as one of Model.Answer; if
	// there is none, the service answers.
	Models(ctx context.Context) ([]Info, error)
}

// Info is what a service says of a model. Nil and 0 mean that the service does not say.
type Info struct {
	ID       string `json:"id"`
	Context  int64  `json:"context,omitempty"` // most tokens of a conversation
	Output   int64  `json:"output,omitempty"`  // most tokens of an answer
	Pictures *bool  `json:"pictures,omitempty"`
	Tools    *bool  `json:"tools,omitempty"`
	Parallel *bool  `json:"parallel,omitempty"` // several tool uses in one answer
	Ends     string `json:"ends,omitempty"`     // the day on which the service withdraws it: 2027-04-01
}

// Request is all that a model is given: it remembers nothing.
type Request struct {
	System   string    `json:"system,omitempty"`
	Messages []Message `json:"messages"` // begins with the user's; roles alternate
	Tools    []Tool    `json:"tools,omitempty"`
	// MaxTokens is the longest answer wanted, thinking included; 0 is the most
	// the model gives.
	MaxTokens int `json:"maxTokens,omitempty"`
	// Cache says that further requests will begin as this one does, so that it pays to
	// keep what the service reads now.
	Cache bool `json:"cache,omitempty"`
}

// The roles of a message.
const (
	User      = koda.RoleUser
	Assistant = koda.RoleAssistant
)

// Message is what one side said, in parts.
type Message struct {
	Role  string `json:"role"`
	Parts []Part `json:"parts"`
}

// Part is a part of a message. Exactly one field is set.
type Part struct {
	Text    string      `json:"text,omitempty"`
	Picture *Picture    `json:"picture,omitempty"` // from the user
	Use     *ToolUse    `json:"use,omitempty"`     // from the model
	Result  *ToolResult `json:"result,omitempty"`  // from the user, to a use before
	// Opaque is what the model's service wants back as it was and where it was,
	// such as thinking with its signature. Only the adapter that made it can read
	// it; another adapter leaves it out.
	Opaque json.RawMessage `json:"opaque,omitempty"`
}

// Picture is a picture in a file format.
type Picture struct {
	MediaType string `json:"mediaType"` // "image/png", …
	Data      []byte `json:"data"`
}

// ToolUse asks for a call of a tool. Input is whole, valid JSON of an object; it
// need not fit the tool's schema.
type ToolUse struct {
	ID    string          `json:"id"` // unique in the conversation
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// ToolResult answers a use. Every use of a message is answered in the message
// that follows it.
type ToolResult struct {
	ID     string `json:"id"`    // of the use
	Parts  []Part `json:"parts"` // texts and pictures
	Failed bool   `json:"failed,omitempty"`
}

// Tool is a tool a model may use.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"input"` // JSON schema of an object
}

// Response is an answer, whole. Its parts, unchanged, are the assistant's message
// in the next request.
type Response struct {
	Parts []Part `json:"parts,omitempty"`
	Stop  Stop   `json:"stop,omitempty"`
	Model string `json:"model,omitempty"` // the name of the model that answered
	Usage Usage  `json:"usage,omitzero"`
}

// Stop is why an answer ended.
type Stop string

// The reasons to stop.
const (
	StopEnd     Stop = "end"     // all is said
	StopTools   Stop = "tools"   // it waits for the results of the tools it uses
	StopLength  Stop = "length"  // it reached MaxTokens; its last tool use is left out
	StopContext Stop = "context" // the conversation is too long for the model
	StopRefused Stop = "refused" // the model, or its service, will not answer
)

// Usage is what an answer took, all tries together.
type Usage struct {
	Input      int64   `json:"input,omitempty"`      // tokens read, without those from or to a cache
	CacheRead  int64   `json:"cacheRead,omitempty"`  // tokens read from a cache
	CacheWrite int64   `json:"cacheWrite,omitempty"` // tokens read and put into a cache
	Output     int64   `json:"output,omitempty"`     // tokens written, thinking included
	USD        float64 `json:"usd,omitempty"`        // of the answers with a known price
	Unpriced   int64   `json:"unpriced,omitempty"`   // answers whose price nobody knows
}

// Plus is the usage of two answers.
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Input + v.Input, u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite, u.Output + v.Output, u.USD + v.USD, u.Unpriced + v.Unpriced}
}

// Cost is the usage as it is summed up.
func (u Usage) Cost() koda.Cost {
	return koda.Cost{USD: u.USD, Unpriced: u.Unpriced, InputTokens: u.Input + u.CacheRead + u.CacheWrite, CachedTokens: u.CacheRead, OutputTokens: u.Output}
}

// Text is all text of a response.
func (r Response) Text() string {
	var b strings.Builder
	for _, p := range r.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Uses are the tool uses of a response, in order.
func (r Response) Uses() []ToolUse {
	var uses []ToolUse
	for _, p := range r.Parts {
		if p.Use != nil {
			uses = append(uses, *p.Use)
		}
	}
	return uses
}

// NotJSON is the only field of an input that the model wrote wrong. No tool takes it, so
// the model is told, and reads what it wrote.
const NotJSON = "INVALID_JSON"

// NotForm is the only field of an input if the model wrote its calls as text, and one of
// them cannot be read: what is wrong. No tool takes it, and none of the answer's calls was
// made.
const NotForm = "INVALID_FORM"

// Unread is why nothing may be done for an input, as the model is told it; "" if the input
// can be read.
func Unread(input json.RawMessage) string {
	var fields map[string]json.RawMessage
	var wrong string
	switch {
	case json.Unmarshal(input, &fields) != nil || fields[NotJSON] != nil:
		return "The input of this call is not valid JSON of one object, so nothing was done. Make the call again; escape quotation marks and line ends."
	case json.Unmarshal(fields[NotForm], &wrong) == nil:
		return "Your answer could not be read, so nothing of it was done: " + wrong + ". Write all its calls again."
	}
	return ""
}

// fenced is a text in a fence, as models write it for people.
var fenced = regexp.MustCompile("(?s)^```\\w*\\s(.*)```$")

// Input is the input of a tool use that a model wrote. Nothing at all is an empty object. An
// object is also read in a fence, in a text of JSON, and with line ends in its texts, because
// there is only one way to read these.
func Input(written string) json.RawMessage {
	text := strings.TrimSpace(written)
	if m := fenced.FindStringSubmatch(text); m != nil {
		text = strings.TrimSpace(m[1])
	}
	var inner string
	if json.Unmarshal([]byte(text), &inner) == nil { // null, too
		text = strings.TrimSpace(inner)
	}
	if text == "" {
		return json.RawMessage("{}")
	}
	for _, text := range []string{text, escaped(text)} {
		if text[0] == '{' && json.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
	}
	wrong, _ := json.Marshal(map[string]string{NotJSON: written}) //nolint:errcheck // a map of texts
	return wrong
}

// escaped is JSON whose texts have line ends and tabs as they are, with these escaped.
func escaped(text string) string {
	var b strings.Builder
	within, after := false, false // a text, a backslash in it
	for _, c := range []byte(text) {
		if within && c < ' ' {
			fmt.Fprintf(&b, "\\u%04x", c)
			continue
		}
		b.WriteByte(c)
		within = within != (c == '"' && !after)
		after = within && c == '\\' && !after
	}
	return b.String()
}
