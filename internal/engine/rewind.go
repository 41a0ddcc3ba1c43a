package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

// rewind prepares for a call that the journal does not answer. A crash may have
// come between the call and its answer. An edit or a deletion done twice is not the
// same as done once, so rewind first restores the file as it was before. The caller
// holds the files.
func (t *toolbox) rewind(ctx context.Context, c call) error {
	var in struct {
		Path string `json:"path"`
	}
	if !c.cutOff || c.Name != tool.NameEditFile && c.Name != tool.NameSandboxDeleteFile {
		return nil
	}
	_ = json.Unmarshal(c.Input, &in) //nolint:errcheck // the tool says what is wrong with its input
	t.r.mu.Lock()
	sb := t.r.sb
	tree, err := t.r.restored(ctx)
	t.r.mu.Unlock()
	before, known := tree[in.Path]
	if err != nil || !known || sb == nil {
		return err
	}
	now, err := sb.ReadFile(ctx, in.Path)
	switch {
	case err != nil && koda.CodeOf(err) != koda.CodeFileNotFound, err == nil && bytes.Equal(now, before):
		return nil // the tool meets the same error
	}
	if err := sb.WriteFile(ctx, in.Path, before); err != nil {
		return fmt.Errorf("rewind %s: %w", in.Path, err)
	}
	return nil
}

// restored are the files of the project as its sandbox has them: the files of the
// last checkpoint, changed by the answered calls of the step in work, in the order
// of their answers.
func (r *run) restored(ctx context.Context) (memoryFiles, error) {
	tree, err := r.lastTree()
	if err != nil {
		return nil, err
	}
	recs, _, covered, err := r.answers(ctx)
	if err != nil {
		return nil, err
	}
	box := tool.NewBox(tool.Deps{Files: memoryFiles(tree), Reserved: r.e.cfg.Reserved})
	for _, rec := range recs {
		if rec.Answer <= covered || rec.ErrCode != "" {
			continue
		}
		switch rec.Name {
		case tool.NameSandboxWriteFile, tool.NameEditFile, tool.NameSandboxDeleteFile:
			// The person may have changed the file that an edit or a deletion was
			// about; the person's change wins anyway.
			if _, err := box.Call(ctx, rec.Name, rec.Input); err != nil && rec.Name == tool.NameSandboxWriteFile {
				return nil, fmt.Errorf("restore %s: %w", rec.Name, err)
			}
		}
	}
	return tree, nil
}

// memoryFiles are files in memory, for tools to act on.
type memoryFiles map[string][]byte

var _ tool.Files = memoryFiles(nil)

func (m memoryFiles) WriteFile(_ context.Context, path string, data []byte) error {
	m[path] = data
	return nil
}

func (m memoryFiles) ReadFile(_ context.Context, path string) ([]byte, error) {
	data, ok := m[path]
	if !ok {
		return nil, &koda.Error{Code: koda.CodeFileNotFound, Op: "there is no " + path}
	}
	return data, nil
}

func (m memoryFiles) DeleteFile(ctx context.Context, path string) error {
	_, err := m.ReadFile(ctx, path)
	delete(m, path)
	return err
}

// List lists files, no directories.
func (m memoryFiles) List(_ context.Context, dir string, _ bool) ([]sandbox.Entry, error) {
	var entries []sandbox.Entry
	for _, path := range sortedKeys(m) {
		if dir == "." || strings.HasPrefix(path, dir+"/") {
			entries = append(entries, sandbox.Entry{Path: path, Size: int64(len(m[path]))})
		}
	}
	return entries, nil
}
