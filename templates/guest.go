package templates

import (
	"embed"
	"io/fs"
)

// guest.* matches the packed programs, if there are any, and always matches guest.md.
//
//go:embed guest/guest.*
var guestFiles embed.FS

// Guest is the guest's program for Linux on an architecture, "amd64" or "arm64",
// compressed with zstd. The last result is false when this program was built before
// "make guest", or there is no guest for that architecture. Callers must not change the
// archive.
func Guest(arch string) (archive []byte, ok bool) {
	archive, err := fs.ReadFile(guestFiles, "guest/guest."+arch+".zst")
	return archive, err == nil
}
