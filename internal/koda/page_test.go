package koda_test

import (
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// A line of a bundle is shown with its module and its text.
func TestPage_Origin(t *testing.T) {
	t.Parallel()
	bundle := "// project:src/util.ts\nfunction later() {\n  // no module\n  null.x;\n}\n\n// project:src/main.ts\nlater();\n"
	page := koda.Page{Files: map[string]koda.PageFile{
		koda.BundlePath + "/main.js": {Body: []byte(bundle)}, "/main.js": {Body: []byte(bundle)},
	}}
	for _, c := range []struct {
		path       string
		line       int
		file, code string
	}{
		{koda.BundlePath + "/main.js", 3, "src/util.ts", "null.x;"},
		{koda.BundlePath + "/main.js", 7, "src/main.ts", "later();"},
		{koda.BundlePath + "/main.js", 90, "", ""},
		{koda.BundlePath + "/main.js", -1, "", ""},
		{koda.BundlePath + "/gone.js", 0, "", ""},
		{"/main.js", 3, "", ""},
	} {
		if file, code := page.Origin(c.path, c.line); file != c.file || code != c.code {
			t.Errorf("%s:%d is of %q %q, want %q %q", c.path, c.line, file, code, c.file, c.code)
		}
	}
}
