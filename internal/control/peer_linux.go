package control

import (
	"net"

	"golang.org/x/sys/unix"
)

// userOf is the user at the other end, as the kernel says.
func userOf(conn *net.UnixConn) (uid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return -1, err
	}
	var cred *unix.Ucred
	var asked error
	if err := raw.Control(func(fd uintptr) { cred, asked = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); err != nil {
		return -1, err
	}
	if asked != nil {
		return -1, asked
	}
	return int(cred.Uid), nil
}
