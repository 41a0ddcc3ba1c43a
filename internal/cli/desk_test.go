package cli_test

import (
	"os"
	"testing"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/koda"
)

// TestStudio_Compose: an editor that cannot be used is named.
func TestStudio_Compose(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ visual, editor, want, hint string }{
		{"", "", "no editor is set", "export EDITOR=nano, or whatever you write with"},
		{"", "/no/such -w", "there is no editor /no/such -w", "export EDITOR=nano, or whatever you write with"},
		{"/no/such", "true", "there is no editor /no/such", "export VISUAL=nano, or whatever you write with"},
		{"", "/etc/passwd", "the editor /etc/passwd cannot be run", "export EDITOR=nano, or whatever you write with"},
		{"", "false", "the editor false failed with exit status 1", "the text is as it was"},
		{"", "true", "", ""},
	} {
		f := newFace(t)
		f.io.Env = func(name string) (string, bool) {
			v, ok := map[string]string{"VISUAL": tt.visual, "EDITOR": tt.editor}[name]
			return v, ok
		}
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer null.Close() //nolint:errcheck // nothing was written
		f.io.Screen = func() (in, out *os.File) { return null, null }
		run, err := cli.Studio(f.io, f.deps, f.engine, cli.NewOptions{}).Compose("a text")
		text := ""
		if err == nil {
			text, err = run()
		}
		if err == nil {
			if tt.want != "" || text != "a text" {
				t.Errorf("%+v: %q", tt, text)
			}
			continue
		}
		if got := koda.Sentence(err); got != tt.want || koda.HintOf(err) != tt.hint {
			t.Errorf("%+v: %s (%s)", tt, got, koda.HintOf(err))
		}
	}
}
