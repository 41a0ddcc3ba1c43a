package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/npm"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/projectfs"
	"github.com/koda-video/koda/templates"
)

// lockDigest names the runtime that is packed from what npm installs.
func lockDigest() string {
	_, lock := templates.RuntimeLock()
	sum := sha256.Sum256(lock)
	return "npm-" + strconv.Itoa(packFormat) + "-" + hex.EncodeToString(sum[:])
}

// install lets npm install the packages of the runtime into a temporary directory beside
// archive, and packs them. Another process may do the same at the same time; either
// result is good.
func install(ctx context.Context, archive string) error {
	parent := filepath.Dir(archive)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return fmt.Errorf("create cache: %w", err)
	}
	sweep(parent)
	dir, err := os.MkdirTemp(parent, workMark+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return fmt.Errorf("create cache: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // sweep removes leftovers
	if err := npmInto(ctx, dir); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return missingRuntime(err)
	}
	return packInto(ctx, dir, archive)
}

// PackRuntime lets npm install exactly the packages of the embedded lockfile, bundles
// them, and writes the archive that a program embeds. Equal lockfiles give equal bytes.
// PackRuntime needs npm and node.
func PackRuntime(ctx context.Context, archive string) (err error) {
	dir, err := os.MkdirTemp("", "koda-runtime-")
	if err != nil {
		return fmt.Errorf("pack page runtime: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := npmInto(ctx, dir); err != nil {
		return fmt.Errorf("install packages: %w", err)
	}
	return packInto(ctx, dir, archive)
}

func npmInto(ctx context.Context, dir string) error {
	manifest, lock := templates.RuntimeLock()
	return npm.Install(ctx, dir, manifest, lock)
}

const workMark = ".work-"

// sweep removes the unfinished directories of processes that are gone.
func sweep(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil || projectfs.NoLinks(filepath.Dir(parent), filepath.Base(parent)) != nil {
		return
	}
	for _, entry := range entries {
		rest, ok := strings.CutPrefix(entry.Name(), workMark)
		if !ok || !entry.IsDir() {
			continue
		}
		id, _, _ := strings.Cut(rest, "-")
		if pid, err := strconv.Atoi(id); err == nil && !proc.Alive(pid) {
			_ = os.RemoveAll(filepath.Join(parent, entry.Name())) //nolint:errcheck // the next sweep tries again
		}
	}
}
