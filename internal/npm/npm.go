// Package npm lets npm install packages of a lock file. The lock file holds a digest
// of each package, and npm refuses a package that has another. Where npm takes packages
// from is a setting of npm.
package npm

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"

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
		Path: program, Dir: dir, Env: os.Environ(),
		Args: []string{"ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"},
	})
	return err
}
