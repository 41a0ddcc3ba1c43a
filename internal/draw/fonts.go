package draw

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// LocalFonts is a digest of the fonts of this machine: the names and sizes of
// the files fontconfig finds by default, and its settings. Two machines with
// the same font packages have the same digest.
func LocalFonts(ctx context.Context) (string, error) {
	dirs := []string{"/etc/fonts", "/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts"}
	if home, err := os.UserHomeDir(); err == nil {
		dirs = append(dirs, filepath.Join(home, ".fonts"), filepath.Join(home, ".local/share/fonts"), filepath.Join(home, "Library/Fonts"))
	}
	sum := sha256.New()
	for i, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return ctx.Err() // the browser cannot read the fonts of such a directory either
			}
			info, err := os.Stat(path)
			if err != nil {
				return nil //nolint:nilerr // a broken link is no font
			}
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(sum, "%d %s %d\n", i, rel, info.Size())
			return err
		})
		if err != nil {
			return "", fmt.Errorf("list fonts: %w", err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
