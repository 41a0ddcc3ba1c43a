// Command pack makes the page runtime that koda embeds. It runs npm to install the
// locked packages into a temporary directory, bundles the packages and writes the
// archive. Equal lockfiles give equal archives.
//
//	go run ./templates/runtime/pack [-o templates/runtime/runtime.tar.zst]
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/koda-video/koda/internal/bundle"
)

func main() {
	out := flag.String("o", "templates/runtime/runtime.tar.zst", "archive to write")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := bundle.PackRuntime(ctx, *out)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}
