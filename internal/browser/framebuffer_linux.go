package browser

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// graphicsProcess finds the graphics process among the descendants of a browser; 0 if
// there is no such process.
func graphicsProcess(browser int) int {
	for queue := []int{browser}; len(queue) > 0; queue = queue[1:] {
		dir := filepath.Join("/proc", strconv.Itoa(queue[0]))
		if line, err := os.ReadFile(filepath.Join(dir, "cmdline")); err == nil && bytes.Contains(line, []byte("--type=gpu-process")) {
			return queue[0]
		}
		lists, err := filepath.Glob(filepath.Join(dir, "task/*/children"))
		if err != nil {
			return 0
		}
		for _, list := range lists {
			raw, err := os.ReadFile(list)
			if err != nil {
				continue // the thread has ended
			}
			for _, field := range strings.Fields(string(raw)) {
				if pid, err := strconv.Atoi(field); err == nil {
					queue = append(queue, pid)
				}
			}
		}
	}
	return 0
}

// mostVectors is how many pieces one call can read.
const mostVectors = 1024

// readMemory fills p from pieces of another process's memory. All pieces have the same
// length.
func readMemory(pid int, p []byte, pieces []uintptr) error {
	length := len(p) / len(pieces)
	for len(pieces) > 0 {
		n := min(len(pieces), mostVectors)
		remote := make([]unix.RemoteIovec, n)
		for i, address := range pieces[:n] {
			remote[i] = unix.RemoteIovec{Base: address, Len: length}
		}
		local := []unix.Iovec{{Base: &p[0]}}
		local[0].SetLen(n * length)
		got, err := unix.ProcessVMReadv(pid, local, remote, 0)
		if err != nil {
			return err
		}
		if got != n*length {
			return fmt.Errorf("%d of %d bytes are there", got, n*length)
		}
		p, pieces = p[n*length:], pieces[n:]
	}
	return nil
}

// findBitmaps looks in another process's own memory for bitmaps of exactly that many
// equal rows.
func findBitmaps(pid int, row []byte, rows int) ([]bitmap, error) {
	maps, err := os.Open(filepath.Join("/proc", strconv.Itoa(pid), "maps"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = maps.Close() }() //nolint:errcheck // only read
	var found []bitmap
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		start, end, ok := ownMemory(lines.Text())
		if !ok || end-start < uintptr(rows*len(row)) {
			continue
		}
		s := search{pid: pid, start: start, end: end, row: row, rows: rows}
		if err := s.run(); refused(err) {
			return nil, err
		}
		found = append(found, s.found...)
	}
	return found, lines.Err()
}

// ownMemory reads a line of /proc/PID/maps. It says yes to memory that can be written and
// belongs to no file.
func ownMemory(line string) (start, end uintptr, ok bool) {
	fields := strings.Fields(line)
	if len(fields) != 5 || !strings.HasPrefix(fields[1], "rw") {
		return 0, 0, false
	}
	low, high, _ := strings.Cut(fields[0], "-")
	a, errA := strconv.ParseUint(low, 16, 64)
	b, errB := strconv.ParseUint(high, 16, 64)
	return uintptr(a), uintptr(b), errA == nil && errB == nil
}

// search looks through one range of memory.
type search struct {
	pid        int
	start, end uintptr
	row        []byte
	rows       int
	found      []bitmap
	got        []byte // a row
}

// run takes samples, and looks around each sample that has the colour. The distance
// between samples is not a multiple of a power of two, because the lengths of rows may
// be.
func (s *search) run() error {
	step := uintptr(min(max(len(s.row)*s.rows/512, 1<<10), 1<<15)/4*4 + 4)
	pixels := make([]byte, 4*mostVectors)
	for at := s.start; at+4 <= s.end; {
		var samples []uintptr
		for len(samples) < mostVectors && at+4 <= s.end {
			samples = append(samples, at)
			at += step
		}
		if err := readMemory(s.pid, pixels[:4*len(samples)], samples); err != nil {
			return err
		}
		for i, sample := range samples {
			if bytes.Equal(pixels[4*i:4*i+4], s.row[:4]) && !s.known(sample) {
				s.look(sample)
			}
		}
	}
	return nil
}

// known reports whether an address lies in a bitmap that was already found.
func (s *search) known(at uintptr) bool {
	for _, b := range s.found {
		if at >= b.address && at < b.address+b.stride*uintptr(s.rows) {
			return true
		}
	}
	return false
}

// look finds the bitmap around an address. The rows of a bitmap follow each other at once
// or at equal distances.
func (s *search) look(at uintptr) {
	length := uintptr(len(s.row))
	low, high := s.start, s.end
	if reach := 4 * length; at-low > reach {
		low = at - reach
	}
	if reach := 4 * length; high-at > reach {
		high = at + reach
	}
	around := make([]byte, high-low)
	if readMemory(s.pid, around, []uintptr{low}) != nil {
		return
	}
	from := s.coloured(around[:at-low], true)
	to := at - low + s.coloured(around[at-low:], false)
	from = at - low - from
	b := bitmap{address: low + from, stride: length}
	if to-from == length {
		if next := bytes.Index(around[to:], s.row); next >= 0 {
			b.stride = to + uintptr(next) - from
		} else if last := bytes.LastIndex(around[:from], s.row); last >= 0 {
			b.stride = from - uintptr(last)
		}
	}
	for b.address-s.start >= b.stride && s.filled(b.address-b.stride) {
		b.address -= b.stride
	}
	if before := make([]byte, min(length, b.address-s.start)); b.stride == length && len(before) > 0 {
		if readMemory(s.pid, before, []uintptr{b.address - uintptr(len(before))}) != nil {
			return
		}
		b.address -= s.coloured(before, true)
	}
	for i := range s.rows {
		if !s.filled(b.address + uintptr(i)*b.stride) {
			return
		}
	}
	if !s.filled(b.address + uintptr(s.rows)*b.stride) {
		s.found = append(s.found, b)
	}
}

// coloured counts the bytes of the colour at the beginning of p, or at its end.
func (s *search) coloured(p []byte, end bool) uintptr {
	n := 0
	for ; n+4 <= len(p); n += 4 {
		pixel := p[n : n+4]
		if end {
			pixel = p[len(p)-n-4 : len(p)-n]
		}
		if !bytes.Equal(pixel, s.row[:4]) {
			break
		}
	}
	return uintptr(n)
}

// filled reports whether a row of the colour lies at an address.
func (s *search) filled(at uintptr) bool {
	if s.got == nil {
		s.got = make([]byte, len(s.row))
	}
	return at+uintptr(len(s.got)) <= s.end && readMemory(s.pid, s.got, []uintptr{at}) == nil && bytes.Equal(s.got, s.row)
}
