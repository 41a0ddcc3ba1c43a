package reading

import (
	"regexp"
	"slices"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// introduced are phrases with a name that a remark tells as a line of its own: "for my channel CozyCarla", "my name is pixelmarta".
func introduced(phrases []wish.Phrase, prompt string) []wish.Phrase {
	for i, p := range phrases {
		at := ownChannel.FindStringSubmatchIndex(prompt[p.From:p.To])
		if at == nil || p.Role != wish.Aside {
			continue
		}
		name := wish.Phrase{Span: wish.Span{From: p.From + at[2], To: p.From + at[3]}, Role: wish.Second}
		p.To = p.From + at[2] - 1
		return slices.Insert(slices.Replace(slices.Clone(phrases), i, i+1, p), i+1, name)
	}
	return phrases
}

// ownChannel is a remark with the name of a channel or of who speaks: a handle, one word, or words with capitals.
var ownChannel = regexp.MustCompile(`^(?i:(?:for|für|para|pour|per) (?:\pL+ ){1,2}(?:channel|podcast|stream|blog|vlog|kanal|canal|chaîne|canale)|my name is|my (?:channel|stream|podcast) is(?: called)?|ich heiße|mein kanal heißt|me llamo|mi canal se llama|je m'appelle|ma chaîne s'appelle|meu nome é|meu canal se chama|mi chiamo|il mio canale si chiama) (@?[\pL\d_.]+|\p{Lu}\S*(?: \p{Lu}\S*)*)$`)

// buttoned is a brief with the words of a button that it asks for, with the rank of the recipe of buttons first where the first has none: "with a
// subscribe button".
func (r *Reader) buttoned(b Brief) Brief {
	has := func(m *recipe.Manifest) bool { return taker(m, "action") != nil }
	m := slices.IndexFunc(r.manifests, func(m *recipe.Manifest) bool { return has(m) && slices.Contains(m.Fits, "text") })
	at := askedButton.FindStringSubmatchIndex(b.Prompt)
	if m < 0 || at == nil || count(b.phrases, wish.Headline) == 0 || count(b.phrases, wish.Button) > 0 {
		return b
	}
	button := wish.Phrase{Span: wish.Span{From: at[2], To: at[3]}, Role: wish.Button}
	if slices.ContainsFunc(b.phrases, func(p wish.Phrase) bool { return p.Overlaps(button.Span) }) || len(r.of(r.manifests[m]).Read(b.Prompt[at[2]:at[3]]).Wishes()) > 0 { // "a red button"
		return b
	}
	b.phrases = append(slices.Clone(b.phrases), button)
	slices.SortFunc(b.phrases, func(a, b wish.Phrase) int { return a.From - b.From })
	first := slices.IndexFunc(r.manifests, func(m *recipe.Manifest) bool { return len(b.ranks) > 0 && m.Learned == b.ranks[0] })
	if first >= 0 && !has(r.manifests[first]) {
		b.ranks = append([]string{r.manifests[m].Learned}, b.ranks...)
	}
	return b
}

// askedButton is a button with at most two words for what stands on it.
var askedButton = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:an?|the|einem|einen|ein|dem) (\pL+(?: \pL+)?)[ -](?:button|knopf)(?:[^\pL]|$)`)
