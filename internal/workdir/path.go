package workdir

import (
	"fmt"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// folders hold the generated files of a project that are not at its root.
var folders = []string{"src", "public", "scripts"}

// ValidPath says whether a project can have a generated file at path; if not, the error
// is INVALID_PATH and says why. The rules are those of the tools. Path must be in normal
// form, because the tools check paths in no other form.
func ValidPath(path string) error {
	clean, err := tool.WritablePath(path, nil)
	if err != nil {
		return err
	}
	if clean != path {
		return &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("path %q is not in normal form", path), Hint: fmt.Sprintf("write %q", clean)}
	}
	return nil
}
