package main

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/live"
)

// BenchmarkPreview_save is the time from the save of a file until the live page is told to
// load the picture anew, for a project of a recipe.
func BenchmarkPreview_save(b *testing.B) {
	dir := b.TempDir()
	b.Setenv("KODA_HOME", filepath.Join(dir, "home"))
	cmd := exec.CommandContext(b.Context(), os.Args[0], "new", "bouncing ball, 2 seconds", "--yes", "--name", "demo", "--dir", dir, "--preset", "twitter")
	cmd.Env = append(os.Environ(), asKoda+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	page, err := openPreview(filepath.Join(dir, "demo"), live.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer page.Close()
	resp, err := http.Get(strings.Replace(page.URL(), "?", "_koda/view/events?", 1))
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	next := func() {
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "data: ") {
				return
			}
		}
		b.Fatal("the events ended")
	}
	next()
	file := filepath.Join(dir, "demo", "src", "App.tsx")
	code, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		text := append([]byte(nil), code...)
		text = append(text, "\nexport const saved = "+strings.Repeat("1", i%9+1)+"\nconsole.log(saved)\n"...)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			b.Fatal(err)
		}
		next()
	}
}
