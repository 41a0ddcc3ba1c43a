package bundle_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/templates"
)

// koda reads its own code without a trial process, as starting a process takes
// longer than bundling. It reads everybody else's code in a trial process.
func TestTrialIsSparedForOurCode(t *testing.T) {
	t.Parallel()
	b := bundle.New(bundle.Config{CacheDir: testCache(), Archive: packed, Trial: proc.Spec{Path: "/nowhere/koda", Pipe: true}})
	for name, over := range map[string]map[string]string{
		"starter": nil, "bouncing-ball": templates.Recipe("bouncing-ball"), "title": templates.Recipe("title"),
	} {
		files := starter(over)
		if look, ok := over["src/components/look.ts"]; ok {
			params := map[string]any{}
			for _, m := range regexp.MustCompile(`written\.(\w+)`).FindAllStringSubmatch(look, -1) {
				params[m[1]] = nil
			}
			data, err := json.Marshal(params)
			if err != nil {
				t.Fatal(err)
			}
			files["src/theatre/params.json"] = &fstest.MapFile{Data: data}
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
