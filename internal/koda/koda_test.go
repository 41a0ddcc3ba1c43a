package koda_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

func TestParseFPS(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]koda.FPS{
		"60": {Num: 60, Den: 1}, "23.976": {Num: 24000, Den: 1001}, "29.97": {Num: 30000, Den: 1001},
		"30000/1001": {Num: 30000, Den: 1001}, "60/2": {Num: 30, Den: 1}, "12.5": {Num: 25, Den: 2}, " 1 ": {Num: 1, Den: 1},
	} {
		got, err := koda.ParseFPS(in)
		if err != nil || got != want {
			t.Errorf("ParseFPS(%q) = %v, %v, want %v", in, got, err, want)
		}
		b, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var back koda.FPS
		if err := json.Unmarshal(b, &back); err != nil || back != got {
			t.Errorf("%q does not survive JSON: %s, %v, %v", in, b, back, err)
		}
	}
	for _, in := range []string{"", "0", "-3", "0.5", "241", "NaN", "1e9", "x", "1/0", "1/2", "500/2", "60/1/1"} {
		if got, err := koda.ParseFPS(in); koda.CodeOf(err) != koda.CodeInvalidInput || koda.HintOf(err) == "" {
			t.Errorf("ParseFPS(%q) = %v, %v, want INVALID_INPUT with a hint", in, got, err)
		}
	}
}

func TestDiskFull(t *testing.T) {
	t.Parallel()
	for _, cause := range []error{syscall.ENOSPC, syscall.EDQUOT} {
		err := koda.DiskFull("write frame", errors.Join(syscall.EPERM, &fs.PathError{Op: "write", Path: "/tmp/.a.mp4.tmp123", Err: cause}), "free some space")
		if err == nil || err.Code != koda.CodeDiskFull || err.Error() != "write frame: "+cause.Error() || err.Hint != "free some space" {
			t.Errorf("%v becomes %+v", cause, err)
		}
	}
	for _, cause := range []error{nil, syscall.EROFS, errors.New("no space left on device")} {
		if err := koda.DiskFull("write frame", cause, "free some space"); err != nil {
			t.Errorf("%v becomes %+v", cause, err)
		}
	}
}

func TestCodeOf(t *testing.T) {
	t.Parallel()
	inner := &koda.Error{Code: koda.CodeDiskFull, Op: "write frame", Hint: "free some space"}
	outer := &koda.Error{Code: koda.CodeRenderFailed, Op: "render", Err: fmt.Errorf("capture: %w", inner)}
	if got := koda.CodeOf(outer); got != koda.CodeRenderFailed {
		t.Errorf("CodeOf = %v, want the outermost code", got)
	}
	if got := koda.HintOf(outer); got != "free some space" {
		t.Errorf("HintOf = %q, want the hint of the cause", got)
	}
	for err, want := range map[error]koda.Code{
		nil: "", errors.New("x"): koda.CodeFailed,
		fmt.Errorf("y: %w", context.Canceled): koda.CodeInterrupted, context.DeadlineExceeded: koda.CodeTimeout,
	} {
		if got := koda.CodeOf(err); got != want {
			t.Errorf("CodeOf(%v) = %q, want %q", err, got, want)
		}
	}
}
