package main

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// missing finds what `koda doctor` would call missing, as far as this takes no browser.
func missing(ctx context.Context) []cli.Check {
	cfg, err := load()
	if err != nil {
		return []cli.Check{failed("settings", err, true)}
	}
	m := machineOf(cfg, hostos.At(tmpDir(cfg)))
	var out []cli.Check
	if _, err := browser.Find(ctx, m.host, cfg.Chrome); err != nil {
		out = append(out, m.noBrowser(ctx, err))
	}
	if _, err := m.ffmpeg.Build(ctx); err != nil {
		out = append(out, m.noFFmpeg(err))
	}
	if c := runtimeCheck(); c.Status == cli.CheckMissing {
		out = append(out, c)
	}
	return slices.DeleteFunc(m.needed(out), func(c cli.Check) bool { return !c.Required })
}

// noBrowser is the check of a browser that koda cannot start. If the person named no
// browser, the fix is how this system gets one.
func (m *machine) noBrowser(ctx context.Context, err error) cli.Check {
	c := failed("browser", err, true)
	if _, err := browser.Find(ctx, m.host, ""); m.cfg.Chrome == "" && err != nil {
		c.Fix = strings.Join(browserCommands(system()), "\n")
	}
	return c
}

// noFFmpeg is the check of an ffmpeg that koda cannot use.
func (m *machine) noFFmpeg(err error) cli.Check {
	c := failed("ffmpeg", err, true)
	if _, err := m.host.LookPath("ffmpeg"); m.cfg.FFmpeg == "ffmpeg" && err != nil {
		c.Fix = strings.Join(ffmpegCommands(system()), "\n")
	}
	return c
}

// system is the kind of this system: "debian", "ubuntu", "fedora", "arch", "darwin" or "".
func system() string {
	if runtime.GOOS == "darwin" {
		return runtime.GOOS
	}
	data, _ := os.ReadFile("/etc/os-release") //nolint:errcheck // an unknown system
	return systemOf(string(data))
}

var releaseID = regexp.MustCompile(`(?m)^ID(?:_LIKE)?="?([^"\n]*)`)

// systemOf reads an os-release file.
func systemOf(release string) string {
	names := ""
	for _, m := range releaseID.FindAllStringSubmatch(release, -1) {
		names += " " + m[1]
	}
	for _, kind := range [][]string{{"ubuntu", "ubuntu"}, {"debian", "debian"}, {"fedora", "fedora", "rhel"}, {"arch", "arch"}} {
		for _, name := range kind[1:] {
			if strings.Contains(names+" ", name) {
				return kind[0]
			}
		}
	}
	return ""
}

// asRoot is a command as the person types it.
func asRoot(command string) string {
	if os.Geteuid() == 0 {
		return command
	}
	return "sudo " + command
}

// ffmpegCommands install ffmpeg. Those for Fedora, Arch Linux and macOS were written from
// documentation.
func ffmpegCommands(system string) []string {
	switch system {
	case "debian", "ubuntu":
		return []string{asRoot("apt-get install ffmpeg")}
	case "fedora":
		return []string{asRoot("dnf install ffmpeg"), "ffmpeg with libx264 is in RPM Fusion"}
	case "arch":
		return []string{asRoot("pacman -S ffmpeg")}
	case "darwin":
		return []string{"brew install ffmpeg"}
	}
	return []string{"install ffmpeg with libx264 as this system installs programs"}
}

// browserCommands install the headless shell of Chromium: from a package where there is
// one, else by npx, which comes with Node.js.
func browserCommands(system string) []string {
	switch system {
	case "debian":
		return []string{asRoot("apt-get install chromium-headless-shell")}
	case "fedora":
		return []string{asRoot("dnf install chromium-headless"), "koda config set chrome /usr/lib64/chromium-browser/headless_shell"}
	}
	var node []string
	if _, err := exec.LookPath("npx"); err != nil {
		node = map[string][]string{
			"ubuntu": {asRoot("apt-get install npm")}, "arch": {asRoot("pacman -S npm")}, "darwin": {"brew install node"}, "": {"install Node.js with npm"},
		}[system]
	}
	return append(node, `npx -y @puppeteer/browsers install chrome-headless-shell@stable`, "koda config set chrome PATH, with the path that it prints, and start koda again")
}
