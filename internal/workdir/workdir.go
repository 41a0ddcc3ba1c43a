package workdir

import (
	"errors"
	"io/fs"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

var errSkeleton = errors.New("workdir: not written yet")

// Storage keeps project directories. It is used by pointer.
type Storage struct {
	Now     func() time.Time // clock for the lock's "since"
	Release string           // version of koda, written into locks

	mu sync.Mutex
}

// NameFrom derives a project name from a prompt.
func NameFrom(prompt string) string { return "animation" }

// ValidName says whether name can be given by hand; else a USAGE error.
func ValidName(name string) error { return nil }

// ValidPath says whether a checkpoint may hold path; else INVALID_PATH.
func ValidPath(path string) error { return nil }

// CheckAsset reads a file the person brought; USAGE says what is wrong.
func CheckAsset(source string) (koda.Asset, error) { return koda.Asset{}, errSkeleton }

// AddAsset copies a checked file into the project below public/.
func (s *Storage) AddAsset(dir, source string) (koda.Asset, error) {
	return koda.Asset{}, errSkeleton
}

// Create makes a new project directory below parent.
func (s *Storage) Create(parent, name string, exact bool) (string, error) { return "", errSkeleton }

// Lock makes this process the owner of the directory until release is called.
func (s *Storage) Lock(dir string) (release func() error, err error) { return nil, errSkeleton }

// ReadState reads the last whole checkpoint.
func (s *Storage) ReadState(dir string) (koda.StateFile, error) {
	return koda.StateFile{}, errSkeleton
}

// Checkpoint copies files and state into the project.
func (s *Storage) Checkpoint(dir string, cp koda.Checkpoint) (kept []string, err error) {
	return nil, errSkeleton
}

// Changes lists files that differ from the last checkpoint.
func (s *Storage) Changes(dir string) ([]koda.FileChange, error) { return nil, errSkeleton }

// Tree reads the generated files of the directory as they are now.
func (s *Storage) Tree(dir string) (map[string][]byte, error) { return nil, errSkeleton }

// Version opens the files of version n, read only.
func (s *Storage) Version(dir string, n int) (fs.FS, error) { return nil, errSkeleton }

// Versions lists the versions of the directory in order.
func (s *Storage) Versions(dir string) ([]koda.Version, error) { return nil, errSkeleton }

// Remove deletes what koda made in the directory.
func (s *Storage) Remove(dir string) (left []string, err error) { return nil, errSkeleton }
