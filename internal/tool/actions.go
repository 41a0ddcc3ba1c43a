package tool

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/sandbox"
)

const (
	maxOutput   = 32 << 10 // bytes of stdout, and of stderr, in an answer
	maxThinking = 50       // characters of a thinking line
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
	// The sandbox ends the command at its limit. If the sandbox itself hangs, the
	// context ends the command a little later.
	limited, cancel := context.WithTimeout(ctx, limit+commandGrace)
	defer cancel()
	res, err := b.deps.Commands.Run(limited, sandbox.Command{Line: in.Command, Dir: dir, Background: in.Background, Timeout: limit})
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
		out.Note = fmt.Sprintf("output above %s was cut in the middle; write it to a file to read all of it", size(maxOutput))
	}
	return out, nil
}

func (b *Box) startPreview(ctx context.Context, _ StartPreviewInput) (StartPreviewOutput, error) {
	stream, server, err := b.deps.Live.StartPreview(ctx)
	return StartPreviewOutput{StreamURL: stream, DevServerURL: server}, err
}

func (b *Box) screenshot(ctx context.Context, in ScreenshotInput) (ScreenshotOutput, error) {
	url, err := b.deps.Pictures.Screenshot(ctx, in.SeekTo, in.Width, in.Height)
	return ScreenshotOutput{ImageURL: url, Timestamp: in.SeekTo}, err
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
