package prompt_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/prompt"
)

// awkward draws text that looks like part of a summary.
func awkward() *rapid.Generator[string] {
	part := rapid.OneOf(
		rapid.SampledFrom([]string{
			"<files_summary>", "</files_summary>", "\n", "- ", ": ", ":", `"`, `\`, `\x3c`, "<", " ", "\t", "\r", "\u2028", "\x00", "\xff", "src/App.tsx", "ボール", "`", "…",
		}),
		rapid.StringN(0, 8, -1),
	)
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(part, 0, 6).Draw(t, "parts"), "")
	})
}

func notes() *rapid.Generator[[]prompt.FileNote] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) prompt.FileNote {
		return prompt.FileNote{Path: awkward().Draw(t, "path"), Description: awkward().Draw(t, "description")}
	}), 1, 5)
}

// CutFiles reads a summary as it was written, whatever is in the text before it,
// the names and the descriptions.
func TestFiles_RoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text, want := awkward().Draw(t, "text"), notes().Draw(t, "notes")
		block := prompt.FormatFiles(want)
		if strings.Count(block, "<") != 2 || strings.Count(block, "\n") != len(want)+1 {
			t.Fatalf("not a line a file between two tags: %q", block)
		}
		rest, got, found := prompt.CutFiles(text + "\n" + block)
		if !found || rest != text {
			t.Fatalf("before the summary stood %q, read %q, %v", text, rest, found)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		if again := prompt.FormatFiles(got); again != block {
			t.Fatalf("written again: %q, first: %q", again, block)
		}
	})
}

// Every file is in the summary.
func TestFiles_AllPaths(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		paths := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,8}(/[a-zA-Z.]{1,9}[a-z]){0,3}`), 1, 9).Draw(t, "paths")
		var all []prompt.FileNote
		for _, p := range paths {
			all = append(all, prompt.FileNote{Path: p})
		}
		block := prompt.FormatFiles(all)
		for _, p := range paths {
			if !strings.Contains(block, "\n- "+p+":\n") {
				t.Fatalf("%s is not in %s", p, block)
			}
		}
		if !strings.HasPrefix(block, "<files_summary>\n") || !strings.HasSuffix(block, "\n</files_summary>") {
			t.Fatalf("no tags around %q", block)
		}
	})
}

func TestFormatFiles(t *testing.T) {
	t.Parallel()
	if got := prompt.FormatFiles(nil); got != "" {
		t.Errorf("no files give %q", got)
	}
	got := prompt.FormatFiles([]prompt.FileNote{
		{Path: "app/page.tsx", Description: "Main landing page with hero section"}, {Path: "src/a: b.ts", Description: "two\nlines"}, {Path: "src/c.ts", Description: ""},
	})
	want := `<files_summary>
- app/page.tsx: Main landing page with hero section
- "src/a: b.ts": "two\nlines"
- src/c.ts:
</files_summary>`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// CutFiles understands summaries as models write them.
func TestCutFiles(t *testing.T) {
	t.Parallel()
	a, b := prompt.FileNote{Path: "src/a.ts", Description: "the ball: red"}, prompt.FileNote{Path: "src/b.ts"}
	for _, tt := range []struct {
		text, rest string
		notes      []prompt.FileNote
		found      bool
	}{
		{"Done.\n<files_summary>\n- src/a.ts: the ball: red\n- src/b.ts\n</files_summary>", "Done.", []prompt.FileNote{a, b}, true},
		{"Done. <files_summary>\n\n  - src/a.ts: the ball: red  \n</files_summary>\n\n", "Done. ", []prompt.FileNote{a}, true},
		{"<files_summary></files_summary>", "", nil, true},
		{"Done.", "Done.", nil, false},
		{"", "", nil, false},
		{"<files_summary>\n- src/a.ts: the ball", "<files_summary>\n- src/a.ts: the ball", nil, false},
		{"- src/a.ts: x\n</files_summary>", "- src/a.ts: x\n</files_summary>", nil, false},
		{"<files_summary>\nsee above\n</files_summary>", "<files_summary>\nsee above\n</files_summary>", nil, false},
		{"<files_summary>\n- a: b\n</files_summary> and more", "<files_summary>\n- a: b\n</files_summary> and more", nil, false},
		{"<files_summary>\n- \"src/a.ts\" the ball\n</files_summary>", "<files_summary>\n- \"src/a.ts\" the ball\n</files_summary>", nil, false},
	} {
		rest, got, found := prompt.CutFiles(tt.text)
		if diff := cmp.Diff(tt.notes, got); diff != "" || rest != tt.rest || found != tt.found {
			t.Errorf("%q: rest %q, found %v: %s", tt.text, rest, found, diff)
		}
	}
}

func FuzzCutFiles(f *testing.F) {
	f.Add("Done.\n<files_summary>\n- src/a.ts: \"x\\n\"\n</files_summary>")
	f.Fuzz(func(t *testing.T, text string) {
		rest, notes, found := prompt.CutFiles(text)
		if !found && rest != text {
			t.Fatalf("%q became %q", text, rest)
		}
		if len(notes) == 0 {
			return
		}
		_, again, _ := prompt.CutFiles(rest + "\n" + prompt.FormatFiles(notes))
		if diff := cmp.Diff(notes, again); diff != "" {
			t.Fatal(diff)
		}
	})
}
