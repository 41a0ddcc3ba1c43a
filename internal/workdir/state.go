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

// pending is a checkpoint on its way: pending.json. While it is there it is the
// last checkpoint, and state.json the one before.
type pending struct {
	State   koda.StateFile `json:"state"`
	Version *koda.Version  `json:"version,omitempty"` // to be published
}

// ReadState reads the last whole checkpoint. Project.Dir is dir, wherever the
// project was when the checkpoint was made. When it is damaged, or cannot have
// been written by koda, the checkpoint before it is read and Damage says so.
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

// damaged marks a file that is there and makes no sense.
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

// readOwn reads a file koda wrote. What stands in its place and is none, a link
// or a pipe, is a damaged one.
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

// projectID is what an id of a project can be: it becomes part of other names.
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

// checkList makes sure that a list of files by digest is one of a project.
func checkList(files map[string]string) error {
	for _, digest := range files {
		if !isDigest(digest) {
			return fmt.Errorf("%.80q is no digest", digest)
		}
	}
	return checkPaths(files)
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

// last is what the checkpoints in a directory say.
type last struct {
	state   koda.StateFile // the last one applied
	next    *pending       // the one being applied
	refused error          // why there is no next though there is a pending.json
}

// readLast reads the checkpoints. The error is that of the last one applied: the
// one being applied may be there all the same. A pending.json that cannot be
// applied, because it is damaged or koda did not write it, is none.
func readLast(dir string) (l last, err error) {
	for range attempts {
		stamp := stampOf(dir)
		l.next, l.refused = readPending(dir)
		if l.state, err = readState(dir); err == nil && l.next != nil {
			if l.refused = checkContents(dir, l.state.Files, *l.next); l.refused != nil {
				l.next = nil
			}
		}
		// An owner who finished it meanwhile may have removed what it needs.
		if l.refused == nil || stampOf(dir) == stamp {
			break
		}
	}
	if l.refused != nil && !isDamaged(l.refused) {
		return l, l.refused
	}
	return l, err
}

// applying is the checkpoint being applied, nil when there is none.
func applying(dir string) (*pending, error) {
	p, err := readPending(dir)
	if p == nil && (err == nil || isDamaged(err)) {
		return nil, nil
	}
	l, _ := readLast(dir) //nolint:errcheck // the last one applied does not matter
	if l.refused != nil && !isDamaged(l.refused) {
		return nil, l.refused
	}
	return l.next, nil
}

// checkContents makes sure that what a checkpoint puts in place is there: contents
// are stored before pending.json is.
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

// readPending reads pending.json; nil when there is none.
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

// writeState makes state the last checkpoint and keeps the one before.
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

// overwrite writes a file of koda's own. A directory that stands there is set
// aside; all else is replaced and never followed.
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
