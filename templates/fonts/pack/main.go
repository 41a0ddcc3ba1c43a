// Command pack installs the fonts of further scripts into koda's home, as `koda fonts
// add` does, without building koda first.
//
//	go run ./templates/fonts/pack
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/fonts"
	"github.com/koda-video/koda/internal/projectfs"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := install(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func install(ctx context.Context) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	cfg, err := config.Load(config.Sources{Env: os.LookupEnv, ReadFile: os.ReadFile, ReadIn: projectfs.ReadFile, Dir: dir})
	if err != nil {
		return err
	}
	s := fonts.Open(filepath.Join(cfg.Home, "fonts"))
	if s.Installed() {
		return nil
	}
	return s.Install(ctx)
}
