//go:build linux

// Command koda-guest is the program that koda puts into a sandbox that is a machine of
// its own, such as a container. Koda reads and writes files, runs commands, opens shells
// and dials ports through it, or draws: see package internal/guest.
//
//	koda-guest serve -id ID -dir DIR -socket PATH [-idle 5m] [-life 24h] [-scratch DIR -scratch-most BYTES]
//	                 [-draw [-browser-memory BYTES]]
//	koda-guest join -socket PATH
//	koda-guest check -id ID -dir DIR -socket PATH
//
// Serve is the first process of a container. It makes DIR, the project's directory,
// answers at the unix socket PATH, which only its own user may use, and then writes the
// line "ready". It is two processes.
// The first does what an init does, and keeps the lease: when koda has not touched the
// sandbox for the time idle, or after the time life, the sandbox ends, even if its code
// has stopped the second process. The second does the work. Serve ends with the status
// of the second process. All that runs in the sandbox ends with it.
//
// Join connects its standard input and output with the socket. It is what `docker exec`
// starts, so a container needs neither network nor port. When the input ends, join ends.
//
// Check ends with 0 if the guest answers and DIR can be written. It is the health check of
// a container.
//
// Commands and shells get the environment of serve. If the files in the scratch directory
// use too much disk, all commands and shells end. With -draw there are none: the guest
// draws pages with the Chromium and the ffmpeg on PATH, and DIR has the files of drawings.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/koda-video/koda/internal/draw"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/guest"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// endGrace is how long the work has to end by itself.
const endGrace = 5 * time.Second

// touchFile is the descriptor by which the second process tells the first of a touch.
const touchFile = 3

type flags struct {
	id, dir, socket string
	idle, life      time.Duration
	draw            bool
	memory          int64 // of a browser, in bytes; 0: chosen for the machine
	scratch         string
	scratchMost     int64
}

func main() {
	// Programs of the sandbox run as the same user. They must not read this program's
	// memory, trace it or take its descriptors.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, "koda-guest: hide from other programs:", err)
		os.Exit(1)
	}
	status, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "koda-guest:", err)
		status = max(status, 1)
	}
	os.Exit(status)
}

func run(args []string) (status int, err error) {
	var role string
	if len(args) > 0 {
		role, args = args[0], args[1:]
	}
	var f flags
	set := flag.NewFlagSet("koda-guest "+role, flag.ContinueOnError)
	set.StringVar(&f.socket, "socket", "", "unix `path` where the guest answers")
	if role != "join" {
		set.StringVar(&f.id, "id", "", "`id` of the sandbox")
		set.StringVar(&f.dir, "dir", "", "`directory` of the project")
		set.DurationVar(&f.idle, "idle", 0, "`time` after which an untouched sandbox ends; 0: never")
		set.DurationVar(&f.life, "life", 0, "`time` after which the sandbox ends; 0: never")
		set.BoolVar(&f.draw, "draw", false, "draw pages, and do nothing else")
		set.Int64Var(&f.memory, "browser-memory", 0, "`bytes` that a browser may use; 0: what the machine has for it; below 0: any number")
		set.StringVar(&f.scratch, "scratch", "", "`directory` on a disk whose use is watched")
		set.Int64Var(&f.scratchMost, "scratch-most", 0, "`bytes` that the files in it may use")
	}
	if err := set.Parse(args); err != nil {
		return 2, err
	}
	if f.socket == "" || role != "join" && (f.id == "" || !filepath.IsAbs(f.dir)) {
		return 2, errors.New("the flags -socket, -id and -dir are needed, and the directory must be absolute; join needs -socket only")
	}
	switch role {
	case "serve":
		return serve(f, args)
	case "work":
		return 0, work(f)
	case "join":
		return 0, guest.Join(context.Background(), f.socket, os.Stdin, os.Stdout)
	case "check":
		return 0, check(f)
	}
	return 2, fmt.Errorf("there is no command %q; the commands are serve, join and check", role)
}

// checkTime is how long the guest may take to answer a check.
const checkTime = 5 * time.Second

// check asks the guest at the socket for its greeting.
func check(f flags) error {
	ctx, cancel := context.WithTimeout(context.Background(), checkTime)
	defer cancel()
	sb, err := guest.Open(ctx, guest.Options{
		ID:    f.id,
		Dial:  func(ctx context.Context) (net.Conn, error) { return new(net.Dialer).DialContext(ctx, "unix", f.socket) },
		Alive: func(context.Context) error { return nil }, Destroy: func(context.Context) error { return nil },
	})
	if err != nil {
		return err
	}
	if err := errors.Join(sb.Destroy(ctx), unix.Access(f.dir, unix.W_OK)); err != nil {
		return fmt.Errorf("write to the project: %w", err)
	}
	return nil
}

// serve is the first process: init and lease.
func serve(f flags, args []string) (status int, err error) {
	told, tells, err := os.Pipe()
	if err != nil {
		return 1, err
	}
	touched := make(chan struct{})
	go func() {
		for b := make([]byte, 1); ; {
			if _, err := told.Read(b); err != nil {
				return
			}
			touched <- struct{}{}
		}
	}()
	end := make(chan struct{})
	go func() {
		fmt.Fprintln(os.Stderr, "koda-guest: ending:", guest.Lease(context.Background(), f.idle, f.life, touched))
		close(end)
	}()
	spec := proc.Self("work")
	spec.Args = append(spec.Args, args...)
	return proc.Init(spec, []*os.File{tells}, end, endGrace)
}

// work is the second process. It returns when it is told to end.
func work(f flags) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	defer stop()
	syscall.CloseOnExec(touchFile)
	touches := os.NewFile(touchFile, "touches")
	digest, err := own()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return err
	}
	l, err := listen(f.socket)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, "ready")
	cfg := guest.Config{
		Greeting: guest.Greeting{ID: f.id, Digest: digest},
		Touch: func() {
			_, _ = touches.Write([]byte{0}) //nolint:errcheck // without the first process this one is gone as well
		},
	}
	if f.draw {
		cfg.Studio = studio(f)
		return guest.Serve(ctx, l, guest.Handler(cfg))
	}
	commands := hostos.NewCommands(f.dir, os.Environ(), time.Now)
	if f.scratch != "" {
		go guest.Scratch{Dir: f.scratch, Most: f.scratchMost, Full: func(err error) {
			commands.End(err, func() { proc.KillBelow(os.Getppid(), os.Getpid()) }) // and what left its command
		}}.Watch(ctx)
	}
	cfg.Ports = &guest.Ports{Files: hostos.NewFiles(f.id, f.dir), Commands: commands, Shells: commands, Dialer: commands, Listener: commands}
	err = guest.Serve(ctx, l, guest.Handler(cfg))
	return errors.Join(err, commands.Close())
}

// studio draws with the programs of this machine.
func studio(f flags) *guest.Studio {
	host := hostos.New(filepath.Join(f.dir, "tmp"))
	tool := ffmpeg.New(host, "")
	memory := func() int64 {
		if f.memory != 0 {
			return max(0, f.memory)
		}
		return draw.BrowserMemory()
	}
	c := draw.Chromium{Host: host, Dir: f.dir, FFmpeg: tool, Memory: sync.OnceValue(memory)}
	return &guest.Studio{
		Dir:    f.dir,
		Drawer: draw.New(draw.Config{Probe: c.Probe, Reprobe: c.Reprobe, Open: c.Open, Fonts: draw.LocalFonts, FFmpeg: tool, Now: time.Now}),
	}
}

// listen opens the socket for this user alone. A socket that an earlier guest left is
// replaced.
func listen(socket string) (net.Listener, error) {
	if err := os.MkdirAll(filepath.Dir(socket), 0o700); err != nil {
		return nil, err
	}
	if err := os.Remove(socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	before := syscall.Umask(0o177)
	defer syscall.Umask(before)
	var lc net.ListenConfig
	return lc.Listen(context.Background(), "unix", socket)
}

// own is the SHA-256 of this program in hex.
func own() (string, error) {
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // it was only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
