package tool

import "github.com/koda-video/koda/internal/koda"

// The types of this file are the inputs and outputs of the tools, and the one
// source of their JSON schemas: schema and decoder are both made from the
// fields and their tags, so they cannot differ. A field without omitempty is
// required. The tags are read by package-private code in schema.go:
//
//	desc     what the field is, for the author
//	enum     the allowed values, separated by |
//	default  the value of a field left out
//	min, max the allowed range of a number, both inclusive
//	above    a number's lower bound, exclusive
//	maxlen   the longest allowed string, in characters
//	filled   "true": the string must hold something besides white space

// CreateInput is the input of sandbox_create.
type CreateInput struct {
	ReuseExisting bool `json:"reuse_existing" desc:"Use the session's living sandbox when there is one."`
}

// CreateOutput is the output of sandbox_create.
type CreateOutput struct {
	SandboxID string `json:"sandbox_id"`
	Status    string `json:"status" enum:"created|reused"`
}

// DestroyInput is the input of sandbox_destroy.
type DestroyInput struct {
	SandboxID string `json:"sandbox_id" filled:"true"`
	SaveState bool   `json:"save_state" desc:"Copy the project's files and state out of the sandbox first."`
}

// Done is the output of tools that have nothing more to say.
type Done struct {
	Success bool `json:"success"`
}

// WriteInput is the input of sandbox_write_file.
type WriteInput struct {
	Path     string `json:"path" filled:"true" maxlen:"512" desc:"Relative to the project root, e.g. src/App.tsx."`
	Content  string `json:"content" desc:"The whole file: code, JSON, or base64 for binary files."`
	Encoding string `json:"encoding,omitempty" enum:"utf8|base64" default:"utf8"`
}

// WriteOutput is the output of sandbox_write_file.
type WriteOutput struct {
	Success   bool   `json:"success"`
	Path      string `json:"path" desc:"The path as it was understood."`
	SizeBytes int64  `json:"size_bytes"`
}

// EditInput is the input of edit_file.
type EditInput struct {
	Path      string `json:"path" filled:"true" maxlen:"512"`
	OldString string `json:"old_string" desc:"Text that occurs exactly once in the file, as it is there: whole lines, with their indentation."`
	NewString string `json:"new_string" desc:"What replaces it, whole; empty removes it."`
}

// EditOutput is the output of edit_file.
type EditOutput struct {
	Success   bool   `json:"success"`
	Path      string `json:"path"`
	SizeBytes int64  `json:"size_bytes"`
	Line      int    `json:"line" desc:"Line of the file, from 1, where the replacement begins."`
	Matched   string `json:"matched" enum:"exact|line-trimmed|indentation-flexible|block-anchored|similarity" desc:"How old_string was found. If not exact, the file differs from it, and only the lines were changed that new_string changes."`
}

// DeleteInput is the input of sandbox_delete_file.
type DeleteInput struct {
	Path string `json:"path" filled:"true" maxlen:"512" desc:"A file, not a directory."`
}

// ReadInput is the input of sandbox_read_file.
type ReadInput struct {
	Path   string `json:"path" filled:"true" maxlen:"512"`
	Offset int64  `json:"offset,omitempty" default:"0" min:"0" desc:"Byte to start at, to go on with a long file."`
}

// ReadOutput is the output of sandbox_read_file. SizeBytes is the size of the whole
// file. A file longer than one answer comes in parts: NextOffset is the offset of
// the next part, and 0 in the last part.
type ReadOutput struct {
	Content    string `json:"content"`
	Encoding   string `json:"encoding" enum:"utf8|base64" desc:"base64 when the file is not text."`
	SizeBytes  int64  `json:"size_bytes" desc:"Of the whole file."`
	NextOffset int64  `json:"next_offset,omitempty" desc:"Present when the content was cut: read on from here."`
	Note       string `json:"note,omitempty"`
}

// ListInput is the input of sandbox_list_files.
type ListInput struct {
	Path      string `json:"path,omitempty" default:"." maxlen:"512" desc:"A directory, e.g. src/components."`
	Recursive bool   `json:"recursive,omitempty" default:"false" desc:"Include what lies in subdirectories."`
}

// ListOutput is the output of sandbox_list_files, sorted by path.
type ListOutput struct {
	Files []File `json:"files"`
	Note  string `json:"note,omitempty"`
}

// File is one entry of a listing.
type File struct {
	Path      string `json:"path"`
	Type      string `json:"type" enum:"file|directory"`
	SizeBytes int64  `json:"size_bytes"`
}

// RunInput is the input of sandbox_run_command.
type RunInput struct {
	Command    string `json:"command" filled:"true" maxlen:"16384" desc:"A shell command, e.g. bun run build."`
	Background bool   `json:"background,omitempty" default:"false" desc:"Return at once and keep it running, for servers."`
	TimeoutMS  int    `json:"timeout_ms,omitempty" default:"30000" min:"1" max:"600000"`
	WorkingDir string `json:"working_dir,omitempty" default:"." maxlen:"512" desc:"Relative to the project root."`
}

// RunOutput is the output of sandbox_run_command. If a command ran and failed, its
// exit code is in the output, and there is no error.
type RunOutput struct {
	Stdout   string `json:"stdout"`
	Stderr   string `json:"stderr"`
	ExitCode int    `json:"exit_code" desc:"-1 for a background command."`
	PID      int    `json:"pid,omitempty" desc:"Of a background command."`
	Note     string `json:"note,omitempty"`
}

// ListProcessesInput is the input of sandbox_list_processes.
type ListProcessesInput struct{}

// ListProcessesOutput is the output of sandbox_list_processes, in the order of their start.
type ListProcessesOutput struct {
	Processes []Process `json:"processes"`
}

// Process is a background command.
type Process struct {
	PID      int    `json:"pid"`
	Command  string `json:"command"`
	Running  bool   `json:"running"`
	ExitCode int    `json:"exit_code" desc:"Once it has ended."`
	Output   string `json:"output" desc:"The end of what it wrote to stdout and stderr."`
}

// StopProcessInput is the input of sandbox_stop_process.
type StopProcessInput struct {
	PID int `json:"pid" min:"1" desc:"Of a background command."`
}

// NewShellInput is the input of create_new_shell.
type NewShellInput struct {
	ShellName string `json:"shell_name,omitempty" default:"default" filled:"true" maxlen:"64"`
	Columns   int    `json:"columns,omitempty" default:"120" min:"20" max:"500" desc:"Width of its terminal, in characters."`
	Rows      int    `json:"rows,omitempty" default:"40" min:"5" max:"200"`
}

// FeedInput is the input of feed_chars.
type FeedInput struct {
	Chars       string `json:"chars" maxlen:"65536" desc:"Typed as they are; nothing is added. A command ends with a newline; \u0003 is ctrl-c, \u0004 ctrl-d, \u001b escape. Empty: only look."`
	ShellName   string `json:"shell_name,omitempty" default:"default" filled:"true" maxlen:"64"`
	YieldTimeMS int    `json:"yield_time_ms,omitempty" default:"1000" min:"0" max:"60000" desc:"How long to wait before looking; less than 250 is 250."`
	Columns     int    `json:"columns,omitempty" min:"20" max:"500" desc:"Changes the size of the terminal, together with rows."`
	Rows        int    `json:"rows,omitempty" min:"5" max:"200"`
}

// ShellOutput is the output of create_new_shell and feed_chars.
type ShellOutput struct {
	Output   string `json:"output" desc:"What the terminal showed since the last look, control sequences included."`
	Ended    bool   `json:"ended,omitempty" desc:"The shell has ended; create_new_shell opens another."`
	ExitCode int    `json:"exit_code,omitempty" desc:"Of a shell that has ended."`
	Note     string `json:"note,omitempty"`
}

// StartPreviewInput is the input of sandbox_start_preview.
type StartPreviewInput struct{}

// StartPreviewOutput is the output of sandbox_start_preview.
type StartPreviewOutput struct {
	StreamURL    string `json:"stream_url" desc:"Where a person can watch."`
	DevServerURL string `json:"dev_server_url" desc:"The server itself, for internal use."`
}

// ScreenshotInput is the input of sandbox_screenshot. Zero width and height
// mean the project's own size.
type ScreenshotInput struct {
	SeekTo float64 `json:"seek_to,omitempty" default:"0" min:"0" desc:"Time of the animation to show, in seconds."`
	Width  int     `json:"width,omitempty" min:"16" max:"7680" desc:"Pixels; the project's own width when left out (1920 unless it says otherwise)."`
	Height int     `json:"height,omitempty" min:"16" max:"7680" desc:"Pixels; the project's own height when left out (1080 unless it says otherwise)."`
}

// ScreenshotOutput is the output of sandbox_screenshot.
type ScreenshotOutput struct {
	ImageURL  string  `json:"image_url" desc:"A data URL or the address of a PNG."`
	Timestamp float64 `json:"timestamp" desc:"Time of the animation shown, in seconds."`
}

// LookInput is the input of sandbox_look.
type LookInput struct {
	Times []float64 `json:"times" desc:"Times of the animation to look at, in seconds, 1 to 12."`
}

// LookOutput is the output of sandbox_look.
type LookOutput struct {
	ImageURL string    `json:"image_url" desc:"A data URL of one JPEG with all frames, from left to right and from top to bottom."`
	Frames   []Seen    `json:"frames"`
	Problems []Problem `json:"problems" desc:"What seems wrong."`
}

// Seen is a frame in words.
type Seen struct {
	At      float64         `json:"at" desc:"Seconds."`
	Scene   string          `json:"scene,omitempty"`
	Texts   []koda.SeenText `json:"texts,omitempty"`
	More    int             `json:"more,omitempty" desc:"Texts that are not told."`
	Colours []string        `json:"colours" desc:"Mean colours of nine parts of the frame, row by row."`
	Changed float64         `json:"changed,omitempty" desc:"Share of the pixels that differ from the frame before, 0 to 1."`
}

// Problem is something that seems wrong with a frame.
type Problem struct {
	At      float64 `json:"at" desc:"Seconds."`
	Kind    string  `json:"kind"`
	About   string  `json:"about"`
	Serious bool    `json:"serious,omitempty" desc:"It cannot be meant."`
}

// RenderPreviewInput is the input of render_preview.
type RenderPreviewInput struct {
	Duration float64 `json:"duration" above:"0" max:"3600" desc:"Seconds."`
}

// RenderPreviewOutput is the output of render_preview.
type RenderPreviewOutput struct {
	VideoURL     string  `json:"video_url"`
	ThumbnailURL string  `json:"thumbnail_url"`
	Duration     float64 `json:"duration"`
	RenderTimeMS int64   `json:"render_time_ms"`
	Note         string  `json:"note,omitempty" desc:"What was reduced to get it done."`
}

// RenderFinalInput is the input of render_final.
type RenderFinalInput struct {
	Duration   float64 `json:"duration" above:"0" max:"3600" desc:"Seconds."`
	Resolution string  `json:"resolution" enum:"720p|1080p|4k"`
	FPS        int     `json:"fps" enum:"30|60"`
	Format     string  `json:"format" enum:"mp4|webm"`
}

// RenderFinalOutput is the output of render_final.
type RenderFinalOutput struct {
	VideoURL      string  `json:"video_url"`
	ThumbnailURL  string  `json:"thumbnail_url"`
	Duration      float64 `json:"duration"`
	FileSizeBytes int64   `json:"file_size_bytes"`
	RenderTimeMS  int64   `json:"render_time_ms"`
}

// UpdateTodoInput is the input of update_todo.
type UpdateTodoInput struct {
	TodoID string          `json:"todo_id" filled:"true"`
	Status koda.TodoStatus `json:"status" enum:"pending|active|done"`
}

// SetThinkingInput is the input of set_thinking.
type SetThinkingInput struct {
	Message string `json:"message" filled:"true" desc:"Under 50 characters and specific: Writing App.tsx, not Working. A longer one is cut."`
}

// AddMessageInput is the input of add_message.
type AddMessageInput struct {
	Content string `json:"content" filled:"true" maxlen:"65536" desc:"Markdown."`
}

// AddMessageOutput is the output of add_message.
type AddMessageOutput struct {
	MessageID string `json:"message_id"`
}
