package workdir

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
)

// The bounds of a log. A log of maxLog bytes becomes log.1, in place of the log.1 before.
// A line is cut to maxLine bytes.
const (
	maxLog  = 256 << 10
	maxLine = 1000
)

// Log appends a line to .koda/log: the time, the process, and what happened. Only the
// holder of the directory's lock may call it. People read the log; koda never does. If a
// line cannot be written, it is left out: the journal has it anyway.
func (s *Storage) Log(dir string, at time.Time, text string) {
	if meta("log", dir) != nil {
		return
	}
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "…"
	}
	line := fmt.Sprintf("%s [%d %s] %s\n", at.Local().Format("2006-01-02 15:04:05.000"), os.Getpid(), s.Release, text)
	path := filepath.Join(dir, logName)
	if info, err := os.Lstat(path); err == nil && info.Size()+int64(len(line)) > maxLog && info.Mode().IsRegular() {
		_ = atomicfile.Publish(path, path+".1") //nolint:errcheck // if this fails, the log grows a little more
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		return
	}
	_, _ = f.WriteString(line) //nolint:errcheck // see above
	_ = f.Close()              //nolint:errcheck // see above
}
