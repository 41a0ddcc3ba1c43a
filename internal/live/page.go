package live

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"path"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// digestPath answers the digest of the page as it is now.
const digestPath = koda.BundlePath + "/live"

// reload loads the page again when it has changed, and when it builds again.
const reload = `<script>setInterval(async()=>{try{if(await(await fetch(%q)).text()!==%q)location.reload()}catch{}},1000)</script>`

// Show shows a page as koda builds it, for a sandbox in which no server can run. It plays
// as it does in any browser, and loads again when it changes. Build is called for each
// request, so it should remember its last answer; while it fails, the person sees why.
// Port is as in [Open]. Close ends it.
func Show(build func(context.Context) (koda.Page, error), port int) (*Proxy, error) {
	return open(port, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tame(w.Header())
		w.Header().Set("Cache-Control", "no-store")
		page, err := build(r.Context())
		at := path.Clean("/" + r.URL.Path)
		if at == "/" {
			at = "/index.html"
		}
		file, ok := page.Files[at]
		switch {
		case at == digestPath:
			fmt.Fprint(w, stateOf(page, err))
		case err != nil && at == "/index.html":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, "<!doctype html><title>koda</title><pre>%s</pre>"+reload, html.EscapeString(strings.TrimSpace(err.Error()+"\n\n"+koda.DetailsOf(err))), digestPath, stateOf(page, err))
		case err != nil || !ok:
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", file.Type)
			_, _ = w.Write(file.Body) //nolint:errcheck // the browser is gone
			if at == "/index.html" {
				fmt.Fprintf(w, reload, digestPath, stateOf(page, nil))
			}
		}
	}))
}

// stateOf is a text that changes when what is shown changes.
func stateOf(page koda.Page, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return page.Digest
}
