package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
)

// certify writes a certificate of its own for this machine, and its key.
func certify(t *testing.T, dir string, serial int64) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "koda"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &k.PublicKey, k)
	must(t, err)
	private, err := x509.MarshalECPrivateKey(k)
	must(t, err)
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	must(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	must(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private}), 0o600))
	return cert, key
}

// TestServe_tls: curl reaches a server by https, a renewed certificate is taken in, and SIGTERM
// in the middle of the work loses nothing of it.
func TestServe_tls(t *testing.T) {
	inServers(t)
	t.Parallel()
	needs.Program(t, "curl", "sudo apt-get install curl")
	r := newServedRun(t)
	cert, key := certify(t, r.dir, 1)
	r.args = []string{"--tls-cert", cert, "--tls-key", key}
	r.begin()
	curl := func(args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "curl", append([]string{"-sS", "--cacert", cert, "-H", "Authorization: Bearer " + r.secret, "-H", "Content-Type: application/json"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("curl %v: %v: %s", args, err, out)
		}
		return string(out)
	}
	if got := curl(r.url + "/healthz"); !strings.Contains(got, "ok") || !strings.HasPrefix(r.url, "https://") {
		t.Errorf("%s/healthz: %s", r.url, got)
	}
	serial := func() int64 {
		conn, err := tls.Dial("tcp", strings.TrimPrefix(r.url, "https://"), &tls.Config{InsecureSkipVerify: true})
		must(t, err)
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	must(t, os.WriteFile(cert, []byte("half"), 0o600))
	if n := serial(); n != 1 {
		t.Errorf("while the files are no pair, the certificate is %d", n)
	}
	certify(t, r.dir, 2)
	must(t, os.Chtimes(cert, time.Now().Add(time.Minute), time.Now().Add(time.Minute)))
	if n := serial(); n != 2 {
		t.Errorf("renewed, the certificate is %d", n)
	}

	got := curl("-X", "POST", r.url+"/api/projects", "-d", `{"prompt": "bouncing ball", "duration": 4, "yes": true}`)
	_, id, _ := strings.Cut(got, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	for !strings.Contains(got, `"phase":"executing"`) && !strings.Contains(got, `"phase":"preview"`) {
		got = curl(r.url + "/api/projects/" + id)
	}
	must(t, r.server.Process.Signal(syscall.SIGTERM))
	_ = r.server.Wait()
	if !r.server.ProcessState.Exited() {
		t.Errorf("SIGTERM: %v", r.server.ProcessState)
	}
	r.begin()
	for got = curl(r.url + "/api/projects/" + id); strings.Contains(got, `"busy":true`); {
		got = curl(r.url + "/api/projects/" + id + "?wait=60")
	}
	if !strings.Contains(got, `"phase":"`+string(koda.PhaseComplete)) {
		t.Errorf("the next server: %s", got)
	}
	for name, args := range map[string][]string{"no pair": {"--tls-cert", cert, "--tls-key", cert}, "no file": {"--tls-cert", "/nowhere", "--tls-key", key}, "half": {"--tls-cert", cert}} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"serve", "--port", "0"}, args...)...)
		cmd.Dir, cmd.Env = r.dir, r.env
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 2 || strings.Contains(string(out), "listens") {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}
