package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/koda-video/koda/internal/koda"
)

// Score compiles the score of a recipe to one script that leaves the exports of the
// entry in a global variable. Imports are relative and lie in files; nothing else is
// part of a score. The script is ES2017, which plain interpreters run. BUILD_FAILED: a
// file has a mistake or is missing.
func (b *Bundler) Score(ctx context.Context, files fs.FS, entry, global string) (string, error) {
	t := &trial{spec: b.trial, ctx: ctx}
	defer t.end()
	own := api.Plugin{Name: "score", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			name := path.Clean(args.Path) // esbuild writes ./ before an entry that is in the working directory, too
			if args.Kind != api.ResolveEntryPoint {
				if !strings.HasPrefix(args.Path, ".") {
					return api.OnResolveResult{}, fmt.Errorf("a score imports files of its recipe and its base, not %q", name)
				}
				name = path.Join(path.Dir(args.Importer), args.Path)
			}
			for _, candidate := range []string{name, name + ".ts", name + ".json", name + "/index.ts"} {
				if info, err := fs.Stat(files, candidate); err == nil && info.Mode().IsRegular() {
					return api.OnResolveResult{Path: candidate, Namespace: "score"}, nil
				}
			}
			return api.OnResolveResult{}, fmt.Errorf("there is no file %s", name)
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "score"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			data, err := fs.ReadFile(files, args.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			text, loader := string(data), api.LoaderTS
			if path.Ext(args.Path) == ".json" {
				loader = api.LoaderJSON
			}
			ok, err := t.readable(source{args.Path, text, loader})
			if err == nil && !ok {
				err = errors.New("the code is nested too deep, or takes too long to read")
			}
			return api.OnLoadResult{Contents: &text, Loader: loader}, err
		})
	}}
	out := api.Build(api.BuildOptions{
		EntryPoints: []string{entry}, Bundle: true, Format: api.FormatIIFE, GlobalName: global, Target: api.ES2017,
		Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone, Plugins: []api.Plugin{own}, TsconfigRaw: "{}",
	})
	if len(out.Errors) > 0 {
		m := out.Errors[0]
		where := entry
		if m.Location != nil {
			where = fmt.Sprintf("%s:%d", strings.TrimPrefix(m.Location.File, "score:"), m.Location.Line)
		}
		return "", &koda.Error{Code: koda.CodeBuildFailed, Op: "compile its score: " + where, Err: fmt.Errorf("%s", m.Text), Hint: "koda recipes lint DIR tries a recipe"}
	}
	return string(out.OutputFiles[0].Contents), nil
}
