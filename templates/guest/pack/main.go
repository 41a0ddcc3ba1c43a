// Command pack makes the guests that koda embeds: it builds cmd/koda-guest for each
// architecture, static and without paths of this machine, and writes it compressed. It
// leaves an archive that is up to date as it is. Equal sources and an equal Go give equal
// archives.
//
//	go run ./templates/guest/pack [-o templates/guest]
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/klauspost/compress/zstd"

	"github.com/koda-video/koda/internal/atomicfile"
)

func main() {
	dir := flag.String("o", "templates/guest", "directory of the archives")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	var err error
	for _, arch := range []string{"amd64", "arm64"} {
		err = errors.Join(err, pack(ctx, arch, filepath.Join(*dir, "guest."+arch+".zst")))
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(ctx context.Context, arch, archive string) error {
	tmp, err := os.MkdirTemp("", "koda-guest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp) //nolint:errcheck // the system removes it
	out := filepath.Join(tmp, "koda-guest")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", out, "./cmd/koda-guest")
	// Settings of the person must not change the program.
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=", "GOEXPERIMENT=")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build the guest for %s: %w", arch, err)
	}
	program, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	if packed(archive, program) {
		return nil
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	data := w.EncodeAll(program, nil)
	fmt.Fprintf(os.Stdout, "%s: %.1f MB, %.1f MB packed\n", archive, float64(len(program))/1e6, float64(len(data))/1e6)
	return atomicfile.Write(archive, data, 0o644)
}

// packed reports whether an archive holds the program.
func packed(archive string, program []byte) bool {
	data, err := os.ReadFile(archive)
	if err != nil {
		return false
	}
	r, err := zstd.NewReader(nil)
	if err != nil {
		return false
	}
	defer r.Close()
	old, err := r.DecodeAll(data, nil)
	return err == nil && bytes.Equal(old, program)
}
