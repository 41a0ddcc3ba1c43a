package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/fonts"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/docker"
	"github.com/koda-video/koda/internal/store"
	"github.com/koda-video/koda/templates"
)

// The disk space that videos need: below lowDisk a long video does not fit, below
// leastDisk not even a short video.
const (
	lowDisk   = 2 << 30   // bytes
	leastDisk = 200 << 20 // bytes
)

// checks examines this machine for `koda doctor`. A check that cannot be made says
// so. The checks change only koda's own cache.
func checks(ctx context.Context) []cli.Check {
	m, err := newMachine()
	if err != nil {
		return []cli.Check{failed("settings", err, true)}
	}
	draws := m.needed(slices.Concat(m.browserChecks(ctx), m.ffmpegChecks(ctx)))
	missing := slices.ContainsFunc(draws, func(c cli.Check) bool { return c.Required && c.Status == cli.CheckMissing })
	return slices.Concat(
		m.settingsChecks(), draws,
		[]cli.Check{
			runtimeCheck(), m.fontsCheck(), m.diskCheck(), m.databaseCheck(ctx), m.engineCheck(ctx, missing), m.keyCheck(),
		})
}

// needed says of the checks of what draws whether this machine needs it: containers bring
// what they draw with.
func (m *machine) needed(checks []cli.Check) []cli.Check {
	if sandbox.Kind(m.cfg.SandboxProvider) != sandbox.Docker {
		return checks
	}
	for i, c := range checks {
		checks[i].Required = false
		if c.Status == cli.CheckMissing {
			checks[i].Status, checks[i].Fix = cli.CheckOK, ""
			checks[i].Detail = c.Detail + ": containers draw with theirs"
		}
	}
	return checks
}

func failed(name string, err error, required bool) cli.Check {
	status := cli.CheckMissing
	if !required {
		status = cli.CheckWarn
	}
	return cli.Check{Name: name, Status: status, Detail: err.Error(), Fix: koda.HintOf(err), Required: required}
}

// settingsChecks finds settings that this build cannot obey.
func (m *machine) settingsChecks() []cli.Check {
	var checks []cli.Check
	for _, name := range slices.Sorted(maps.Keys(offers())) {
		v, err := m.cfg.Value(name)
		if err == nil {
			err = offers().Check(name, v.Text, v.Place)
		}
		if err != nil {
			checks = append(checks, failed(name, err, false))
		}
	}
	return checks
}

func (m *machine) browserChecks(ctx context.Context) []cli.Check {
	info, err := m.chromium.Reprobe(ctx)
	if errors.Is(err, browser.ErrSandbox) {
		return []cli.Check{failed("browser sandbox", err, true)}
	}
	if err != nil {
		return []cli.Check{m.noBrowser(ctx, err)}
	}
	capture := cli.Check{Name: "capture", Status: cli.CheckOK, Detail: info.Method + ": " + info.Why, Required: true}
	if info.Method == "screenshot" {
		capture.Status, capture.Fix = cli.CheckWarn, "chromium-headless-shell captures several times faster: apt install chromium-headless-shell"
	}
	gl := cli.Check{Name: "gl", Status: cli.CheckOK, Detail: info.GL}
	switch info.GL {
	case "none":
		gl.Status, gl.Detail, gl.Fix = cli.CheckWarn, "no WebGL: 3D scenes cannot be drawn", "apt install libegl1 libgles2 libgl1-mesa-dri"
	case "swiftshader":
		gl.Status, gl.Fix = cli.CheckWarn, "Mesa draws 3D twice as fast: apt install libegl1 libgles2 libgl1-mesa-dri"
	}
	return []cli.Check{
		{Name: "browser", Status: cli.CheckOK, Detail: info.Build + " at " + info.Browser, Required: true}, sandboxCheck(info), capture, gl,
	}
}

// sandboxCheck says whether Chromium's own sandbox is around pages.
func sandboxCheck(info koda.CaptureInfo) cli.Check {
	c := cli.Check{Name: "browser sandbox", Status: cli.CheckOK, Detail: "on: a page that breaks the browser is still kept from this machine"}
	if info.Sandbox == "off" {
		c.Status = cli.CheckWarn
		c.Detail = "off, because " + info.SandboxWhy
		c.Fix = info.SandboxFix
	}
	return c
}

func (m *machine) ffmpegChecks(ctx context.Context) []cli.Check {
	b, err := m.ffmpeg.Build(ctx)
	if err != nil {
		return []cli.Check{m.noFFmpeg(err)}
	}
	c := []cli.Check{{Name: "ffmpeg", Status: cli.CheckOK, Detail: b.Version + " at " + b.Path, Required: true}}
	encoders, err := m.ffmpeg.Encoders(ctx)
	if err != nil {
		return append(c, failed("encoders", err, true))
	}
	check := cli.Check{Name: "encoders", Status: cli.CheckOK, Detail: "libx264", Required: true}
	if !slices.Contains(encoders, "libx264") {
		check.Status, check.Detail = cli.CheckMissing, "this ffmpeg has no libx264"
		check.Fix = "install an ffmpeg with H.264: apt install ffmpeg (Debian, Ubuntu) or brew install ffmpeg (macOS)"
	}
	return append(c, check, m.deviceCheck(ctx))
}

// deviceCheck tries the encoders of graphics devices. koda works without them.
func (m *machine) deviceCheck(ctx context.Context) cli.Check {
	var can, cannot []string
	for _, name := range koda.HardwareEncoders() {
		s := ffmpeg.Spec{FPS: koda.FPS{Num: 30, Den: 1}, Width: 1920, Height: 1080, Preset: "veryfast", CRF: 18, Hardware: name}
		_, err := m.ffmpeg.Hardware(ctx, s)
		switch e := (*koda.Error)(nil); {
		case err == nil:
			can = append(can, name)
		case errors.As(err, &e) && e.Err != nil:
			cannot = append(cannot, name+": "+e.Err.Error())
		default:
			return failed("hardware encoders", err, false)
		}
	}
	detail := "none answers, libx264 encodes: " + strings.Join(cannot, "; ")
	if len(can) > 0 {
		detail = strings.Join(can, ", ") + "; ask with koda render --encoder " + can[0]
	}
	return cli.Check{Name: "hardware encoders", Status: cli.CheckOK, Detail: detail}
}

// runtimeCheck looks for the page runtime.
func runtimeCheck() cli.Check {
	c := cli.Check{Name: "page runtime", Required: true}
	archive, digest, ok := templates.Runtime()
	if ok {
		c.Status, c.Detail = cli.CheckOK, fmt.Sprintf("built in, %.1f MB, %.12s", float64(len(archive))/1e6, digest)
		return c
	}
	c.Status, c.Detail = cli.CheckMissing, "this koda was built without it and npm is not there"
	c.Fix = "build koda with `make build`, or install npm"
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if info, err := os.Stat(filepath.Join(dir, "npm")); err == nil && !info.IsDir() {
			c.Status, c.Detail = cli.CheckWarn, "not built in; npm fetches it when it is first needed"
			c.Fix = "build koda with `make build` to work without network"
			return c
		}
	}
	return c
}

// fontsCheck counts the fonts that the browser can fall back to. The two families
// of the starter are part of the page runtime.
func (m *machine) fontsCheck() cli.Check {
	families := map[string]string{"emoji": "", "cjk": ""}
	n := 0
	for _, dir := range []string{"/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts"} {
		//nolint:errcheck // directories that cannot be read hold no fonts for us
		_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil //nolint:nilerr // see above
			}
			switch strings.ToLower(filepath.Ext(p)) {
			case ".ttf", ".otf", ".ttc", ".pfb":
				n++
				for want := range families {
					if strings.Contains(strings.ToLower(filepath.Base(p)), want) {
						families[want] = p
					}
				}
			}
			return nil
		})
	}
	c := cli.Check{Name: "fonts", Status: cli.CheckOK, Detail: fmt.Sprintf("%d on this machine, four families built in", n)}
	if m.fonts.Installed() {
		c.Detail += ", and those for " + fonts.Scripts
		return c
	}
	switch {
	case n == 0:
		c.Status, c.Fix = cli.CheckWarn, "text outside the built-in families needs fonts: koda fonts add, or apt install fonts-liberation fonts-noto-color-emoji"
	case families["emoji"] == "":
		c.Status, c.Detail, c.Fix = cli.CheckWarn, c.Detail+", none for emoji", "koda fonts add, or apt install fonts-noto-color-emoji"
	case families["cjk"] == "":
		c.Detail += ", none for Chinese, Japanese and Korean (koda fonts add)"
	}
	return c
}

func (m *machine) diskCheck() cli.Check {
	c := cli.Check{Name: "disk", Status: cli.CheckOK, Required: true}
	var s unix.Statfs_t
	if err := unix.Statfs(m.cfg.Home, &s); err != nil {
		return failed("disk", err, false)
	}
	if err := linked(m.cfg); err != nil {
		return failed("disk", err, false)
	}
	free := int64(s.Bavail) * int64(s.Bsize) //nolint:unconvert // their types differ between systems
	c.Detail = fmt.Sprintf("%.1f GB free at %s", float64(free)/1e9, m.cfg.Home)
	switch {
	case free < leastDisk:
		c.Status, c.Fix = cli.CheckMissing, "free some space, or set KODA_HOME to another disk"
	case free < lowDisk:
		c.Status, c.Fix = cli.CheckWarn, "long videos need more; set KODA_HOME to another disk"
	}
	return c
}

func (m *machine) databaseCheck(ctx context.Context) cli.Check {
	if _, err := os.Stat(m.cfg.DatabasePath); err != nil {
		return cli.Check{Name: "database", Status: cli.CheckOK, Detail: "made with the first project, at " + m.cfg.DatabasePath, Required: true}
	}
	db, err := store.Open(ctx, m.cfg.DatabasePath)
	if err != nil {
		return failed("database", err, true)
	}
	defer func() { _ = db.Close() }() //nolint:errcheck // it was only read
	if err := db.IntegrityCheck(ctx); err != nil {
		return failed("database", err, true)
	}
	return cli.Check{Name: "database", Status: cli.CheckOK, Detail: m.cfg.DatabasePath, Required: true}
}

// engineCheck looks for a container engine. Only projects whose sandboxes are containers
// need an engine. Missing: this machine lacks something to draw with.
func (m *machine) engineCheck(ctx context.Context, missing bool) cli.Check {
	c := cli.Check{Name: "containers", Status: cli.CheckOK, Required: m.cfg.SandboxProvider == string(sandbox.Docker)}
	e, err := docker.Connect(ctx, imageConfig(m.cfg))
	switch {
	case err != nil && c.Required:
		return failed(c.Name, err, true)
	case err != nil:
		c.Detail = "no engine answers; only --sandbox docker needs one"
		return c
	}
	defer func() { _ = e.Close() }() //nolint:errcheck // idle connections only
	c.Detail = e.String()
	err = m.sandboxes()[sandbox.Docker].Ping(ctx) // is there a guest for it?
	if err == nil {
		var image sandbox.Image
		if image, err = e.Image(ctx); err == nil {
			c.Detail += ", image " + image.Tag
		}
	}
	if koda.CodeOf(err) == koda.CodeTemplateNotFound {
		c.Detail += ", no image of sandboxes yet: koda builds it when it is needed (" + docker.Takes + "), or by koda sandbox build"
	} else if err != nil {
		return failed(c.Name, err, c.Required)
	}
	if missing {
		c.Detail += "; containers can draw without what is missing here: koda config set sandbox-provider docker"
	}
	return c
}

func (m *machine) keyCheck() cli.Check {
	c := cli.Check{Name: "model key", Status: cli.CheckOK, Detail: "none; the built-in recipes need none"}
	var set []string
	for _, p := range providers {
		if p.key != nil && p.key(m.cfg).Set() {
			set = append(set, p.keyFrom)
		}
	}
	if len(set) > 0 {
		c.Detail = strings.Join(set, ", ") + " set; `koda models` tries the services. The built-in recipes need none"
	}
	return c
}
