package tagger_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/tagger"
)

// features are a word, and the word before.
func features(words []string) []tagger.Features {
	out := make([]tagger.Features, len(words))
	for i, w := range words {
		before := "<"
		if i > 0 {
			before = words[i-1]
		}
		out[i] = tagger.Features{Own: []uint32{tagger.Hash("w", w), tagger.Hash("before", before)}, Pair: []uint32{tagger.Hash("p", w)}}
	}
	return out
}

func taught(t *testing.T) *tagger.Model {
	t.Helper()
	m := tagger.NewSpans("name", "place")
	var examples []tagger.Example
	for text, spans := range map[string][]tagger.Span{
		"hello Ada Lovelace of London":  {{From: 1, To: 3, Role: "name"}, {From: 4, To: 5, Role: "place"}},
		"hello Alan Turing of Wilmslow": {{From: 1, To: 3, Role: "name"}, {From: 4, To: 5, Role: "place"}},
		"good day":                      nil,
	} {
		examples = append(examples, m.Example(features(strings.Fields(text)), spans))
	}
	m.Train(examples, 10)
	return m
}

func TestSpans(t *testing.T) {
	t.Parallel()
	m := taught(t)
	for text, want := range map[string][]tagger.Span{
		"hello Ada Turing of London": {{From: 1, To: 3, Role: "name"}, {From: 4, To: 5, Role: "place"}},
		"good day":                   nil,
		"":                           nil,
	} {
		if got := m.Spans(features(strings.Fields(text))); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestLoad: weights that were saved work as before, and others are refused.
func TestLoad(t *testing.T) {
	t.Parallel()
	m, other := taught(t), tagger.NewSpans("name", "place")
	if err := other.Load(m.Bytes()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(other.Bytes(), m.Bytes()) {
		t.Error("the weights changed")
	}
	if err := tagger.NewSpans("name").Load(m.Bytes()); err == nil {
		t.Error("the weights of another model are taken")
	}
}

// TestTrain_again: the same examples give the same weights.
func TestTrain_again(t *testing.T) {
	t.Parallel()
	train := func() []byte {
		m := tagger.NewClasses("hot", "cold")
		var examples []tagger.Example
		for i, word := range []string{"sun", "ice", "fire", "snow", "sand", "frost"} {
			examples = append(examples, m.Instance([]uint32{tagger.Hash(word)}, []string{"hot", "cold"}[i%2]))
		}
		m.Train(examples, 5)
		if got := m.Rank([]uint32{tagger.Hash("snow")})[0].Name; got != "cold" {
			t.Errorf("snow is %s", got)
		}
		return m.Bytes()
	}
	if !bytes.Equal(train(), train()) {
		t.Error("the weights differ")
	}
}
