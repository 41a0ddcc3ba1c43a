package llmtest

import (
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// ServeTLS is Serve over TLS, by the name models.example.com. The certificate, as PEM, is its
// own authority.
func ServeTLS(t *testing.T, w Wire, steps ...Step) (s *Server, authority []byte) {
	t.Helper()
	s = Serve(t, w, steps...)
	server := httptest.NewTLSServer(s.handler)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

// Proxy starts a proxy that leads all tunnels to a server, and says which were asked for.
func Proxy(t *testing.T, server string) (address string, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var hosts []string
	proxy := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		mu.Lock()
		hosts = append(hosts, r.Host)
		mu.Unlock()
		there, err := new(net.Dialer).DialContext(r.Context(), "tcp", strings.TrimPrefix(server, "https://"))
		if err != nil || r.Method != http.MethodConnect {
			http.Error(rw, "no tunnel", http.StatusBadGateway)
			return
		}
		rw.WriteHeader(http.StatusOK)
		here, _, err := http.NewResponseController(rw).Hijack()
		if err != nil {
			t.Errorf("open a tunnel: %v", err)
			return
		}
		go func() {
			_, _ = io.Copy(there, here) //nolint:errcheck // one end closes
			_ = there.Close()           //nolint:errcheck // likewise
		}()
		_, _ = io.Copy(here, there) //nolint:errcheck // likewise
		_ = here.Close()            //nolint:errcheck // likewise
	}))
	t.Cleanup(proxy.Close)
	return proxy.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), hosts...)
	}
}
