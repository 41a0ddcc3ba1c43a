package packages

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/templates"
)

// Mode is what the sandboxes of authors may reach.
type Mode string

// The modes.
const (
	None       Mode = "none"       // nothing
	Registries Mode = "registries" // package registries, while packages are installed
	Open       Mode = "open"       // everything that this machine reaches
)

// Policy says how packages come into sandboxes. The zero value is None.
type Policy struct {
	Mode Mode
	// Registry is the address from which npm takes packages; "" is npm's own. Its host
	// may be reached.
	Registry func(context.Context) string
	Hosts    []string // that may be reached beside
	Dial     func(ctx context.Context, network, address string) (net.Conn, error)
}

// Banned are the packages that koda keeps out of projects, with the reason.
var Banned = map[string]string{
	"@theatre/studio": "is under the AGPL, which koda keeps out of projects; animations need @theatre/core alone",
	"@theatre/r3f":    "needs @theatre/studio, which is under the AGPL and which koda keeps out of projects",
}

//go:embed vendor.mjs
var vendor string

// vendorTime bounds one step of the script.
const vendorTime = 3 * time.Minute

// Result is what became of packages.
type Result struct {
	Ready   []Ready
	Refused []Refused
	Blocked []string // what the proxy refused
}

// Ready is a package that can be imported.
type Ready struct {
	Name, Version string
	Specifiers    []string
}

// Refused is a package that cannot be.
type Refused struct{ Name, Why string }

// Check says whether an install command can be run at all.
func (p Policy) Check(names []string) error {
	for _, name := range names {
		if why := Banned[bare(name)]; why != "" {
			return &koda.Error{Code: koda.CodeCommandBlocked, Op: bare(name) + " " + why}
		}
	}
	if p.Mode == Registries || p.Mode == Open {
		return nil
	}
	return &koda.Error{
		Code: koda.CodeCommandBlocked, Op: "packages cannot be installed: this sandbox has no network",
		Hint: "the packages of the page runtime are there and need no installing: " + strings.Join(runtime(), ", ") +
			"; the person may allow more: koda config set sandbox-network registries",
	}
}

// bare is a package's name without its version.
func bare(name string) string {
	if at := strings.LastIndex(name, "@"); at > 0 {
		return name[:at]
	}
	return name
}

// Install runs a command that installs packages, and makes them part of the project.
func (p Policy) Install(ctx context.Context, sb sandbox.Sandbox, cmd sandbox.Command) (res sandbox.RunResult, out Result, err error) {
	if _, err := p.script(ctx, sb, "begin"); err != nil {
		return res, out, err
	}
	cmd.Env = append(cmd.Env,
		"npm_config_ignore_scripts=true", "npm_config_legacy_peer_deps=true", "npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false",
		"npm_config_offline=false",
		"BUN_CONFIG_SKIP_SAVE_LOCKFILE=true",
	)
	registry := ""
	if p.Registry != nil {
		registry = p.Registry(ctx)
	}
	if registry != "" {
		cmd.Env = append(cmd.Env, "npm_config_registry="+registry, "BUN_CONFIG_REGISTRY="+registry)
	}
	run := func(more ...string) error {
		cmd.Env = append(cmd.Env, more...)
		res, err = sb.Run(ctx, cmd)
		return err
	}
	if p.Mode == Registries {
		out.Blocked, err = p.reach(ctx, sb, registry, run)
	} else {
		err = run()
	}
	// package.json is put in order, however the command ended.
	found, failed := p.script(context.WithoutCancel(ctx), sb, "end")
	out.Ready, out.Refused = found.Ready, found.Refused
	return res, out, errors.Join(err, failed)
}

// reach opens the way to the registries while run runs, and returns what was refused.
func (p Policy) reach(ctx context.Context, sb sandbox.Sandbox, registry string, run func(env ...string) error) ([]string, error) {
	l, err := sb.Listen(ctx)
	if err != nil {
		return nil, err
	}
	proxy := &Proxy{Hosts: slices.Clone(p.Hosts), Dial: p.Dial}
	if u, err := url.Parse(registry); err == nil && u.Scheme == "https" && (u.Port() == "" || u.Port() == "443") {
		proxy.Hosts = append(proxy.Hosts, strings.ToLower(u.Hostname()))
	}
	serving, end := context.WithCancel(context.WithoutCancel(ctx))
	var served sync.WaitGroup
	served.Go(func() {
		_ = proxy.Serve(serving, l) //nolint:errcheck // the command meets the same error
	})
	at := "http://" + l.Addr().String()
	err = run("HTTPS_PROXY="+at, "https_proxy="+at, "HTTP_PROXY="+at, "http_proxy="+at, "NO_PROXY=", "no_proxy=")
	end()
	served.Wait()
	return proxy.Refused(), err
}

// script runs a step of the script in the sandbox.
func (p Policy) script(ctx context.Context, sb sandbox.Sandbox, step string) (r Result, err error) {
	task, err := json.Marshal(struct {
		Step    string            `json:"step"`
		Runtime []string          `json:"runtime"`
		Refused map[string]string `json:"refused"`
	}{step, runtime(), Banned})
	if err != nil {
		return r, fmt.Errorf("encode a step: %w", err)
	}
	const line = `f=$(mktemp -d) && printf %s "$KODA_SCRIPT" >"$f/vendor.mjs" && bun "$f/vendor.mjs"; status=$?; rm -rf "$f"; exit $status`
	res, err := sb.Run(ctx, sandbox.Command{Line: line, Env: []string{"KODA_SCRIPT=" + vendor, "KODA_TASK=" + string(task)}, Timeout: vendorTime})
	if err == nil && res.ExitCode != 0 {
		err = &koda.Error{Code: koda.CodeExecutionFailed, Op: "make the packages ready", Err: errors.New(brief(res.Stderr)), Hint: "look at package.json and src/vendor"}
	}
	if err != nil || step == "begin" {
		return r, err
	}
	if err := json.Unmarshal([]byte(res.Stdout), &r); err != nil {
		return r, &koda.Error{Code: koda.CodeExecutionFailed, Op: "make the packages ready", Err: err}
	}
	return r, nil
}

// brief is the end of a text, on one line.
func brief(text string) string {
	line := strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	return line[max(0, len(line)-500):]
}

// Sentences tell the author what became of the packages.
func (r Result) Sentences() string {
	var all []string
	for _, p := range r.Ready {
		all = append(all, fmt.Sprintf("%s@%s can be imported as %s", clip(p.Name), clip(p.Version), clip(strings.Join(p.Specifiers, ", "))))
	}
	for _, p := range r.Refused {
		all = append(all, fmt.Sprintf("%s cannot be used and was taken out again: it %s", clip(p.Name), clip(p.Why)))
	}
	if len(r.Blocked) > 0 {
		all = append(all, "koda refused connections with "+strings.Join(r.Blocked, ", "))
	}
	return strings.Join(all[:min(len(all), 40)], ". ")
}

func clip(text string) string { return strings.ToValidUTF8(text[:min(len(text), 500)], "") }

// runtime are the packages of the page runtime, by name.
var runtime = sync.OnceValue(func() []string {
	manifest, _ := templates.RuntimeLock()
	var m struct{ Dependencies map[string]string }
	if err := json.Unmarshal(manifest, &m); err != nil {
		panic(err) // embedded
	}
	names := make([]string, 0, len(m.Dependencies))
	for name := range m.Dependencies {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
})
