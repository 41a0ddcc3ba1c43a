package browser_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// Launch scripts, as distributions write them, lead to the binary.
func TestFindResolvesScripts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	real := write("lib/chromium", "\x7fELF")
	for name, script := range map[string]string{
		"plain":       "#!/bin/sh -e\n\n" + real + ` "$@"` + "\n",
		"exec":        "#!/bin/bash\nexport X=1\nif true; then :; fi\nexec " + real + ` --flag "$@"` + "\n",
		"quoted":      "#!/bin/sh\nexec '" + real + `' "$@"` + "\n",
		"a directory": "#!/bin/sh\nLIBDIR=" + filepath.Dir(real) + "\nexec $LIBDIR/$APPNAME \"$@\"\n",
		"twice":       "#!/bin/sh\nexec " + write("second", "#!/bin/sh\nexec "+real+` "$@"`) + ` "$@"`,
	} {
		got, err := browser.Find(t.Context(), hostos.New(t.TempDir()), write("bin/"+name, script))
		if err != nil || got != real {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	// A short form of Debian's script.
	debian := write("usr/lib/chromium/chromium", "\x7fELF")
	launcher := write("usr/bin/chromium", "#!/bin/sh\nAPPNAME=chromium\n\nGDB=/usr/bin/gdb\nLIBDIR="+dir+"/usr/lib/$APPNAME\nCHROMIUM_FLAGS=\"\"\n"+
		"if [ $want_debug -eq 1 ] ; then\n  $GDB \"$LIBDIR/$APPNAME\" -x $tmpfile\nelse\n  exec $LIBDIR/$APPNAME $CHROMIUM_FLAGS \"$@\"\nfi\n")
	if got, err := browser.Find(t.Context(), hostos.New(t.TempDir()), launcher); err != nil || got != debian {
		t.Errorf("a script with variables: %q, %v", got, err)
	}
	// A short form of Google's script, which finds its own directory.
	chrome := write("opt/chrome", "\x7fELF")
	wrapper := write("opt/google-chrome", "#!/bin/bash\nexport CHROME_WRAPPER=\"`readlink -f \"$0\"`\"\nHERE=\"`dirname \"$CHROME_WRAPPER\"`\"\nexec -a \"$0\" \"$HERE/chrome\" \"$@\"\n")
	if got, err := browser.Find(t.Context(), hostos.New(t.TempDir()), wrapper); err != nil || got != chrome {
		t.Errorf("a script that finds itself: %q, %v", got, err)
	}
	odd := write("bin/odd", "#!/bin/sh\necho hello\n")
	if got, err := browser.Find(t.Context(), hostos.New(t.TempDir()), odd); err != nil || got != odd {
		t.Errorf("a script that runs nothing: %q, %v", got, err)
	}
}

func TestFindMissing(t *testing.T) {
	t.Parallel()
	_, err := browser.Find(t.Context(), hostos.New(t.TempDir()), "/nowhere/chromium")
	if koda.CodeOf(err) != koda.CodeMissingTool || !strings.Contains(koda.HintOf(err), "KODA_CHROME") {
		t.Errorf("%v: %s", err, koda.HintOf(err))
	}
}

// Find returns no script on this machine.
func TestFindHere(t *testing.T) {
	t.Parallel()
	path, err := browser.Find(t.Context(), hostos.New(t.TempDir()), "")
	if err != nil {
		t.Fatalf("%v: %s", err, koda.HintOf(err))
	}
	head := make([]byte, 2)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // only read
	if _, err := f.Read(head); err != nil || string(head) == "#!" {
		t.Errorf("%s begins with %q, %v", path, head, err)
	}
}
