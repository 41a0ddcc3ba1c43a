package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestClone_Outputs: whichever command draws, no video is written through links
// that came with a cloned directory.
func TestClone_Outputs(t *testing.T) {
	for _, c := range []struct{ link, to, args string }{
		{"demo.mp4", "../victim/film.mp4", "render ."},
		{"demo-reels.mp4", "../victim/film.mp4", "render . --preset reels"},
		{"out.mp4", "../victim/film.mp4", "render . -o out.mp4"},
		{"out.mp4", "../victim/new.mp4", "render . -o out.mp4"},
		{"out", "../victim", "render . -o out/film.mp4"},
		{"out", "../victim", "render . -o out"},
		{"demo-frames", "../victim", "render . --format png"},
		{"demo-1.mp4", "../victim/film.mp4", "render . --batch rows.json"},
		{"demo-0s.png", "../victim/still.png", "still . --at 0"},
		{"demo-sheet.png", "../victim/still.png", "sheet ."},
		{"out", "../victim", "sheet . -o out/still.png"},
	} {
		f := newFace(t)
		dir := page(t)
		victim := filepath.Join(filepath.Dir(dir), "victim")
		write(t, filepath.Join(victim, "film.mp4"), "precious")
		write(t, filepath.Join(victim, "still.png"), "precious")
		write(t, filepath.Join(dir, "rows.json"), `[{"a": 1}]`)
		if err := os.Symlink(c.to, filepath.Join(dir, c.link)); err != nil {
			t.Fatal(err)
		}
		t.Chdir(dir)
		before := strings.Join(listing(t, victim), "\n")
		status := f.run(strings.Fields(c.args)...)
		if status != 2 || !strings.Contains(f.err.String(), c.link+" is a symbolic link") || len(f.render.specs) > 0 {
			t.Errorf("%s: status %d: %s", c.args, status, f.err.String())
		}
		film, _ := os.ReadFile(filepath.Join(victim, "film.mp4"))
		still, _ := os.ReadFile(filepath.Join(victim, "still.png"))
		if string(film)+string(still) != "preciousprecious" || strings.Join(listing(t, victim), "\n") != before {
			t.Errorf("%s: the person's files changed", c.args)
		}
	}
}

// TestClone_Manifest: an unusable koda.json gives one line and a hint.
func TestClone_Manifest(t *testing.T) {
	t.Parallel()
	for name, plant := range map[string]func(file string) error{
		"koda.json is a symbolic link":                func(file string) error { return os.Symlink("/dev/zero", file) },
		"koda.json is not a regular file":             func(file string) error { return syscall.Mkfifo(file, 0o644) },
		"koda.json is too large (2048 MB, at most 1)": func(file string) error { write(t, file, ""); return os.Truncate(file, 2<<30) },
		": read koda.json: is a directory\n":          func(file string) error { return os.Mkdir(file, 0o755) },
	} {
		f := newFace(t)
		dir := page(t)
		file := filepath.Join(dir, "koda.json")
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if err := plant(file); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"render", "still", "sheet"} {
			args := []string{command, dir}
			if command == "still" {
				args = append(args, "--at", "0")
			}
			if status := f.run(args...); status != 2 && !strings.HasSuffix(name, "\n") || !strings.Contains(f.err.String(), name) {
				t.Errorf("%s: status %d: %s, want %q", command, status, f.err.String(), name)
			}
		}
	}
}
