package draw_test

import (
	"os"
	"os/exec"
	"testing"
)

// The package can be built into a static program: nothing below it is cgo.
func TestWithoutCgo(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "go", "build", ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
