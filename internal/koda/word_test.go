package koda_test

import (
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

func TestWordOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]koda.Word{
		"undo": koda.WordUndo, " Undo! ": koda.WordUndo, "OK.": koda.WordAccept, "history": koda.WordVersions, "exit": koda.WordQuit, "?": koda.WordHelp,
		"": "", "undo it": "", "no shadow": "", `"undo"`: "", "undone": "",
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
