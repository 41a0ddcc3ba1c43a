package workdir

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
)

// pending is a checkpoint on its way: pending.json. While it is there it is the
// last checkpoint, and state.json the one before.
type pending struct {
	State   koda.StateFile `json:"state"`
	Version *koda.Version  `json:"version,omitempty"` // to be published
}

// ReadState reads the last whole checkpoint. Project.Dir is dir, wherever the
// project was when the checkpoint was made. When state.json is damaged or gone,
// the checkpoint before it is read and Recovered is set.
//
// NOT_FOUND: dir is no project, or has no checkpoint yet. STORAGE_FAILED: no
// checkpoint can be read, or a newer koda wrote it.
func (s *Storage) ReadState(dir string) (koda.StateFile, error) {
	const op = "read project"
	dir, err := filepath.Abs(dir)
	if err != nil {
		return koda.StateFile{}, fmt.Errorf("%s: %w", op, err)
	}
	if err := meta(op, dir); err != nil {
		return koda.StateFile{}, err
	}
	p, err := readPending(dir)
	if err != nil {
		return koda.StateFile{}, err
	}
	state := koda.StateFile{}
	if p != nil {
		state = p.State
	} else if state, err = readState(dir); err != nil {
		return koda.StateFile{}, err
	}
	if state.Project.ID == "" {
		return koda.StateFile{}, notProject(op, dir)
	}
	state.Project.Dir = dir
	return state, nil
}

// readState reads state.json, or the one before when it is damaged or gone.
// Without either it returns the zero StateFile.
func readState(dir string) (koda.StateFile, error) {
	state, err := readStateFile(dir, stateName)
	missing := errors.Is(err, fs.ErrNotExist)
	if !missing && !isDamaged(err) {
		return state, err
	}
	prev, prevErr := readStateFile(dir, prevName)
	switch {
	case prevErr == nil:
		prev.Recovered = true
		return prev, nil
	case missing:
		return koda.StateFile{}, nil
	}
	return koda.StateFile{}, &koda.Error{
		Code: koda.CodeStorageFailed, Op: "read project", Err: err,
		Hint: fmt.Sprintf("restore %s from a backup, or move it away to go on from the journal; the animation's files are untouched", filepath.Join(dir, stateName)),
	}
}

// damaged marks a file that is there and makes no sense.
type damaged struct{ cause error }

func (d damaged) Error() string { return "the file is damaged: " + d.cause.Error() }

func isDamaged(err error) bool {
	var d damaged
	return errors.As(err, &d)
}

func readStateFile(dir, name string) (koda.StateFile, error) {
	var state koda.StateFile
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return state, err
		}
		return state, fail("read project", dir, err)
	}
	if state, err = parseState(data); err != nil {
		return koda.StateFile{}, fmt.Errorf("%s: %w", name, err)
	}
	return state, nil
}

func parseState(data []byte) (s koda.StateFile, err error) {
	if err := json.Unmarshal(data, &s); err != nil {
		return s, damaged{err}
	}
	return s, checkState(&s)
}

func isState(data []byte) bool {
	_, err := parseState(data)
	return err == nil
}

func checkState(s *koda.StateFile) error {
	if s.Schema > koda.SchemaVersion {
		return &koda.Error{
			Code: koda.CodeStorageFailed, Op: "read project", Err: fmt.Errorf("it was written by a newer koda (schema %d)", s.Schema),
			Hint: "update koda",
		}
	}
	if s.Schema < 1 || s.Project.ID == "" {
		return damaged{errors.New("it is not a state file")}
	}
	for path, digest := range s.Files {
		if err := ValidPath(path); err != nil {
			return damaged{err}
		}
		if !isDigest(digest) {
			return damaged{fmt.Errorf("%q is no digest", digest)}
		}
	}
	s.Machine, s.TheatreState = compact(s.Machine), compact(s.TheatreState)
	return nil
}

func isDigest(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == 32
}

// compact undoes the indentation of the file, so that what is read is what was
// given.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if len(raw) == 0 || json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// readPending reads pending.json; nil when there is none.
func readPending(dir string) (*pending, error) {
	data, err := os.ReadFile(filepath.Join(dir, pendingName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fail("read project", dir, err)
	}
	var p pending
	if err = json.Unmarshal(data, &p); err == nil {
		err = checkState(&p.State)
	}
	if err != nil && koda.HintOf(err) != "" {
		return nil, err // a newer koda wrote it
	}
	if err != nil {
		return nil, &koda.Error{
			Code: koda.CodeStorageFailed, Op: "read project", Err: fmt.Errorf("%s is damaged: %w", pendingName, err),
			Hint: fmt.Sprintf("delete %s to go on from the checkpoint before", filepath.Join(dir, pendingName)),
		}
	}
	return &p, nil
}

// writeState makes state the last checkpoint and keeps the one before.
func writeState(dir string, state koda.StateFile) error {
	data, err := json.MarshalIndent(state, "", "  ")
	if err != nil {
		return fmt.Errorf("encode state: %w", err)
	}
	data = append(data, '\n')
	old, err := os.ReadFile(filepath.Join(dir, stateName))
	switch {
	case err == nil && bytes.Equal(old, data):
		return nil
	case err == nil && isState(old):
		if err := atomicfile.Write(filepath.Join(dir, prevName), old, 0o644); err != nil {
			return err
		}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return atomicfile.Write(filepath.Join(dir, stateName), data, 0o644)
}

func writePending(dir string, p pending) error {
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encode checkpoint: %w", err)
	}
	return atomicfile.Write(filepath.Join(dir, pendingName), data, 0o644)
}

func removePending(dir string) error {
	if err := os.Remove(filepath.Join(dir, pendingName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return atomicfile.SyncDir(filepath.Join(dir, metaDir))
}
