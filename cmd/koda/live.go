package main

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"net"
	"path"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/live"
	"github.com/koda-video/koda/internal/projectfs"
)

// openLive shows a server of a sandbox. The files say how large the picture is, how long
// it lasts, and when it changed.
func (m *machine) openLive(dial func(context.Context) (net.Conn, error), files engine.LiveFiles, port int) (engine.LiveView, error) {
	now := func(ctx context.Context) (live.Shown, error) {
		tree, digest, err := files(ctx)
		if err != nil {
			return live.Shown{}, err
		}
		manifest, err := bundle.ReadManifest(tree)
		return live.Shown{Manifest: manifest, Digest: digest}, err
	}
	return viewOf(live.Open(live.Config{Port: port, Source: live.Source{Now: now}, Dial: dial, Server: port}))
}

// openLivePage shows the page that files make, and builds it when they change.
func (m *machine) openLivePage(files engine.LiveFiles, port int) (engine.LiveView, error) {
	last := ""
	var shown live.Shown
	now := func(ctx context.Context) (live.Shown, error) {
		tree, digest, err := files(ctx)
		if err == nil && digest != last {
			last = ""
			if shown, err = m.shown(ctx, tree); err == nil {
				last = digest
			}
		}
		return shown, err
	}
	return viewOf(live.Open(live.Config{Port: port, Source: live.Source{Now: now}}))
}

func viewOf(v *live.View, err error) (engine.LiveView, error) {
	if err != nil {
		return nil, err // a nil *live.View must not become a non-nil LiveView
	}
	return v, nil
}

// shown is the page that files make, for people to see.
func (m *machine) shown(ctx context.Context, files fs.FS) (live.Shown, error) {
	page, manifest, err := m.bundler.BuildToShow(ctx, files)
	return live.Shown{Page: page, Manifest: manifest, Digest: page.Digest, Sound: soundOf(page)}, err
}

// soundOf is the sound that a final video of a page has: the first file of public/audio.
func soundOf(page koda.Page) string {
	for _, at := range slices.Sorted(maps.Keys(page.Files)) {
		if path.Dir(at) == "/audio" && strings.HasPrefix(page.Files[at].Type, "audio/") {
			return at
		}
	}
	return ""
}

// preview is a live page of a directory.
type preview struct {
	*live.View
	watcher *live.Watcher
	end     context.CancelFunc // of what builds wait for
}

// Close ends the page, and then what watches the directory.
func (p preview) Close() error {
	defer p.end()
	return errors.Join(p.View.Close(), p.watcher.Close())
}

// openPreview shows the page of a directory, and builds it after each change.
func openPreview(dir string, cfg live.Config) (cli.LivePage, error) {
	m, err := newMachine()
	if err != nil {
		return nil, err
	}
	watcher, err := live.Watch(dir)
	if err != nil {
		return nil, err
	}
	var shown live.Shown
	var failed error
	built := false
	cfg.Source.Wait = watcher.Wait
	cfg.Source.Now = func(ctx context.Context) (live.Shown, error) {
		if watcher.Changed() || !built {
			shown, failed = m.shownOf(ctx, dir)
			built = ctx.Err() == nil
		}
		return shown, failed
	}
	v, err := live.Open(cfg)
	if err != nil {
		return nil, errors.Join(err, watcher.Close())
	}
	ctx, end := context.WithCancel(context.Background())
	m.bundler.Hasten(ctx)
	return preview{v, watcher, end}, nil
}

func (m *machine) shownOf(ctx context.Context, dir string) (shown live.Shown, err error) {
	files, err := projectfs.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = &koda.Error{Code: koda.CodeNotFound, Op: dir + " is gone", Hint: "when it is there again, this page goes on"}
	}
	if err != nil {
		return shown, err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	return m.shown(ctx, files)
}
