package workdir

import (
	"fmt"
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// Bring changes files as the person would. See engine.Checkpoints.
func (s *Storage) Bring(dir string, before map[string][]byte, changes []koda.FileChange) (kept []string, err error) {
	const op = "save what was changed"
	own, err := s.Changes(dir)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if ValidPath(c.Path) != nil {
			continue
		}
		old, had := before[c.Path]
		rival := slices.IndexFunc(own, func(o koda.FileChange) bool {
			return o.Path == c.Path && (o.Deleted == had || !slices.Equal(o.Data, old)) // else the change began with it
		})
		switch {
		case rival >= 0 && own[rival].Deleted == c.Deleted && slices.Equal(own[rival].Data, c.Data): // it is so already
		case rival >= 0:
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
		if err != nil {
			return kept, fail(op, dir, fmt.Errorf("%s: %w", c.Path, err))
		}
	}
	return kept, nil
}
