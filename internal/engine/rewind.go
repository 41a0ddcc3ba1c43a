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

// rewind prepares for the first call that no journal answers. A crash may have
// come between the call and its answer; one that is not the same twice, an edit
// or a deletion, then finds its file as it was before it.
func (t *toolbox) rewind(ctx context.Context, name string, input json.RawMessage) error {
	if name != tool.NameEditFile && name != tool.NameSandboxDeleteFile {
		return nil
	}
	var in struct {
		Path string `json:"path"`
	}
	if json.Unmarshal(input, &in) != nil {
		return nil //nolint:nilerr // the tool says what is wrong with it
	}
	tree, err := t.r.lastTree()
	if err != nil {
		return err
	}
	if err := t.r.redo(ctx, memoryFiles(tree)); err != nil {
		return err
	}
	before, known := tree[in.Path]
	if !known {
		return nil
	}
	now, err := t.r.sb.ReadFile(ctx, in.Path)
	switch {
	case err != nil && koda.CodeOf(err) != koda.CodeFileNotFound, err == nil && bytes.Equal(now, before):
		return nil // the tool meets the error, too
	}
	if err := t.r.sb.WriteFile(ctx, in.Path, before); err != nil {
		return fmt.Errorf("rewind %s: %w", in.Path, err)
	}
	return nil
}

// memoryFiles are the files of a sandbox that there is not.
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
