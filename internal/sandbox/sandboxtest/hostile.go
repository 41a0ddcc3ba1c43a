package sandboxtest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// What a command leaves beside files is no file of the project, whatever its name.
func testStrange(t *testing.T, s *suite) {
	_, sb := s.create(t)
	if still(t, sb) {
		return
	}
	res := run(t, sb, `mkdir src; echo a >src/a.ts; ln src/a.ts src/same.ts; chmod 6755 src/a.ts; mkfifo src/pipe; ln -s /etc src/etc
		printf x >"src/$(printf 'new\nline.ts')"; printf x >"src/$(printf '\033[2J.ts')"; printf x >"src/$(printf '\377.ts')"; printf x >'src/back\slash.ts'
		printf x >src/A.ts; printf x >src/.koda-AAAAAAAAAAAAAAAAAAAAAAAAAA.tmp; printf x >src/CON; printf x >"src/$(printf '%0255d' 0)"; truncate -s 1M src/hole
		p=src; for i in $(seq 40); do p=$p/deeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeep; done; mkdir -p $p; printf x >$p/x; true`)
	if res.ExitCode != 0 {
		t.Fatalf("%+v", res)
	}
	got, err := sandbox.Get(t.Context(), sb, nil, sandbox.Limits{Files: 20, File: 1 << 20, Total: 2 << 20})
	want := map[string][]byte{
		"src/a.ts": []byte("a\n"), "src/same.ts": []byte("a\n"), "src/new\nline.ts": []byte("x"), "src/\x1b[2J.ts": []byte("x"), "src/A.ts": []byte("x"), "src/CON": []byte("x"),
		"src/" + strings.Repeat("0", 255): []byte("x"), "src/hole": make([]byte, 1<<20),
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%.2000s", err, diff)
	}
	names, err := sb.Unlisted(t.Context())
	if len(names) < 4 || err != nil || !slices.Contains(names, "src/pipe") || !slices.Contains(names, "src/etc") || !slices.Contains(names, `src/back\slash.ts`) {
		t.Errorf("no files: %q, %v", names, err)
	}
	if err := sb.WriteFile(t.Context(), "src/same.ts", []byte("b")); err != nil {
		t.Fatal(err)
	}
	wantFile(t, sb, "src/a.ts", "a\n") // a second name is not written through
	if res := run(t, sb, "test -u src/same.ts"); res.ExitCode == 0 {
		t.Error("a file that was written keeps more rights")
	}
}

// A command that takes rights away from its own files does not keep koda out.
func testLocked(t *testing.T, s *suite) {
	_, sb := s.create(t)
	if still(t, sb) {
		return
	}
	lock := func() {
		t.Helper()
		if res := run(t, sb, "chmod 0 src/*.ts src/no/deep/a.ts src/no/deep; chmod 555 src/no; chmod 0 src ."); res.ExitCode != 0 {
			t.Fatalf("%+v", res)
		}
	}
	run(t, sb, "mkdir -p src/no/deep; echo a >src/no/deep/a.ts; echo b >src/b.ts; echo c >src/c.ts; chmod 755 src/c.ts")
	lock()
	want := map[string][]byte{"src/no/deep/a.ts": []byte("a\n"), "src/b.ts": []byte("b\n"), "src/c.ts": []byte("c\n")}
	got, err := sandbox.Get(t.Context(), sb, nil, sandbox.Limits{Files: 20, File: 1 << 20, Total: 2 << 20})
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	lock()
	wantFile(t, sb, "src/no/deep/a.ts", "a\n")
	lock()
	write(t, sb, "src/no/deep/new/d.ts", "d")
	lock()
	if err := sb.DeleteFile(t.Context(), "src/no/deep/a.ts"); err != nil {
		t.Error(err)
	}
	lock()
	if es := list(t, sb, "src/no", true); len(es) != 3 {
		t.Errorf("listed %v", es)
	}
}

// While files turn into links, pipes and directories, a reader gets files or an error,
// and nothing from outside.
func testSwapped(t *testing.T, s *suite) {
	_, sb := s.create(t)
	if still(t, sb) {
		return
	}
	write(t, sb, "src/a.ts", "a")
	secret := run(t, sb, "cat /etc/passwd").Stdout
	bg, err := sb.Run(t.Context(), sandbox.Command{Background: true, Line: `
		ln -s /etc src/to; ln -s /etc/passwd src/link; mkfifo src/pipe
		while :; do
			echo b >src/x; mv -T src/link src/x; ln -s /etc/passwd src/link; rm src/x
			echo b >src/x; mv -T src/pipe src/x; mkfifo src/pipe; rm src/x
			mkdir -p src/d; echo b >src/d/passwd; rm -r src/d; cp -P src/to src/d; rm src/d
		done`})
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		files, err := sandbox.Get(t.Context(), sb, nil, sandbox.Limits{Files: 20, File: 1 << 20, Total: 2 << 20})
		if err != nil {
			wantCode(t, "get", err, koda.CodeInvalidPath, koda.CodeReadFailed)
		}
		for path, data := range files {
			if bytes.Equal(data, []byte(secret)) {
				t.Fatalf("%s is a file from outside", path)
			}
		}
		if data, err := sb.ReadFile(t.Context(), "src/x"); err != nil {
			wantCode(t, "read", err, koda.CodeInvalidPath, koda.CodeReadFailed, koda.CodeFileNotFound)
		} else if string(data) == secret {
			t.Fatal("a link was followed")
		}
		if err := sb.WriteFile(t.Context(), "src/d/new.ts", nil); err != nil {
			wantCode(t, "write", err, koda.CodeInvalidPath, koda.CodeWriteFailed)
		}
	}
	if err := sb.Stop(t.Context(), bg.PID); err != nil {
		t.Error(err)
	}
	if res := run(t, sb, "ls /etc/new.ts"); res.ExitCode == 0 {
		t.Error("a file was written through a link")
	}
}

// A command that does what it should not ends in time, with bounded output.
func testUnruly(t *testing.T, s *suite) {
	_, sb := s.create(t)
	if still(t, sb) {
		return
	}
	for what, line := range map[string]string{
		"writes without end":        "yes",
		"writes errors without end": "yes >&2",
		"stops itself":              "kill -STOP $$",
		"heeds no signal":           "trap '' TERM INT HUP QUIT; while :; do sleep 0.1; done",
		"starts what heeds none":    "sh -c \"trap '' TERM; sleep 600\" & wait",
		"closes its streams":        "exec >&- 2>&- <&-; sleep 600",
	} {
		res, err := sb.Run(t.Context(), sandbox.Command{Line: line, Timeout: 300 * time.Millisecond})
		wantCode(t, what, err, koda.CodeTimeout)
		if n := max(len(res.Stdout), len(res.Stderr)); n > sandbox.MaxOutput+200 {
			t.Errorf("%s: %d bytes are kept", what, n)
		}
	}
	if res := run(t, sb, "exec >&- 2>&-; exit 5"); res.ExitCode != 5 {
		t.Errorf("closed streams: %+v", res)
	}
	for _, port := range []int{-1, 0, 1 << 16, 1 << 40} {
		_, err := sb.Dial(t.Context(), port)
		wantCode(t, fmt.Sprint("dial ", port), err, koda.CodeServerFailed)
	}
	bg, err := sb.Run(t.Context(), sandbox.Command{Line: "trap '' TERM; while :; do sleep 0.1; done", Background: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := sb.Stop(t.Context(), bg.PID); err != nil {
		t.Errorf("stop what heeds no signal: %v", err)
	}
	if res := run(t, sb, fmt.Sprintf("kill -0 %d", bg.PID)); res.ExitCode == 0 {
		t.Error("it lives on")
	}
}
