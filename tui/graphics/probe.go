package graphics

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// maxReply is more than any terminal answers, in bytes.
const maxReply = 1 << 14

// Why a terminal was not asked, or gave no answer.
var (
	errBackground = errors.New("koda is in the background")
	errTyped      = errors.New("something was typed already")
	errLate       = errors.New("no answer in time")
	errLong       = errors.New("the answer has no end")
)

// Probe returns a function that asks the terminal which in reads and out writes, and
// returns its answer, up to and with the attributes at its end. Questions end with the
// one for the attributes.
//
// The terminal neither echoes nor interprets what arrives meanwhile, and is as before
// when the function returns. An answer that takes longer than timeout is an error. It is
// still waited for, once more for that long, and thrown away: else it would be typed into
// the shell. If something was typed before, nothing is asked, so that it is not lost.
//
// The function writes to out itself: nothing in its question is from outside. It must
// not run while anything else reads the terminal.
func Probe(in, out *os.File, timeout time.Duration) func(query string) (reply string, err error) {
	return func(query string) (reply string, err error) {
		fd := int(in.Fd())
		defer func() {
			if err != nil {
				err = fmt.Errorf("ask the terminal: %w", err)
			}
		}()
		// A process in the background that changes the terminal is stopped by it.
		if group, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP); err != nil {
			return "", err
		} else if group != unix.Getpgrp() {
			return "", errBackground
		}
		before, err := term.MakeRaw(fd)
		if err != nil {
			return "", err
		}
		defer func() {
			if e := term.Restore(fd, before); err == nil {
				err = e
			}
		}()
		if typed, err := readable(fd, 0); err != nil {
			return "", err
		} else if typed {
			return "", errTyped
		}
		if _, err := out.WriteString(query); err != nil {
			return "", err
		}
		return await(fd, time.Now().Add(timeout), timeout)
	}
}

// await reads an answer to its end. After the time limit it waits for grace, and throws
// the answer away.
func await(fd int, limit time.Time, grace time.Duration) (reply string, err error) {
	var all []byte
	b := make([]byte, 512)
	late := false
	for !answered(string(all)) {
		ready, err := readable(fd, time.Until(limit))
		switch {
		case err != nil:
			return "", err
		case !ready && late:
			return "", errLate
		case !ready:
			late, limit = true, time.Now().Add(grace)
			continue
		}
		n, err := unix.Read(fd, b)
		switch {
		case errors.Is(err, unix.EINTR), errors.Is(err, unix.EAGAIN):
			continue
		case err != nil:
			return "", fmt.Errorf("read the answer: %w", err)
		case n == 0:
			return "", errors.New("the terminal is gone")
		}
		if all = append(all, b[:n]...); len(all) > maxReply {
			return "", errLong
		}
	}
	if late {
		return "", errLate
	}
	return string(all), nil
}

// readable waits until a terminal has something to read, or until the wait is over. It
// selects because macOS cannot poll terminals.
func readable(fd int, wait time.Duration) (bool, error) {
	limit := time.Now().Add(wait)
	for {
		var set unix.FdSet
		set.Set(fd)
		left := unix.NsecToTimeval(max(0, time.Until(limit)).Nanoseconds())
		n, err := unix.Select(fd+1, &set, nil, nil, &left)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return false, fmt.Errorf("wait for the terminal: %w", err)
		}
		return n > 0, nil
	}
}
