package engine

import (
	"context"

	"github.com/koda-video/koda/internal/koda"
)

// Put changes a file in the directory of a project, as the person would by hand: the next
// step takes the file in, and the person's text wins over the author's. Was is the digest
// of the file that the change began from, "" for a file that is not there. EXISTS: the file
// is another one by now; nothing is changed. INVALID_PATH: no project can have a file there.
func (e *Engine) Put(ctx context.Context, id string, c koda.FileChange, was string) error {
	p, err := e.Project(ctx, id)
	if err != nil {
		return err
	}
	return e.cfg.Storage.Put(p.Dir, c, was)
}

// AddAsset checks a file that the person brought, and copies it below public/ of a project,
// as a file of the person. USAGE says what is wrong with it.
func (e *Engine) AddAsset(ctx context.Context, id, source string) (koda.Asset, error) {
	p, err := e.Project(ctx, id)
	if err != nil {
		return koda.Asset{}, err
	}
	return e.cfg.Storage.AddAsset(p.Dir, source)
}
