package control_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/control"
	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
)

// owner accepts every message but "no". Cancelling it ends its server.
type owner struct {
	events feed.Feed

	mu     sync.Mutex
	heard  []string
	cancel chan struct{}
}

func (o *owner) Say(text string) (koda.Heard, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if text == "no" {
		return koda.Heard{}, &koda.Error{Code: koda.CodeWrongPhase, Op: "cannot send a message in phase plan", Hint: "wait"}
	}
	o.heard = append(o.heard, text)
	return koda.Heard{Todo: koda.Todo{ID: fmt.Sprint(len(o.heard)), Label: text}}, nil
}

func (o *owner) Edited(paths []string) error {
	_, err := o.Say(strings.Join(paths, " "))
	return err
}

func (o *owner) Now() string { return "Adding <shadows>" }

func (o *owner) Cancel() error {
	close(o.cancel)
	return nil
}

// open listens in dir for project "p".
func open(t *testing.T, dir string) (*control.Server, *owner) {
	t.Helper()
	o := &owner{cancel: make(chan struct{})}
	s, err := control.Listen(dir, "p", &o.events, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { over(t, s) })
	return s, o
}

func over(t *testing.T, s *control.Server) {
	t.Helper()
	if err := s.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	s.HangUp()
}

func TestNow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := control.Now(t.Context(), dir, "p"); !errors.Is(err, control.ErrNobody) {
		t.Errorf("before there was an owner: %v", err)
	}
	open(t, dir)
	if line, err := control.Now(t.Context(), dir, "p"); line != "Adding <shadows>" || err != nil {
		t.Errorf("%q, %v", line, err)
	}
}

func TestEdited(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := control.Edited(t.Context(), dir, "p", []string{"a"}); !errors.Is(err, control.ErrNobody) {
		t.Errorf("before there was an owner: %v", err)
	}
	_, o := open(t, dir)
	if err := control.Edited(t.Context(), dir, "p", []string{"a", "b"}); err != nil || !slices.Equal(o.heard, []string{"a b"}) {
		t.Errorf("heard %q, %v", o.heard, err)
	}
	if err := control.Edited(t.Context(), dir, "p", []string{"no"}); koda.CodeOf(err) != koda.CodeWrongPhase {
		t.Errorf("refused: %v", err)
	}
}

func TestSay(t *testing.T) {
	t.Parallel()
	// A socket's path has at most 107 bytes, but the path of a home may be longer.
	for name, dir := range map[string]string{"short": t.TempDir(), "long": filepath.Join(t.TempDir(), strings.Repeat("a-long-name-of-a-home/", 12))} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			if _, err := control.Say(ctx, dir, "p", "hello"); !errors.Is(err, control.ErrNobody) {
				t.Fatalf("before there was an owner: %v", err)
			}
			_, o := open(t, dir)
			long := strings.Repeat("<\x01é\n", koda.MaxMessage/5)
			for _, text := range []string{"make it blue", long} {
				heard, err := control.Say(ctx, dir, "p", text)
				if err != nil || heard.Todo.Label != text {
					t.Fatalf("%.20q gave %.40v, %v", text, heard, err)
				}
			}
			_, err := control.Say(ctx, dir, "p", "no")
			if koda.CodeOf(err) != koda.CodeWrongPhase || koda.HintOf(err) != "wait" || err.Error() != "cannot send a message in phase plan" {
				t.Errorf("a refusal came as %v, %s", err, koda.HintOf(err))
			}
			if _, err := control.Say(ctx, dir, "q", "hello"); !errors.Is(err, control.ErrNobody) {
				t.Errorf("of a project without an owner: %v", err)
			}
			if diff := cmp.Diff([]string{"make it blue", long}, o.heard); diff != "" {
				t.Error(diff)
			}
			if left, err := filepath.Glob(filepath.Join(os.TempDir(), "koda-*", "s")); err != nil || len(left) > 1 { // another test may have its socket there
				t.Errorf("links are left: %v, %v", left, err)
			}
		})
	}
}

// TestPrivate: no other user can reach the socket. The kernel's word on the peer is
// checked too.
func TestPrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	_, o := open(t, dir)
	for path, want := range map[string]fs.FileMode{dir: fs.ModeDir | 0o700, control.Path(dir, "p"): fs.ModeSocket | 0o600} {
		if info, err := os.Lstat(path); err != nil || info.Mode() != want {
			t.Errorf("%s has mode %v, want %v (%v)", path, info.Mode(), want, err)
		}
	}
	if os.Geteuid() == 0 { // only root can become another user
		for path := control.Path(dir, "p"); path != os.TempDir() && path != "/"; path = filepath.Dir(path) {
			if err := os.Chmod(path, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		if err := asNobody(func() error { _, err := control.Say(t.Context(), dir, "p", "hello"); return err }); err == nil || errors.Is(err, control.ErrNobody) {
			t.Errorf("another user got %v", err)
		}
	}
	if len(o.heard) > 0 {
		t.Errorf("heard %q", o.heard)
	}
	link := filepath.Join(t.TempDir(), "run")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if _, err := control.Listen(link, "p", &o.events, o); koda.CodeOf(err) != koda.CodeStorageFailed || koda.HintOf(err) == "" {
		t.Errorf("in a directory that is a link: %v", err)
	}
}

// TestFollow: passing events come with their types, durable events as numbers, and
// a normal end differs from the owner's death.
func TestFollow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, o := open(t, dir)
	var passed []koda.Event
	var seqs []int64
	began, all, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- control.Follow(t.Context(), dir, "p", false, func(ev koda.Event) {
			if passed = append(passed, ev); len(passed) == 3 {
				close(all)
			}
		}, func(seq int64) error {
			if seqs = append(seqs, seq); seq == 0 {
				close(began)
			}
			return nil
		})
	}()
	<-began
	want := []koda.Event{
		{Schema: 1, Project: "p", At: time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC), Type: koda.EventThinking, Payload: koda.Thinking{Message: "Writing App.tsx"}},
		{Schema: 1, Project: "p", Type: koda.EventRenderProgress, Payload: koda.Progress{Kind: koda.RenderPreview, Frame: 3, Frames: 9, ETAMS: 1500, Remaining: 1500 * time.Millisecond}},
		{Schema: 1, Project: "p", Type: "NEWS", Payload: json.RawMessage(`{"a":1}`)},
	}
	for i, ev := range want {
		o.events.Publish(koda.Event{Project: "q", Seq: 99, Type: koda.EventMessage})
		if o.events.Publish(koda.Event{Project: "p", Seq: int64(i + 1), Type: koda.EventMessage}); i == 2 {
			ev.Payload = map[string]int{"a": 1}
			ev.Type = koda.EventRow
			want[2].Type = koda.EventRow
		}
		o.events.Publish(ev)
	}
	<-all
	over(t, s)
	if err := <-done; err != nil {
		t.Fatalf("the end came as %v", err)
	}
	if diff := cmp.Diff(want, passed); diff != "" {
		t.Error(diff)
	}
	if seqs[0] != 0 || seqs[len(seqs)-1] != 3 {
		t.Errorf("told of %v, want the last to be 3", seqs)
	}
}

// TestFollow_Glimpses: glimpses come to who asked for them, whole, and to nobody else.
func TestFollow_Glimpses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, o := open(t, dir)
	want := koda.Glimpse{Frame: 7, Time: 0.25, JPEG: []byte(strings.Repeat("\x00\xff", 8<<10))}
	var got [2][]any
	var began sync.WaitGroup
	began.Add(2)
	var done sync.WaitGroup
	for i, glimpses := range []bool{false, true} {
		done.Go(func() {
			err := control.Follow(t.Context(), dir, "p", glimpses, func(ev koda.Event) { got[i] = append(got[i], ev.Payload) }, func(int64) error {
				began.Done()
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	began.Wait()
	o.events.Publish(koda.Event{Project: "p", Type: koda.EventGlimpse, Payload: want})
	o.events.Publish(koda.Event{Project: "p", Type: koda.EventThinking, Payload: koda.Thinking{Message: "Drawing"}})
	over(t, s)
	done.Wait()
	if diff := cmp.Diff([2][]any{{koda.Thinking{Message: "Drawing"}}, {want, koda.Thinking{Message: "Drawing"}}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, o := open(t, dir)
	freed := make(chan struct{})
	go func() {
		<-o.cancel
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		close(freed)
		s.HangUp()
	}()
	if err := control.Cancel(t.Context(), dir, "p"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-freed:
	default:
		t.Error("cancel returned while the project still had an owner")
	}
	if err := control.Cancel(t.Context(), dir, "p"); !errors.Is(err, control.ErrNobody) {
		t.Errorf("again: %v", err)
	}
}

// TestKilled: the socket of a killed owner is found and replaced by the next owner.
// Followers of the killed owner are told.
func TestKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: control.Path(dir, "p"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	cut := make(chan error, 1)
	go func() { cut <- control.Follow(t.Context(), dir, "p", false, nil, nil) }()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(conn.Close(), l.Close()); err != nil {
		t.Fatal(err)
	}
	if err := <-cut; !errors.Is(err, control.ErrCutOff) {
		t.Errorf("a follower of a killed owner got %v", err)
	}
	if _, err := control.Say(t.Context(), dir, "p", "hello"); !errors.Is(err, control.ErrNobody) {
		t.Errorf("a dead owner: %v", err)
	}
	now := time.Now()
	if got := control.Stale(t.Context(), dir, now); len(got) > 0 {
		t.Errorf("%v may be about to listen", got)
	}
	later := now.Add(time.Hour)
	if diff := cmp.Diff([]string{control.Path(dir, "p")}, control.Stale(t.Context(), dir, later)); diff != "" {
		t.Error(diff)
	}
	open(t, dir)
	if got := control.Stale(t.Context(), dir, later); len(got) > 0 {
		t.Errorf("%v has an owner", got)
	}
	if _, err := control.Say(t.Context(), dir, "p", "hello"); err != nil {
		t.Error(err)
	}
}

// TestBadPeers: no peer holds up the owner or another peer.
func TestBadPeers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, o := open(t, dir)
	dial := func() net.Conn {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "unix", control.Path(dir, "p"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	answer := func(conn net.Conn) string {
		line, err := bufio.NewReader(conn).ReadString('\n')
		if err != nil {
			return err.Error()
		}
		return line
	}
	for range 10 { // they never send a whole request
		dial()
		_, _ = dial().Write([]byte(`{"v":1,"op":"say","te`))
	}
	stuck := dial() // follows and never reads
	if _, err := stuck.Write([]byte(`{"v":1,"op":"follow"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	for request, want := range map[string]string{
		"GET / HTTP/1.1\r\n\r\n":                "INVALID_INPUT",
		"\x00\xff\xfe\n":                        "INVALID_INPUT",
		"[]\n":                                  "INVALID_INPUT",
		"{}\n":                                  "version 1",
		`{"v":2,"op":"say"}` + "\n":             "version 1",
		`{"v":1,"op":"rm -rf"}` + "\n":          "no operation",
		`{"v":1,"op":"say","text":7}` + "\n":    "INVALID_INPUT",
		strings.Repeat("x", 1<<20):              "too long",
		strings.Repeat(`{"v":1,`, 1<<17) + "\n": "too long",
	} {
		conn := dial()
		_, _ = conn.Write([]byte(request)) // it may be cut off in the middle
		if got := answer(conn); !strings.Contains(got, want) {
			t.Errorf("%.40q was answered %q, want %q", request, got, want)
		}
		_ = conn.Close()
	}
	// A follower that reads nothing stops nobody.
	big := koda.Event{Project: "p", Type: koda.EventWarning, Payload: koda.Warned{Message: strings.Repeat("y", 10_000)}}
	for i := range 2000 {
		o.events.Publish(big)
		o.events.Publish(koda.Event{Project: "p", Type: koda.EventMessage, Seq: int64(i + 1)})
	}
	if _, err := control.Say(t.Context(), dir, "p", "hello"); err != nil {
		t.Errorf("among bad peers: %v", err)
	}
	if diff := cmp.Diff([]string{"hello"}, o.heard); diff != "" {
		t.Error(diff)
	}
	// All further places are taken; the next peer is told so.
	for range 32 {
		_, _ = dial().Write([]byte(`{"v":1,"op":"follow"}` + "\n"))
	}
	if _, err := control.Say(t.Context(), dir, "p", "hello"); koda.CodeOf(err) != koda.CodeInUse {
		t.Errorf("without room: %v", err)
	}
	over(t, s) // it returns, although many peers are connected
}

// TestGivenUp: an owner that does not answer does not hold up a caller.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(ctx context.Context, dir string) error{
		"say":    func(ctx context.Context, dir string) error { _, err := control.Say(ctx, dir, "p", "hello"); return err },
		"now":    func(ctx context.Context, dir string) error { _, err := control.Now(ctx, dir, "p"); return err },
		"edited": func(ctx context.Context, dir string) error { return control.Edited(ctx, dir, "p", nil) },
		"cancel": func(ctx context.Context, dir string) error { return control.Cancel(ctx, dir, "p") },
		"follow": func(ctx context.Context, dir string) error {
			return control.Follow(ctx, dir, "p", false, func(koda.Event) {}, func(int64) error { return nil })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			l, err := net.ListenUnix("unix", &net.UnixAddr{Name: control.Path(dir, "p"), Net: "unix"})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				if _, err := l.Accept(); err == nil {
					cancel()
				}
			}()
			if err := ask(ctx, dir); !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
		})
	}
}
