package workdir

import (
	"errors"
	"fmt"
	"slices"

	"github.com/koda-video/koda/internal/koda"
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
