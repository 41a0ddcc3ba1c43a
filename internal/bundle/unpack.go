package bundle

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/templates"
)

// Archive writes the files below dir to w as a tar archive compressed with
// zstd. Equal files give equal bytes.
func Archive(dir string, w io.Writer) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(8<<20))
	if err != nil {
		return fmt.Errorf("archive runtime: %w", err)
	}
	t := tar.NewWriter(z)
	var names []string
	root := os.DirFS(dir)
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, name)
		}
		return err
	})
	// Files of one kind side by side compress better.
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(strings.Compare(filepath.Ext(a), filepath.Ext(b)), strings.Compare(a, b))
	})
	for _, name := range names {
		if err != nil {
			break
		}
		var data []byte
		if data, err = fs.ReadFile(root, name); err != nil {
			break
		}
		header := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR}
		if err = t.WriteHeader(header); err == nil {
			_, err = t.Write(data)
		}
	}
	if err := errors.Join(err, t.Close(), z.Close()); err != nil {
		return fmt.Errorf("archive runtime: %w", err)
	}
	return nil
}

func unpack(archive []byte, dir string) error {
	z, err := zstd.NewReader(bytes.NewReader(archive))
	if err != nil {
		return fmt.Errorf("unpack page runtime: %w", err)
	}
	defer z.Close()
	for t := tar.NewReader(z); ; {
		header, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("unpack page runtime: %w", err)
		}
		if !filepath.IsLocal(header.Name) {
			return fmt.Errorf("unpack page runtime: %q is not a local path", header.Name)
		}
		data, err := io.ReadAll(t)
		if err == nil {
			err = writeBelow(dir, header.Name, data)
		}
		if err != nil {
			return fmt.Errorf("unpack page runtime: %w", err)
		}
	}
}

func writeBelow(dir, name string, data []byte) error {
	target := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	return os.WriteFile(target, data, 0o644)
}

// lockDigest names the runtime npm installs from the embedded lockfile.
func lockDigest() string {
	_, lock := templates.RuntimeLock()
	sum := sha256.Sum256(lock)
	return "npm-" + strconv.Itoa(packFormat) + "-" + hex.EncodeToString(sum[:])
}

// installRuntime fills dir with a runtime packed from what npm installs.
func installRuntime(ctx context.Context, dir string) error {
	source, err := os.MkdirTemp(filepath.Dir(dir), workPrefix())
	if err != nil {
		return fmt.Errorf("install page runtime: %w", err)
	}
	defer os.RemoveAll(source) //nolint:errcheck // sweep removes what is left
	if err := Install(ctx, source); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return missingRuntime(err)
	}
	return Pack(ctx, source, dir)
}

// Install has npm install the packages of the page runtime, exactly those of
// the embedded lockfile, into dir/node_modules.
func Install(ctx context.Context, dir string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return err
	}
	manifest, lock := templates.RuntimeLock()
	if err := errors.Join(writeBelow(dir, "package.json", manifest), writeBelow(dir, "package-lock.json", lock)); err != nil {
		return err
	}
	_, err = proc.Output(ctx, proc.Spec{
		Path: npm, Dir: dir, Env: os.Environ(),
		Args: []string{"ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"},
	})
	return err
}

// publishDir has fill write a directory and gives it its name below parent when
// it is whole. Another process may do the same at the same time; either result
// stands.
func publishDir(ctx context.Context, parent, name string, fill func(ctx context.Context, dir string) error) error {
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return fmt.Errorf("create cache: %w", err)
	}
	sweep(parent)
	tmp, err := os.MkdirTemp(parent, workPrefix())
	if err != nil {
		return fmt.Errorf("create cache: %w", err)
	}
	defer os.RemoveAll(tmp) //nolint:errcheck // sweep removes what is left
	if err := fill(ctx, tmp); err != nil {
		return err
	}
	// MkdirTemp made it for this user alone; a cache may be shared.
	if err := os.Chmod(tmp, 0o755); err != nil {
		return fmt.Errorf("fill cache: %w", err)
	}
	target := filepath.Join(parent, name)
	err = os.Rename(tmp, target)
	if err == nil {
		return atomicfile.SyncDir(parent)
	}
	if _, statErr := os.Stat(filepath.Join(target, indexName)); statErr == nil {
		return nil // another process was first
	}
	// What stands there was damaged: it goes aside, to be swept away.
	aside, asideErr := os.MkdirTemp(parent, workPrefix())
	if asideErr != nil {
		return fmt.Errorf("fill cache: %w", errors.Join(err, asideErr))
	}
	defer os.RemoveAll(aside) //nolint:errcheck // sweep removes what is left
	if err := errors.Join(os.Rename(target, filepath.Join(aside, "old")), os.Rename(tmp, target)); err != nil {
		return fmt.Errorf("fill cache: %w", err)
	}
	return atomicfile.SyncDir(parent)
}

const workMark = ".work-"

// workPrefix begins the names of this process's unfinished directories.
func workPrefix() string { return workMark + strconv.Itoa(os.Getpid()) + "-" }

// sweep removes unfinished directories of processes that are gone.
func sweep(parent string) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return
	}
	for _, entry := range entries {
		rest, ok := strings.CutPrefix(entry.Name(), workMark)
		if !ok {
			continue
		}
		id, _, _ := strings.Cut(rest, "-")
		if pid, err := strconv.Atoi(id); err == nil && !proc.Alive(pid) {
			_ = os.RemoveAll(filepath.Join(parent, entry.Name())) //nolint:errcheck // next time
		}
	}
}
