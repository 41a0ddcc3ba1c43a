package browser

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"

	"github.com/koda-video/koda/internal/koda"
)

// Film is a video or a sound of the page that is decoded outside the browser. The
// browser's own players show whatever the machine has time for. The methods of Film are
// called from several goroutines.
type Film interface {
	Info() koda.Film
	// Picture is picture n, without loss, as a file that browsers can show.
	Picture(ctx context.Context, n int) ([]byte, error)
	Close() error
}

// The page asks koda about films below filmPath:
//
//	POST filmPath            with the bytes of one: its Info and id
//	GET  filmPath?URL        of a file of the page: the same
//	GET  filmPath/id/n.bmp   picture n
const filmPath = "/_koda/film"

// films holds the films of a page, by the digest of their files.
type films struct {
	open func(context.Context, []byte) (Film, error)
	life context.Context //nolint:containedctx // theirs, as long as the tab

	mu  sync.Mutex
	all map[string]*film
}

type film struct {
	once sync.Once
	film Film
	err  error
}

// find opens the film of a file. A second call for the same file returns the same film.
func (f *films) find(data []byte) (id string, found Film, err error) {
	sum := sha256.Sum256(data)
	id = hex.EncodeToString(sum[:8])
	f.mu.Lock()
	one := f.all[id]
	if one == nil {
		one = &film{}
		f.all[id] = one
	}
	f.mu.Unlock()
	one.once.Do(func() {
		if f.open == nil {
			one.err = errors.New("koda has nothing to decode it with")
			return
		}
		one.film, one.err = f.open(f.life, data)
	})
	return id, one.film, one.err
}

// of returns a film that was found before.
func (f *films) of(id string) Film {
	f.mu.Lock()
	defer f.mu.Unlock()
	if one := f.all[id]; one != nil {
		return one.film
	}
	return nil
}

func (f *films) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for _, one := range f.all {
		if one.film != nil {
			errs = append(errs, one.film.Close())
		}
	}
	f.all = map[string]*film{}
	return errors.Join(errs...)
}

// isFilm reports whether a request is about films.
func isFilm(path string) bool { return path == filmPath || strings.HasPrefix(path, filmPath+"/") }

// serveFilm answers a request about films.
func (t *Tab) serveFilm(ctx context.Context, r request, path string) {
	body, kind, err := t.film(ctx, r, path)
	p := fetch.FulfillRequestParams{RequestID: r.ID, ResponseCode: 200, Body: body, ResponseHeaders: []*fetch.HeaderEntry{
		{Name: "Content-Type", Value: kind}, {Name: "Access-Control-Allow-Origin", Value: "*"},
		{Name: "Cache-Control", Value: "max-age=86400, immutable"},
	}}
	if err != nil {
		if ctx.Err() == nil && !errors.Is(err, errRefused) {
			t.diary.fault(err.Error())
		}
		p.ResponseCode, p.Body = 404, nil
	}
	_, _ = cdp.Call(ctx, t.proc.session, fetch.FulfillRequest, p) //nolint:errcheck // the tab is closing
}

func (t *Tab) film(ctx context.Context, r request, path string) (body []byte, kind string, err error) {
	id, name, picture := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(path, filmPath), "/"), "/")
	if picture {
		n, err := strconv.Atoi(strings.TrimSuffix(name, ".bmp"))
		found := t.films.of(id)
		if err != nil || found == nil {
			return nil, "", fmt.Errorf("there is no picture %s", path)
		}
		body, err = found.Picture(ctx, n)
		if err != nil {
			return nil, "", fmt.Errorf("picture %d of a video cannot be shown: %w", n, err)
		}
		return body, "image/bmp", nil
	}
	data, what := r.posted(), "a video or sound the page made"
	if len(data) == 0 {
		if data, what, err = t.filmFile(r.Request.URL); err != nil {
			return nil, "", err
		}
	}
	id, found, err := t.films.find(data)
	if err != nil {
		return nil, "", fmt.Errorf("%s cannot be played: %w", what, err)
	}
	body, err = json.Marshal(struct {
		ID string `json:"id"`
		koda.Film
	}{id, found.Info()})
	return body, "application/json", err
}

// filmFile reads the file of the page that a request names.
func (t *Tab) filmFile(raw string) (data []byte, what string, err error) {
	_, query, _ := strings.Cut(raw, "?")
	address, err := url.QueryUnescape(query)
	if err != nil {
		return nil, "", fmt.Errorf("read the address of a video: %w", err)
	}
	path, ours := filePath(address)
	if !ours {
		t.diary.refuse(address)
		return nil, "", errRefused
	}
	file, known := t.opts.Page.Files[path]
	if !known {
		t.diary.lack(path)
		return nil, "", errRefused
	}
	return file.Body, path, nil
}

// errRefused has no text, because the diary already has the sentence.
var errRefused = errors.New("")

// posted is the body of a request; nil if there is none.
func (r request) posted() []byte {
	var all [][]byte
	for _, e := range r.Request.Posted {
		all = append(all, e.Bytes)
	}
	return bytes.Join(all, nil)
}

// silent keeps the browser's own players from loading anything: their pictures depend on
// how fast the machine is.
const silent = "media-src 'none'"

// isDocument reports whether a file of this type can carry a content security policy.
func isDocument(kind string) bool {
	return slices.Contains([]string{"text/html", "image/svg+xml", "application/xhtml+xml"}, strings.Split(kind, ";")[0])
}
