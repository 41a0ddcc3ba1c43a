package serve

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/koda-video/koda/internal/koda"
)

// Problem is the body of every answer that is a failure: a problem detail (RFC 9457).
type Problem struct {
	Type   string              `json:"type" doc:"always about:blank: code says what the problem is"`
	Title  string              `json:"title" doc:"the status in words"`
	Status int                 `json:"status"`
	Detail string              `json:"detail" doc:"what failed, in a sentence"`
	Code   koda.Code           `json:"code" doc:"koda's code, the same as of its commands"`
	Hint   string              `json:"hint,omitempty" doc:"what to do"`
	Errors []*huma.ErrorDetail `json:"errors,omitempty" doc:"where the request is wrong"`
}

// Error implements error.
func (p *Problem) Error() string { return p.Detail }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements huma.ContentTypeFilter.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// statuses are the HTTP statuses of koda's codes; all others are 500.
var statuses = map[koda.Code]int{
	koda.CodeUsage: http.StatusUnprocessableEntity, koda.CodeInvalidInput: http.StatusUnprocessableEntity,
	koda.CodeInvalidPath: http.StatusUnprocessableEntity, koda.CodeNotAnimation: http.StatusUnprocessableEntity,
	koda.CodeNotFound: http.StatusNotFound, koda.CodeFileNotFound: http.StatusNotFound,
	koda.CodeInUse: http.StatusConflict, koda.CodeWrongPhase: http.StatusConflict, koda.CodeExists: http.StatusConflict,
	koda.CodeNeedsPerson: http.StatusConflict, koda.CodeLimitReached: http.StatusConflict,
	koda.CodeQuotaExceeded: http.StatusTooManyRequests, koda.CodeDiskFull: http.StatusInsufficientStorage,
	koda.CodeUnauthorized: http.StatusBadGateway, koda.CodeNetwork: http.StatusBadGateway, koda.CodeProviderError: http.StatusBadGateway,
	koda.CodeTimeout: http.StatusGatewayTimeout, koda.CodeInterrupted: http.StatusServiceUnavailable,
}

// codes are the codes of statuses that the HTTP layer itself answers.
var codes = map[int]koda.Code{
	http.StatusUnauthorized: koda.CodeUnauthorized, http.StatusForbidden: koda.CodeUnauthorized, http.StatusNotFound: koda.CodeNotFound,
	http.StatusTooManyRequests: koda.CodeQuotaExceeded, http.StatusRequestTimeout: koda.CodeTimeout, http.StatusServiceUnavailable: koda.CodeInterrupted,
	http.StatusInternalServerError: koda.CodeFailed,
}

func init() {
	huma.ValidateStrictCasing = true
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		if status == http.StatusInternalServerError {
			var short cutShort
			var long *http.MaxBytesError
			switch err := errors.Join(errs...); {
			case errors.As(err, &long):
				return tooLong(long.Limit)
			case errors.As(err, &short):
				return problem(http.StatusBadRequest, koda.CodeInvalidInput, "the body did not come whole", "send it again")
			}
		}
		p := problem(status, codeOf(status), message, "")
		for _, err := range errs[:min(len(errs), mostErrors)] {
			if d, ok := err.(huma.ErrorDetailer); ok { //nolint:errorlint // huma gives the details themselves
				detail := *d.ErrorDetail()
				detail.Value = nil // it may be long, or a secret
				detail.Location, detail.Message = short(detail.Location), short(detail.Message)
				p.Errors = append(p.Errors, &detail)
			} else if err != nil {
				p.Errors = append(p.Errors, &huma.ErrorDetail{Message: short(err.Error())})
			}
		}
		if len(p.Errors) > 0 {
			p.Detail = strings.TrimPrefix(p.Errors[0].Location+": "+p.Errors[0].Message, ": ")
		}
		return hinted(p)
	}
}

// mostErrors is how many errors of a request are told.
const mostErrors = 20

// short is the beginning of a text that may be as long as a request.
func short(text string) string {
	const most = 200
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// codeOf is the code of a status that the HTTP layer itself answers.
func codeOf(status int) koda.Code { return cmp.Or(codes[status], koda.CodeInvalidInput) }

func problem(status int, code koda.Code, detail, hint string) *Problem {
	return &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail, Code: code, Hint: hint}
}

func tooLong(limit int64) *Problem {
	return problem(http.StatusRequestEntityTooLarge, koda.CodeUsage, fmt.Sprintf("the body is longer than %d MB", limit/1e6), "`koda config set serve-body` allows more")
}

// busy asks a client to come again later.
func busy(why string, later time.Duration) error {
	n := strconv.Itoa(int((later + time.Second - 1) / time.Second))
	return huma.ErrorWithHeaders(problem(http.StatusTooManyRequests, koda.CodeQuotaExceeded, why, "come again in "+n+" s"), http.Header{"Retry-After": {n}})
}

// problemOf is the answer about an error of the engine. Paths of this machine are left out.
func (s *Server) problemOf(err error, p koda.Project) error {
	if err == nil {
		return nil
	}
	code := koda.CodeOf(err)
	status := cmp.Or(statuses[code], http.StatusInternalServerError)
	if status == http.StatusInternalServerError {
		s.cfg.Log.Error("a request failed", "project", p.ID, "error", err)
	}
	if code == koda.CodeInUse && p.Name != "" { // which process of which machine it is, is nothing to clients
		return problem(status, code, "somebody works on "+p.Name, "wait until the work is done; cancel ends it, saved")
	}
	return problem(status, code, asked(s.scrub(err.Error(), p)), asked(s.scrub(koda.HintOf(err), p)))
}

// operations are the routes that do what commands do, where their names differ.
var operations = map[string]string{"list": "listProjects", "show": "showProject", "history": "listVersions", "messages": "listMessages", "follow": "events", "delete": "deleteProject", "new": "newProject"}

var (
	aCommand = regexp.MustCompile("`koda (list|show|history|messages|follow|delete|new|answer|accept|reject|edit|resume|cancel|undo|redo|checkout|render)\\b[^`]*`")
	aFlag    = regexp.MustCompile(`--(prompt|name|style|duration|preset|author|recipe|data|asset|format|resolution|fps|from|to|yes)\b`)
)

// asked says of commands and flags in a text what clients ask for instead.
func asked(text string) string {
	text = aCommand.ReplaceAllStringFunc(text, func(command string) string {
		verb := aCommand.FindStringSubmatch(command)[1]
		return cmp.Or(operations[verb], verb)
	})
	return aFlag.ReplaceAllString(text, "$1")
}

// failure is why work on a project failed, without paths of this machine; nil stays nil.
func (s *Server) failure(f *koda.Failure, p koda.Project) *koda.Failure {
	if f == nil {
		return nil
	}
	clean := *f
	clean.Message, clean.Hint, clean.Details = s.scrub(f.Message, p), asked(s.scrub(f.Hint, p)), s.scrub(f.Details, p)
	return &clean
}

// scrub takes the directories of this machine out of a text.
func (s *Server) scrub(text string, p koda.Project) string {
	if p.Dir != "" { // beside its name
		text = strings.ReplaceAll(text, ", "+p.Dir+",", "")
	}
	for _, dir := range []struct{ dir, as string }{{p.Dir + "/", ""}, {p.Dir, p.Name}, {s.cfg.Home + "/", "~koda/"}, {s.cfg.Home, "~koda"}, {s.cfg.Parent + "/", ""}, {s.cfg.Parent, "."}} {
		if len(dir.dir) > 1 {
			text = strings.ReplaceAll(text, dir.dir, dir.as)
		}
	}
	return text
}
