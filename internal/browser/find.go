package browser

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// candidates are the names of browsers. Headless shells come first: only they let koda
// decide when a frame is drawn. Absolute paths are where distributions keep the binary
// behind a launch script.
var candidates = []string{
	"/usr/lib/chromium/chromium-headless-shell",
	"chromium-headless-shell", "chrome-headless-shell", "headless-shell", "headless_shell",
	"/headless-shell/headless-shell",
	"/usr/lib/chromium/chromium", "chromium", "chromium-browser",
	"/opt/google/chrome/chrome", "google-chrome-stable", "google-chrome", "chrome",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
}

const installHint = "install it: apt install chromium-headless-shell (or npx @puppeteer/browsers install chrome-headless-shell@stable, " +
	"and set KODA_CHROME to the path it prints)"

// Find returns the absolute path of the browser's real binary. If path is not
// empty, Find resolves path; otherwise it takes the first browser it finds on the
// host. If there is no browser, the error is MISSING_TOOL.
func Find(_ context.Context, host sandbox.Host, path string) (string, error) {
	if path != "" {
		found, err := host.LookPath(path)
		if err != nil {
			return "", &koda.Error{
				Code: koda.CodeMissingTool, Op: fmt.Sprintf("the browser %q cannot be run", path), Err: err,
				Hint: "set KODA_CHROME to the path of a chromium-headless-shell, or leave it unset to search for one",
			}
		}
		return resolve(host, found), nil
	}
	for _, name := range candidates {
		if found, err := host.LookPath(name); err == nil {
			return resolve(host, found), nil
		}
	}
	return "", &koda.Error{Code: koda.CodeMissingTool, Op: "no Chromium was found", Hint: installHint}
}

// execLine matches the line of a launch script that runs a binary.
var execLine = regexp.MustCompile(`(?m)^\s*(?:exec\s+(?:-a\s+\S+\s+)?)?["']?(/[^\s"'$]+)["']?\s+.*"?\$(?:@|\{1\+"\$@"\})`)

// resolve follows launch scripts to the binary they run, because a script that is killed
// leaves its browser running. A script that resolve cannot read stays as it is.
func resolve(host sandbox.Host, file string) string {
	for range 4 {
		head, err := readHead(host, file, 64<<10)
		if err != nil || !bytes.HasPrefix(head, []byte("#!")) {
			return file
		}
		script := expand(string(head), path.Dir(file))
		next := ""
		for _, m := range execLine.FindAllStringSubmatch(script, -1) {
			if found, err := host.LookPath(m[1]); err == nil && found != file {
				next = found // the last one: scripts end with the exec
			}
		}
		if next == "" {
			next = beside(host, script)
		}
		if next == "" {
			return file
		}
		file = next
	}
	return file
}

var (
	assignment = regexp.MustCompile("(?m)^\\s*(?:export\\s+)?([A-Za-z_]\\w*)=(\"?`dirname [^`]*`\"?|\"[^\"`$()]*\"|'[^']*'|[^\\s\"'`$();&|]*)\\s*$")
	variable   = regexp.MustCompile(`\$([A-Za-z_]\w*|\{[A-Za-z_]\w*\})`)
)

// expand replaces the variables of a script by their values, if the values are plain text
// or the script's own directory. A variable that is set twice to different values stays
// as it is.
func expand(script, dir string) string {
	for range 4 { // values may name variables
		values, spoilt := map[string]string{}, map[string]bool{}
		for _, m := range assignment.FindAllStringSubmatch(script, -1) {
			value := strings.Trim(m[2], `"'`)
			if strings.HasPrefix(value, "`") {
				value = dir
			}
			if old, known := values[m[1]]; known && old != value {
				spoilt[m[1]] = true
			}
			values[m[1]] = value
		}
		script = variable.ReplaceAllStringFunc(script, func(use string) string {
			name := strings.Trim(use, "${}")
			if value, known := values[name]; known && value != "" && !spoilt[name] {
				return value
			}
			return use
		})
	}
	return script
}

// libDir matches the directory large launch scripts keep their binary in.
var libDir = regexp.MustCompile(`(?m)^\s*(?:LIBDIR|HERE)=["']?(/[^\s"'$]+)`)

// beside finds the binary for a script that names only the binary's directory.
func beside(host sandbox.Host, script string) string {
	m := libDir.FindStringSubmatch(script)
	if m == nil {
		return ""
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "chrome"} {
		if found, err := host.LookPath(path.Join(m[1], name)); err == nil {
			return found
		}
	}
	return ""
}

func readHead(host sandbox.Host, file string, limit int64) ([]byte, error) {
	f, err := host.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() //nolint:errcheck // only read
	return io.ReadAll(io.LimitReader(bufio.NewReader(f), limit))
}
