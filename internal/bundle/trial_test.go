package bundle_test

import (
	"maps"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/templates"
)

// koda reads its own code without a trial process, as starting a process takes
// longer than bundling. It reads everybody else's code in a trial process.
func TestTrialIsSparedForOurCode(t *testing.T) {
	t.Parallel()
	b := bundle.New(bundle.Config{CacheDir: testCache(), Archive: packed, Trial: proc.Spec{Path: "/nowhere/koda", Pipe: true}})
	library, err := recipe.Load(templates.Recipes())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]string{"starter": nil}
	for _, m := range library.Manifests() {
		if all[m.Name], err = m.Files(); err != nil {
			t.Fatal(err)
		}
	}
	for name, over := range all {
		files := starter(over)
		if m := library.Manifest(name); m != nil {
			files["src/theatre/params.json"] = &fstest.MapFile{Data: []byte(m.EncodeParams(m.Defaults(m.StyleIDs()[0]), nil, ""))}
		}
		if page, _, err := b.Build(t.Context(), files); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := served(page); len(got) > 0 {
			t.Errorf("%s: the page has %q beside the files it loads", name, got)
		}
	}
	theirs := starter(nil)
	maps.Copy(theirs, starter(map[string]string{"src/App.tsx": "export default () => null"}))
	if _, _, err := b.Build(t.Context(), theirs); err == nil {
		t.Error("somebody else's code is read without a trial")
	}
}
