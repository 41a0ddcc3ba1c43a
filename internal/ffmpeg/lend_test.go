package ffmpeg_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/proc"
)

// bytesOf is n bytes that each tell their own position.
func bytesOf(n int, seed byte) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i*7+i>>11) ^ seed
	}
	return p
}

// Lent bytes arrive unchanged even if the child reads slowly, and the memory of a
// picture is used again once the next picture is written.
func TestLend(t *testing.T) {
	t.Parallel()
	p := shell("sha256sum")
	child, err := proc.Start(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	want := sha256.New()
	memory := [2][]byte{make([]byte, 3<<20+1), make([]byte, 3<<20+1)}
	for n := range 20 {
		b := memory[n%2]
		if n == 0 {
			b = b[:1000] // too small to be lent
		}
		copy(b, bytesOf(len(b), byte(n)))
		want.Write(b)
		if err := ffmpeg.Lend(child.Stdin(), b); err != nil {
			t.Fatal(err)
		}
	}
	if err := child.Stdin().Close(); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(child.Stdout())
	if sum, _, _ := strings.Cut(string(got), " "); err != nil || sum != hex.EncodeToString(want.Sum(nil)) {
		t.Errorf("the child read something else: %q, %v", got, err)
	}
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
}

// If the child ends during Lend, the error is the same as for a write.
func TestLend_Ended(t *testing.T) {
	t.Parallel()
	p := shell("head -c 100 >/dev/null")
	child, err := proc.Start(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err = ffmpeg.Lend(child.Stdin(), bytesOf(8<<20, 1)); err != nil {
			break
		}
	}
	if !errors.Is(err, syscall.EPIPE) {
		t.Errorf("err = %v, want a broken pipe", err)
	}
	_, _ = io.Copy(io.Discard, child.Stdout()) //nolint:errcheck // it wrote nothing
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
}

// Lend writes to an input that is no pipe of this process.
func TestLend_Other(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	want := bytesOf(2<<20, 3)
	if err := ffmpeg.Lend(&b, want); err != nil || !bytes.Equal(b.Bytes(), want) {
		t.Errorf("%d bytes arrived, %v", b.Len(), err)
	}
}

func shell(script string) proc.Spec {
	return proc.Spec{Path: "/bin/sh", Args: []string{"-c", script}, Env: os.Environ(), Stdin: true}
}
