package bundle

import (
	"errors"
	"io/fs"

	"github.com/koda-video/koda/internal/koda"
)

const manifestName = "koda.json"

// ReadManifest reads koda.json at the root of files, as [koda.ParseManifest] does.
//
// Errors: NOT_FOUND if there is no koda.json, INVALID_INPUT if it is wrong.
func ReadManifest(files fs.FS) (koda.Manifest, error) {
	data, err := fs.ReadFile(files, manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return koda.Manifest{}, &koda.Error{
			Code: koda.CodeNotFound, Op: "there is no koda.json",
			Hint: "koda init writes one for a page",
		}
	}
	if err != nil {
		return koda.Manifest{}, readFailed("read koda.json", err)
	}
	return koda.ParseManifest(data)
}
