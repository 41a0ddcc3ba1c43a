package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStudio_Brief: what is chosen in the form and completed in the prompt comes to the plan,
// and a mistake keeps what was typed.
func TestStudio_Brief(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"my sales.csv", "main.go"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("city,sales\nParis,12\nRome,30\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tm := openShell(t, dir, 100, "")
	tm.types("export COLORTERM=truecolor TERM=xterm-256color")
	tm.runs("koda new")
	tm.screen(`recipe +koda chooses`)
	tm.write("show @sal")
	tm.screen(`→ my sales\.csv`)
	tm.keys("Tab")
	tm.screen(`show @"my sales\.csv"`)
	tm.keys("Tab", "Tab")
	tm.write("bars")
	tm.screen(`Bars grow to their values`)
	tm.keys("Enter")
	tm.screen(`< bars >`)
	tm.keys("Tab")
	tm.write("smooth")
	tm.keys("Enter", "Tab", "Right")
	tm.screen(`< youtube`)
	tm.keys("Right")
	tm.screen(`bars · smooth · reels 1080×1920`)
	tm.keys("Tab", "Tab")
	tm.write("nope.png")
	tm.screen(`as it is typed`)
	tm.keys("Enter")
	tm.screen(`asset nope\.png does not exist`) // at once, and the path is there to be corrected
	tm.screen(`assets +nope\.png_`)
	tm.screen(`show @"my sales\.csv"`)
	tm.keys("Escape")
	tm.screen(`enter choose a file`)
	tm.keys("Tab", "Enter") // the button after the last field
	tm.screen(`Plan: .* 1080 × 1920 \(vertical\), mp4, smooth`)
	tm.screen(`Paris 12, Rome 30`)
	tm.keys("C-c")
	tm.sees(`status=3\.`)

	// A prompt that makes no video is there to be mended.
	tm.runs(`koda new 'headline "A" 0 seconds'`)
	tm.screen(`(?s)│ headline "A" 0 seconds.*✗ .*auto or 1 to 3600`)
	tm.keys("C-c")
	tm.sees(`status=0\.`)

	// In lines koda lists the projects and says how to begin.
	tm.runs("ACCESSIBLE=1 koda")
	tm.sees(`NAME +PHASE`)
	tm.sees(`koda new "bouncing ball" begins a video`)
	tm.sees(`status=0\.`)

	// A warning does not write over the screen.
	if err := os.WriteFile(filepath.Join(dir, "broken.yaml"), []byte("a: [1\n b"), 0o644); err != nil {
		t.Fatal(err)
	}
	tm.runs("koda new")
	tm.screen(`A new video`)
	tm.write(`logo of broken.yaml`)
	tm.keys("Enter")
	if screen := tm.screen(`(?s)koda.*(Plan: |✗ ).*f1 keys`); strings.Contains(screen, "warning") {
		t.Errorf("a warning stands on the screen:\n%s", screen)
	}
	tm.keys("C-c")
	tm.sees(`warning: broken\.yaml is named in the prompt`)
}

// TestStudio_First: without ffmpeg and browser the studio says what is missing and how to get
// it, and goes on without, or when they are there.
func TestStudio_First(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tm := openShell(t, dir, 80, "")
	tm.types("export COLORTERM=truecolor TERM=xterm-256color")
	tm.types(`export KODA_CHROME=/no/such/browser FULL=$PATH PATH=$(dirname "$(command -v koda)"):` + dir)
	tm.runs("koda new")
	tm.screen(`Something is missing here`)
	tm.screen(`"/no/such/browser" cannot be run`)
	tm.screen(`→ .*ffmpeg`)
	tm.screen(`No model key is needed`)
	tm.keys("Enter")
	tm.screen(`It is still missing`)
	tm.keys("Escape")
	tm.screen(`A new video`)
	tm.write("bouncing ball, 2 seconds, smooth")
	tm.keys("Enter")
	tm.screen(`Plan: 2 s`)
	tm.keys("C-c")
	tm.sees(`status=3\.`)

	tm.types("unset KODA_CHROME")
	tm.runs("koda")
	tm.screen(`ffmpeg is not installed`)
	install := "#!/bin/sh\ncase $2 in ffmpeg) all='ffmpeg ffprobe' ;; *) all='chromium-headless-shell chromium' ;; esac\necho \"to install $2\"\n"
	for _, from := range filepath.SplitList(os.Getenv("PATH")) {
		install += "for name in $all; do [ -e " + from + "/$name ] && /bin/ln -s " + from + "/$name " + dir + "; done\n"
	}
	for name, text := range map[string]string{"apt-get": "#!/bin/sh\necho no lock\nexit 100\n", "sudo": "#!/bin/sh\nexec \"$@\"\n"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	tm.keys("i")
	tm.screen("apt-get install [a-z-]+` failed")
	must(t, os.WriteFile(filepath.Join(dir, "apt-get"), []byte(install+"exit 0\n"), 0o755))
	tm.keys("i")
	tm.screen(`Everything is there now`)
	tm.keys("C-c")
	tm.sees(`status=0\.`)
	tm.types("export PATH=$FULL")
	tm.runs("koda")
	tm.screen(`Projects \(1\)`)
	tm.keys("C-c")
	tm.sees(`status=0\.`)
}
