package proc

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// KeepArg as its only argument makes koda's program a keeper, which runs [Keep].
const KeepArg = "__keep"

// doneLine tells a keeper that there is nothing to keep any more.
const doneLine = "done\n"

// keepGrace is how long a command has between SIGTERM and SIGKILL.
const keepGrace = 2 * time.Second

// keeper ends a child and all its descendants if this process is killed. The child shares a
// terminal and a process group with others, so no group can be killed, and the kernel would
// kill the child alone.
type keeper struct {
	cmd  *exec.Cmd
	tell *os.File
}

// newKeeper starts a keeper that keeps nothing yet. It starts before the child, since the child may be at work before a
// keeper could be started behind it. Without one the child works as well; nil: none started.
func newKeeper() *keeper {
	self := Self(KeepArg)
	hear, tell, err := os.Pipe()
	if err != nil {
		return nil
	}
	defer hear.Close() //nolint:errcheck // a pipe end
	cmd := exec.Command(self.Path, self.Args...)
	cmd.Env, cmd.ExtraFiles, cmd.SysProcAttr = self.Env, []*os.File{hear}, &syscall.SysProcAttr{Setsid: true}
	if cmd.Start() != nil {
		_ = tell.Close() //nolint:errcheck // a pipe end
		return nil
	}
	return &keeper{cmd, tell}
}

// of says which child is kept.
func (k *keeper) of(pid int) {
	if k != nil {
		_, _ = fmt.Fprintf(k.tell, "%d %s\n", pid, Started(pid)) //nolint:errcheck // then it does nothing
	}
}

// done ends the keeper: the child has ended, or never began.
func (k *keeper) done() {
	if k == nil {
		return
	}
	_, _ = io.WriteString(k.tell, doneLine) //nolint:errcheck // it has ended
	_ = k.tell.Close()                      //nolint:errcheck // likewise
	_ = k.cmd.Wait()                        //nolint:errcheck // it says nothing
}

// Keep is the whole work of a keeper. It reads a process and when it was started, and waits
// for a further line. If none comes, whoever started the keeper was killed: the process and
// all its descendants get SIGTERM, and after two seconds SIGKILL.
func Keep() error {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	in := bufio.NewReader(os.NewFile(3, "keeper"))
	line, err := in.ReadString('\n')
	if err != nil {
		return fmt.Errorf("read what to keep: %w", err)
	}
	if line == doneLine {
		return nil
	}
	id, started, _ := strings.Cut(strings.TrimSpace(line), " ")
	pid, err := strconv.Atoi(id)
	if err != nil || pid < 2 || started == "" {
		return fmt.Errorf("there is no process %q", id)
	}
	if _, err := in.ReadString('\n'); err == nil {
		return nil
	}
	all := append(below(pid), pid)
	for _, one := range all {
		if one != pid || Started(pid) == started {
			_ = syscall.Kill(one, syscall.SIGTERM) //nolint:errcheck // it may just have ended
		}
	}
	for range keepGrace / (50 * time.Millisecond) {
		if len(below(pid)) == 0 && Started(pid) != started {
			return nil
		}
		<-time.After(50 * time.Millisecond)
	}
	KillBelow(pid, 0)
	for _, one := range all {
		if one != pid && Alive(one) || Started(pid) == started {
			_ = syscall.Kill(one, syscall.SIGKILL) //nolint:errcheck // likewise
		}
	}
	return nil
}
