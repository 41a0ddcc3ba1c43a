package tool

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/patch"
)

// The limits of files.
const (
	maxFile  = 8 << 20   // bytes of a file written or edited
	readPart = 192 << 10 // bytes of one answer, a multiple of 3 for base64
	maxList  = 2000      // entries of one listing
)

func (b *Box) writeFile(ctx context.Context, in WriteInput) (WriteOutput, error) {
	clean, err := WritablePath(in.Path, b.deps.Reserved)
	if err != nil {
		return WriteOutput{}, err
	}
	data := []byte(in.Content)
	if in.Encoding == "base64" {
		data, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(in.Content), ""))
		if err != nil {
			return WriteOutput{}, &koda.Error{
				Code: koda.CodeInvalidInput, Op: NameSandboxWriteFile + `: field "content" is not base64`, Err: err,
				Hint: "send text with encoding utf8",
			}
		}
	}
	b.changing.Lock()
	defer b.changing.Unlock()
	if err := b.put(ctx, NameSandboxWriteFile, clean, data); err != nil {
		return WriteOutput{}, err
	}
	return WriteOutput{Success: true, Path: clean, SizeBytes: int64(len(data))}, nil
}

// put writes a file, after it has checked the path and the content.
func (b *Box) put(ctx context.Context, tool, clean string, data []byte) error {
	if len(data) > maxFile {
		return &koda.Error{
			Code: koda.CodeInvalidInput, Op: fmt.Sprintf("%s: %s would have %s", tool, clean, size(int64(len(data)))),
			Hint: "a file has at most " + size(maxFile),
		}
	}
	if strings.EqualFold(clean, ManifestPath) {
		if clean != ManifestPath {
			return badPath(clean, "differs from koda.json in case only", "write koda.json")
		}
		if _, err := koda.ParseManifest(data); err != nil {
			return err
		}
	}
	return b.deps.Files.WriteFile(ctx, clean, data)
}

func (b *Box) editFile(ctx context.Context, in EditInput) (EditOutput, error) {
	clean, err := WritablePath(in.Path, b.deps.Reserved)
	if err != nil {
		return EditOutput{}, err
	}
	b.changing.Lock()
	defer b.changing.Unlock()
	data, err := b.deps.Files.ReadFile(ctx, clean)
	if err != nil {
		return EditOutput{}, err
	}
	got, err := patch.Apply(string(data), in.OldString, in.NewString)
	if err != nil {
		return EditOutput{}, &koda.Error{Code: koda.CodeInvalidInput, Op: NameEditFile + " " + clean, Err: err, Hint: koda.HintOf(err), Details: koda.DetailsOf(err)}
	}
	if err := b.put(ctx, NameEditFile, clean, []byte(got.Text)); err != nil {
		return EditOutput{}, err
	}
	return EditOutput{Success: true, Path: clean, SizeBytes: int64(len(got.Text)), Line: got.Line, Matched: string(got.Strategy)}, nil
}

func (b *Box) deleteFile(ctx context.Context, in DeleteInput) (Done, error) {
	clean, err := WritablePath(in.Path, b.deps.Reserved)
	if err != nil {
		return Done{}, err
	}
	if strings.EqualFold(clean, ManifestPath) {
		return Done{}, badPath(in.Path, "cannot be deleted", "write another koda.json in its place")
	}
	b.changing.Lock()
	defer b.changing.Unlock()
	if err := b.deps.Files.DeleteFile(ctx, clean); err != nil {
		return Done{}, err
	}
	return Done{Success: true}, nil
}

func (b *Box) readFile(ctx context.Context, in ReadInput) (ReadOutput, error) {
	clean, err := CleanPath(in.Path)
	if err != nil {
		return ReadOutput{}, err
	}
	if clean == "." {
		return ReadOutput{}, badPath(in.Path, "is a directory, not a file", "")
	}
	data, err := b.deps.Files.ReadFile(ctx, clean)
	if err != nil {
		return ReadOutput{}, err
	}
	total := int64(len(data))
	if in.Offset > total {
		return ReadOutput{}, &koda.Error{
			Code: koda.CodeInvalidInput,
			Op:   fmt.Sprintf(`%s: field "offset" is %d and %s has %d bytes`, NameSandboxReadFile, in.Offset, clean, total),
		}
	}
	out := ReadOutput{Encoding: "utf8", SizeBytes: total}
	rest := data[in.Offset:]
	if !utf8.Valid(data) {
		out.Encoding = "base64"
		part := rest[:min(len(rest), readPart)]
		out.Content = base64.StdEncoding.EncodeToString(part)
		out.NextOffset = in.Offset + int64(len(part))
	} else {
		text := string(rest)
		for len(text) > 0 && !utf8.RuneStart(text[0]) { // the offset is inside a character
			text = text[1:]
		}
		out.Content = head(text, readPart)
		out.NextOffset = total - int64(len(text)-len(out.Content))
	}
	if out.NextOffset >= total {
		out.NextOffset = 0
		return out, nil
	}
	out.Note = fmt.Sprintf("cut: this ends at byte %d of %d; read on with offset %d", out.NextOffset, total, out.NextOffset)
	return out, nil
}

func (b *Box) listFiles(ctx context.Context, in ListInput) (ListOutput, error) {
	clean, err := CleanPath(in.Path)
	if err != nil {
		return ListOutput{}, err
	}
	entries, err := b.deps.Files.List(ctx, clean, in.Recursive)
	if err != nil {
		return ListOutput{}, err
	}
	out := ListOutput{Files: []File{}}
	left := 0
	for _, e := range entries {
		if _, err := CleanPath(e.Path); err != nil { // the path is hidden, or no tool could name it
			continue
		}
		if len(out.Files) == maxList {
			left++
			continue
		}
		kind := "file"
		if e.Dir {
			kind = "directory"
		}
		out.Files = append(out.Files, File{Path: e.Path, Type: kind, SizeBytes: e.Size})
	}
	if left > 0 {
		out.Note = fmt.Sprintf("%d further entries left out; list a directory below", left)
	}
	return out, nil
}
