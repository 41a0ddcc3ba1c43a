package service

import (
	"cmp"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Failure is what a service said instead of an answer, or why it said nothing.
type Failure struct {
	Status  int           // of HTTP; 200 in the middle of an answer, 0 if there was no response
	Kind    string        // the service's own word for it: "overloaded_error"
	Message string        // the service's own sentence
	After   time.Duration // the pause that the service asks for
	Err     error         // the cause, if there was no response

	usage bool // the person's own doing: nothing was sent
}

func (f *Failure) Error() string { return cmp.Or(f.Message, f.Kind, fmt.Sprint(f.Err)) }

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }

// Ended is the failure of an answer that ended before the service said that it ends.
func Ended(cause error) *Failure {
	return &Failure{Status: http.StatusOK, Kind: kindEnded, Message: "the answer ended too early", Err: cause}
}

// Said reads what a service says of a failure, in any of the shapes that services have:
// an object with code, type and message, alone or in the field error or detail, or a text there.
func Said(status int, data []byte) *Failure {
	f := &Failure{Status: status}
	var outer struct {
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"` // of servers made with FastAPI: a text, or a list
	}
	switch err := json.Unmarshal(data, &outer); {
	case err == nil && len(outer.Error) > 0:
		data = outer.Error
	case err == nil && len(outer.Detail) > 0:
		data, f.Message = outer.Detail, string(outer.Detail)
	}
	var inner struct {
		Code    any    `json:"code"` // a word or a status
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	switch {
	case json.Unmarshal(data, &f.Message) == nil:
	case json.Unmarshal(data, &inner) == nil:
		f.Kind, f.Message = inner.Type, inner.Message
		if inner.Code != nil && (statuses[inner.Type] == 0 || inner.Type == "invalid_request_error") {
			f.Kind = fmt.Sprint(inner.Code)
		}
	}
	f.Message = cmp.Or(f.Message, f.Kind, http.StatusText(status))
	return f
}

// afterOf reads the pause that the headers of a response ask for.
func afterOf(h http.Header) time.Duration {
	asked := func(name string, unit time.Duration) time.Duration {
		n, err := strconv.ParseFloat(h.Get(name), 64)
		if err != nil || n < 0 || n > 1e7 {
			return 0
		}
		return time.Duration(n * float64(unit))
	}
	if d := cmp.Or(asked("Retry-After-Ms", time.Millisecond), asked("Retry-After", time.Second)); d > 0 {
		return d
	}
	if at, err := http.ParseTime(h.Get("Retry-After")); err == nil {
		if now, err := http.ParseTime(h.Get("Date")); err == nil {
			return max(0, at.Sub(now))
		}
	}
	return 0
}

// The words that this package has for failures.
const (
	kindEnded  = "ended"
	kindSilent = "silent"
	kindQuota  = "insufficient_quota"
)

// statuses are the HTTP statuses that words of services stand for. In the middle of an
// answer the word is all there is.
var statuses = map[string]int{
	"invalid_request_error": 400, "authentication_error": 401, "invalid_api_key": 401, "billing_error": 402, kindQuota: 402,
	"permission_error": 403, "not_found_error": 404, "model_not_found": 404, "request_too_large": 413,
	"rate_limit_error": 429, "rate_limit_exceeded": 429, "api_error": 500, "server_error": 500, "timeout_error": 504, "overloaded_error": 529,
}

// longKinds and longWords tell that a conversation is too long for the model. No status
// stands for it, and some services have only a sentence for it.
var (
	longKinds = []string{"context_length_exceeded", "exceed_context_size_error"}
	longWords = []string{"prompt is too long", "maximum context length", "context length", "context size", "context window"}
)

// failureOf is the failure in an error, or the one that the HTTP client met.
func failureOf(err error) *Failure {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	var u *url.Error
	if errors.As(err, &u) {
		return &Failure{Err: u.Err} // without the address, which may hold a key
	}
	return Ended(err)
}

// status is the status of HTTP that stands for the failure.
func (f *Failure) status() int {
	meant := statuses[f.Kind]
	if n, err := strconv.Atoi(f.Kind); err == nil && n >= 400 && n < 600 {
		meant = n
	}
	if meant == http.StatusPaymentRequired || f.Status > 0 && f.Status < 400 && meant > 0 {
		return meant
	}
	return f.Status
}

func (f *Failure) silent() bool { return f.Kind == kindSilent }

func (f *Failure) tooLong() bool {
	if slices.Contains(longKinds, f.Kind) {
		return true
	}
	if s := f.status(); s != http.StatusBadRequest && s != http.StatusRequestEntityTooLarge {
		return false
	}
	said := strings.ToLower(f.Message)
	return slices.ContainsFunc(longWords, func(w string) bool { return strings.Contains(said, w) })
}

// passing reports whether the same request may have an answer later.
func (f *Failure) passing() bool {
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	switch s := f.status(); {
	case f.usage:
		return false
	case s == 0:
		gone := errors.Is(f.Err, syscall.ECONNREFUSED) || errors.As(f.Err, &cert) || errors.As(f.Err, &dns) && dns.IsNotFound
		return !gone
	case s == http.StatusRequestTimeout, s == http.StatusConflict, s == http.StatusTooManyRequests:
		return true
	default:
		return s < 400 || s >= 500
	}
}

// explain says what failed in n tries, and what to do.
func (c Config) explain(f *Failure, n int) error {
	e := &koda.Error{Code: koda.CodeProviderError, Err: c.said(f), Lasting: !f.passing()}
	tried := ""
	if n > 1 {
		tried = fmt.Sprintf(", tried %d times", n)
	}
	switch s := f.status(); {
	case f.usage:
		e.Code, e.Op, e.Err = koda.CodeUsage, f.Message, nil
		e.Hint = "use an https address, or a tunnel to this machine"
	case f.silent():
		e.Op, e.Err = c.Host()+" was silent for "+c.Silence.String()+tried, nil
		e.Hint = "KODA_MODEL_TIMEOUT gives slow models more time"
	case s == 0:
		e.Code, e.Op = koda.CodeNetwork, "cannot reach "+c.Host()+tried
		e.Hint = "check the network and the address"
		var op *net.OpError
		switch {
		case errors.As(f.Err, &op) && op.Op == "proxyconnect":
			e.Hint = "check the proxy that HTTPS_PROXY or HTTP_PROXY names"
		case errors.Is(f.Err, syscall.ECONNREFUSED) && c.Listed:
			e.Hint = "nothing listens there: start " + c.Name + ", or give its address with --base-url"
		case errors.Is(f.Err, syscall.ECONNREFUSED):
			e.Hint = "nothing listens there: start the server, or give its address with --base-url"
		}
	case s == http.StatusUnauthorized:
		e.Code, e.Op, e.Err = koda.CodeUnauthorized, c.who()+" does not accept the key", nil // what it says repeats the key
		e.Hint = "check " + c.KeyFrom
		if !c.Key.Set() {
			e.Op, e.Hint = c.Host()+" wants a key", "set "+cmp.Or(c.KeyFrom, "OPENAI_API_KEY, and use the provider openai with --base-url")
		}
	case s == http.StatusForbidden:
		e.Code, e.Op = koda.CodeUnauthorized, c.who()+" does not let this key use "+c.what()
		e.Hint = "`koda models` lists what it may use"
	case s == http.StatusPaymentRequired:
		e.Code, e.Op = koda.CodeLimitReached, "the account at "+c.who()+" has nothing left to spend"
		e.Hint = "add credit there, or use another model"
	case s == http.StatusTooManyRequests:
		e.Code, e.Op = koda.CodeLimitReached, c.who()+" asks for a pause"+tried
		e.Hint = "try again later"
		if f.After > 0 {
			e.Hint = "try again in " + f.After.Round(time.Second).String()
		}
	case s == http.StatusNotFound && c.Model == "":
		e.Code, e.Op = koda.CodeInvalidInput, c.Host()+" has no list of models"
		e.Hint = "check the address; an address of --base-url often ends in /v1"
	case s == http.StatusNotFound:
		e.Code, e.Op = koda.CodeInvalidInput, c.Host()+" does not know "+c.what()
		e.Hint = "`koda models` lists the models; an address of --base-url often ends in /v1"
	case s == http.StatusNotAcceptable, s == http.StatusMethodNotAllowed:
		e.Code, e.Op = koda.CodeInvalidInput, c.Host()+" does not answer as "+c.Name+" does"
		e.Hint = "check the address; an address of --base-url often ends in /v1"
	case s >= 400 && s < 500 && !f.passing():
		e.Code, e.Op = koda.CodeInvalidInput, c.who()+" refuses the request"
		e.Hint = "another model may take it; `koda models` lists them"
	default:
		e.Op, e.Hint = c.who()+" failed"+tried, "try again later"
		if s >= 400 {
			e.Op = fmt.Sprintf("%s failed with %d%s", c.who(), s, tried)
		}
	}
	return e
}

// who is the service, for people: by its name, or by its host if it is another one.
func (c Config) who() string {
	if c.Listed {
		return c.Name
	}
	return c.Host()
}

func (c Config) what() string { return cmp.Or(c.Model, "the request") }

// said is what the failure says: one line, not too long, and without the key.
func (c Config) said(f *Failure) error {
	text := strings.Join(strings.Fields(f.Error()), " ")
	if key := c.Key.Reveal(); key != "" {
		text = strings.ReplaceAll(text, key, "…")
	}
	const most = 300
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + " …"
	}
	return errors.New(text)
}
