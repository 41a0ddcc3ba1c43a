package workdir

import (
	"errors"
	"fmt"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// Bring changes files as the person would. See engine.Checkpoints.
func (s *Storage) Bring(dir string, changes []koda.FileChange, base map[string]string) (kept []string, err error) {
	const op = "save what was changed"
	own, err := s.Changes(dir)
	if err != nil {
		return nil, err
	}
	now := map[string]koda.FileChange{}
	for _, o := range own {
		now[o.Path] = o
	}
	var errs []error
	for _, c := range changes {
		if ValidPath(c.Path) != nil {
			continue
		}
		o, differs := now[c.Path]
		digest := ""
		if !o.Deleted {
			digest = digestOf(o.Data)
		}
		switch {
		case differs && o.Deleted == c.Deleted && slices.Equal(o.Data, c.Data): // it is so already
		case differs && digest != base[c.Path]:
			kept = append(kept, c.Path)
			if !c.Deleted {
				digest := digestOf(c.Data)
				if err = putObject(dir, digest, c.Data); err == nil {
					err = saveRival(dir, c.Path, digest)
				}
			}
		case c.Deleted:
			err = removeFile(dir, c.Path)
		default:
			err = replaceFile(dir, c.Path, c.Data)
		}
		if err != nil { // one file that cannot be saved costs no other
			errs, err = append(errs, fmt.Errorf("%s: %w", c.Path, err)), nil
		}
	}
	if more := len(errs) - 3; more > 0 {
		errs = append(errs[:3], fmt.Errorf("and %d more", more))
	}
	return kept, fail(op, dir, errors.Join(errs...))
}

// Put changes one file as the person would. See engine.Checkpoints.
func (s *Storage) Put(dir string, c koda.FileChange, was string) error {
	const op = "save file"
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errors.Join(ValidPath(c.Path), meta(op, dir), projectfs.NoLinks(dir, c.Path)); err != nil {
		return err
	}
	if len(c.Data) > MaxFile {
		return tooLarge(koda.CodeUsage, c.Path, int64(len(c.Data)), MaxFile)
	}
	f, err := projectfs.Open(dir)
	if err != nil {
		return fail(op, dir, err)
	}
	defer f.Close() //nolint:errcheck // only read
	switch d, err := look(f, c.Path); {
	case err != nil:
		return fail(op, dir, err)
	case d.dir || d.file != "":
		return &koda.Error{Code: koda.CodeInvalidPath, Op: fmt.Sprintf("%s: a directory and a file cannot have one name", c.Path), Hint: "choose another path"}
	case d.digest != was:
		return &koda.Error{Code: koda.CodeExists, Op: c.Path + " is not what the change began from", Hint: "read it again"}
	case c.Deleted:
		return fail(op, dir, removeFile(dir, c.Path))
	}
	return fail(op, dir, replaceFile(dir, c.Path, c.Data))
}
