package serve

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Hooks keep what webhooks are told until it is told.
type Hooks interface {
	// SaveHook keeps a hook of a project.
	SaveHook(ctx context.Context, project string, h koda.Hook) error
	// TellHooks makes deliveries of a body, due at now, for the hooks of a project and further
	// ones that were not told of the end of work at the project's event seq.
	TellHooks(ctx context.Context, project string, seq int64, further []koda.Hook, id string, body []byte, now time.Time) (n int, err error)
	// Deliveries are at most some of those due at now.
	Deliveries(ctx context.Context, now time.Time, most int) ([]koda.Delivery, error)
	// Postpone notes a try that failed.
	Postpone(ctx context.Context, id string, due time.Time) error
	// EndDelivery forgets a delivery.
	EndDelivery(ctx context.Context, id string) error
}

// Webhook is an address that a client wants told.
type Webhook struct {
	URL    string `json:"url" minLength:"1" maxLength:"2000" doc:"http or https"`
	Secret string `json:"secret" minLength:"16" maxLength:"200" doc:"signs what is told, as Standard Webhooks do; whsec_ begins one in base64"`
}

// Told is the body of a webhook.
type Told struct {
	Event   string        `json:"event"` // done or failed
	At      time.Time     `json:"at"`
	Project Standing      `json:"project"`
	Render  *Render       `json:"render,omitempty"` // that was asked for by itself
	Error   *koda.Failure `json:"error,omitempty"`
}

// Bounds of deliveries.
const (
	tellWithin = 10 * time.Second
	tellTries  = 8
	tellAtOnce = 4
	lookAgain  = time.Second
)

// later is how long after a failed try the next comes: 5 s after the first, then four times
// as long each, which is nearly eight hours in all.
func later(tries int) time.Duration { return 5 * time.Second << (2 * tries) }

// hook checks what a client wants told. A nil Webhook is none.
func (s *Server) hook(w *Webhook, once bool) (h koda.Hook, err error) {
	if w == nil {
		return h, nil
	}
	bad := func(why, hint string) (koda.Hook, error) {
		return h, problem(http.StatusUnprocessableEntity, koda.CodeUsage, "the webhook "+why, hint)
	}
	u, err := url.Parse(w.URL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil:
		return bad("is no address of a server", "send a URL such as https://example.org/koda")
	case signingKey(w.Secret) == nil:
		return bad("has a secret that is not base64", "leave out whsec_, or send base64 after it")
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && !s.cfg.PrivateHooks && !public(ip) {
		return bad("is in a private network", "`koda config set webhook-private on` allows such addresses")
	}
	return koda.Hook{URL: w.URL, Secret: w.Secret, Once: once}, nil
}

// tell notes what the webhooks of a project are told of the end of work: a video is done, or
// the work failed. Of work that now waits for the person they are not told.
func (s *Server) tell(ctx context.Context, id string, render bool, failed error) {
	ctx = context.WithoutCancel(ctx)
	v, err := s.cfg.Engine.Show(ctx, id)
	if err != nil {
		return // the project is gone
	}
	out := s.standing(v)
	out.Body.Busy = false
	t := Told{At: s.cfg.Now().UTC(), Project: out.Body, Error: out.Body.Error}
	if n := len(v.Renders); render && n > 0 {
		r := s.made(v.Renders[n-1], v.Project)
		t.Render = &r
	}
	switch {
	case koda.CodeOf(failed) == koda.CodeInterrupted:
		return
	case render && failed != nil:
		t.Event, t.Error = "failed", s.failure(&koda.Failure{Code: koda.CodeOf(failed), Message: failed.Error(), Hint: koda.HintOf(failed)}, v.Project)
	case t.Error != nil:
		t.Event = "failed"
	case render, v.Project.Phase == koda.PhaseComplete:
		t.Event = "done"
	default:
		return
	}
	body, err := json.Marshal(t)
	if err == nil {
		var further []koda.Hook
		if s.cfg.Hook.URL != "" {
			further = append(further, s.cfg.Hook)
		}
		_, err = s.cfg.Hooks.TellHooks(ctx, id, v.Project.Seq, further, fmt.Sprintf("%s-%d", id, v.Project.Seq), body, s.cfg.Now())
	}
	if err != nil {
		s.cfg.Log.Warn("webhooks are not told", "project", id, "error", err)
	}
}

// deliver tells webhooks what they are still to be told, until ctx ends.
func (s *Server) deliver(ctx context.Context) {
	client := &http.Client{
		Timeout: tellWithin, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{ // no proxy: it would reach what koda must not
			DialContext: (&net.Dialer{Timeout: tellWithin, Control: s.outward}).DialContext, DisableKeepAlives: true, ResponseHeaderTimeout: tellWithin,
		},
	}
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	for ctx.Err() == nil {
		due, err := s.cfg.Hooks.Deliveries(ctx, s.cfg.Now(), tellAtOnce)
		if err != nil && ctx.Err() == nil {
			s.cfg.Log.Warn("webhooks are not told", "error", err)
		}
		var all sync.WaitGroup
		for _, d := range due {
			all.Go(func() { s.deliverOne(ctx, client, d) })
		}
		all.Wait()
		if len(due) == tellAtOnce {
			continue
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// deliverOne tries to tell a webhook, and notes how that went.
func (s *Server) deliverOne(ctx context.Context, client *http.Client, d koda.Delivery) {
	status, err := post(ctx, client, d, s.cfg.Now())
	if ctx.Err() != nil {
		return // the next server tells it
	}
	again := s.cfg.Now().Add(later(d.Tries))
	log := s.cfg.Log.With("host", hostOf(d.URL), "project", d.ProjectID, "try", d.Tries+1)
	switch {
	case err == nil && status/100 == 2:
		err = s.cfg.Hooks.EndDelivery(ctx, d.ID)
	case errors.Is(err, errPrivate), status == http.StatusGone, d.Tries+1 >= tellTries:
		log.Error("a webhook is given up", "status", status, "error", err)
		err = s.cfg.Hooks.EndDelivery(ctx, d.ID)
	default:
		log.Warn("a webhook was not taken", "status", status, "error", err, "again", again.UTC().Format(time.RFC3339))
		err = s.cfg.Hooks.Postpone(ctx, d.ID, again)
	}
	if err != nil {
		log.Warn("how a webhook went cannot be noted", "error", err)
	}
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// post tells a webhook, signed as the Standard Webhooks specification has it.
func post(ctx context.Context, client *http.Client, d koda.Delivery, now time.Time) (status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, bytes.NewReader(d.Body))
	if err != nil {
		return 0, fmt.Errorf("address webhook: %w", err)
	}
	at := strconv.FormatInt(now.Unix(), 10)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "koda")
	req.Header.Set("Webhook-Id", d.ID)
	req.Header.Set("Webhook-Timestamp", at)
	req.Header.Set("Webhook-Signature", "v1,"+Sign(d.Secret, d.ID, at, d.Body))
	res, err := client.Do(req)
	if err != nil {
		return 0, fmt.Errorf("tell webhook: %w", err)
	}
	_, _ = io.CopyN(io.Discard, res.Body, 4<<10) //nolint:errcheck // what it says does not matter
	return res.StatusCode, res.Body.Close()
}

// Sign is the signature of a webhook: HMAC-SHA256 of id, time and body, in base64.
func Sign(secret, id, at string, body []byte) string {
	mac := hmac.New(sha256.New, signingKey(secret))
	fmt.Fprintf(mac, "%s.%s.", id, at)
	mac.Write(body)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// signingKey is the key in a secret; nil if the secret is not usable.
func signingKey(secret string) []byte {
	text, ok := strings.CutPrefix(secret, "whsec_")
	if !ok {
		return []byte(secret)
	}
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	return key
}

// errPrivate says that an address is not outside.
var errPrivate = errors.New("the address is in a private network; `koda config set webhook-private on` allows it")

// outward lets connections through that lead outside. It sees the address after names are
// looked up, so that no name leads inside.
func (s *Server) outward(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if !s.cfg.PrivateHooks && (err != nil || !public(at.Addr())) {
		return errPrivate
	}
	return nil
}

// inward are networks that lead to no other party's machine, beyond those that net/netip
// knows: special networks (RFC 6890), and ways to write an IPv4 address in IPv6.
var inward = func() (all []netip.Prefix) {
	for _, p := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "fec0::/10",
	} {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}()

// public reports whether an address is that of a machine on the internet.
func public(ip netip.Addr) bool {
	ip = ip.WithZone("").Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	for _, p := range inward {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}
