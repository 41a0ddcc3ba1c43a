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

// Expected is what the answers to a brief may use, one usage for each. Talk are those to the
// question and the plan, which another model may give than those to the todos.
type Expected struct{ Talk, Work []llm.Usage }

// Expect is what the answers to a brief may use: if all goes well, and if much has to be
// mended. Services keep what they have read for the next answer. It asks nothing.
func (a *Author) Expect(b koda.Brief) (low, high Expected) {
	return a.expect(b, frugal), a.expect(b, lavish)
}

func (a *Author) expect(b koda.Brief, h habits) (e Expected) {
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
	answer := func(length, before int64, writes int64) llm.Usage {
		return llm.Usage{CacheRead: before, CacheWrite: length - before, Output: writes}
	}
	talk, before := tokens(a.told(talkTexts, nil), schemas(talkTools))+brief, int64(0)
	talks := h.talks // of the plan
	if asks(b, nil) {
		talks += h.talks
	}
	for range talks {
		e.Talk = append(e.Talk, answer(talk, before, h.writes))
		before, talk = talk, talk+h.writes
	}
	scenes := min(int(math.Ceil(seconds/h.scene)), koda.MaxScenes(seconds))
	todos := scenes + 2 // with the set-up and the finish
	prefix, before := tokens(a.told(workTexts, nil), schemas(workTools(tool.Catalogue()))), int64(0)
	for todo := range todos {
		length := prefix + brief + int64(150*(scenes+1)) + h.files*int64(todo)/int64(todos)
		for call := range h.calls {
			e.Work = append(e.Work, answer(length, before, h.writes))
			before = length
			if length += h.writes + h.hears; call%4 == 1 {
				length += h.looks
			}
		}
		before = prefix
	}
	return e
}

func schemas(tools []llm.Tool) string {
	text, _ := json.Marshal(tools) //nolint:errcheck // an estimate; schemas are valid JSON
	return string(text)
}
