package render_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/templates"
)

// TestRealExamine examines projects of the starter: what fails has its place in the
// source, and what differs its likely cause.
func TestRealExamine(t *testing.T) {
	t.Parallel()
	needs.Chromium(t)
	needs.FFmpeg(t)
	for name, tt := range map[string]struct {
		app  string
		code koda.Code
		want []string // in the error, or in what is found
	}{
		"good":   {app: "export default () => <h1 style={{ color: '#fff' }}>{useCurrentTime().toFixed(1)}</h1>"},
		"throws": {app: "type Ball = { x: number }\n\nfunction at(t: number): Ball | undefined {\n  return t > 1.2 && t < 1.4 ? undefined : { x: t }\n}\nexport default () => {\n  const t = useCurrentTime()\n  return <p>{at(t)!.x}</p>\n}", code: koda.CodePageFailed, want: []string{"Cannot read properties of undefined (reading 'x')", "src/App.tsx:9:", "at(t)"}},
		"logs":   {app: "export default () => {\n  console.error('no', 'ball')\n  return <h1 style={{ color: '#fff' }}>{useCurrentTime().toFixed(1)}</h1>\n}", want: []string{"console: the page logged no ball (App_default at src/App.tsx:3:11: "}},
		"random": {app: "const Dust = () => {\n  const x = useMemo(() => Math.random(), [])\n  return <h1 style={{ color: '#fff', marginLeft: 300 + x * 900 }}>dust</h1>\n}\nexport default () => (useCurrentTime() < 0.8 ? null : <Dust />)", want: []string{"differs when drawn twice: ", "Likely causes:\nsrc/App.tsx:3: Math.random()"}},
		"rings":  {app: "export default () => {\n  throw new Error('at once')\n}", code: koda.CodePageFailed, want: []string{"Error: at once", "src/App.tsx:3:9"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := fstest.MapFS{}
			if err := fs.WalkDir(templates.Starter(), ".", func(p string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				data, err := fs.ReadFile(templates.Starter(), p)
				files[p] = &fstest.MapFile{Data: data}
				return err
			}); err != nil {
				t.Fatal(err)
			}
			files["src/App.tsx"] = &fstest.MapFile{Data: []byte("import { useMemo } from 'react'; import { useCurrentTime } from './koda'; void useMemo\n" + tt.app + "\n")}
			files["koda.json"] = &fstest.MapFile{Data: []byte(`{"schema": 1, "name": "demo", "width": 1280, "height": 720, "fps": 30, "duration": 2, "scenes": [{"start": 0}, {"start": 1}]}`)}
			cfg := realConfig(t.TempDir(), t.TempDir())
			cfg.Build = func(ctx context.Context, files fs.FS) (koda.Page, koda.Manifest, error) {
				return bundler().Build(ctx, files)
			}
			seen, err := cfg.renderer().Examine(t.Context(), files, []float64{0.3, 1, 1.7, 9})
			if koda.CodeOf(err) != tt.code && (err != nil || tt.code != "") {
				t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
			}
			var told []string
			for _, f := range seen.Findings {
				told = append(told, f.String())
			}
			if err != nil {
				told = append(told, err.Error()+"\n"+koda.DetailsOf(err))
			}
			text := strings.Join(told, "\n")
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("told\n%s\nand not %q", text, want)
				}
			}
			if tt.code == "" && (len(tt.want) == 0) != (len(told) == 0) {
				t.Errorf("told\n%s", text)
			}
			if err == nil && (len(seen.Sights) != 4 || seen.Sights[1].Scene != "scene 2" || seen.Sights[0].Scene != "scene 1" || len(seen.Sheet) == 0) {
				t.Errorf("seen %+v", seen.Sights)
			}
		})
	}
}
