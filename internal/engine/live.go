package engine

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

var _ tool.Live = (*act)(nil)

// The development server of the starter project.
const (
	devLine = "mkdir -p node_modules && bun run dev" // Vite writes there; the packages lie above, where nobody writes
	devPort = 5173
	devLook = 100 * time.Millisecond // how often koda looks whether it answers
)

// StartPreview starts the development server in the sandbox and shows it; where no server
// can run, it shows the page that koda builds. The view lasts
// until the sandbox ends, or this process.
func (a *act) StartPreview(ctx context.Context) (streamURL, devServerURL string, err error) {
	sb, err := a.sandbox()
	if err != nil {
		return "", "", err
	}
	a.r.e.showLive(a.r.project.ID, nil)
	view, server := LiveView(nil), ""
	files := func(ctx context.Context) (fs.FS, string, error) { return digested(ctx, sb) }
	if sb.Capabilities().Background {
		if err := startServer(ctx, sb, a.r.e.cfg.After); err != nil {
			return "", "", err
		}
		server = fmt.Sprintf("http://localhost:%d/", devPort)
		view, err = a.r.e.cfg.Live(func(ctx context.Context) (net.Conn, error) { return sb.Dial(ctx, devPort) }, files, devPort)
	} else {
		view, err = a.r.e.cfg.LivePage(files, devPort)
	}
	if err != nil {
		return "", "", err
	}
	a.r.e.showLive(a.r.project.ID, view)
	a.r.think("The live view is at " + view.URL())
	return view.URL(), cmp.Or(server, view.URL()), nil
}

// digested are the files of a sandbox as they are, and a digest of them.
func digested(ctx context.Context, sb sandbox.Sandbox) (fs.FS, string, error) {
	tree, err := readTree(ctx, sb)
	if err != nil {
		return nil, "", err
	}
	sum := digestOf(tree)
	return inMemory(tree), hex.EncodeToString(sum[:]), nil
}

// showLive makes view the live view of a project; nil ends the view.
func (e *Engine) showLive(project string, view LiveView) {
	e.mu.Lock()
	before := e.live[project]
	delete(e.live, project)
	if view != nil {
		e.live[project] = view
	}
	e.mu.Unlock()
	if before != nil {
		_ = before.Close() //nolint:errcheck // nobody watches it any more
	}
}

// startServer ends the development server that runs, starts a new one, and returns when
// it answers. PORT_UNAVAILABLE: something else has its port. SERVER_FAILED: it ended.
func startServer(ctx context.Context, sb sandbox.Sandbox, after func(time.Duration) (<-chan time.Time, func())) error {
	running, err := sb.Processes(ctx)
	if err != nil {
		return err
	}
	for _, p := range running {
		if p.Line != devLine {
			continue
		}
		if err := sb.Stop(ctx, p.PID); err != nil && koda.CodeOf(err) != koda.CodeNotFound {
			return err
		}
	}
	switch answered, err := answers(ctx, sb); {
	case err != nil:
		return err
	case answered:
		return &koda.Error{
			Code: koda.CodePortUnavailable, Op: fmt.Sprintf("another program of the sandbox has port %d", devPort), Hint: "end that program, then start the live view again",
		}
	}
	started, err := sb.Run(ctx, sandbox.Command{Line: devLine, Background: true})
	if err != nil {
		return err
	}
	for {
		if answered, err := answers(ctx, sb); err != nil || answered {
			return err
		}
		if err := ended(ctx, sb, started.PID); err != nil {
			return err
		}
		soon, stop := after(devLook)
		select {
		case <-soon:
		case <-ctx.Done():
			stop()
			return fmt.Errorf("wait for the development server: %w", ctx.Err())
		}
	}
}

// answers reports whether the port of the development server answers.
func answers(ctx context.Context, sb sandbox.Sandbox) (bool, error) {
	c, err := sb.Dial(ctx, devPort)
	if koda.CodeOf(err) == koda.CodeServerFailed {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, c.Close()
}

// ended fails with SERVER_FAILED if a process of the sandbox has ended.
func ended(ctx context.Context, sb sandbox.Sandbox, pid int) error {
	all, err := sb.Processes(ctx)
	if err != nil {
		return err
	}
	for _, p := range all {
		if p.PID != pid || p.Running {
			continue
		}
		said := strings.TrimSpace(p.Output)
		return &koda.Error{
			Code: koda.CodeServerFailed, Op: fmt.Sprintf("the development server ended with status %d", p.ExitCode), Err: errors.New(said[strings.LastIndexByte(said, '\n')+1:]),
			Hint: "mend what it says, then start the live view again", Details: said,
		}
	}
	return nil
}
