package graphics_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/koda-video/koda/tui/graphics"
)

// asProgram makes this test binary a program that asks its terminal. The value is the
// time limit.
const asProgram = "GRAPHICS_TEST_PROGRAM"

// found is what the program found. It is written as one line of JSON.
type found struct {
	Caps   graphics.Caps
	Reply  string
	Err    string
	Left   string // what the next program would read
	Intact bool   // the terminal is set as before
}

func TestMain(m *testing.M) {
	limit, err := time.ParseDuration(os.Getenv(asProgram))
	if err != nil {
		os.Exit(m.Run())
	}
	if err := program(limit); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// program asks, and says what it found.
func program(limit time.Duration) error {
	fd := int(os.Stdin.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return err
	}
	var f found
	probe := graphics.Probe(os.Stdin, os.Stdout, limit)
	f.Caps = graphics.Detect(os.LookupEnv, true, "auto", func(query string) (string, error) {
		reply, err := probe(query)
		if f.Reply = reply; err != nil {
			f.Err = err.Error()
		}
		return reply, err
	})
	after, err := term.GetState(fd)
	if err != nil {
		return err
	}
	f.Intact = fmt.Sprint(before) == fmt.Sprint(after)
	f.Left = left(fd)
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if to := os.Getenv(asProgram + "_TO"); to != "" {
		return os.WriteFile(to, text, 0o600)
	}
	fmt.Println(string(text))
	return nil
}

// left is what can be read without waiting.
func left(fd int) string {
	state, err := term.MakeRaw(fd)
	if err != nil {
		return err.Error()
	}
	defer term.Restore(fd, state) //nolint:errcheck // the terminal ends with the test
	if err := unix.SetNonblock(fd, true); err != nil {
		return err.Error()
	}
	b := make([]byte, 4096)
	n, err := unix.Read(fd, b)
	if err != nil {
		return ""
	}
	return string(b[:n])
}

// asking starts the program in a terminal of its own; typed waits in the terminal
// already.
func asking(t *testing.T, limit, typed string) *os.File {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = master.Close() }) //nolint:errcheck // nothing is written to it
	if _, err := master.WriteString(typed); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = []string{"TERM=xterm-kitty", "COLORTERM=truecolor", "LC_CTYPE=C.UTF-8", asProgram + "=" + limit}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := slave.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) //nolint:errcheck // what it found is what counts
	return master
}

// sees reads what the program writes until it wrote a text, and no byte more.
func sees(t *testing.T, terminal io.Reader, want string) string {
	t.Helper()
	var out []byte
	for b := make([]byte, 1); !strings.Contains(string(out), want); {
		n, err := terminal.Read(b)
		if err != nil {
			t.Fatalf("%q was never written: %q, %v", want, out, err)
		}
		out = append(out, b[:n]...)
	}
	return string(out)
}

// says reads what the program found, and checks that it wrote nothing else.
func says(t *testing.T, terminal io.Reader) found {
	t.Helper()
	line := sees(t, terminal, "\n")
	var f found
	if err := json.Unmarshal([]byte(line), &f); err != nil {
		t.Fatalf("written: %.200q", line)
	}
	return f
}

func answers(t *testing.T, terminal *os.File, text string) {
	t.Helper()
	if _, err := terminal.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// A terminal that answers is understood, however its answer is cut into pieces, and
// nothing of the answer is left over or shown.
func TestProbe(t *testing.T) {
	t.Parallel()
	reply := ok + isKitty + plain
	want := found{Caps: graphics.Caps{Mode: graphics.Kitty, Blocks: true}, Reply: reply, Intact: true}
	for what, pieces := range map[string][]string{
		"whole":     {reply},
		"in pieces": {ok[:3], ok[3:] + isKitty[:5], isKitty[5:] + plain[:4], plain[4:]},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			terminal := asking(t, "1m", "")
			if got := sees(t, terminal, attributes); got != drawing+name+attributes {
				t.Errorf("asked %q", got)
			}
			for _, p := range pieces {
				answers(t, terminal, p)
			}
			if diff := cmp.Diff(want, says(t, terminal)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A terminal that answers after the time limit counts as one that does not answer. Its
// answer is not left over.
func TestProbe_Late(t *testing.T) {
	t.Parallel()
	terminal := asking(t, "2s", "")
	sees(t, terminal, attributes)
	answers(t, terminal, ok)
	<-time.After(3 * time.Second) // this is what being late means
	answers(t, terminal, isKitty+plain)
	want := found{Caps: graphics.Caps{Mode: graphics.HalfBlocks, Blocks: true}, Err: "ask the terminal: no answer in time", Intact: true}
	if diff := cmp.Diff(want, says(t, terminal)); diff != "" {
		t.Error(diff)
	}
}

// A terminal that answers nothing is waited for twice the limit.
func TestProbe_Silent(t *testing.T) {
	t.Parallel()
	terminal := asking(t, "10ms", "")
	sees(t, terminal, attributes)
	want := found{Caps: graphics.Caps{Mode: graphics.HalfBlocks, Blocks: true}, Err: "ask the terminal: no answer in time", Intact: true}
	if diff := cmp.Diff(want, says(t, terminal)); diff != "" {
		t.Error(diff)
	}
}

// An answer without an end is no answer.
func TestProbe_Endless(t *testing.T) {
	t.Parallel()
	terminal := asking(t, "1m", "")
	sees(t, terminal, attributes)
	answers(t, terminal, strings.Repeat("x", 1<<14+1)) // one more than koda reads
	if f := says(t, terminal); f.Err != "ask the terminal: the answer has no end" || !f.Intact {
		t.Errorf("found %+v", f)
	}
}

// What was typed before is not lost, and nothing is asked.
func TestProbe_Typed(t *testing.T) {
	t.Parallel()
	terminal := asking(t, "1m", "accept\n")
	sees(t, terminal, "accept\r\n") // the terminal shows what is typed
	want := found{Caps: graphics.Caps{Mode: graphics.HalfBlocks, Blocks: true}, Err: "ask the terminal: something was typed already", Left: "accept\n", Intact: true}
	if diff := cmp.Diff(want, says(t, terminal)); diff != "" {
		t.Error(diff)
	}
}

// What is no terminal is not asked.
func TestProbe_NoTerminal(t *testing.T) {
	t.Parallel()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reply, err := graphics.Probe(in, out, time.Minute)(attributes)
	if err == nil || reply != "" {
		t.Errorf("got %q, %v", reply, err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(in); err != nil || len(rest) > 0 {
		t.Errorf("asked %q, %v", rest, err)
	}
}
