package cli

import (
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// payload is a command's result under --json: a struct that embeds head.
type payload interface{ header() *head }

// head is what every result has. Error is set unless OK is true.
type head struct {
	OK       bool       `json:"ok"`
	ExitCode int        `json:"exitCode"`
	Error    *errorBody `json:"error,omitempty"`
	Outputs  []made     `json:"outputs,omitempty"` // see made
	*Drawn
	Warnings []string `json:"warnings,omitempty"` // about settings files, see tellSettings, and about the page of a picture
}

func (h *head) header() *head { return h }

// errorBody is the error object of a result.
type errorBody struct {
	Code    koda.Code `json:"code"`
	Message string    `json:"message"`
	Hint    string    `json:"hint,omitempty"`
	Details string    `json:"details,omitempty"`
}

func bodyOf(err error) *errorBody {
	if err == nil {
		return nil
	}
	return &errorBody{Code: koda.CodeOf(err), Message: err.Error(), Hint: koda.HintOf(err), Details: koda.DetailsOf(err)}
}

// workResult is the result of a command that works on a project: where the project stands
// now. Fields are present only once they have a value.
type workResult struct {
	head
	Project  *koda.Project  `json:"project,omitempty"`
	Waiting  engine.Waiting `json:"waiting"`
	Next     []string       `json:"next,omitempty"`     // commands that go on
	Question *koda.Asked    `json:"question,omitempty"` // while the project waits for an answer
	Plan     *koda.Plan     `json:"plan,omitempty"`
	Notes    []string       `json:"notes,omitempty"` // notes of the plan: what was not understood, and what koda chose
	Preview  *koda.Preview  `json:"preview,omitempty"`
	Output   *koda.Output   `json:"output,omitempty"` // once complete
	Saved    *engine.Saved  `json:"saved,omitempty"`  // what a resumed run did not have to do again
}

// renderResult is the result of `koda render`, `koda still` and `koda sheet`.
type renderResult struct {
	head
	Project *koda.Project      `json:"project,omitempty"`
	Render  *koda.RenderResult `json:"render,omitempty"`
	// Renders are the renders of several presets.
	Renders []koda.RenderResult `json:"renders,omitempty"`
	Sheet   string              `json:"sheet,omitempty"` // absolute path of the PNG
	Still   string              `json:"still,omitempty"` // absolute path of the PNG
}

const jsonHelp = `Under --json standard output is lines of JSON, one object a line. Commands that
work (new, answer, accept, reject, edit, code, ask, resume, render, undo, redo, checkout,
fork, sandbox build), follow and preview write events while they go on; every command ends with exactly one result,
failed or not. Nothing else is printed and nothing is asked.

Every line is an envelope:

  {"schema": 1, "project": "3f2a91c07be4", "at": "2026-03-04T05:06:07.089Z",
   "seq": 7, "type": "TODO_UPDATE", "payload": {...}}

project is the id of the project that the event is about, if there is one, and at
is the time of the event. seq numbers the durable events of a project from 1.
Passing events (THINKING, TEXT_DELTA, TOOL_USED, COMMAND_OUTPUT, USAGE, WARNING,
RENDER_PROGRESS, ROW_UPDATE, IMAGE_BUILD, SANDBOX_STATUS) have no seq, are not
stored and may be dropped. Fields may be added to a shape; none is renamed or removed while schema
stays the same.

Events and their payloads:

  STATE_CHANGE     {phase, state}: state is the whole state of the project
  TODO_UPDATE      {todoId, status, label, leftOut}: pending, active or done; leftOut
                   says why the author did not do it
  THINKING         {message}
  TEXT_DELTA       {text, thinking, tool or again}: what a model says, piece by
                   piece; tool names the tool it is about to use, again says
                   that the answer begins anew
  MESSAGE          {role, content}: user, assistant, or system for what koda
                   notes itself
  TOOL_USED        {tool, about, detail, error}: a tool of the author; detail is
                   text to read, cut where it is long
  COMMAND_OUTPUT   {stream, text}: what a command of the author writes, as it comes;
                   stream is stderr or left out
  USAGE            {model, usd, unpriced, inputTokens, cachedTokens, outputTokens}:
                   of one answer; unpriced is 1 if nobody knows its price
  WARNING          {message}: something is amiss, and the work goes on
  FILE_WRITTEN     {path, size, deleted}
  CHECKPOINT       {todoIndex, files}
  VERSION          {version, files, model, cost {usd, ...}}
  CHECKOUT         {version}: the files are those of that version now
  TURN_UPDATE      {turnId, number, kind, status, blocks}: of a turn of an outside
                   agent, see 'koda watch': running, completed or failed
  PREVIEW_READY    {url}: absolute path of the preview video
  RENDER_PROGRESS  {kind, stage, frame, frames, percent, fps, etaMs, passed,
                   toPass, capture, encoder, workers [{first, last, drawn, passed,
                   doing: starting, forward, drawing or encoding, try}]}
  ROW_UPDATE       {row, rows, status, output, frames, reused, error}: of a
                   batch; started, done or failed
  IMAGE_BUILD      {image, step, steps, text}: of building the image of
                   sandboxes; image and text are for people
  SANDBOX_STATUS   {sandboxId, status, note}: creating, ready, busy while an author
                   works in it, or destroyed; note says that it was started
                   again after it had been stopped
  OUTPUT_READY     {url, copy, thumbnailUrl, sha256}: one a final video
  LIVE_VIEW        {url}: where koda preview shows the page, until it ends
  ERROR            {code, message, hint}

The last line:

  {"schema": 1, "at": "...", "type": "result", "payload": {"ok": true, "exitCode": 0, ...}}

When ok is false there is an error {code, message, hint, details}, and exitCode
is the exit status (see ` + "`koda help exit-codes`" + `). Where a browser drew
there are browserSandbox, on or off, and browserSandboxWhy, which says why it is
off. Warnings [...] tell what settings files say that is not obeyed, and of still
and sheet what the page did that cannot be meant. Where there are files to look
at, there are

  outputs [{kind, path, version, size, sha256}]: kind is video, preview,
            thumbnail, strip, still, sheet, or frames, which is a directory;
            paths are absolute; the one that was asked for is the first

Beside these:

  new answer accept reject edit resume fork follow cancel
            project {id, name, dir, phase, ...}
            waiting "", "answer", "plan", "preview" or "retry"; next: commands
              that go on
            question {text, options [{id, label, description}], customInput}
            plan {scenes [{number, title, duration, description,
              animationNotes}], totalDuration, style, fps, video {width, height,
              fps, format}, notes, todos [{label, task, scene}] of a plan that
              brings its own}
            notes [...]: those of the plan, what koda did not understand first
            preview {videoUrl, duration, version, note}
            output {videoUrl, copy: where --output put it as well, thumbnailUrl,
              duration, resolution, fps, frames, fileSize, sha256, version,
              others [...] of further presets}: paths are absolute
            saved {calls, frames}: what a resumed run did not do again
  say       project, todo {id, label, status}: what it became; also of edit
              while another process works
  code      project, from, to: versions, files [...]: as diff gives them, preview,
              copy {dir, commit, links [...]: left out, pointers [...]: of Git
              LFS}: with --ref
  ask       project, question, answer, turn, cost {usd, ...}, copy: as code
  init      dir, page, kinds [...], way: seeks, seek, play or by hand, why,
            manifest {...}, from {size, fps, duration}: what told them, "" a
            default, changes [{path, line: that was put in, content: with
            --dry-run}], lines and where: to add by hand, notes [...], next
            [...], dryRun
  render    project, render {video, thumbnail, strip, format, width, height, fps,
              frames, duration, size, sha256, captured, reused, renderTimeMs,
              encoder, method, gl, sound {path, sha256, loop, lufs, gain,
              reused}, note, retries [...], warnings [...]: what the page
              did that cannot be meant}, with --explain ranges [{first,
              last, reused, reason, why}]; of png
              video is a directory, and sha256 that of its pictures one after
              the other; renders [...] of several presets
            with --batch: project, rows [{row, output, render or error}]
  still     project, still: absolute path of the PNG
  sheet     project, sheet: absolute path of the PNG
  list      projects [...]
  show      project, state, version: the current one, waiting, next,
              declined: why no animation was asked for, turns,
              renders, versions [{number, parent, turnId, prompt, author,
              phase, files {path: sha256}, createdAt, model, promptDigest,
              runtimeDigest, cost {usd, unpriced: answers of unknown price,
              inputTokens, cachedTokens: of those, outputTokens}, origin
              {projectId, name, dir, version}}], cost: of the models in all,
              bills [{model, answers, usd, ...}]; turns have a cost as well
  pull      project, dir: absolute, brought, sent: files, deleted ones too, bytes,
              kept [...]: paths that both sides changed, odd [...]: what was
              left out, and why; also of watch --exec, with status: of the
              command, whose output goes to standard error then
  stats     projects [{id, name, ...}], total; each with turns, failedTurns,
              modelCalls, toolCalls, cost {usd, ...}, renders, failedRenders,
              frames, reusedFrames: of those, from finished segments,
              renderTime {total, median, longest}: seconds
  play      project, version, preview: absolute path of the video, which is not
              played
  shell     project, stdout, stderr, status: of the command after --, with
            which koda ends as well
  history   project, current, edited: files in place are in no version, cost,
              versions [{current, added [...], changed [...], deleted [...],
              thumbnail, preview, video, and all that show gives of one}]
  diff      project, from, to, edited: it is the files as they are, which
              differ from to, files [{path, status: added, changed or deleted,
              binary, added, deleted: lines, oldSize, newSize, diff: unified}];
              with --video: render, as render gives it
  undo redo checkout
            project, from, version: the current one now, kept: the version
              that your edits became first, gaveUp: what was cut short, waiting,
              preview and output of it
  messages  project, messages [{id, role, content, timestamp}]: all, in order;
            told [...]: what the author would be told of them; warning
  presets   presets [{name, aliases, about, kind, width, height, longSide, fps,
              crf, encoderPreset, format, maxSeconds}]
  recipes   recipes [{name, title, about, base, rank, examples [...], subjects,
              fits [...], params [{name, type, help, auto, min, max, unit,
              default, choices, columns, words, takes}]}];
            recipes show, lint: recipe, one of them;
            recipes schema: schema, the JSON Schema of its parameters;
            recipes update: as edit, or project, recipe, upToDate: true
  fonts     installed, fonts [{name, scripts [...], from, licence, own}];
            fonts remove: removed [...], names
  models    services [{provider, address, answers, error {code, message, hint},
              default, models [{id, context, output, pictures, tools, parallel,
              ends}]}]: what a service does not say is not there
            models try: model, trial {model, tools, parallel, pictures,
              noPicture: why it was asked without one, ms, usage {input,
              cacheRead, cacheWrite, output, usd}}
  delete    project, left [...]: what stayed in its directory; with --render
              render {id, ...}, removed [...]
  doctor    checks [{name, status, detail, fix, required}]: ok, warn, missing
  gc        sandboxes [{id, project, why}], previews [{path, size}], sessions,
              contents [{project, files, size}], leftovers [...], browsers [...],
              temps [...], sockets [...], commits [...], partial, removed,
              removedBytes, kept, keptBytes, cache, limit, busy, dryRun
  sandbox build
            image {tag, id, size, created, current}, built: it was not there
  sandbox ls
            images [{tag, id, size, created, current}], sandboxes [{id,
            projectId, pid, started, host, created, orphan, image, status}];
            sandbox prune: those removed, dryRun; sandbox rm: removed [...]
  sandbox logs
            log: a text
  sandbox seccomp
            profile {...}: as an engine reads it
  bench     project, bench {width, height, fps, frames, method, gl,
              stages [{name, ms, msPerFrame}], render {name, ms, msPerFrame},
              limits [{name, fps}]}
  config    settings [{name, value, origin, place, secret}], file
  trust     files [{path, sha256, trusted, changed, gone, settings [{name,
              value, origin, place, secret}]}], removed [...]
  version   version, commit, date, go, platform

The video of a script:

  koda new "bouncing ball" --yes --json | jq -r 'select(.type=="result").payload.outputs[0].path'`
