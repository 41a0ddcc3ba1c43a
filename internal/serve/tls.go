package serve

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Certificate is a certificate and its key in files. When the files change, as they do when a
// certificate is renewed, new connections get the new one; while the files are no pair, they
// get the one before.
type Certificate struct {
	cert, key string
	log       *slog.Logger

	mu  sync.Mutex
	at  time.Time // when the files changed that were read last
	has *tls.Certificate
}

// OpenCertificate reads a certificate and its key. USAGE: they cannot be read, or are no pair.
func OpenCertificate(cert, key string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{cert: cert, key: key, log: log}
	c.at = c.changed()
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, &koda.Error{Code: koda.CodeUsage, Op: "read the certificate and its key", Err: err, Hint: "give PEM files that belong together"}
	}
	c.has = &pair
	return c, nil
}

// changed is when one of the files changed last.
func (c *Certificate) changed() (at time.Time) {
	for _, file := range []string{c.cert, c.key} {
		if info, err := os.Stat(file); err == nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	return at
}

// get is the certificate for a new connection.
func (c *Certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.changed(); !at.Equal(c.at) {
		c.at = at
		if pair, err := tls.LoadX509KeyPair(c.cert, c.key); err != nil {
			c.log.Warn("the new certificate cannot be read; the one before stays", "error", err)
		} else {
			c.has = &pair
		}
	}
	return c.has, nil
}
