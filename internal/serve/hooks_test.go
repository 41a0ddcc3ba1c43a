package serve_test

import (
	"net/netip"
	"testing"

	"github.com/koda-video/koda/internal/serve"
)

// TestPublic: webhooks lead to machines on the internet only, however the address is written.
func TestPublic(t *testing.T) {
	t.Parallel()
	for _, inside := range []string{
		"127.0.0.1", "127.8.8.8", "::1", "0.0.0.0", "::", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255",
		"fe80::1", "fe80::1%eth0", "fd00::1", "fec0::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "192.0.2.1", "198.18.0.1", "240.0.0.1",
	} {
		if serve.Public(netip.MustParseAddr(inside)) {
			t.Errorf("%s is taken for public", inside)
		}
	}
	for _, outside := range []string{"1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"} {
		if !serve.Public(netip.MustParseAddr(outside)) {
			t.Errorf("%s is taken for private", outside)
		}
	}
}

// TestSign: the example of the Standard Webhooks specification.
func TestSign(t *testing.T) {
	t.Parallel()
	got := serve.Sign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", []byte(`{"test": 2432232314}`))
	if want := "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("the signature is %s, want %s", got, want)
	}
}
