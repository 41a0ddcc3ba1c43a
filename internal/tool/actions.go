package tool

import (
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

const (
	maxOutput   = 32 << 10 // bytes of stdout, and of stderr, in an answer
	maxLog      = 8 << 10  // bytes of the output of a background process
	maxThinking = 50       // characters of a thinking line

	leastYield = 250 * time.Millisecond // until a terminal is looked at
)

func (b *Box) create(ctx context.Context, in CreateInput) (CreateOutput, error) {
	id, status, err := b.deps.Lifecycle.Create(ctx, in.ReuseExisting)
	return CreateOutput{SandboxID: id, Status: status}, err
}

func (b *Box) destroy(ctx context.Context, in DestroyInput) (Done, error) {
	err := b.deps.Lifecycle.Destroy(ctx, in.SandboxID, in.SaveState)
	return Done{Success: err == nil}, err
}

func (b *Box) runCommand(ctx context.Context, in RunInput) (RunOutput, error) {
	if err := CheckCommand(in.Command); err != nil {
		return RunOutput{}, err
	}
	dir, err := CleanPath(in.WorkingDir)
	if err != nil {
		return RunOutput{}, err
	}
	if in.Background && !b.deps.Can.Background {
		return RunOutput{}, blocked(in.Command, "cannot be kept running in this sandbox", "run it without background")
	}
	limit := time.Duration(in.TimeoutMS) * time.Millisecond
	grace := commandGrace
	if _, installs := Installs(in.Command); installs {
		if in.Background {
			return RunOutput{}, blocked(in.Command, "installs packages in the background", "run it without background")
		}
		limit, grace = max(limit, leastInstall), installGrace
	}
	// The sandbox ends the command at its limit. If the sandbox itself hangs, the
	// context ends the command a little later.
	limited, cancel := context.WithTimeout(ctx, limit+grace)
	defer cancel()
	res, note, err := b.deps.Commands.Run(limited, sandbox.Command{Line: in.Command, Dir: dir, Background: in.Background, Timeout: limit})
	if err != nil {
		if limited.Err() != nil && ctx.Err() == nil {
			return RunOutput{}, timedOut(NameSandboxRunCommand, limit)
		}
		return RunOutput{}, err
	}
	out := RunOutput{ExitCode: res.ExitCode, PID: res.PID}
	var cutOut, cutErr bool
	out.Stdout, cutOut = middleOut(res.Stdout, maxOutput)
	out.Stderr, cutErr = middleOut(res.Stderr, maxOutput)
	if cutOut || cutErr {
		out.Note = cutNote
	}
	out.Note = both(out.Note, note)
	return out, nil
}

var cutNote = fmt.Sprintf("output above %s was cut in the middle; write it to a file to read all of it", size(maxOutput))

// both are two notes, of which each may be "".
func both(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ". " + b
}

func (b *Box) listProcesses(ctx context.Context, _ ListProcessesInput) (ListProcessesOutput, error) {
	all, err := b.deps.Commands.Processes(ctx)
	out := ListProcessesOutput{Processes: []Process{}}
	for _, p := range all {
		text := strings.ToValidUTF8(p.Output, "\uFFFD")
		out.Processes = append(out.Processes, Process{PID: p.PID, Command: p.Line, Running: p.Running, ExitCode: p.ExitCode, Output: tail(text, maxLog)})
	}
	return out, err
}

func (b *Box) stopProcess(ctx context.Context, in StopProcessInput) (Done, error) {
	err := b.deps.Commands.Stop(ctx, in.PID)
	return Done{Success: err == nil}, err
}

func (b *Box) newShell(ctx context.Context, in NewShellInput) (ShellOutput, error) {
	shown, err := b.deps.Shells.NewShell(ctx, in.ShellName, sandbox.Size{Columns: uint16(in.Columns), Rows: uint16(in.Rows)})
	return shellOutput(shown), err
}

func (b *Box) feedChars(ctx context.Context, in FeedInput) (ShellOutput, error) {
	if (in.Columns == 0) != (in.Rows == 0) {
		return ShellOutput{}, &koda.Error{Code: koda.CodeInvalidInput, Op: NameFeedChars + ": columns and rows go together"}
	}
	wait := max(leastYield, time.Duration(in.YieldTimeMS)*time.Millisecond)
	shown, err := b.deps.Shells.Feed(ctx, in.ShellName, in.Chars, sandbox.Size{Columns: uint16(in.Columns), Rows: uint16(in.Rows)}, wait)
	return shellOutput(shown), err
}

func shellOutput(s Shown) ShellOutput {
	out := ShellOutput{Ended: s.Ended, Note: s.Note}
	if s.Ended {
		out.ExitCode = s.Status
	}
	var cut bool
	if out.Output, cut = middleOut(s.Text, maxOutput); cut {
		out.Note = both(cutNote, s.Note)
	}
	return out
}

func (b *Box) startPreview(ctx context.Context, _ StartPreviewInput) (StartPreviewOutput, error) {
	stream, server, err := b.deps.Live.StartPreview(ctx)
	return StartPreviewOutput{StreamURL: stream, DevServerURL: server}, err
}

func (b *Box) screenshot(ctx context.Context, in ScreenshotInput) (ScreenshotOutput, error) {
	url, err := b.deps.Pictures.Screenshot(ctx, in.SeekTo, in.Width, in.Height)
	return ScreenshotOutput{ImageURL: url, Timestamp: in.SeekTo}, err
}

// mostLooks is how many frames are looked at in one call.
const mostLooks = 12

func (b *Box) look(ctx context.Context, in LookInput) (LookOutput, error) {
	if n := len(in.Times); n < 1 || n > mostLooks {
		return LookOutput{}, &koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("%s: there are %d times", NameSandboxLook, n), Hint: fmt.Sprintf("give 1 to %d", mostLooks)}
	}
	seen, err := b.deps.Pictures.Look(ctx, in.Times)
	if err != nil {
		return LookOutput{}, err
	}
	out := LookOutput{ImageURL: "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(seen.Sheet), Frames: []Seen{}, Problems: []Problem{}}
	for _, s := range seen.Sights {
		f := Seen{At: s.Seconds, Scene: s.Scene, Texts: s.Texts, More: s.More, Colours: s.Colours, Changed: math.Round(s.Changed*1000) / 1000}
		out.Frames = append(out.Frames, f)
	}
	for _, f := range seen.Findings {
		out.Problems = append(out.Problems, Problem{At: f.Seconds, Kind: string(f.Kind), About: f.About, Serious: f.Serious})
	}
	return out, nil
}

func (b *Box) renderPreview(ctx context.Context, in RenderPreviewInput) (RenderPreviewOutput, error) {
	r, err := b.deps.Renders.RenderPreview(ctx, in.Duration)
	return RenderPreviewOutput{
		VideoURL: r.Video, ThumbnailURL: r.Thumbnail, Duration: r.Duration, RenderTimeMS: r.ElapsedMS, Note: r.Note,
	}, err
}

func (b *Box) renderFinal(ctx context.Context, in RenderFinalInput) (RenderFinalOutput, error) {
	r, err := b.deps.Renders.RenderFinal(ctx, FinalRender(in))
	return RenderFinalOutput{
		VideoURL: r.Video, ThumbnailURL: r.Thumbnail, Duration: r.Duration, FileSizeBytes: r.Size, RenderTimeMS: r.ElapsedMS,
	}, err
}

func (b *Box) updateTodo(ctx context.Context, in UpdateTodoInput) (Done, error) {
	err := b.deps.Todos.UpdateTodo(ctx, in.TodoID, in.Status)
	return Done{Success: err == nil}, err
}

// setThinking makes one short line of the message, whatever the message is.
func (b *Box) setThinking(ctx context.Context, in SetThinkingInput) (Done, error) {
	line := clip(strings.Join(strings.Fields(in.Message), " "), maxThinking)
	err := b.deps.Reports.SetThinking(ctx, line)
	return Done{Success: err == nil}, err
}

func (b *Box) addMessage(ctx context.Context, in AddMessageInput) (AddMessageOutput, error) {
	id, err := b.deps.Reports.AddMessage(ctx, strings.TrimSpace(in.Content))
	return AddMessageOutput{MessageID: id}, err
}
