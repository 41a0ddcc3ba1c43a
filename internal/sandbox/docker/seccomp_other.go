//go:build !linux

package docker

// syscalls is no profile of koda's own: the list of Docker's default profile is there
// for Linux only. The engine's own default holds, under which Chromium has no sandbox of
// its own.
func syscalls() (string, error) { return "", nil }
