package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// The exit statuses.
const (
	exitDone         = 0
	exitFailed       = 1
	exitUsage        = 2
	exitNeedsPerson  = 3
	exitUnauthorized = 4
	exitProvider     = 5
	exitNetwork      = 6
	exitLimit        = 7
	exitRender       = 8
	exitPartial      = 9
	exitNotFound     = 10
	exitInUse        = 11
	exitTimeout      = 124
	exitInterrupted  = 130
)

// exitTable alone turns codes into exit statuses. It has the order in which `koda help
// exit-codes` prints them.
var exitTable = []struct {
	status  int
	meaning string
	codes   []koda.Code
}{
	{exitDone, "done", nil},
	{exitFailed, "failed (a missing tool, a full disk)", []koda.Code{
		koda.CodeFailed, koda.CodeMissingTool, koda.CodeDiskFull, koda.CodeStorageFailed,
		koda.CodeSaveFailed, koda.CodeWriteFailed, koda.CodeReadFailed,
	}},
	{exitUsage, "wrong use: a prompt, flag, data file or asset", []koda.Code{
		koda.CodeUsage, koda.CodeInvalidInput, koda.CodeInvalidPath, koda.CodeExists,
		koda.CodeWrongPhase, koda.CodeUnknownTool,
	}},
	{exitNeedsPerson, "needs a person: an answer or an approval", []koda.Code{
		koda.CodeNeedsPerson, koda.CodeNotAnimation,
	}},
	{exitUnauthorized, "not authorised by a provider", []koda.Code{koda.CodeUnauthorized}},
	{exitProvider, "a provider or sandbox failed", []koda.Code{
		koda.CodeProviderError, koda.CodeQuotaExceeded, koda.CodeTemplateNotFound, koda.CodeSandboxNotFound,
		koda.CodeCommandBlocked, koda.CodeExecutionFailed, koda.CodeServerFailed, koda.CodePortUnavailable,
	}},
	{exitNetwork, "the network failed", []koda.Code{koda.CodeNetwork}},
	{exitLimit, "a budget or a limit of turns was reached", []koda.Code{koda.CodeLimitReached}},
	{exitRender, "the render failed", []koda.Code{
		koda.CodeRenderFailed, koda.CodeEncodeFailed, koda.CodeCaptureFailed, koda.CodeSeekFailed,
		koda.CodeOutOfMemory, koda.CodeBuildFailed, koda.CodePageFailed,
	}},
	{exitPartial, "partial output", []koda.Code{koda.CodePartial}},
	{exitNotFound, "not found", []koda.Code{koda.CodeNotFound, koda.CodeFileNotFound}},
	{exitInUse, "the project is in use by another process", []koda.Code{koda.CodeInUse}},
	{exitTimeout, "a time limit was reached", []koda.Code{koda.CodeTimeout}},
	{exitInterrupted, "interrupted; the work is saved", []koda.Code{koda.CodeInterrupted}},
}

// ExitStatus is the exit status of a command that ended with this code.
func ExitStatus(code koda.Code) int {
	if code == "" {
		return exitDone
	}
	for _, row := range exitTable {
		for _, c := range row.codes {
			if c == code {
				return row.status
			}
		}
	}
	return exitFailed
}

func exitCodesHelp() string {
	var b strings.Builder
	b.WriteString("Every command ends with one of these statuses. The codes are those of the error\nobject under --json (see `koda help json`).\n\n")
	for _, row := range exitTable {
		fmt.Fprintf(&b, "  %-3d  %s\n", row.status, row.meaning)
		var names []string
		for _, c := range row.codes {
			names = append(names, string(c))
		}
		for _, l := range widget.Wrap(strings.Join(names, " "), 70) {
			fmt.Fprintf(&b, "         %s\n", l)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// saidError is an error that the command has already told the person in its own words. It
// only decides the exit status and the JSON error object.
type saidError struct{ err error }

func (e *saidError) Error() string { return e.err.Error() }
func (e *saidError) Unwrap() error { return e.err }

func said(err error) error { return &saidError{err} }

func alreadySaid(err error) bool {
	var s *saidError
	return errors.As(err, &s)
}

// usage is an error of wrong use.
func usage(hint, format string, args ...any) error {
	return &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf(format, args...), Hint: hint}
}
