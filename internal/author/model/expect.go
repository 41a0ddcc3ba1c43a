package model

import (
	"encoding/json"
	"math"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/tool"
)

// habits are how a model works that needs little, or much.
type habits struct {
	bytes  float64 // of a text for one token
	talks  int     // answers to the question, and to the plan
	scene  float64 // seconds of one
	calls  int     // answers to one todo
	writes int64   // tokens of one answer, thinking included
	hears  int64   // tokens of what the tools say to one answer
	looks  int64   // tokens of the pictures of one look; a todo has one for every four answers
	files  int64   // tokens of the files of the project when all is done
}

var (
	frugal = habits{bytes: 4, talks: 1, scene: 4, calls: 3, writes: 900, hears: 200, looks: 900, files: 2500}
	lavish = habits{bytes: 3, talks: 2, scene: 2, calls: 8, writes: 2500, hears: 1200, looks: 6000, files: 14_000}
)

// Expect is what the answers to a brief may use, from its question to the last todo, one
// usage for each: if all goes well, and if much has to be mended. Services keep what they
// have read for the next answer. It asks nothing.
func (a *Author) Expect(b koda.Brief) (low, high []llm.Usage) {
	return a.expect(b, frugal), a.expect(b, lavish)
}

func (a *Author) expect(b koda.Brief, h habits) (all []llm.Usage) {
	tokens := func(texts ...string) (n int64) {
		for _, t := range texts {
			n += int64(float64(len(t)) / h.bytes)
		}
		return n
	}
	seconds := b.Duration
	if seconds == 0 {
		seconds = koda.DefaultDuration
	}
	brief := tokens(aboutBrief(b))
	// answer is an answer to a conversation of a length, whose first tokens were read before.
	answer := func(length, before int64, writes int64) {
		all = append(all, llm.Usage{CacheRead: before, CacheWrite: length - before, Output: writes})
	}
	talk, before := tokens(a.told(talkTexts, nil), schemas(talkTools))+brief, int64(0)
	for range 2 * h.talks {
		answer(talk, before, h.writes)
		before, talk = talk, talk+h.writes
	}
	scenes := min(int(math.Ceil(seconds/h.scene)), koda.MaxScenes(seconds))
	todos := scenes + 2 // with the set-up and the finish
	prefix, before := tokens(a.told(workTexts, nil), schemas(workTools(tool.Catalogue()))), int64(0)
	for todo := range todos {
		length := prefix + brief + int64(150*(scenes+1)) + h.files*int64(todo)/int64(todos)
		for call := range h.calls {
			answer(length, before, h.writes)
			before = length
			if length += h.writes + h.hears; call%4 == 1 {
				length += h.looks
			}
		}
		before = prefix
	}
	return all
}

func schemas(tools []llm.Tool) string {
	text, _ := json.Marshal(tools) //nolint:errcheck // an estimate; schemas are valid JSON
	return string(text)
}
