package tool

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
)

// Invoke calls a tool with an input and decodes its output. The typed helpers below
// use it. The errors are those of [Toolbox.Call].
func Invoke[O any](ctx context.Context, box Toolbox, name string, input any) (O, error) {
	var out O
	in, err := encode(input)
	if err != nil {
		return out, &koda.Error{Code: koda.CodeInvalidInput, Op: "encode input of " + name, Err: err}
	}
	answer, err := box.Call(ctx, name, in)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(answer, &out); err != nil {
		return out, fmt.Errorf("decode output of %s: %w", name, err)
	}
	return out, nil
}

// encode returns compact JSON that keeps "<" as it is: inputs and outputs are
// journaled and read by people, and most of them are code.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode JSON: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// WriteFile writes a whole file. Content that is not UTF-8 goes as base64.
func WriteFile(ctx context.Context, box Toolbox, path, content string) error {
	in := WriteInput{Path: path, Content: content}
	if !utf8.ValidString(content) {
		in.Content, in.Encoding = base64.StdEncoding.EncodeToString([]byte(content)), "base64"
	}
	_, err := Invoke[WriteOutput](ctx, box, NameSandboxWriteFile, in)
	return err
}

// ReadFile reads a whole file, in as many calls as the file needs.
func ReadFile(ctx context.Context, box Toolbox, path string) (string, error) {
	var b strings.Builder
	for offset := int64(0); ; {
		out, err := Invoke[ReadOutput](ctx, box, NameSandboxReadFile, ReadInput{Path: path, Offset: offset})
		if err != nil {
			return "", err
		}
		if out.Encoding == "base64" {
			data, err := base64.StdEncoding.DecodeString(out.Content)
			if err != nil {
				return "", fmt.Errorf("decode content of %s: %w", path, err)
			}
			b.Write(data)
		} else {
			b.WriteString(out.Content)
		}
		if out.NextOffset <= offset {
			return b.String(), nil
		}
		offset = out.NextOffset
	}
}

// EditFile replaces the one occurrence of old in a file.
func EditFile(ctx context.Context, box Toolbox, path, old, replacement string) error {
	_, err := Invoke[EditOutput](ctx, box, NameEditFile, EditInput{Path: path, OldString: old, NewString: replacement})
	return err
}

// DeleteFile removes a file.
func DeleteFile(ctx context.Context, box Toolbox, path string) error {
	_, err := Invoke[Done](ctx, box, NameSandboxDeleteFile, DeleteInput{Path: path})
	return err
}

// ListFiles lists a directory ("." is the project root), sorted by path.
func ListFiles(ctx context.Context, box Toolbox, dir string, recursive bool) ([]File, error) {
	out, err := Invoke[ListOutput](ctx, box, NameSandboxListFiles, ListInput{Path: dir, Recursive: recursive})
	return out.Files, err
}

// Think says what the author is doing at the moment, in under 50 characters.
func Think(ctx context.Context, box Toolbox, message string) error {
	_, err := Invoke[Done](ctx, box, NameSetThinking, SetThinkingInput{Message: message})
	return err
}

// Say adds a message to the conversation.
func Say(ctx context.Context, box Toolbox, content string) error {
	_, err := Invoke[AddMessageOutput](ctx, box, NameAddMessage, AddMessageInput{Content: content})
	return err
}

// Todo moves a todo to a status.
func Todo(ctx context.Context, box Toolbox, id string, status koda.TodoStatus) error {
	_, err := Invoke[Done](ctx, box, NameUpdateTodo, UpdateTodoInput{TodoID: id, Status: status})
	return err
}

// Screenshot draws the animation at a time in seconds and returns the address
// of a PNG, usually a data URL. Zero width and height mean the project's size.
func Screenshot(ctx context.Context, box Toolbox, seconds float64, width, height int) (url string, err error) {
	out, err := Invoke[ScreenshotOutput](ctx, box, NameSandboxScreenshot,
		ScreenshotInput{SeekTo: seconds, Width: width, Height: height})
	return out.ImageURL, err
}

// LookAt draws the animation at some times and says what it shows.
func LookAt(ctx context.Context, box Toolbox, times []float64) (LookOutput, error) {
	return Invoke[LookOutput](ctx, box, NameSandboxLook, LookInput{Times: times})
}

// RunCommand runs a shell command in the sandbox.
func RunCommand(ctx context.Context, box Toolbox, in RunInput) (RunOutput, error) {
	return Invoke[RunOutput](ctx, box, NameSandboxRunCommand, in)
}

// Offers reports whether a tool is on offer here.
func Offers(box Toolbox, name string) bool {
	for _, t := range box.Tools() {
		if t.Name == name {
			return true
		}
	}
	return false
}
