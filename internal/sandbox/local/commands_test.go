package local_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
	"github.com/koda-video/koda/internal/sandbox/local"
	"github.com/koda-video/koda/internal/sandbox/sandboxtest"
)

// commanding makes local sandboxes whose commands run on this machine. It is for
// tests, which know what they run.
type commanding struct {
	*local.Provider
	root string

	mu       sync.Mutex
	commands map[string]*hostos.Commands
}

// commanded is a sandbox of a commanding provider.
type commanded struct {
	sandbox.Sandbox
	*hostos.Commands
	p *commanding
}

func (p *commanding) wrap(sb sandbox.Sandbox, err error) (sandbox.Sandbox, error) {
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.commands[sb.ID()] == nil {
		env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.root, "PS1=$ ", "LC_ALL=C.UTF-8"}
		p.commands[sb.ID()] = hostos.NewCommands(filepath.Join(p.root, "sandboxes", sb.ID(), "project"), env, time.Now)
	}
	return commanded{sb, p.commands[sb.ID()], p}, nil
}

func (p *commanding) Create(ctx context.Context, o sandbox.Options) (sandbox.Sandbox, error) {
	return p.wrap(p.Provider.Create(ctx, o))
}

func (p *commanding) Connect(ctx context.Context, id string) (sandbox.Sandbox, error) {
	return p.wrap(p.Provider.Connect(ctx, id))
}

func (c commanded) Capabilities() sandbox.Capabilities {
	return sandbox.Capabilities{Commands: true, Background: true}
}

func (c commanded) there(ctx context.Context) error {
	_, err := c.p.Provider.Connect(ctx, c.ID())
	return err
}

func (c commanded) Run(ctx context.Context, cmd sandbox.Command) (sandbox.RunResult, error) {
	if err := c.there(ctx); err != nil {
		return sandbox.RunResult{}, err
	}
	return c.Commands.Run(ctx, cmd)
}

func (c commanded) Processes(ctx context.Context) ([]sandbox.Background, error) {
	return c.Commands.Processes(ctx)
}

func (c commanded) Stop(ctx context.Context, pid int) error { return c.Commands.Stop(ctx, pid) }

func (c commanded) Shell(ctx context.Context, name string, size sandbox.Size) (sandbox.Shell, error) {
	return c.Commands.Shell(ctx, name, size)
}

func (c commanded) Dial(ctx context.Context, port int) (net.Conn, error) {
	return c.Commands.Dial(ctx, port)
}

func (c commanded) Listen(ctx context.Context) (net.Listener, error) { return c.Commands.Listen(ctx) }

func (c commanded) Destroy(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.Close(); err != nil {
		return err
	}
	return c.Sandbox.Destroy(ctx)
}

// hostos.Commands keeps the contract of sandbox.Commands.
func TestContract_commands(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	p := &commanding{Provider: provider(root), root: root, commands: map[string]*hostos.Commands{}}
	sandboxtest.Run(t, func(*testing.T) sandbox.Provider { return p })
}
