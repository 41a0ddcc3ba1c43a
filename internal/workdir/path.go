package workdir

import (
	"fmt"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// folders hold a project's generated files, beside those at its root.
var folders = []string{"src", "public", "scripts"}

// ValidPath says whether a project can have a generated file at path, or with
// INVALID_PATH why not. The rules are those of the tools, and path must be in
// normal form: what was written differently was not checked by them.
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
