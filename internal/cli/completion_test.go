package cli_test

import (
	"slices"
	"strings"
	"testing"
)

// TestComplete: a shell is offered the words that can follow, without quotes, and
// files only where a file is meant.
func TestComplete(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, want, not, directive string }{
		{"new --pre", "--preset\tNAMEs of", "`", ":4"},
		{"new --preset |", "final", "preview", ":4"},
		{"new --preset reels,sq", "reels,square", "reels,reels", ":4"},
		{"render --preset gif,", "gif,preview", "gif,gif", ":4"},
		{"render --resolution |", "720p", "", ":4"},
		{"new --style |", "", "", ":4"},
		{"new -o |", "", "", ":0"},
		{"edit ball -o |", "", "", ":0"},
		{"new --asset |", "", "", ":0"},
		{"config set |", "browser-sandbox\t", "", ":4"},
		{"config set author |", "recipe", "home", ":4"},
		{"config set browser-sandbox |", "auto", "home", ":4"},
		{"config set storage-path |", "", "home", ":0"},
		{"config set author recipe |", "", "home", ":4"},
		{"config get author |", "", "home", ":4"},
		{"presets |", "", "", ":4"},
		{"trust |", "", "", ":0"},
		{"init |", "", "", ":0"},
		{"init page |", "", "", ":4"},
		{"trust a |", "", "", ":4"},
	} {
		f := newFace(t)
		args := strings.Fields(tt.args)
		if args[len(args)-1] == "|" {
			args[len(args)-1] = ""
		}
		status := f.run(append([]string{"__complete"}, args...)...)
		lines := strings.Split(strings.TrimSuffix(f.out.String(), "\n"), "\n")
		has := slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, tt.want) })
		bad := tt.not != "" && strings.Contains(f.out.String(), tt.not)
		if status != 0 || !has || bad || lines[len(lines)-1] != tt.directive || tt.want == "" && len(lines) > 1 {
			t.Errorf("%s: status %d, want %q and %s:\n%s", tt.args, status, tt.want, tt.directive, f.out.String())
		}
	}
}
