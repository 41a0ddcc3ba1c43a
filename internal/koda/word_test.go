package koda_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

func TestQuote(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"dull\n  grey ": `"dull grey"`, `say "hi"`: `"say "hi""`, "👩‍🚀 誕生日": `"👩‍🚀 誕生日"`, strings.Repeat("é", 61): `"` + strings.Repeat("é", 59) + `…"`,
	} {
		if got := koda.Quote(text); got != want {
			t.Errorf("%q is quoted as %s, not as %s", text, got, want)
		}
	}
}

func TestWordOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]koda.Word{
		"undo": koda.WordUndo, " Undo! ": koda.WordUndo, "OK.": koda.WordAccept, "please undo": koda.WordUndo, "Undo, please.": koda.WordUndo, "history": koda.WordVersions, "exit": koda.WordQuit, ":q!": koda.WordQuit, "?": koda.WordHelp,
		"Looks good!": koda.WordAccept, "perfect": koda.WordAccept, "please go ahead": koda.WordAccept, "looks good in blue": "",
		"ok looks good": koda.WordAccept, "Yes, please.": koda.WordAccept, "yes, do it!": koda.WordAccept, "great. ship it": koda.WordAccept, "ok but in blue": "", "yes no": "", "no, go": "", "great blue": "", "👍": koda.WordAccept,
		"go back": koda.WordUndo, "undo that please": koda.WordUndo, "go back to red": "", "What can I say?": koda.WordHelp, "done?": "", "cancel": koda.WordStop, "stop at 3": "", "bye": koda.WordQuit,
		"": "", "undo it": koda.WordUndo, "no shadow": "", `"undo"`: "", "undone": "", "please": "", "please undo it": koda.WordUndo,
	} {
		if got := koda.WordOf(text); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
	for text, want := range map[string]string{`"undo"`: "undo", `" a "`: "a", `"`: `"`, `""`: `""`, `say "hi"`: `say "hi"`} {
		if got, _ := koda.Unquote(text); got != want {
			t.Errorf("%q is %q without quotes, not %q", text, got, want)
		}
	}
}
