package koda

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
)

// Code names a kind of failure. Codes are stable: scripts match them, and
// exit statuses follow from them.
type Code string

// The codes of the tools.
const (
	CodeQuotaExceeded    Code = "QUOTA_EXCEEDED"
	CodeTemplateNotFound Code = "TEMPLATE_NOT_FOUND"
	CodeProviderError    Code = "PROVIDER_ERROR"
	CodeSandboxNotFound  Code = "SANDBOX_NOT_FOUND"
	CodeSaveFailed       Code = "SAVE_FAILED"
	CodeInvalidPath      Code = "INVALID_PATH"
	CodeWriteFailed      Code = "WRITE_FAILED"
	CodeFileNotFound     Code = "FILE_NOT_FOUND"
	CodeReadFailed       Code = "READ_FAILED"
	CodeCommandBlocked   Code = "COMMAND_BLOCKED"
	CodeTimeout          Code = "TIMEOUT"
	CodeExecutionFailed  Code = "EXECUTION_FAILED"
	CodeServerFailed     Code = "SERVER_FAILED"
	CodePortUnavailable  Code = "PORT_UNAVAILABLE"
	CodeCaptureFailed    Code = "CAPTURE_FAILED"
	CodeSeekFailed       Code = "SEEK_FAILED"
	CodeRenderFailed     Code = "RENDER_FAILED"
	CodeEncodeFailed     Code = "ENCODE_FAILED"
	CodeStorageFailed    Code = "STORAGE_FAILED"
	CodeOutOfMemory      Code = "OUT_OF_MEMORY"
	CodeUnknownTool      Code = "UNKNOWN_TOOL"
	CodeInvalidInput     Code = "INVALID_INPUT"
)

// The codes of the commands and the engine.
const (
	CodeFailed       Code = "FAILED"        // anything without a better word
	CodeUsage        Code = "USAGE"         // a flag, prompt, asset or data file is wrong
	CodeNeedsPerson  Code = "NEEDS_PERSON"  // an answer or an approval is missing
	CodeNotAnimation Code = "NOT_ANIMATION" // no animation was asked for
	CodeUnauthorized Code = "UNAUTHORIZED"
	CodeNetwork      Code = "NETWORK"
	CodeLimitReached Code = "LIMIT_REACHED"
	CodePartial      Code = "PARTIAL"
	CodeNotFound     Code = "NOT_FOUND"
	CodeInUse        Code = "IN_USE"
	CodeInterrupted  Code = "INTERRUPTED"
	CodeMissingTool  Code = "MISSING_TOOL" // chromium, ffmpeg or the page runtime
	CodeBuildFailed  Code = "BUILD_FAILED" // the project's code does not build
	CodePageFailed   Code = "PAGE_FAILED"  // the page threw, hung or never became ready
	CodeDiskFull     Code = "DISK_FULL"
	CodeExists       Code = "EXISTS"      // a name or an output is taken
	CodeWrongPhase   Code = "WRONG_PHASE" // not possible where the project stands
)

// Error is a failure a person can act on: one line says what failed, and one line
// says what to do. The face prints it once.
//
// Op is a sentence fragment in lower case without a full stop ("open project
// \"ball\""). Err, when set, is the cause and is appended after a colon. Hint may
// be empty.
type Error struct {
	Code Code
	Op   string
	Err  error
	Hint string
	// Details are further lines for people who want to know more (stderr of a
	// child, the source line of a build mistake). Op can be understood without
	// them.
	Details string
	// Lasting says that the same call would fail again in the same way: a second
	// try gains nothing.
	Lasting bool
}

// Error returns "op: cause".
func (e *Error) Error() string {
	switch {
	case e.Err == nil:
		return e.Op
	case e.Op == "":
		return e.Err.Error()
	}
	return e.Op + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrUndo is the cause of an error over a change that asks for nothing but what was before: whoever keeps versions can go back.
var ErrUndo = errors.New("it asks for the version before")

// CodeOf finds the code of err: the code of the outermost *Error in its chain,
// INTERRUPTED for context.Canceled, TIMEOUT for context.DeadlineExceeded, "" for
// nil, else FAILED.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) && e.Code != "" {
		return e.Code
	}
	switch {
	case errors.Is(err, context.Canceled):
		return CodeInterrupted
	case errors.Is(err, context.DeadlineExceeded):
		return CodeTimeout
	}
	return CodeFailed
}

// Lasting reports whether an error in err's chain is Lasting.
func Lasting(err error) bool {
	var e *Error
	for errors.As(err, &e) {
		if e.Lasting {
			return true
		}
		err = e.Err
	}
	return false
}

// HintOf finds the first hint in err's chain.
func HintOf(err error) string { return first(err, func(e *Error) string { return e.Hint }) }

// DetailsOf finds the first details in err's chain.
func DetailsOf(err error) string { return first(err, func(e *Error) string { return e.Details }) }

func first(err error, get func(*Error) string) string {
	for err != nil {
		var e *Error
		if !errors.As(err, &e) {
			return ""
		}
		if s := get(e); s != "" {
			return s
		}
		err = e.Err
	}
	return ""
}

// Sentence is one sentence of an error: what failed, and the first known reason,
// such as what the page was waiting for.
func Sentence(err error) string {
	what := err.Error()
	why, _, _ := strings.Cut(DetailsOf(err), "\n")
	if why == "" || strings.Contains(what, why) {
		return what
	}
	return what + "; " + why
}

// DiskFull is the DISK_FULL of a write that failed with err; nil when err tells of
// neither a full disk nor a used-up quota. It names no file: temporary files have
// names that help nobody.
func DiskFull(op string, err error, hint string) *Error {
	for _, full := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT} {
		if errors.Is(err, full) {
			return &Error{Code: CodeDiskFull, Op: op, Err: full, Hint: hint}
		}
	}
	return nil
}

// DiskError gives a failure of the disk its code and a hint: DISK_FULL, else
// STORAGE_FAILED.
func DiskError(op string, err error) error {
	if full := DiskFull(op, err, "free some space on that disk and go on: finished segments are kept"); full != nil {
		return full
	}
	if errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return &Error{Code: CodeStorageFailed, Op: op, Err: err, Hint: "check the permissions, or choose another place"}
	}
	return &Error{Code: CodeStorageFailed, Op: op, Err: err, Hint: "choose another place; koda doctor looks at koda's own"}
}
