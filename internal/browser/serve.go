package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"

	"github.com/koda-video/koda/internal/koda"
)

// origin is where pages believe they come from. It is a secure context, so every web API
// exists, and koda answers every request to it: no real host is ever asked.
const origin = "https://koda.localhost"

// grace is how long a request that was answered still counts as unfinished. Most requests
// tell when they are finished, but the scripts of workers do not.
const grace = 100 * time.Millisecond

// request is the part of Fetch.requestPaused that koda reads.
type request struct {
	ID        fetch.RequestID `json:"requestId"`
	NetworkID string          `json:"networkId"`
	FrameID   target.ID       `json:"frameId"`
	Type      string          `json:"resourceType"`
	Request   struct {
		URL     string            `json:"url"`
		Method  string            `json:"method"`
		Headers map[string]string `json:"headers"`
		Posted  []struct {
			Bytes []byte `json:"bytes"`
		} `json:"postDataEntries"`
	} `json:"request"`
}

// serve answers a request of the page: with one of the page's files, or with a refusal,
// which the diary remembers.
func (t *Tab) serve(ctx context.Context, params []byte) {
	var r request
	if err := json.Unmarshal(params, &r); err != nil {
		return // without an answer the page waits, and a bound names the request
	}
	defer time.AfterFunc(grace, func() { t.diary.finished(r.NetworkID) })
	path, ours := filePath(r.Request.URL)
	switch {
	case r.Type == "Document" && r.FrameID == t.proc.tab && r.NetworkID == "":
		// A download has no id; a document that is shown has an id.
		t.diary.offers(shortURL(r.Request.URL))
		_, _ = cdp.Call(ctx, t.proc.session, fetch.FailRequest, fetch.FailRequestParams{ //nolint:errcheck // the tab is closing
			RequestID: r.ID, ErrorReason: network.ErrorReasonBlockedByClient,
		})
	case r.Type == "Document" && r.FrameID == t.proc.tab && !t.diary.enters(r.Request.URL):
		_, _ = cdp.Call(ctx, t.proc.session, fetch.FailRequest, fetch.FailRequestParams{ //nolint:errcheck // the tab is given up
			RequestID: r.ID, ErrorReason: network.ErrorReasonAborted,
		})
	case strings.HasPrefix(r.Request.URL, "blob:") || strings.HasPrefix(r.Request.URL, "data:"):
		_, _ = cdp.Call(ctx, t.proc.session, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: r.ID}) //nolint:errcheck // the tab is closing
	case ours && isFilm(path):
		t.serveFilm(ctx, r, path)
	case !ours:
		t.diary.refuse(r.Request.URL)
		_, _ = cdp.Call(ctx, t.proc.session, fetch.FailRequest, fetch.FailRequestParams{ //nolint:errcheck // the tab is closing
			RequestID: r.ID, ErrorReason: network.ErrorReasonBlockedByClient,
		})
	default:
		file, known := t.opts.Page.Files[path]
		if !known && path != "/favicon.ico" {
			t.diary.lack(lacking(t.opts.Page, path))
		}
		_, _ = cdp.Call(ctx, t.proc.session, fetch.FulfillRequest, answer(r, file, known)) //nolint:errcheck // the tab is closing
	}
}

// lacking names a path that has no file in the page, and the reason if koda knows it.
func lacking(p koda.Page, path string) string {
	if why := p.Left[path]; why != "" {
		return path + ": " + why
	}
	return path
}

// filePath is the path of a page's file, taken from a URL of koda's origin.
func filePath(raw string) (string, bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme+"://"+u.Host != origin {
		return "", false
	}
	if u.Path == "" || u.Path == "/" {
		return "/index.html", true
	}
	return u.Path, true
}

// answer builds the response. Media elements ask for a range in order to seek; they get
// that part of the file.
func answer(r request, file koda.PageFile, known bool) fetch.FulfillRequestParams {
	p := fetch.FulfillRequestParams{RequestID: r.ID, ResponseCode: 200, Body: file.Body}
	header := func(name, value string) {
		p.ResponseHeaders = append(p.ResponseHeaders, &fetch.HeaderEntry{Name: name, Value: value})
	}
	header("Access-Control-Allow-Origin", "*")
	if !known {
		p.ResponseCode = 404
		header("Content-Type", "text/plain")
		return p
	}
	header("Content-Type", mediaType(file.Type))
	header("Cache-Control", "max-age=86400, immutable")
	header("Accept-Ranges", "bytes")
	if isDocument(file.Type) {
		header("Content-Security-Policy", silent)
	}
	if start, end, ok := byteRange(rangeHeader(r.Request.Headers), len(file.Body)); ok {
		p.ResponseCode = 206
		p.Body = file.Body[start:end]
		header("Content-Range", fmt.Sprintf("bytes %d-%d/%d", start, end-1, len(file.Body)))
	}
	header("Content-Length", strconv.Itoa(len(p.Body)))
	return p
}

// mediaType marks a text as UTF-8, unless its type names another encoding.
func mediaType(t string) string {
	if !strings.Contains(t, ";") && (strings.HasPrefix(t, "text/") || t == "application/javascript") {
		return t + "; charset=utf-8"
	}
	return t
}

func rangeHeader(headers map[string]string) string {
	for name, value := range headers {
		if strings.EqualFold(name, "Range") {
			return value
		}
	}
	return ""
}

// byteRange reads "bytes=a-b" for a file of that size, as [start, end).
func byteRange(header string, size int) (start, end int, ok bool) {
	spec, found := strings.CutPrefix(header, "bytes=")
	if !found || strings.Contains(spec, ",") {
		return 0, 0, false
	}
	first, last, found := strings.Cut(spec, "-")
	if !found {
		return 0, 0, false
	}
	start, err := strconv.Atoi(first)
	if err != nil || start < 0 || start >= size {
		return 0, 0, false
	}
	end = size
	if last != "" {
		n, err := strconv.Atoi(last)
		if err != nil || n < start {
			return 0, 0, false
		}
		end = min(n+1, size)
	}
	return start, end, true
}
