package cli

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/tui"
)

// Parse parses args as a command would and returns its options; no work is
// done.
func parse[O any](newCmd func(*app, func(context.Context, *O) error) *cobra.Command, args []string) (O, error) {
	var got O
	c := newCmd(&app{io: &IO{Out: io.Discard, Err: io.Discard}}, func(_ context.Context, o *O) error {
		got = *o
		return nil
	})
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetFlagErrorFunc(flagError)
	c.SetArgs(append([]string{}, args...))
	return got, c.Execute()
}

func ParseNew(args ...string) (NewOptions, error)         { return parse(newNewCmd, args) }
func ParseAnswer(args ...string) (AnswerOptions, error)   { return parse(newAnswerCmd, args) }
func ParseAccept(args ...string) (AcceptOptions, error)   { return parse(newAcceptCmd, args) }
func ParseReject(args ...string) (RejectOptions, error)   { return parse(newRejectCmd, args) }
func ParseEdit(args ...string) (EditOptions, error)       { return parse(newEditCmd, args) }
func ParseResume(args ...string) (ResumeOptions, error)   { return parse(newResumeCmd, args) }
func ParseRender(args ...string) (RenderOptions, error)   { return parse(newRenderCmd, args) }
func ParseStill(args ...string) (StillOptions, error)     { return parse(newStillCmd, args) }
func ParsePreview(args ...string) (PreviewOptions, error) { return parse(newPreviewCmd, args) }
func ParseInit(args ...string) (InitOptions, error)       { return parse(newInitCmd, args) }
func ParseSheet(args ...string) (SheetOptions, error)     { return parse(newSheetCmd, args) }
func ParseShow(args ...string) (ShowOptions, error)       { return parse(newShowCmd, args) }
func ParsePlay(args ...string) (PlayOptions, error)       { return parse(newPlayCmd, args) }
func ParseDoctor(args ...string) (DoctorOptions, error)   { return parse(newDoctorCmd, args) }
func ParseMessages(args ...string) (MessagesOptions, error) {
	return parse(newMessagesCmd, args)
}
func ParseDelete(args ...string) (DeleteOptions, error) { return parse(newDeleteCmd, args) }
func ParseHistory(args ...string) (HistoryOptions, error) {
	return parse(newHistoryCmd, args)
}
func ParseDiff(args ...string) (DiffOptions, error) { return parse(newDiffCmd, args) }
func ParseUndo(args ...string) (UndoOptions, error) { return parse(newUndoCmd, args) }
func ParseRedo(args ...string) (RedoOptions, error) { return parse(newRedoCmd, args) }
func ParseFork(args ...string) (ForkOptions, error) { return parse(newForkCmd, args) }
func ParseCheckout(args ...string) (CheckoutOptions, error) {
	return parse(newCheckoutCmd, args)
}
func ParseConfigSet(args ...string) (ConfigSetOptions, error) {
	return parse(newConfigSetCmd, args)
}

// Codes lists every code the exit table knows.
func Codes() []string {
	var codes []string
	for _, row := range exitTable {
		for _, c := range row.codes {
			codes = append(codes, string(c))
		}
	}
	return codes
}

// ParseSeconds reads times as people write them.
var ParseSeconds = parseSeconds

// WriteFailed is how commands say that they could not write a file.
var WriteFailed = writeFailed

// Studio is the engine as the studio sees it; flags are those of `koda new`.
func Studio(io *IO, deps Deps, e Engine, flags NewOptions) tui.Session {
	return &studioSession{a: &app{io: io, deps: deps}, e: e, o: studioOptions{new: flags}}
}

// Key waits for a key at a terminal as a playing video does.
func Key(tty *os.File) (pressed <-chan struct{}, restore func()) {
	return (&IO{In: tty, Screen: func() (in, out *os.File) { return tty, tty }, edits: true}).key()
}
