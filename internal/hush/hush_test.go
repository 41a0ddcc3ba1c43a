package hush_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/charmbracelet/bubbletea" // asks the terminal when this test starts, if nothing holds it back
	"github.com/creack/pty"

	"github.com/koda-video/koda/internal/hush"
)

// asProgram makes this test binary a program that says what it finds in CI.
const asProgram = "HUSH_TEST_PROGRAM"

// question is what Bubble Tea asks the terminal.
const question = "\x1b]11;?"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		hush.End()
		value, ok := os.LookupEnv("CI")
		fmt.Printf("CI=%q %v", value, ok)
		return
	}
	hush.End()
	os.Exit(m.Run())
}

// start runs a program in a terminal that never answers, with no CI but the given one.
func start(t *testing.T, path string, env ...string) (*exec.Cmd, *os.File) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), path)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "CI=")
	}), "TERM=xterm-256color", asProgram+"=1")
	cmd.Env = append(cmd.Env, env...)
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = terminal.Close() }) //nolint:errcheck // nothing is written to it
	return cmd, terminal
}

// TestSilent: a program with Bubble Tea and this package writes nothing to its terminal
// but its own words, and its children see CI as the person set it.
func TestSilent(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for want, env := range map[string][]string{
		`CI="" false`:    nil,
		`CI="" true`:     {"CI="},
		`CI="true" true`: {"CI=true"},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			cmd, terminal := start(t, self, env...)
			// The end of a terminal is an error on Linux.
			out, _ := io.ReadAll(terminal) //nolint:errcheck // see above
			if err := cmd.Wait(); err != nil || string(out) != want {
				t.Errorf("got %q, %v; want %q", out, err, want)
			}
		})
	}
}

// TestLoud: the same without this package asks the terminal, so TestSilent can fail.
func TestLoud(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "loud")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./testdata/loud").CombinedOutput(); err != nil {
		t.Fatalf("build a program: %v: %s", err, out)
	}
	cmd, terminal := start(t, program)
	var out []byte
	for b := make([]byte, 64); !strings.Contains(string(out), question); {
		n, err := terminal.Read(b)
		if err != nil {
			t.Fatalf("the program asked nothing: %q, %v", out, err)
		}
		out = append(out, b[:n]...)
	}
	if err := cmd.Process.Kill(); err != nil { // it would wait for five seconds
		t.Fatal(err)
	}
	_ = cmd.Wait() //nolint:errcheck // it was killed
}
