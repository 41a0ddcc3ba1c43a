// Command pack makes the page runtime that koda embeds: it has npm install the
// locked packages into a temporary directory, bundles them and writes the
// archive. Equal lockfiles give equal archives.
//
//	go run ./templates/runtime/pack [-o templates/runtime/runtime.tar.zst]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/bundle"
)

func main() {
	out := flag.String("o", "templates/runtime/runtime.tar.zst", "archive to write")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := pack(ctx, *out); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(ctx context.Context, out string) (err error) {
	work, err := os.MkdirTemp("", "koda-runtime-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	packages, files := filepath.Join(work, "packages"), filepath.Join(work, "runtime")
	for _, dir := range []string{packages, files} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	if err := bundle.Install(ctx, packages); err != nil {
		return fmt.Errorf("install packages: %w", err)
	}
	if err := bundle.Pack(ctx, packages, files); err != nil {
		return err
	}
	return atomicfile.WriteFunc(out, 0o644, func(w io.Writer) error { return bundle.Archive(files, w) })
}
