package hostos

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// killedFirst lets the kernel end a program of the sandbox before the guest when memory is
// used up. If the system has no such mark, nothing happens.
func killedFirst(pid int) {
	if f, err := os.OpenFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), os.O_WRONLY, 0); err == nil {
		_, _ = f.WriteString("500") //nolint:errcheck // see above
		_ = f.Close()               //nolint:errcheck // see above
	}
}

// memoryKills counts the processes that the kernel has ended since this container began
// because its memory was used up. 0 if the system does not tell.
func memoryKills() int {
	for _, file := range []string{"/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"} {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if count, ok := strings.CutPrefix(line, "oom_kill "); ok {
				if n, err := strconv.Atoi(strings.TrimSpace(count)); err == nil {
					return n
				}
			}
		}
	}
	return 0
}
