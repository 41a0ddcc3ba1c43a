package service

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// Config is how a model of a service is reached.
type Config struct {
	Name     string        // of the service, for errors: "anthropic"
	Address  string        // where its API begins: https://api.openai.com/v1
	Key      config.Secret // if there is none, requests have none
	KeyFrom  string        // the variable the key comes from, for hints; "": it takes none
	NeedsKey bool          // it answers nobody without a key
	Model    string

	Listed    bool       // it is the service itself, so the table's prices hold
	SaysPrice bool       // it names the price of every answer
	Rate      *llm.Price // what the person says it costs; nil: nothing is said

	// Silence is how long the service may send nothing at all; 0 is no bound.
	Silence time.Duration
	// Tries are the tries of one request; 0 is 4.
	Tries int
	// Wait waits between two tries, and returns early if ctx ends; nil is a timer.
	Wait func(ctx context.Context, d time.Duration)
	// Transport carries the requests; nil is that of net/http.
	Transport http.RoundTripper
}

// The pauses before another try.
const (
	tries       = 4
	firstPause  = 500 * time.Millisecond // doubles with every try
	mostPause   = 8 * time.Second
	mostAsked   = time.Minute // of those that a service asks for; koda waits no longer
	mostSilence = 2           // tries if a service keeps silent
)

// Host is the host of the address, for people.
func (c Config) Host() string {
	if u, err := url.Parse(c.Address); err == nil && u.Host != "" {
		return u.Host
	}
	return c.Address
}

// Answer makes tries until one gives an answer, or a failure lasts. It implements the
// contract of llm.Model for an adapter. A try returns what it spent also if it fails;
// its error is a [Failure], or what the HTTP client said.
func (c Config) Answer(ctx context.Context, show func(koda.TextDelta), try func(show func(koda.TextDelta)) (llm.Response, error)) (llm.Response, error) {
	var spent llm.Usage
	shown := false
	tell := func(d koda.TextDelta) {
		if show != nil {
			shown = true
			show(d)
		}
	}
	err := c.keyed()
	for n := 1; err == nil; n++ {
		resp, failed := try(tell)
		spent = spent.Plus(c.priced(resp.Usage, resp.Model, failed == nil))
		if failed == nil {
			resp.Usage = spent
			return resp, nil
		}
		if ctx.Err() != nil {
			break
		}
		f := failureOf(failed)
		if f.tooLong() {
			return llm.Response{Stop: llm.StopContext, Model: c.Model, Usage: spent}, nil
		}
		pause, again := c.again(f, n)
		if !again {
			err = c.explain(f, n)
			break
		}
		c.wait(ctx, pause)
		if ctx.Err() != nil {
			break
		}
		if shown {
			shown = false
			show(koda.TextDelta{Again: true})
		}
	}
	if ctx.Err() != nil {
		err = &koda.Error{Code: koda.CodeOf(ctx.Err()), Op: "ask " + c.Name, Err: ctx.Err()}
	}
	return llm.Response{Usage: spent}, err
}

// Do makes one try at something else than an answer, such as a list of models.
func (c Config) Do(ctx context.Context, try func() error) error {
	if err := c.keyed(); err != nil {
		return err
	}
	err := try()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return &koda.Error{Code: koda.CodeOf(ctx.Err()), Op: "ask " + c.Name, Err: ctx.Err(), Hint: "is " + c.Host() + " the right address?"}
	}
	f := failureOf(err)
	if f.Kind == kindEnded { // it is all there, and of another shape
		f = &Failure{Status: http.StatusNotAcceptable, Message: "what it says cannot be read"}
	}
	return c.explain(f, 1)
}

// keyed refuses to ask a service without the key that it needs.
func (c Config) keyed() error {
	if !c.NeedsKey || c.Key.Set() {
		return nil
	}
	return &koda.Error{
		Code: koda.CodeUnauthorized, Op: "there is no key for " + c.Name, Lasting: true,
		Hint: "set " + c.KeyFrom + " in the environment, or `koda config set " + strings.ReplaceAll(strings.ToLower(c.KeyFrom), "_", "-") + " -`",
	}
}

// again says whether a try after the nth gains anything, and after which pause.
func (c Config) again(f *Failure, n int) (time.Duration, bool) {
	most := c.Tries
	if most == 0 {
		most = tries
	}
	if f.silent() {
		most = min(most, mostSilence)
	}
	if n >= most || !f.passing() || f.After > mostAsked {
		return 0, false
	}
	pause := min(firstPause<<(n-1), mostPause)
	pause -= rand.N(pause / 4) // so that those who failed together do not come back together
	return max(pause, f.After), true
}

func (c Config) wait(ctx context.Context, d time.Duration) {
	if c.Wait != nil {
		c.Wait(ctx, d)
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
