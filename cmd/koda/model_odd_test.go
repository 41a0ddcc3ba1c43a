package main

import (
	"bytes"
	"compress/gzip"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/llm/llmtest"
)

// hi is an answer in one piece.
const hi = `{"object":"chat.completion","model":"scripted","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":900,"completion_tokens":60}}`

// TestModelOdd: what servers do below the format of answers, and ways to write an address, do
// no harm, or koda says what is wrong. No library writes lines of its own.
func TestModelOdd(t *testing.T) {
	t.Parallel()
	const fine = "900 tokens read, 60 written"
	for name, tt := range map[string]struct {
		answer func(rw http.ResponseWriter, r *http.Request)
		path   string // of the address
		http2  bool
		status int
		says   string
	}{
		"packed": {answer: func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Encoding", "gzip")
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			_, _ = io.WriteString(z, hi) //nolint:errcheck // into memory
			must(t, z.Close())
			_, _ = rw.Write(b.Bytes()) //nolint:errcheck // the client sees it
		}, says: fine},
		"byte by byte": {answer: func(rw http.ResponseWriter, _ *http.Request) {
			for i := range len(hi) {
				_, _ = io.WriteString(rw, hi[i:i+1]) //nolint:errcheck // likewise
				rw.(http.Flusher).Flush()
			}
		}, says: fine},
		"hints before": {answer: func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Link", "</x>; rel=preload")
			rw.WriteHeader(http.StatusEarlyHints)
			_, _ = io.WriteString(rw, hi) //nolint:errcheck // likewise
		}, says: fine},
		"more than it said": {answer: func(rw http.ResponseWriter, _ *http.Request) {
			conn, _, err := rw.(http.Hijacker).Hijack()
			must(t, err)
			_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s and more", len(hi), hi) //nolint:errcheck // likewise
			must(t, conn.Close())
		}, says: fine},
		"HTTP/2":         {answer: whole, http2: true, says: fine},
		"a slash":        {answer: whole, path: "/", says: fine},
		"another path":   {answer: whole, path: "/openai/deployments/x", says: fine},
		"the whole path": {answer: whole, path: "/chat/completions", status: 2, says: "does not know scripted"},
		"another method": {answer: refusing(http.StatusMethodNotAllowed, "Method Not Allowed"), status: 2, says: "an address of --base-url often ends in /v1"},
		"elsewhere": {answer: func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, "/there", http.StatusTemporaryRedirect)
		}, status: 2, says: "it points elsewhere"},
		"too large a body":  {answer: refusing(http.StatusRequestEntityTooLarge, "Request Entity Too Large"), status: 2, says: "refuses the request"},
		"a page of success": {answer: refusing(http.StatusOK, "<html>Log in</html>"), status: 2, says: "no chat completion"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &modelRun{t: t, dir: t.TempDir()}
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
				if req.Method != http.MethodPost || !strings.HasSuffix(req.URL.Path, "/chat/completions") || strings.Contains(req.URL.Path, "completions/") || tt.http2 != (req.ProtoMajor == 2) {
					http.NotFound(rw, req)
					return
				}
				tt.answer(rw, req)
			}))
			if server.EnableHTTP2 = tt.http2; tt.http2 {
				server.StartTLS()
				must(t, os.WriteFile(filepath.Join(r.dir, "ca.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600))
			} else {
				server.Start()
			}
			t.Cleanup(server.Close)
			r.env = append(os.Environ(), asKoda+"=1", "HOME="+r.dir, "KODA_HOME="+filepath.Join(r.dir, ".koda-home"), "XDG_CONFIG_HOME=",
				"OPENAI_API_KEY="+llmtest.Key, "SSL_CERT_FILE="+filepath.Join(r.dir, "ca.pem"))
			out, errs, status := r.koda("models", "try", "--model", "openai/"+llmtest.Name, "--base-url", server.URL+tt.path)
			if status != tt.status || !strings.Contains(out+errs, tt.says) || strings.Contains(errs, "Unsolicited") {
				t.Errorf("status %d: %s%s", status, out, errs)
			}
		})
	}
}

func whole(rw http.ResponseWriter, _ *http.Request) {
	_, _ = io.WriteString(rw, hi) //nolint:errcheck // the client sees it
}

// refusing answers by a status and a text.
func refusing(status int, text string) func(http.ResponseWriter, *http.Request) {
	return func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, text, status) }
}
