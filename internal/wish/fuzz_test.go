package wish_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/wish"
)

// vocabulary is that of koda's word files, with the terms of an invented recipe.
func vocabulary(tb testing.TB) *wish.Vocabulary {
	tb.Helper()
	var files [][]byte
	for _, lang := range []string{"en", "de", "es", "ja"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "templates", "recipes", "words", lang+".json"))
		if err != nil {
			tb.Fatal(err)
		}
		files = append(files, data)
	}
	v, err := wish.Load(files...)
	if err != nil {
		tb.Fatal(err)
	}
	en := func(words ...string) map[string][]string { return map[string][]string{"en": words} }
	return v.With(
		wish.Term{Role: wish.Topic, About: "kite", Words: en("kite", "flying kite")},
		wish.Term{Role: wish.Spoken, About: "kite", Words: en("happy kite day")},
		wish.Term{Role: wish.Noun, About: "cloth", Type: wish.OfColour, Words: en("kite", "cloth")},
		wish.Term{Role: wish.Noun, About: "sky", Type: wish.OfColour, Words: en("sky", "background")},
		wish.Term{Role: wish.Noun, About: "height", Type: wish.OfNumber, Words: en("height")},
		wish.Term{Role: wish.Higher, About: "height", Type: wish.OfNumber, By: 1.5, Words: en("higher", "high")},
		wish.Term{Role: wish.Lower, About: "height", Type: wish.OfNumber, By: 1.5, Words: en("lower", "low")},
		wish.Term{Role: wish.Option, About: "form", Type: wish.OfChoice, Value: "box", Words: en("box kite")},
		wish.Term{Role: wish.Unit, About: "loops", Words: en("turn", "time")},
		wish.Term{Role: wish.Noun, About: "text", Type: wish.OfText, Words: en("text", "title")},
		wish.Term{Role: wish.Noun, About: "tail", Type: wish.OfFlag, Words: en("tail")},
		wish.Term{Role: wish.Label, About: "rows", Type: wish.OfList, Value: "Pears", Words: en("Pears")},
		wish.Term{Role: wish.Stage, Value: "loop 2", Words: en("loop 2")},
	)
}

// Every span lies inside of the text, whatever the text is.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"a red kite on navy, 5 s", `says "hi" 'x' by Ada`, "Apples 30, Pears 45; from 10 to 1", "#fff rgb(1,2,3) \xff 1:30 9:16", "- a\n- b\n1. c", "not blue, no wait, 3 2 1",
		"merge Pears and Pears", "add a and b after Pears", "the last item should say x", "Anne, not Anna", "put Pears first", "reverse the order", "Pears 5, not", "the first two", "Pears pink",
		"ein roter Drachen", "赤い凧、5秒", "swap Pears and Pears", "in scene 2 and the last scene darker", "replace a with b", "5-10 -3 -", "twice as high", "`x` — y", "kite vs sail: 3 vs 5, price $2 vs $4", "a or b: a - 1, 2. b - 3", "for our kite. 5: before 3 after 4",
		"add 'a' to Pears and 'b' to Plums", "Pears is off, it was 3", "2025 mit 141 noch dazu", "add \"a\" after b c", "14 uhr statt 15 uhr", "version 2.4.1, the 19th, 3 days", "Kiwi fehlt noch, am besten ganz oben", "in € not $", "typo, Peers",
	} {
		f.Add(s)
	}
	v := vocabulary(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			return
		}
		read := v.Read(text)
		for _, w := range read.Wishes() {
			if w.Span.From < 0 || w.Span.To > len(text) || w.Span.From >= w.Span.To {
				t.Errorf("%q: the wish %+v lies outside", text, w)
			}
			_ = read.Said(w.Span)
		}
		change := v.Present(wish.Term{Role: wish.Label, About: "rows", Type: wish.OfList, Value: "Plums", Words: map[string][]string{"": {"Plums"}}}).Read(text)
		for _, w := range change.Wishes() {
			if w.Span.From < 0 || w.Span.To > len(text) || w.Span.From >= w.Span.To {
				t.Errorf("%q: the wish %+v of a change lies outside", text, w)
			}
			change.Means(w.Span)
		}
		change.Respells()
		for _, roles := range []string{"on", "no", "ap", "dn", "mm", "mp", "hl", "pa"} {
			parts := []wish.Part{{Span: wish.Span{To: len(text) / 2}, Role: wish.PartRole(roles[:1])}, {Span: wish.Span{From: len(text) / 2, To: len(text)}, Role: wish.PartRole(roles[1:])}}
			if len(text) < 2 {
				continue
			}
			for _, o := range change.Orders(parts) {
				change.Place(o.Where)
				for _, s := range change.Verbs(o.Spans()) {
					if s.From < 0 || s.To > len(text) || s.From > s.To {
						t.Errorf("%q as %s: the place %+v of an order lies outside", text, roles, s)
					}
				}
			}
			for _, p := range parts {
				change.Thing(p.Span)
				change.Quantity(p.Span, "")
				change.Bare(p.Span)
				change.Cues(p.Span)
				change.Joint(p.From, p.To)
			}
			v.WithoutIdle(text, append(parts[:1:1], wish.Part{Span: parts[1].Span, Role: wish.Idle, Said: text[parts[1].From:]}))
		}
		for _, fact := range v.Facts(text) {
			if fact.Span.From < 0 || fact.Span.To > len(text) || fact.Span.From >= fact.Span.To {
				t.Errorf("%q: the fact %+v lies outside", text, fact)
			}
		}
		if _, s, ok := change.Currency(); ok && !s.In(wish.Span{To: len(text)}) {
			t.Errorf("%q: the currency at %+v lies outside", text, s)
		}
		half := len(text) / 2
		for _, roles := range [][2]wish.PhraseRole{{wish.Headline, wish.Item}, {wish.Name, wish.Figure}, {wish.Figure, wish.Name}, {wish.Aside, wish.Whom}, {wish.Source, wish.Speaker}} {
			known := v.ReadPhrases(text, []wish.Phrase{{Span: wish.Span{To: half}, Role: roles[0]}, {Span: wish.Span{From: half, To: len(text)}, Role: roles[1]}})
			for _, w := range known.Wishes() {
				if w.Span.From < 0 || w.Span.To > len(text) || w.Span.From > w.Span.To {
					t.Errorf("%q with %v: the wish %+v lies outside", text, roles, w)
				}
				_ = known.Said(w.Span)
			}
			known.Left(func(*wish.Wish) bool { return false })
		}
		if c, ok := read.Contrast(); ok {
			for _, s := range append(c.Names[:], c.About) {
				if !s.In(wish.Span{To: len(text)}) || s.From > s.To {
					t.Errorf("%q: the side %+v lies outside", text, s)
				}
			}
		}
		v.ForWhat(text, 1)
		read.Question()
		for _, word := range read.Left(func(*wish.Wish) bool { return false }) {
			if !strings.Contains(text, word) && len([]rune(word)) == 1 {
				t.Errorf("%q: the word %q is not in it", text, word)
			}
		}
	})
}
