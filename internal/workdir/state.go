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
	"regexp"
	"syscall"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// pending is a checkpoint that is being applied: pending.json. While pending.json exists,
// it is the last checkpoint, and state.json is the one before.
type pending struct {
	State   koda.StateFile `json:"state"`
	Version *koda.Version  `json:"version,omitempty"` // a new version, not yet published
}

// ReadState reads the last whole checkpoint. Project.Dir is dir, even if the project was
// elsewhere when the checkpoint was made. If the last checkpoint is damaged, or koda
// cannot have written it, ReadState reads the checkpoint before it, and Damage says so.
//
// NOT_FOUND: dir is not a project, or has no checkpoint yet. STORAGE_FAILED: no
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
	l, err := readLast(dir)
	state := l.state
	switch {
	case l.next != nil:
		state = l.next.State
	case err != nil:
		return koda.StateFile{}, err
	}
	if state.Project.ID == "" {
		return koda.StateFile{}, notProject(op, dir)
	}
	if l.refused != nil {
		state.Damage = l.refused.Error()
	}
	state.Project.Dir = dir
	return state, nil
}

// readState reads state.json. If state.json is damaged or gone, it reads the checkpoint
// before. If there is neither, it returns the zero StateFile.
func readState(dir string) (koda.StateFile, error) {
	state, err := readStateFile(dir, stateName)
	missing := errors.Is(err, fs.ErrNotExist)
	if !missing && !isDamaged(err) {
		return state, err
	}
	prev, prevErr := readStateFile(dir, prevName)
	switch {
	case prevErr == nil:
		prev.Damage = err.Error()
		if missing {
			prev.Damage = stateName + " is missing"
		}
		return prev, nil
	case missing:
		return koda.StateFile{}, nil
	}
	return koda.StateFile{}, &koda.Error{
		Code: koda.CodeStorageFailed, Op: "read project", Err: err,
		Hint: fmt.Sprintf("restore %s from a backup, or move it away to go on from the journal; the animation's files are untouched", filepath.Join(dir, stateName)),
	}
}

// damaged marks a file that exists but cannot be understood.
type damaged struct{ cause error }

func (d damaged) Error() string { return "the file is damaged: " + d.cause.Error() }

func isDamaged(err error) bool {
	var d damaged
	return errors.As(err, &d)
}

func readStateFile(dir, name string) (koda.StateFile, error) {
	data, err := readOwn(dir, name)
	if err != nil {
		return koda.StateFile{}, err
	}
	state, err := parseState(data)
	if err != nil {
		return koda.StateFile{}, fmt.Errorf("%s: %w", name, err)
	}
	return state, nil
}

// readOwn reads a file that koda wrote. If a link or a pipe stands in its place, the file
// is damaged.
func readOwn(dir, name string) ([]byte, error) {
	data, err := projectfs.ReadFile(dir, name)
	var refused *koda.Error
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case errors.As(err, &refused) || errors.Is(err, syscall.EISDIR):
		return nil, fmt.Errorf("%s: %w", name, damaged{err})
	}
	return data, fail("read project", dir, err)
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

// projectID matches what can be the id of a project: the id becomes part of other names.
var projectID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func checkState(s *koda.StateFile) error {
	if s.Schema > koda.SchemaVersion {
		return &koda.Error{
			Code: koda.CodeStorageFailed, Op: "read project", Err: fmt.Errorf("it was written by a newer koda (schema %d)", s.Schema),
			Hint: "update koda",
		}
	}
	if s.Schema < 1 || !projectID.MatchString(s.Project.ID) {
		return damaged{errors.New("it is not a state file")}
	}
	if len(s.Files) > MaxFiles {
		return damaged{fmt.Errorf("it lists %d files", len(s.Files))}
	}
	if err := checkList(s.Files); err != nil {
		return damaged{err}
	}
	s.Machine, s.TheatreState = compact(s.Machine), compact(s.TheatreState)
	return nil
}

// checkList makes sure that a list of files by digest can be the list of a project.
func checkList(files map[string]string) error {
	for _, digest := range files {
		if !isDigest(digest) {
			return fmt.Errorf("%.80q is not a digest", digest)
		}
	}
	return checkPaths(files)
}

func isDigest(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == 32
}

// compact removes the indentation of the file, so that a reader gets exactly what the
// writer gave.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if len(raw) == 0 || json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// last is what the checkpoints of a directory say.
type last struct {
	state   koda.StateFile // the last checkpoint that was applied
	next    *pending       // the checkpoint that is being applied
	refused error          // why next is nil although there is a pending.json
}

// readLast reads the checkpoints. The error is about the last checkpoint that was
// applied; even with an error, next may be set. A pending.json that cannot be applied,
// because it is damaged or koda did not write it, does not count.
func readLast(dir string) (l last, err error) {
	for range attempts {
		stamp := stampOf(dir)
		l.next, l.refused = readPending(dir)
		if l.state, err = readState(dir); err == nil && l.next != nil {
			if l.refused = checkContents(dir, l.state.Files, *l.next); l.refused != nil {
				l.next = nil
			}
		}
		// An owner may have finished it meanwhile and removed what it needs.
		if l.refused == nil || stampOf(dir) == stamp {
			break
		}
	}
	if l.refused != nil && !isDamaged(l.refused) {
		return l, l.refused
	}
	return l, err
}

// applying is the checkpoint that is being applied; nil if there is none.
func applying(dir string) (*pending, error) {
	p, err := readPending(dir)
	if p == nil && (err == nil || isDamaged(err)) {
		return nil, nil
	}
	l, _ := readLast(dir) //nolint:errcheck // the last applied checkpoint does not matter here
	if l.refused != nil && !isDamaged(l.refused) {
		return nil, l.refused
	}
	return l.next, nil
}

// checkContents makes sure that all contents of a checkpoint are there: contents are
// stored before pending.json is written.
func checkContents(dir string, old map[string]string, p pending) error {
	f, err := projectfs.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	stored := func(digest string) error {
		info, err := f.Stat(objectName(digest))
		if err == nil {
			err = projectfs.Readable(objectName(digest), info)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", pendingName, damaged{err})
		}
		return nil
	}
	for path, digest := range p.State.Files {
		if digest != old[path] {
			if err := stored(digest); err != nil {
				return err
			}
		}
	}
	if p.Version == nil {
		return nil
	}
	for _, digest := range p.Version.Files {
		if err := stored(digest); err != nil {
			return err
		}
	}
	return nil
}

// readPending reads pending.json; nil if there is no such file.
func readPending(dir string) (*pending, error) {
	data, err := readOwn(dir, pendingName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var p pending
	if err = json.Unmarshal(data, &p); err != nil {
		err = damaged{err}
	} else if err = checkState(&p.State); err == nil && p.Version != nil {
		err = checkVersion(*p.Version)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pendingName, err)
	}
	return &p, nil
}

// writeState makes state the last checkpoint and keeps the checkpoint before it.
func writeState(dir string, state koda.StateFile) error {
	data, err := json.MarshalIndent(state, "", "  ")
	if err != nil {
		return fmt.Errorf("encode state: %w", err)
	}
	data = append(data, '\n')
	if len(data) > projectfs.MaxState {
		return tooMuchState(len(data))
	}
	old, err := readOwn(dir, stateName)
	switch {
	case err == nil && bytes.Equal(old, data):
		return nil
	case err == nil && isState(old):
		err = overwrite(dir, prevName, old)
	case err == nil || isDamaged(err):
		_, err = atomicfile.SetAside(filepath.Join(dir, stateName))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, stateName), data, 0o644)
}

// overwrite writes a file of koda's own. If a directory has that name, it is set aside;
// anything else is replaced, and links are not followed.
func overwrite(dir, name string, data []byte) error {
	if info, err := os.Lstat(filepath.Join(dir, name)); err == nil && info.IsDir() {
		if _, err := atomicfile.SetAside(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return atomicfile.Write(filepath.Join(dir, name), data, 0o644)
}

func tooMuchState(size int) error {
	return &koda.Error{
		Code: koda.CodeSaveFailed, Op: fmt.Sprintf("the state of the project has %d MB, at most %d can be saved", size>>20, projectfs.MaxState>>20),
		Hint: "make the Theatre.js state in src/theatre/state.json smaller",
	}
}

func writePending(dir string, p pending) error {
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encode checkpoint: %w", err)
	}
	if len(data) > projectfs.MaxState {
		return tooMuchState(len(data))
	}
	return overwrite(dir, pendingName, data)
}

func removePending(dir string) error {
	if err := os.Remove(filepath.Join(dir, pendingName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return atomicfile.SyncDir(filepath.Join(dir, metaDir))
}
