package tui_test

import (
	"context"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// TestDone_Presets: a finished project is rendered by another preset, and shows both videos.
// A preset that cannot be made is not begun. A render that fails is tried again.
func TestDone_Presets(t *testing.T) {
	t.Parallel()
	s := &script{next: complete()}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.called("stand p1")
	d.sees("1920x1080, 60 fps, 5 s, 351.7 kB, made in 3.2 s, v1", "version  v1")
	d.keys("alt+p")
	d.sees("Which video next?", "→ final", "1080x1920, 30 fps, mp4")
	d.keys("down", "down")
	d.sees("→ tiktok", "takes 180 at most")
	d.keys("enter")
	d.called()
	d.keys("up")
	s.err = &koda.Error{Code: koda.CodeRenderFailed, Op: "draw frames 0-59", Err: &koda.Error{Code: koda.CodePageFailed, Op: "the page threw"}, Hint: "koda doctor", Details: "at Ball.tsx:3"}
	d.keys("enter")
	d.called("render p1 reels")
	d.sees("That did not work", "draw frames 0-59", "→ the page threw", "koda doctor")
	d.keys("alt+d")
	d.sees("at Ball.tsx:3", "the log of it")
	d.keys("alt+d")
	s.err, s.next.Videos = nil, append(s.next.Videos, tui.Video{Path: "/home/ada/bouncing-ball/renders/bouncing-ball-v1-reels.mp4", Preset: "reels", Width: 1080, Height: 1920, Version: 1})
	d.keys("enter")
	d.called("render p1 reels")
	d.sees("The video is ready", "renders/bouncing-ball-v1.mp4", "renders/bouncing-ball-v1-reels.mp4", "1080x1920")
	d.keys("alt+p", "esc", "alt+o")
	d.sees("The folder is /home/ada/bouncing-ball")
	s.err = context.Canceled
	d.keys("enter", "enter")
	d.sees("Interrupted", "The video is ready")
}

// TestError: a failure says what happened, why and what to do; the details scroll.
func TestError(t *testing.T) {
	t.Parallel()
	s := &script{next: failed()}
	s.next.State.Error = &koda.Failure{
		Code: koda.CodeRenderFailed, From: koda.PhasePreview, CanRetry: true, Hint: "koda doctor",
		Message: "draw frames 0-59 in 3 browsers: the page threw: x is not defined", Details: strings.Repeat("at a place\n", 100) + "the end",
	}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.sees("✗ The final video could not be made", "  draw frames 0-59 in 3 browsers", "  → the page threw", "  → x is not defined", "do     koda doctor", "go on  koda resume bouncing-ball", "enter try again")
	d.keys("alt+d")
	d.sees("code RENDER_FAILED", "at a place")
	d.keys("end")
	d.sees("the log of it")
	d.keys("home")
	d.sees("code RENDER_FAILED")
	d.keys("esc")
	d.sees("do     koda doctor")
	s.calls = nil
	s.err = &koda.Error{Code: koda.CodeRenderFailed, Op: s.next.State.Error.Message, Hint: "koda doctor"}
	d.keys("enter")
	d.called("resume p1")
	if n := strings.Count(d.m.View(), "the page threw"); n != 1 {
		t.Errorf("the error is told %d times", n)
	}
	s.err = &koda.Error{Code: koda.CodeInUse, Op: "another koda has it"}
	d.keys("enter")
	d.sees("another koda has it")
	s.next, s.err = failed(), nil
	s.next.State.Error = nil
	d.keys("enter")
	d.sees("! The work was interrupted", "enter go on")

	// What is typed then goes on, too, and is taken in when the work is done.
	s.calls, s.next = nil, previewed()
	d.keys("make it blue", "enter")
	d.called("resume p1", "edit p1 make it blue")
}

// TestDone_Still: a finished video is shown by a still, where there is room for it.
func TestDone_Still(t *testing.T) {
	t.Parallel()
	s := &script{next: complete(), clip: &clip{}}
	d := newDesk(t, s, theme.Options{Colors: theme.TrueColor, UTF8: true}, tui.Config{Project: "p1"})
	d.sees("The video is ready", "▀▀▀▀")
	d.keys("alt+p")
	if strings.Contains(d.m.View(), "▀▀▀▀") {
		t.Error("the still stands beside the list of presets, or a line")
	}
	d.keys("esc")
	d.sees("▀▀▀▀")
}

// TestError_Undo: an undo leads out of a plan that failed, and out of a failed change.
func TestError_Undo(t *testing.T) {
	t.Parallel()
	s := &script{next: failed()}
	s.next.State.Error = &koda.Failure{Code: koda.CodeRenderFailed, From: koda.PhasePlan, CanRetry: true, Message: "no plan"}
	d := newDesk(t, s, theme.Options{UTF8: true}, tui.Config{Project: "p1"})
	d.called("stand p1")
	d.sees("No plan came about", "alt+u undo")
	s.next = planned()
	d.keys("alt+u")
	d.called("undo p1")
	d.sees("accept")
}
