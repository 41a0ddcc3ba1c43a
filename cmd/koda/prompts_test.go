package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/koda-video/koda/internal/needs"
)

// everydayPrompt is a line of testdata/prompts/everyday.txt. That file explains its
// words.
type everydayPrompt struct {
	text    string
	flags   []string
	size    string
	seconds float64
	ends    int
	told    bool
	first   bool
}

func everydayPrompts(t *testing.T) []everydayPrompt {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "prompts", "everyday.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var all []everydayPrompt
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		p := everydayPrompt{}
		text, rest, _ := strings.Cut(line, " | ")
		p.text = text
		for _, word := range strings.Fields(rest) {
			key, value, _ := strings.Cut(word, "=")
			switch key {
			case "size":
				p.size = value
			case "seconds":
				p.seconds, err = strconv.ParseFloat(value, 64)
			case "ends":
				p.ends, err = strconv.Atoi(value)
			case "told":
				p.told = true
			case "first":
				p.first = true
			default:
				p.flags = append(p.flags, word)
			}
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		all = append(all, p)
	}
	return all
}

// newResult is the part of the result of `koda new --json` that tests look at.
type newResult struct {
	ExitCode int
	Error    struct{ Message, Hint string }
	Notes    []string
	Warnings []string
	Plan     struct{ TotalDuration float64 }
	Output   struct {
		VideoURL, Resolution string
		Duration             float64
		Frames               int
	}
}

// TestPrompts makes the videos of everyday prompts. Each prompt gives a video of
// the right size and length, or a sentence that says why there is none. The short
// form takes some of the lines marked "first"; KODA_PROMPTS=all takes all lines.
func TestPrompts(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	var videos, sentences, warned atomic.Int64
	t.Run("each", func(t *testing.T) {
		for _, p := range needs.SomeThat(everydayPrompts(t), os.Getenv("KODA_PROMPTS") == "all", func(p everydayPrompt) bool { return p.first }) {
			t.Run(p.text, func(t *testing.T) {
				t.Parallel()
				r := p.ask(t)
				if len(r.Warnings) > 0 {
					warned.Add(1)
					t.Logf("warnings: %q", r.Warnings)
				}
				if r.ExitCode == 0 {
					videos.Add(1)
				} else {
					sentences.Add(1)
				}
			})
		}
	})
	t.Logf("%d prompts became a video, %d a sentence; %d videos with warnings", videos.Load(), sentences.Load(), warned.Load())
}

// ask runs `koda new` in a home of its own and checks the result.
func (p everydayPrompt) ask(t *testing.T) newResult {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], append([]string{"new", p.text, "--yes", "--json"}, p.flags...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asKoda+"=1", "HOME="+dir, "KODA_HOME="+filepath.Join(dir, ".koda-home"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(stdout.Bytes()), []byte("\n"))
	var line struct {
		Type    string
		Payload newResult
	}
	if err := json.Unmarshal(lines[len(lines)-1], &line); err != nil || line.Type != "result" {
		t.Fatalf("no result: %v\n%s%s", err, stdout.String(), stderr.String())
	}
	r := line.Payload
	switch {
	case r.ExitCode != p.ends || cmd.ProcessState.ExitCode() != p.ends:
		t.Fatalf("exit status %d, result %d, want %d: %s", cmd.ProcessState.ExitCode(), r.ExitCode, p.ends, lines[len(lines)-1])
	case p.ends != 0 && (r.Error.Message == "" || r.Error.Hint == ""):
		t.Errorf("it does not say why: %+v", r.Error)
	case p.ends != 0:
		return r
	}
	if p.told && len(r.Notes) == 0 {
		t.Error("no note says what cannot be done")
	}
	if p.size != "" && r.Output.Resolution != p.size {
		t.Errorf("the video is %s, want %s", r.Output.Resolution, p.size)
	}
	if p.seconds == 0 {
		p.seconds = r.Plan.TotalDuration
	}
	seen, err := exec.Command("ffprobe", "-v", "error", "-select_streams", "v:0", "-count_packets",
		"-show_entries", "stream=nb_read_packets:format=duration", "-of", "default=nk=1:nw=1", r.Output.VideoURL).Output()
	if err != nil {
		t.Fatalf("ffprobe: %v", err)
	}
	facts := strings.Fields(string(seen))
	if len(facts) != 2 || facts[0] != strconv.Itoa(r.Output.Frames) {
		t.Fatalf("the video has %q, want %d frames", facts, r.Output.Frames)
	}
	if d, err := strconv.ParseFloat(facts[1], 64); err != nil || math.Abs(d-p.seconds) > 0.02 {
		t.Errorf("the video lasts %s s, want %g, %v", facts[1], p.seconds, err)
	}
	return r
}
