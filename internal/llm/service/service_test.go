package service_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/service"
)

// transport is a way to a service that a test plays.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// ask gets an address once with the client of a configuration, and reads all of it.
func ask(ctx context.Context, c service.Config) (string, error) {
	var text []byte
	_, err := c.Answer(ctx, nil, func(func(koda.TextDelta)) (llm.Response, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Address, nil)
		if err != nil {
			return llm.Response{}, err
		}
		resp, err := c.Client().Do(req)
		if err != nil {
			return llm.Response{}, err
		}
		text, err = io.ReadAll(resp.Body)
		return llm.Response{Usage: llm.Usage{Output: 1}}, errors.Join(err, resp.Body.Close())
	})
	return string(text), err
}

// TestSilence: whatever a service sends is a sign of life; if nothing comes, koda gives
// up, tries once more, and says so.
func TestSilence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pauses []time.Duration // before each piece
		asked  int
		code   koda.Code
	}{
		"slow first byte": {pauses: []time.Duration{4 * time.Minute}, asked: 1},
		"keep-alives":     {pauses: []time.Duration{4 * time.Minute, 4 * time.Minute, 4 * time.Minute}, asked: 1},
		"silent":          {pauses: []time.Duration{time.Second, 6 * time.Minute}, asked: 2, code: koda.CodeProviderError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				way := transport(func(r *http.Request) (*http.Response, error) {
					asked++
					in, out := io.Pipe()
					go func() {
						for _, d := range c.pauses {
							select {
							case <-time.After(d):
							case <-r.Context().Done():
								out.CloseWithError(r.Context().Err())
								return
							}
							if _, err := io.WriteString(out, ": working\n"); err != nil {
								return
							}
						}
						out.CloseWithError(io.EOF)
					}()
					return &http.Response{StatusCode: http.StatusOK, Body: in, Header: http.Header{}}, nil
				})
				_, err := ask(t.Context(), service.Config{Name: "slow", Address: "https://slow.example/v1", Silence: 5 * time.Minute, Transport: way})
				if koda.CodeOf(err) != c.code || asked != c.asked || err != nil && !strings.Contains(err.Error(), "slow.example was silent for 5m0s, tried 2 times") {
					t.Errorf("asked %d times: %v", asked, err)
				}
			})
		})
	}
}

// TestKey: a key goes over TLS, or stays on this machine. A service that needs a key is
// not asked without one.
func TestKey(t *testing.T) {
	t.Parallel()
	for address, code := range map[string]koda.Code{
		"https://models.example/v1": "", "http://localhost:1234/v1": "", "http://127.0.0.1:1234/v1": "", "http://[::1]:1234/v1": "",
		"http://192.168.1.5:1234/v1": koda.CodeUsage, "http://localhost.models.example/v1": koda.CodeUsage,
	} {
		sent := false
		way := transport(func(*http.Request) (*http.Response, error) {
			sent = true
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Header: http.Header{}}, nil
		})
		c := service.Config{Name: "x", Address: address, Key: config.SecretOf("sk-1"), KeyFrom: "X_API_KEY", NeedsKey: true, Transport: way}
		if _, err := ask(t.Context(), c); koda.CodeOf(err) != code || sent != (code == "") {
			t.Errorf("%s: sent %v, %v", address, sent, err)
		}
		c.Key, sent = config.Secret{}, false
		_, err := ask(t.Context(), c)
		if koda.CodeOf(err) != koda.CodeUnauthorized || sent || !strings.Contains(koda.HintOf(err), "koda config set x-api-key -") {
			t.Errorf("%s without a key: sent %v, %v", address, sent, err)
		}
	}
}

// TestKey_wanted: a server that wants a key where none is set says so.
func TestKey_wanted(t *testing.T) {
	t.Parallel()
	for from, hint := range map[string]string{"X_API_KEY": "set X_API_KEY", "": "set OPENAI_API_KEY, and use the provider openai with --base-url"} {
		_, err := ask(t.Context(), service.Config{
			Name: "x", Address: "https://x.example", KeyFrom: from,
			Transport: transport(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: http.StatusUnauthorized, Body: http.NoBody, Header: http.Header{}}, nil
			}),
		})
		if koda.CodeOf(err) != koda.CodeUnauthorized || err.Error() != "x.example wants a key" || koda.HintOf(err) != hint || !koda.Lasting(err) {
			t.Errorf("%v (%s)", err, koda.HintOf(err))
		}
	}
}

// TestUnreachable: a network that may come back gets another try; what is not there
// does not. No error has the address of the request, which may hold a key.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err   error
		asked int
		hint  string
	}{
		"refused":    {&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, 1, "start the server"},
		"by proxy":   {&net.OpError{Op: "proxyconnect", Err: &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}}, 1, "check the proxy"},
		"no host":    {&net.DNSError{Err: "no such host", Name: "x.example", IsNotFound: true}, 1, "check the network"},
		"lost":       {syscall.ECONNRESET, 4, "check the network"},
		"dns asleep": {&net.DNSError{Err: "server misbehaving", Name: "x.example", IsTemporary: true}, 4, "check the network"},
	} {
		asked, longest := 0, time.Duration(0)
		_, err := ask(t.Context(), service.Config{
			Name: "x", Address: "https://x.example/v1?key=sk-1", Wait: func(_ context.Context, d time.Duration) { longest = max(longest, d) },
			Transport: transport(func(*http.Request) (*http.Response, error) { asked++; return nil, c.err }),
		})
		if koda.CodeOf(err) != koda.CodeNetwork || asked != c.asked || !strings.Contains(koda.HintOf(err), c.hint) || strings.Contains(err.Error(), "sk-1") {
			t.Errorf("%s: asked %d times: %v (%s)", name, asked, err, koda.HintOf(err))
		}
		if longest > 8*time.Second {
			t.Errorf("%s: it waited %v", name, longest)
		}
	}
}

// TestCancelled: nothing is waited for once nobody wants the answer.
func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := ask(ctx, service.Config{
		Name: "x", Address: "https://x.example", Wait: func(context.Context, time.Duration) { cancel() },
		Transport: transport(func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNRESET }),
	})
	if koda.CodeOf(err) != koda.CodeInterrupted {
		t.Errorf("%v", err)
	}
}
