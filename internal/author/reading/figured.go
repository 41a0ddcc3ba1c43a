package reading

import (
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// figured is a brief that names the recipe of figures, and no other, and then tells several, each with what it is of, with the rank that follows
// and with every figure behind its name, which is the order that examples know: "key numbers: revenue €4.2M, 318 customers, churn 1.8%".
func (r *Reader) figured(b Brief, read *wish.Reading) Brief {
	from := headEnd(b.Prompt) + 1
	m := slices.IndexFunc(r.manifests, func(m *recipe.Manifest) bool {
		return slices.Contains(m.Fits, "number") && taker(m, "rows") != nil && taker(m, "range.to") != nil
	})
	if from <= 0 || m < 0 {
		return b
	}
	named, phrase := false, false
	for _, w := range read.Wishes() {
		if w.Kind == wish.Subject && (w.About != r.manifests[m].Name || w.Not) {
			return b
		}
		named = named || w.Kind == wish.Subject
		phrase = phrase || w.Kind == wish.Subject && w.Value == wish.PhraseValue
	}
	said, rows, end := b.Prompt[:from]+" ", []wish.Phrase(nil), from
	for _, gap := range append(figuresApart.FindAllStringIndex(b.Prompt[from:], -1), []int{len(b.Prompt) - from, len(b.Prompt) - from}) {
		row := figureAt.FindStringSubmatch(b.Prompt[end : from+gap[0]])
		if row == nil || (row[1] == "") == (row[3] == "") || len(strings.Fields(row[0])) > 7 {
			break
		}
		phrase = phrase || row[3] != "" // which examples do not know
		name, at := row[1]+row[3], len(said)
		rows = append(rows, wish.Phrase{Span: wish.Span{From: at, To: at + len(name)}, Role: wish.Name},
			wish.Phrase{Span: wish.Span{From: at + len(name) + 1, To: at + len(name) + 1 + len(row[2])}, Role: wish.Figure})
		said, end = said+name+" "+row[2]+", ", from+gap[1]
	}
	if !named || !phrase || len(rows) < 4 {
		return b
	}
	var out []wish.Phrase
	for _, p := range b.phrases {
		if p.To < from && p.Role == wish.Headline {
			out = append(out, p)
		}
	}
	out = append(out, rows...)
	for _, p := range b.phrases {
		if p.From >= end {
			p.From, p.To = p.From+len(said)-end, p.To+len(said)-end
			out = append(out, p)
		}
	}
	b.Prompt = strings.TrimRight(said+b.Prompt[end:], ", ")
	b.phrases, b.ranks = out, append([]string{r.manifests[m].Learned}, b.ranks...)
	return b
}

// figuresApart are the signs and words between figures.
var figuresApart = regexp.MustCompile(`[,;]\s+(?:(?i:and|und|y|et|e) )?|\s+(?i:and|und|y|et|e|&)\s+|\n`)

// figureAt is a number with its sign and size, between the words for what it is of.
var figureAt = regexp.MustCompile(`^\s*(?:(\pL[^\d€$£¥]*?)\s+)?([€$£¥]?\d[\d.,]*(?:\s?(?:k|K|m|M|bn|B|million|billion|Mio\.?|Mrd\.?)\b)?\s?[%€$£¥]?)(?:\s+(\pL[^\d]*?))?\s*[.!]?$`)
