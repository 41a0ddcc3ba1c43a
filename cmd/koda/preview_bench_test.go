package main

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/browser/browsertest"
	"github.com/koda-video/koda/internal/live"
)

// saved makes a project of a recipe and opens its live page. Save changes its code.
func saved(b *testing.B) (url string, save func(i int)) {
	b.Helper()
	dir := b.TempDir()
	b.Setenv("KODA_HOME", filepath.Join(dir, "home"))
	cmd := exec.CommandContext(b.Context(), os.Args[0], "new", "bouncing ball, 2 seconds", "--yes", "--name", "demo", "--dir", dir, "--preset", "twitter")
	cmd.Env = append(os.Environ(), asKoda+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	page, err := openPreview(filepath.Join(dir, "demo"), live.Config{})
	must(b, err)
	b.Cleanup(func() { must(b, page.Close()) })
	file := filepath.Join(dir, "demo", "src", "App.tsx")
	code, err := os.ReadFile(file)
	must(b, err)
	return page.URL(), func(i int) {
		text := append([]byte(nil), code...)
		text = append(text, "\nexport const saved = "+strings.Repeat("1", i%9+1)+"\nconsole.log(saved)\n"...)
		must(b, os.WriteFile(file, text, 0o600))
	}
}

// median reports the median of how long things took.
func median(b *testing.B, all []time.Duration) {
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "ms-median")
}

// BenchmarkPreview_save is the time from the save of a file until the live page is told to
// load the picture anew, for a project of a recipe.
func BenchmarkPreview_save(b *testing.B) {
	url, save := saved(b)
	resp, err := http.Get(strings.Replace(url, "?", "_koda/view/events?", 1))
	must(b, err)
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
	var all []time.Duration
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		save(i)
		next()
		all = append(all, time.Since(began))
	}
	median(b, all)
}

// BenchmarkPreview_seen is the time from the save of a file until a person sees the new
// picture, in a real browser.
func BenchmarkPreview_seen(b *testing.B) {
	url, save := saved(b)
	p := browsertest.Open(b, 1280, 800)
	p.Visit(url + "#t=1")
	p.Until("the picture is there", settled)
	shown := browsertest.Ask[string](p, "document.documentElement.dataset.shown")
	var all []time.Duration
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		save(i)
		shown = browsertest.Ask[string](p, `new Promise((resolve) => {
			const d = document.documentElement.dataset
			const look = () => d.shown !== '`+shown+`' && d.frame ? resolve(d.shown) : setTimeout(look, 1)
			look()
		})`)
		all = append(all, time.Since(began))
	}
	median(b, all)
}
