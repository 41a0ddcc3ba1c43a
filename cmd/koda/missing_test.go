package main

import (
	"strings"
	"testing"
)

// TestSystem: a system is known by its release file, and gets the commands of its kind.
func TestSystem(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ release, ffmpeg, browser string }{
		{"PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n", "apt-get install ffmpeg", "apt-get install chromium-headless-shell"},
		{"ID=ubuntu\nID_LIKE=debian\n", "apt-get install ffmpeg", "npx -y @puppeteer/browsers"},
		{"ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "apt-get install ffmpeg", "npx -y @puppeteer/browsers"},
		{"ID=fedora\n", "dnf install ffmpeg", "dnf install chromium-headless"},
		{"ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "dnf install ffmpeg", "dnf install chromium-headless"},
		{"ID=arch\n", "pacman -S ffmpeg", "npx -y"},
		{"", "as this system installs programs", "npx -y"},
	} {
		kind := systemOf(tt.release)
		if got := strings.Join(ffmpegCommands(kind), "\n"); !strings.Contains(got, tt.ffmpeg) {
			t.Errorf("%q: ffmpeg: %q", tt.release, got)
		}
		if got := strings.Join(browserCommands(kind), "\n"); !strings.Contains(got, tt.browser) {
			t.Errorf("%q: browser: %q", tt.release, got)
		}
	}
	if got := ffmpegCommands("darwin"); got[0] != "brew install ffmpeg" {
		t.Errorf("macOS: %q", got)
	}
}
