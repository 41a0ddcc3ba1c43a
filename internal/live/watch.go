package live

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Watcher notices changes below a directory. It looks neither into directories whose names
// begin with a dot, nor into node_modules, nor where videos are written.
type Watcher struct {
	dir     string
	notify  *fsnotify.Watcher
	changed chan struct{} // holds one when something changed
	waited  atomic.Bool   // Wait took it
	root    os.FileInfo   // of the directory that is watched; nil while it is gone
	done    chan struct{}
}

// pause gathers the steps of one save: editors write a file, rename it, and set its times.
const pause = 8 * time.Millisecond

// again is how soon a directory that is gone is looked for again.
const again = time.Second

// maxWatched bounds the directories that are watched.
const maxWatched = 4000

// Watch begins to notice changes. Close ends it.
func Watch(dir string) (*Watcher, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", dir, err)
	}
	w := &Watcher{dir: dir, notify: notify, changed: make(chan struct{}, 1), done: make(chan struct{})}
	if w.root, err = os.Lstat(dir); err == nil {
		err = w.add(dir)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("watch %s: %w", dir, err), notify.Close())
	}
	go w.run()
	return w, nil
}

// Wait returns when something changed since the last Wait, or with ctx.
func (w *Watcher) Wait(ctx context.Context) error {
	select {
	case <-w.changed:
		w.waited.Store(true)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Changed reports whether something changed since it was last called. Wait hands on to it.
func (w *Watcher) Changed() bool {
	waited := w.waited.Swap(false)
	select {
	case <-w.changed:
		return true
	default:
		return waited
	}
}

// Close ends the watcher.
func (w *Watcher) Close() error {
	err := w.notify.Close()
	<-w.done
	return err
}

func (w *Watcher) run() {
	defer close(w.done)
	gather := time.NewTimer(time.Hour)
	gather.Stop()
	back := time.NewTicker(again)
	defer back.Stop()
	for {
		select {
		case e, ok := <-w.notify.Events:
			if !ok {
				return
			}
			if w.skipped(e.Name) || e.Op == fsnotify.Chmod {
				continue
			}
			if e.Name == w.dir && e.Op&(fsnotify.Rename|fsnotify.Remove) != 0 {
				w.root = nil // it may come back before anybody looks
			}
			if e.Has(fsnotify.Create) {
				_ = w.add(e.Name) //nolint:errcheck // it may be gone again, or be a file
			}
			gather.Reset(pause)
		case err := <-w.notify.Errors: // events were lost
			if err != nil {
				gather.Reset(pause)
			}
		case <-back.C:
			if w.moved() {
				gather.Reset(pause)
			}
		case <-gather.C:
			select {
			case w.changed <- struct{}{}:
			default:
			}
		}
	}
}

// moved reports whether the directory came, went, or is another than before. What moves
// away takes its watches with it, so it is watched anew.
func (w *Watcher) moved() bool {
	now, err := os.Lstat(w.dir)
	if (err != nil) == (w.root == nil) && (err != nil || os.SameFile(now, w.root)) {
		return false
	}
	for _, path := range w.notify.WatchList() {
		_ = w.notify.Remove(path) //nolint:errcheck // it may be gone
	}
	w.root = nil
	if err == nil && w.add(w.dir) == nil {
		w.root = now
	}
	return true
}

// add watches a directory and those below it.
func (w *Watcher) add(dir string) error {
	left := maxWatched - len(w.notify.WatchList())
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == dir:
			return err
		case err != nil || !d.IsDir():
			return nil //nolint:nilerr // what is gone again needs no watch
		case w.skipped(path):
			return fs.SkipDir
		case left <= 0:
			return fs.SkipAll
		}
		left--
		return w.notify.Add(path)
	})
}

// skipped reports whether changes of a path change no picture.
func (w *Watcher) skipped(path string) bool {
	rel, err := filepath.Rel(w.dir, path)
	if err != nil || rel == "." {
		return false
	}
	first, _, _ := strings.Cut(rel, string(filepath.Separator))
	if first == "renders" || first == "previews" {
		return true
	}
	for part := range strings.SplitSeq(rel, string(filepath.Separator)) {
		if strings.HasPrefix(part, ".") || part == "node_modules" {
			return true
		}
	}
	return false
}
