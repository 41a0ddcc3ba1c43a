package docker

// Seccomp is the seccomp profile of koda's containers, for a container of koda's own image:
// Docker's default profile, and what Chromium's own sandbox and the fast capture need.
func Seccomp() (string, error) { return syscalls() }
