package guest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/internal/sandbox"
)

// Config is what a guest is. It does the work of a sandbox, or it draws: either Ports or
// Studio is set.
type Config struct {
	Greeting
	*Ports
	Studio *Studio
	Touch  func() // prolongs the lease
}

// server answers koda.
type server struct {
	Config

	mu     sync.Mutex
	views  map[int]sandbox.Shell // of open streams
	viewed int

	waiting map[int]net.Conn // connections that koda has not accepted yet
	called  int
}

// Handler answers what a client of [Open] asks.
func Handler(cfg Config) http.Handler {
	cfg.Protocol = Protocol
	s := &server{Config: cfg, views: map[int]sandbox.Shell{}, waiting: map[int]net.Conn{}}
	mux := http.NewServeMux()
	handlers := map[string]func(http.ResponseWriter, *http.Request) error{"GET /hello": s.hello, "POST /touch": s.touch}
	if cfg.Ports != nil {
		maps.Copy(handlers, s.handlers())
	}
	if cfg.Studio != nil {
		maps.Copy(handlers, (&studio{Studio: *cfg.Studio}).handlers())
	}
	for pattern, handle := range handlers {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			out := &started{ResponseWriter: w}
			switch err := handle(out, r); {
			case err == nil:
			case out.begun: // the answer breaks off, so koda does not take it for whole
				panic(http.ErrAbortHandler)
			default:
				w.WriteHeader(http.StatusBadRequest)
				_ = json.NewEncoder(w).Encode(failureOf(err)) //nolint:errcheck // koda is gone
			}
		})
	}
	return mux
}

// handlers are those of a sandbox.
func (s *server) handlers() map[string]func(http.ResponseWriter, *http.Request) error {
	return map[string]func(http.ResponseWriter, *http.Request) error{
		"GET /file":        s.read,
		"PUT /file":        s.write,
		"DELETE /file":     s.remove,
		"GET /list":        s.list,
		"GET /digests":     s.digests,
		"POST /digests":    s.digests,
		"GET /unlisted":    s.unlisted,
		"POST /pack":       s.pack,
		"POST /fill":       s.fill,
		"GET /processes":   s.processes,
		"POST /stop":       s.stop,
		"POST /run":        s.run,
		"POST /shell":      s.shell,
		"POST /kill-shell": s.killShell,
		"POST /dial":       s.dial, "POST /listen": s.listen, "POST /accept": s.accept,
	}
}

// started remembers whether an answer has begun.
type started struct {
	http.ResponseWriter
	begun bool
}

func (s *started) WriteHeader(status int) {
	s.begun = true
	s.ResponseWriter.WriteHeader(status)
}

func (s *started) Write(b []byte) (int, error) {
	s.begun = true
	return s.ResponseWriter.Write(b)
}

// live sends each write at once. It begins the answer.
func (s *started) live() io.Writer {
	s.WriteHeader(http.StatusOK)
	l := flushed{s, http.NewResponseController(s.ResponseWriter)}
	_ = l.c.Flush() //nolint:errcheck // the first write says so
	return l
}

type flushed struct {
	w io.Writer
	c *http.ResponseController
}

func (f flushed) Write(b []byte) (int, error) {
	n, err := f.w.Write(b)
	return n, errors.Join(err, f.c.Flush())
}

// Serve answers the connections of a listener until ctx ends. Then it breaks off what
// still runs, and closes the listener.
func Serve(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h, Protocols: protocols(), HTTP2: tuning(guestQuiet), ReadHeaderTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() }) //nolint:errcheck // it ends the process
	defer stop()
	err := srv.Serve(l)
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func reply(w http.ResponseWriter, v any) error { return json.NewEncoder(w).Encode(v) }

func (s *server) hello(w http.ResponseWriter, _ *http.Request) error { return reply(w, s.Greeting) }

func (s *server) touch(http.ResponseWriter, *http.Request) error {
	s.Touch()
	return nil
}

func path(r *http.Request) string { return r.URL.Query().Get("path") }

// number reads a number of a query; a number that is none is 0.
func number(r *http.Request, name string) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil {
		return 0
	}
	return n
}

func (s *server) read(w http.ResponseWriter, r *http.Request) error {
	data, err := s.ReadFile(r.Context(), path(r))
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

func (s *server) write(_ http.ResponseWriter, r *http.Request) error {
	data, err := io.ReadAll(io.LimitReader(r.Body, projectfs.MaxFile+1))
	if err == nil && len(data) > projectfs.MaxFile {
		err = errors.New("it is too large for a file of a project")
	}
	if err != nil {
		return &koda.Error{Code: koda.CodeWriteFailed, Op: "write " + path(r), Err: err}
	}
	return s.WriteFile(r.Context(), path(r), data)
}

func (s *server) remove(_ http.ResponseWriter, r *http.Request) error {
	return s.DeleteFile(r.Context(), path(r))
}

func (s *server) list(w http.ResponseWriter, r *http.Request) error {
	entries, err := s.List(r.Context(), path(r), r.URL.Query().Has("recursive"))
	if err != nil {
		return err
	}
	return reply(w, entries)
}

func (s *server) digests(w http.ResponseWriter, r *http.Request) error {
	entries, err := s.List(r.Context(), ".", true)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	if r.Method == http.MethodPost {
		var paths []string
		if err := json.NewDecoder(r.Body).Decode(&paths); err != nil {
			return err
		}
		for _, p := range paths {
			wanted[p] = true
		}
	}
	entries = slices.DeleteFunc(entries, func(e sandbox.Entry) bool { return e.Dir || r.Method == http.MethodPost && !wanted[e.Path] })
	var total int64
	for _, e := range entries {
		if e.Size <= projectfs.MaxFile {
			total += e.Size
		}
	}
	if total > projectfs.MaxTotal || len(entries) > projectfs.MaxFiles { // reading holes costs time, too
		return &koda.Error{Code: koda.CodeReadFailed, Op: fmt.Sprintf("the sandbox holds more than a project can: %d files, %d MB", len(entries), total>>20)}
	}
	digests := []digest{}
	for _, e := range entries {
		d := digest{Path: e.Path, Size: e.Size}
		if e.Size <= projectfs.MaxFile {
			data, err := some{s.Files}.ReadFile(r.Context(), e.Path)
			if koda.CodeOf(err) == koda.CodeFileNotFound {
				continue
			}
			if err != nil {
				return err
			}
			d.Size, d.Sum = int64(len(data)), sum(data)
		}
		digests = append(digests, d)
	}
	return reply(w, digests)
}

func (s *server) unlisted(w http.ResponseWriter, r *http.Request) error {
	names, err := s.Unlisted(r.Context())
	if err != nil {
		return err
	}
	return reply(w, names)
}

func sum(data []byte) string {
	b := sha256.Sum256(data)
	return hex.EncodeToString(b[:])
}

// some are files that may become something else at any moment.
type some struct{ sandbox.Files }

// ReadFile takes what has become a link or a pipe for deleted.
func (s some) ReadFile(ctx context.Context, path string) ([]byte, error) {
	data, err := s.Files.ReadFile(ctx, path)
	if koda.CodeOf(err) == koda.CodeInvalidPath {
		err = deleted(path)
	}
	return data, err
}

// pack sends the files that koda names.
func (s *server) pack(w http.ResponseWriter, r *http.Request) error {
	var paths []string
	if err := json.NewDecoder(r.Body).Decode(&paths); err != nil {
		return err
	}
	return sandbox.Snapshot(r.Context(), some{s.Files}, paths, w)
}

func (s *server) fill(_ http.ResponseWriter, r *http.Request) error {
	err := sandbox.Fill(r.Context(), s.Files, r.Body)
	_, _ = io.Copy(io.Discard, r.Body) //nolint:errcheck // a tar stream may end before its bytes do
	return err
}
