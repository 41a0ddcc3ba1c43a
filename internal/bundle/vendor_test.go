package bundle_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/koda"
)

// A package in src/vendor is what vendor.json says; react in it is the page's react, and
// the page runtime comes first.
func TestVendor(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"koda.json":                    `{"schema":1,"name":"a","width":64,"height":64,"fps":30,"duration":1}`,
		"index.html":                   `<!doctype html><script type="module" src="/src/a.js"></script>`,
		".koda/state.json":             `{}`,
		"src/a.js":                     "import shout, { quiet } from 'shout'; import React from 'react'; import '@x/y/sub'; console.log(shout(quiet), React)",
		"src/vendor/vendor.json":       `{"schema":1,"specifiers":{"shout":"shout@1.0.0.js","@x/y/sub":"@x/y@2.0.0-sub.js","react":"react@1.js","gone":"gone.js","out":"../a.js"}}`,
		"src/vendor/shout@1.0.0.js":    `const R = require("react"); Object.defineProperty(exports, "__esModule", { value: true }); exports.default = (s) => "SHOUTED " + s + R.version; exports.quiet = "psst"`,
		"src/vendor/@x/y@2.0.0-sub.js": `globalThis.sub = "SUBPATH"`,
		"src/vendor/react@1.js":        `exports.default = "ANOTHER REACT"`,
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	page, _, err := bundler(testCache()).Build(t.Context(), files)
	if err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
	var code strings.Builder
	for name, f := range page.Files {
		if strings.HasPrefix(name, koda.BundlePath) && !strings.Contains(name, "/runtime/") && f.Type == "text/javascript" {
			code.Write(f.Body)
		}
	}
	for _, want := range []string{"SHOUTED ", "psst", "SUBPATH"} {
		if !strings.Contains(code.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(code.String(), "ANOTHER REACT") {
		t.Error("the page has another react")
	}
	for _, spec := range []string{"gone", "out", "shout/sub", "@theatre/studio"} {
		files["src/a.js"] = &fstest.MapFile{Data: []byte("import " + `"` + spec + `"`)}
		if _, _, err := bundler(testCache()).Build(t.Context(), files); koda.CodeOf(err) != koda.CodeBuildFailed || !strings.Contains(err.Error(), strings.Split(spec, "/")[0]) {
			t.Errorf("%s: %v", spec, err)
		}
	}
}
