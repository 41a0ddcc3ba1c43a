package templates

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"sync"
)

// runtime.* matches the archive once it is packed, and runtime.md always.
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

// Runtime is the packed page runtime, a tar archive compressed with zstd, and
// the hex SHA-256 of it. It is false when this program was built before "make
// runtime". The archive is not to be changed.
func Runtime() (archive []byte, digest string, ok bool) {
	archive, digest = packedRuntime()
	return archive, digest, archive != nil
}

// RuntimeLock is package.json and package-lock.json of the page runtime, from
// which npm installs exactly what is packed.
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
