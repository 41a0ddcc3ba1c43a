package browser_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// somewhere is this machine, with other answers about the user and about a container.
type somewhere struct {
	sandbox.Host
	root      bool
	container string
}

func (s somewhere) Root() bool        { return s.root }
func (s somewhere) Container() string { return s.container }

// fenced is a script that starts the real browser as an ordinary user where no user
// namespace can be made, as in containers and on some systems. If this system has
// namespaces, the browser runs in a namespace that allows no further namespaces. A
// browser that is told to run without its sandbox is started unchanged.
const fenced = `#!/bin/sh
real=$(echo %q)
case " $* " in *" --no-sandbox "*) exec $real "$@" ;; esac
if unshare --user true 2>/dev/null; then
	exec unshare --user --map-user=1000 --map-group=1000 --keep-caps \
		sh -c 'echo 0 >/proc/sys/user/max_user_namespaces; exec "$0" "$@"' $real "$@"
fi
[ "$(id -u)" != 0 ] || exec setpriv --reuid=65534 --regid=65534 --clear-groups $real "$@"
exec $real "$@"
`

func fencedBrowser(t *testing.T) string {
	t.Helper()
	needs.Chromium(t)
	real, err := browser.Find(t.Context(), hostos.New(t.TempDir()), "")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "fenced") // other users can read it, unlike t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(dir, "browser")
	if err := os.WriteFile(script, fmt.Appendf(nil, fenced, real), 0o755); err != nil {
		t.Fatal(err)
	}
	return script
}

// Chromium's own sandbox is used if it works. If it does not, pages are drawn
// without it only in a container or if the person allowed it.
func TestBrowserSandbox(t *testing.T) {
	t.Parallel()
	script := fencedBrowser(t)
	for _, c := range []struct {
		name      string
		root      bool
		container string
		wanted    string
		sandbox   string // "": refused
		says      string // part of the reason, or of the error
		hint      string
	}{
		{name: "in a container", container: "/.dockerenv", sandbox: "off", says: "this container (/.dockerenv)", hint: "--security-opt seccomp="},
		{name: "in a container, wanted", container: "/.dockerenv", wanted: "on", says: "user namespaces", hint: "--security-opt seccomp="},
		{name: "on a machine", wanted: "auto", says: "start the browser in its own sandbox", hint: "browser-sandbox off"},
		{name: "on a machine, not wanted", wanted: "off", sandbox: "off", says: "the setting", hint: "browser-sandbox auto"},
		{name: "as root", root: true, sandbox: "off", says: "root", hint: "ordinary user"},
		{name: "as root, wanted", root: true, wanted: "on", says: "root", hint: "ordinary user"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			slots <- struct{}{}
			defer func() { <-slots }()
			host := somewhere{hostos.New(t.TempDir()), c.root, c.container}
			info, err := browser.Probe(t.Context(), host, browser.Wanted{Path: script, Sandbox: c.wanted})
			if c.sandbox == "" {
				if !errors.Is(err, browser.ErrSandbox) || koda.CodeOf(err) != koda.CodeMissingTool ||
					!strings.Contains(err.Error(), c.says) || !strings.Contains(koda.HintOf(err), c.hint) {
					t.Errorf("error %v (%s), hint %q", err, koda.CodeOf(err), koda.HintOf(err))
				}
				return
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
			}
			if info.Sandbox != c.sandbox || !strings.Contains(info.SandboxWhy, c.says) || !strings.Contains(info.SandboxFix, c.hint) {
				t.Errorf("%+v", info)
			}
		})
	}
}

// A cached answer from another place does not count here: the cache may have moved
// into a container or to another user.
func TestBrowserSandboxCached(t *testing.T) {
	t.Parallel()
	dir, script := t.TempDir(), fencedBrowser(t)
	slots <- struct{}{}
	defer func() { <-slots }()
	ask := func(root bool, container, wanted string) (koda.CaptureInfo, error) {
		return browser.CachedProbe(t.Context(), somewhere{hostos.New(t.TempDir()), root, container}, browser.Wanted{Path: script, Sandbox: wanted}, dir)
	}
	if info, err := ask(true, "", ""); err != nil || info.Sandbox != "off" {
		t.Fatalf("as root: %+v, %v", info, err)
	}
	if info, err := ask(false, "", ""); !errors.Is(err, browser.ErrSandbox) {
		t.Errorf("as a user: %+v, %v", info, err)
	}
	if info, err := ask(true, "", "on"); !errors.Is(err, browser.ErrSandbox) {
		t.Errorf("as root, wanted: %+v, %v", info, err)
	}
}
