package templates

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"sync"
)

// runtime.* matches the packed archive, if there is one, and always matches
// runtime.md.
//
//go:embed runtime/package.json runtime/package-lock.json runtime/runtime.*
var runtimeFiles embed.FS

var packedRuntime = sync.OnceValues(func() ([]byte, string) {
	archive, err := fs.ReadFile(runtimeFiles, "runtime/runtime.tar.zst")
	if err != nil {
		return nil, "" // not packed
	}
	sum := sha256.Sum256(archive)
	return archive, hex.EncodeToString(sum[:])
})

// Runtime is the packed page runtime, a tar archive compressed with zstd, and the
// archive's SHA-256 in hex. The last result is false when this program was built
// before "make runtime". Callers must not change the archive.
func Runtime() (archive []byte, digest string, ok bool) {
	archive, digest = packedRuntime()
	return archive, digest, archive != nil
}

// RuntimeLock is package.json and package-lock.json of the page runtime. With them
// npm installs exactly the packages in the archive.
func RuntimeLock() (manifest, lock []byte) {
	read := func(name string) []byte {
		data, err := fs.ReadFile(runtimeFiles, name)
		if err != nil {
			panic(err) // embedded
		}
		return data
	}
	return read("runtime/package.json"), read("runtime/package-lock.json")
}
