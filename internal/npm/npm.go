// Package npm lets npm install packages of a lock file. The lock file holds a digest
// of each package, and npm refuses a package that has another. Where npm takes packages
// from is a setting of npm.
package npm

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/proc"
)

// Install installs exactly the packages of a lock file into node_modules below dir, and
// runs no script of theirs. The error is exec.ErrNotFound if there is no npm.
func Install(ctx context.Context, dir string, manifest, lock []byte) error {
	program, err := exec.LookPath("npm")
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{"package.json": manifest, "package-lock.json": lock} {
		if err := atomicfile.Write(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	_, err = proc.Output(ctx, proc.Spec{
		Path: program, Dir: dir, Env: proc.Environ(),
		Args: []string{"ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"},
	})
	return first(err)
}

// Registry is the address from which npm takes packages on this machine; "" if npm is not
// there or does not say it.
func Registry(ctx context.Context) string {
	for _, name := range []string{"npm_config_registry", "NPM_CONFIG_REGISTRY"} {
		if address := os.Getenv(name); address != "" {
			return address
		}
	}
	program, err := exec.LookPath("npm")
	if err != nil {
		return ""
	}
	out, err := proc.Output(ctx, proc.Spec{Path: program, Env: proc.Environ(), Args: []string{"config", "get", "registry"}})
	if err != nil || !strings.HasPrefix(string(out), "http") {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// first replaces what npm said last, where its log is, by what it said first: what is
// wrong. The lines before it are codes.
func first(err error) error {
	var ended *proc.ExitError
	if !errors.As(err, &ended) {
		return err
	}
	for line := range strings.Lines(ended.Stderr) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "npm error ")
		if word, _, _ := strings.Cut(text, " "); ok && !slices.Contains([]string{"code", "syscall", "errno"}, word) {
			return &proc.ExitError{Name: ended.Name, Status: ended.Status, Signal: ended.Signal, Stderr: text}
		}
	}
	return err
}
