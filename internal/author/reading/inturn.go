package reading

import (
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// turns are the phrases of a brief whose texts are to be shown one after another, each a headline: "the words Plan. Build.
// Ship. one at a time"; nil if nothing says so, or the recipe shows them as a list.
func (r *Reader) turns(story *recipe.Manifest, read *wish.Reading, b Brief) (out []wish.Phrase) {
	top := slices.IndexFunc(r.manifests, func(m *recipe.Manifest) bool { return len(b.ranks) > 0 && m.Learned == b.ranks[0] })
	if top < 0 || slices.Contains(r.manifests[top].Fits, "list") || taker(r.manifests[top], "whom") != nil || r.manifests[top] != story && taker(r.manifests[top], "text") == nil {
		return nil
	}
	if taker(r.manifests[top], takesRating) != nil && r.fill(r.manifests[top], b).rated() { // "4.8 out of 5, the stars fill up one at a time"
		return nil
	}
	if out := b.inOrder(read); out != nil {
		return out
	}
	h := newFiller(r, story, read).hunting(&recipe.Param{})
	h.langs = signLanguages()
	turn := h.first("@" + takeTurns)
	if turn < 0 {
		return nil
	}
	at := h.tokens[turn].From
	if read.Captioned(wish.Span{From: strings.LastIndexAny(b.Prompt[:at], ",;.:") + 1, To: at}) { // "…, words come in one after another"
		return nil
	}
	for _, p := range b.phrases {
		if p.Role == wish.Figure { // "bars growing one by one: mon 42, tue 38"
			return nil
		}
		if p.Role != wish.Aside {
			out = append(out, sentences(b.Prompt, p)...)
		}
	}
	if len(out) == 0 {
		return nil
	}
	if last := out[len(out)-1].To; last < h.tokens[turn].From && strings.HasPrefix(b.Prompt[last:], ", ") && !strings.ContainsAny(b.Prompt[last+1:h.tokens[turn].From], ",;:.") {
		out = append(out, wish.Phrase{Span: wish.Span{From: last + 2, To: h.tokens[turn].From}, Role: wish.Headline}) // "love, laugh, live one by one"
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// sentences are the sentences and clauses of a phrase, each a headline, or its quotations.
func sentences(prompt string, p wish.Phrase) (out []wish.Phrase) {
	said := prompt[p.From:p.To]
	for _, at := range sentence.FindAllStringIndex(said, -1) {
		out = append(out, wish.Phrase{Span: wish.Span{From: p.From + at[0], To: p.From + at[1]}, Role: wish.Headline})
	}
	return out
}

// sentence is a quotation, or what stands up to the next mark.
var sentence = regexp.MustCompile(`["“„«「][^"”“»」]*["”“»」]|[^\s,;"“”„«»「」](?:[.,]\d|[^,;\n.!?"“”„«»「」])*[.!?]*`)

// sentenceEach are phrases of a sequence of sentences, with one sentence each: "First we plan." and "we build. Finally we ship."
func sentenceEach(phrases []wish.Phrase, prompt string) (out []wish.Phrase) {
	if len(phrases) < 2 || slices.ContainsFunc(phrases, func(p wish.Phrase) bool {
		return p.Role != wish.Headline || !strings.HasSuffix(prompt[p.From:p.To], ".")
	}) {
		return phrases
	}
	for _, p := range phrases {
		for at := sentenceBreak.FindStringIndex(prompt[p.From:p.To]); at != nil; at = sentenceBreak.FindStringIndex(prompt[p.From:p.To]) {
			first := p
			first.To, p.From = p.From+at[0]+1, p.From+at[1]-1
			out = append(out, first)
		}
		out = append(out, p)
	}
	return out
}

// sentenceBreak is where a sentence ends and another begins with its capital.
var sentenceBreak = regexp.MustCompile(`\. \p{Lu}`)

// inTurn are the texts of a brief that come one after another: turns, or those of slides.
func (b Brief) inTurn(turns []wish.Phrase, slides bool) []wish.Phrase {
	if slides {
		return phrasesOf(b.phrases, wish.Headline)
	}
	return turns
}

// commaApart are phrases of a list of texts, with one text between each two commas: "Bake sale" and "Sat 10am".
func commaApart(phrases []wish.Phrase, prompt string) (out []wish.Phrase) {
	marks := 0
	for _, p := range phrases {
		k := len(out) - 1
		switch {
		case p.Role == wish.Aside && k < 0:
		case p.Role != wish.Headline && p.Role != wish.Second && p.Role != wish.Item:
			return phrases
		case k >= 0 && out[k].Role != wish.Aside:
			switch gap := prompt[out[k].To:p.From]; gap {
			case " ":
				out[k].To = p.To
				continue
			case ", ", "; ":
				marks++
			default:
				if !strings.HasSuffix(gap, " ") || strings.ContainsAny(gap, ".:\"“”") || len(strings.Fields(gap)) > 1 {
					return phrases
				}
			}
			p.Role = wish.Headline
		default:
			p.Role = wish.Headline
		}
		out = append(out, p)
	}
	if marks == 0 {
		return phrases
	}
	return out
}

// shortestLead is how many bytes the words have at least that lead to each of several texts: "lower third".
const shortestLead = 8

// repeated makes texts of one kind of scenes in a row of those to which the same words lead: "lower third: Jane, then lower third: Max".
func (r *Reader) repeated(b Brief) Brief {
	story, lead := r.story(), ""
	if story == nil || len(b.phrases) < 2 {
		return b
	}
	from, found := 0, false
	phrases := slices.Clone(b.phrases)
	for i := range phrases {
		p := &phrases[i]
		words := strings.Trim(strings.ToLower(b.Prompt[from:p.From]), ` ,;:."“”`)
		if from = p.To; i == 0 {
			lead = strings.TrimSpace(words[strings.LastIndex(words, ", ")+1:])
			continue
		}
		_, rest, _ := strings.Cut(lead, " ") // "first lower third"
		ends := func(lead string) bool { return len(lead) >= shortestLead && strings.HasSuffix(words, " "+lead) }
		if p.Role == wish.Second && (ends(lead) || ends(rest)) {
			p.Role, found = wish.Headline, true
		}
	}
	if found {
		b.phrases, b.ranks = phrases, slices.Insert(slices.Clone(b.ranks), 0, story.Learned)
	}
	return b
}
