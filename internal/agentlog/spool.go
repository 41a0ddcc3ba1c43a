package agentlog

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Header is the first line of a spool: whose lines these are.
type Header struct {
	Schema  int       `json:"schema"`
	Run     string    `json:"run"`
	Project string    `json:"project"`        // its id
	Name    string    `json:"name"`           // for people
	From    string    `json:"from,omitempty"` // address of the server; "" is this machine
	Dir     string    `json:"dir"`            // where the agent works
	Began   time.Time `json:"began"`
}

// whole is the mode of a spool whose agent ended by itself.
const whole = 0o400

// Spool is a file with all that an agent has printed so far. Who takes the agent's output
// writes to it and never waits; others read behind, at their own pace. The file is locked while
// its process lives, and survives its death; Remove ends both.
type Spool struct {
	Header
	f     *os.File
	start int64 // where the agent's bytes begin
	Whole bool  // its agent ended by itself

	mu      sync.Mutex
	changed *sync.Cond
	size    int64 // of the file
	ended   bool
}

const ending = ".lines"

// Create begins a spool in a directory, which is made if it is not there.
func Create(dir string, h Header) (*Spool, error) {
	var name [8]byte
	_, _ = rand.Read(name[:]) //nolint:errcheck // crypto/rand never fails
	h.Schema, h.Run = koda.SchemaVersion, hex.EncodeToString(name[:])
	line, err := json.Marshal(h)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return nil, koda.DiskError("keep what the agent says", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, h.Project+"-"+h.Run+ending), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, koda.DiskError("keep what the agent says", err)
	}
	s := open(f, h, int64(len(line))+1)
	if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		_, err = f.Write(append(line, '\n'))
	}
	if err != nil {
		return nil, koda.DiskError("keep what the agent says", errors.Join(err, s.Remove()))
	}
	return s, nil
}

func open(f *os.File, h Header, start int64) *Spool {
	s := &Spool{Header: h, f: f, start: start, size: start}
	s.changed = sync.NewCond(&s.mu)
	return s
}

// Left opens the spools of a project that processes left behind, which were killed or could not
// reach the project. What is no spool is left alone. The caller closes or removes each.
func Left(dir, project, from string) (left []*Spool) {
	names, _ := filepath.Glob(filepath.Join(dir, project+"-*"+ending)) //nolint:errcheck // an id is no bad pattern
	for _, name := range names {
		f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
		if err != nil {
			continue
		}
		if s := again(f); s != nil && s.Project == project && s.From == from {
			left = append(left, s)
			continue
		}
		_ = f.Close() //nolint:errcheck // nothing was written
	}
	return left
}

// again opens a spool that nobody has; nil if it is none.
func again(f *os.File) *Spool {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return nil
	}
	var h Header
	line, err := bufio.NewReader(io.LimitReader(f, 1<<20)).ReadBytes('\n')
	if err != nil || json.Unmarshal(bytes.TrimSpace(line), &h) != nil || h.Run == "" {
		return nil
	}
	s := open(f, h, int64(len(line)))
	s.size, s.ended, s.Whole = info.Size(), true, info.Mode().Perm() == whole
	return s
}

// Write takes bytes of the agent. After an error nothing more is taken, and the bytes that
// were taken stay.
func (s *Spool) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.f.WriteAt(b, s.size)
	s.size += int64(n)
	s.ended = s.ended || err != nil
	s.changed.Broadcast()
	if err != nil {
		return n, koda.DiskError("keep what the agent says", err)
	}
	return n, nil
}

// End says that nothing follows.
func (s *Spool) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.changed.Broadcast()
}

// Reader reads the bytes of the agent from the first on. With wait it waits for more until the
// end, without it io.EOF may come before. Its Read must not be called at the same time.
func (s *Spool) Reader(wait bool) io.Reader { return &reader{s: s, at: s.start, wait: wait} }

type reader struct {
	s    *Spool
	at   int64
	wait bool
}

// Read implements io.Reader.
func (r *reader) Read(b []byte) (int, error) {
	r.s.mu.Lock()
	for r.wait && r.at == r.s.size && !r.s.ended {
		r.s.changed.Wait()
	}
	left := r.s.size - r.at
	r.s.mu.Unlock()
	if left == 0 {
		return 0, io.EOF
	}
	n, err := r.s.f.ReadAt(b[:min(int64(len(b)), left)], r.at)
	r.at += int64(n)
	if err != nil && n == 0 {
		return 0, fmt.Errorf("read what the agent said: %w", err)
	}
	return n, nil
}

// Size is how many bytes the agent printed so far.
func (s *Spool) Size() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size - s.start
}

// Close lets go of the spool; its file stays, for whoever comes next. AgentEnded notes that
// the agent ended by itself.
func (s *Spool) Close(agentEnded bool) error {
	var err error
	if agentEnded {
		err = s.f.Chmod(whole)
	}
	return errors.Join(err, s.f.Close())
}

// Remove removes the spool: a project has all of it.
func (s *Spool) Remove() error {
	return errors.Join(os.Remove(s.f.Name()), s.f.Close())
}
