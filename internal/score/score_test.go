package score_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/score"
	"github.com/koda-video/koda/internal/theatre"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == score.ChildArg {
		if score.Child() != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var runner = score.NewRunner(bundle.New(bundle.Config{}).Score, proc.Self(score.ChildArg))

// run compiles and runs a score with parameters {"n": 3}.
func run(t *testing.T, source string, ours bool) (recipe.Score, error) {
	t.Helper()
	files := recipe.FS(map[string]string{
		"src/recipe/score.ts": source,
		"src/stage/ease.ts":   "export const back: [number, number, number, number] = [0.34, 1.56, 0.64, 1]",
	})
	script, err := runner.Compile(t.Context(), files)
	if err != nil {
		return recipe.Score{}, err
	}
	return runner.Run(t.Context(), script, json.RawMessage(`{"n": 3}`), recipe.Env{FPS: 30}, ours)
}

func TestRun(t *testing.T) {
	const source = `
import { back } from '../stage/ease'
export default function score({ n }: { n: number }, env: { fps: number }) {
  return {
    duration: n, said: ['It lasts ' + n + ' seconds.'],
    scenes: [{ id: 'one', title: 'One', seconds: n, description: 'It moves.', notes: '' }],
    sheets: { zoo: { length: n, tracks: [{ object: 'Box', prop: 'x', keys: [[0, 1 / 3, back], [1, 2, 'hold'], [2, env.fps]] }] }, ant: { length: 1, tracks: [] } },
  }
}`
	want := recipe.Score{
		Duration: 3, Said: []string{"It lasts 3 seconds."},
		Scenes: []recipe.Scene{{ID: "one", Title: "One", Seconds: 3, Description: "It moves."}},
		Motion: theatre.Motion{{ID: "zoo", Length: 3, Tracks: []theatre.Track{{Object: "Box", Prop: "x", Keys: []theatre.Key{
			{Value: 0.333333, Out: theatre.Ease{0.34, 1.56, 0.64, 1}}, {At: 1, Value: 2, Out: theatre.Hold}, {At: 2, Value: 30, Out: theatre.Linear},
		}}}}, {ID: "ant", Length: 1}},
	}
	for _, ours := range []bool{true, false} {
		got, err := run(t, source, ours)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("ours %v: %s", ours, d)
		}
	}
}

func TestRun_refuses(t *testing.T) {
	const scene = "scenes: [{ title: 'One', seconds: 1 }], "
	for _, test := range []struct{ name, source, want string }{
		{"syntax", "export default (", "src/recipe/score.ts:1"},
		{"package", "import 'react'", `not "react"`},
		{"missing", "import './other'", "there is no file src/recipe/other"},
		{"outside", "import '../../../etc/passwd'", "there is no file"},
		{"throws", "export default () => { throw new Error('no luck') }", "Error: no luck"},
		{"no function", "export const a = 1", "default"},
		{"nothing", "export default () => {}", "returns nothing"},
		{"clock", "export default () => Date.now()", "Date is not defined"},
		{"chance", "export default () => Math.random()", "no member 'random'"},
		{"for ever", "export default () => { for (;;); }", "more than 1s of work"},
		{"memory", "export default () => { const all: string[] = []; for (let i = 0; ; i++) all.push('x'.repeat(1 << 24) + i) }", "or 1024 MiB"},
		{"deep", "const f = (n: number): number => 1 + f(n + 1); export default () => f(0)", "calls itself too often"},
		{"no length", "export default () => ({ duration: 0 })", "0 s long"},
		{"gap", "export default () => ({ duration: 2, " + scene + "sheets: { a: { length: 2, tracks: [] } } })", "last 1 s"},
		{"no number", "export default () => ({ duration: 1, " + scene + "sheets: { a: { length: 1, tracks: [{ object: 'A', prop: 'x', keys: [[0, NaN]] }] } } })", "no keyframe"},
		{"backwards", "export default () => ({ duration: 1, " + scene + "sheets: { a: { length: 1, tracks: [{ object: 'A', prop: 'x', keys: [[1, 0], [0, 0]] }] } } })", "goes back"},
		{"many", "export default () => ({ duration: 1, " + scene + "sheets: { a: { length: 1, tracks: [{ object: 'A', prop: 'x', keys: Array.from({ length: 20001 }, (_, i) => [i, 0]) }] } } })", "more than 20000 keyframes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := run(t, test.source, false)
			if koda.CodeOf(err) != koda.CodeBuildFailed || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v (%s), want one with %q", err, koda.CodeOf(err), test.want)
			}
		})
	}
}
