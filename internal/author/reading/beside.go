package reading

import (
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/wish"
)

// introduced are phrases with a name that a remark tells as a line of its own, "for my channel CozyCarla", and letters without the word for
// them, "letter M".
func introduced(phrases []wish.Phrase, prompt string) []wish.Phrase {
	for i, p := range phrases {
		at, name := ownChannel.FindStringSubmatchIndex(prompt[p.From:p.To]), wish.Phrase{Role: wish.Second}
		if p.Role == wish.Headline {
			at, name.Role = monogram.FindStringSubmatchIndex(prompt[p.From:p.To]), wish.Headline
		}
		if at == nil || p.Role != name.Role && p.Role != wish.Aside {
			continue
		}
		name.Span = wish.Span{From: p.From + at[2], To: p.From + at[3]}
		p.To, p.Role = name.From-1, wish.Aside
		return slices.Insert(slices.Replace(slices.Clone(phrases), i, i+1, p), i+1, name)
	}
	return phrases
}

// ownChannel is a remark with the name of a channel or of who speaks: a handle, one word, or words with capitals.
var ownChannel = regexp.MustCompile(`^(?i:(?:for|für|para|pour|per) (?:\pL+ ){1,2}(?:channel|podcast|stream|blog|vlog|kanal|canal|chaîne|canale)|my name is|my (?:channel|stream|podcast) is(?: called)?|ich heiße|mein kanal heißt|me llamo|mi canal se llama|je m'appelle|ma chaîne s'appelle|meu nome é|meu canal se chama|mi chiamo|il mio canale si chiama) (@?[\pL\d_.]+|\p{Lu}\S*(?: \p{Lu}\S*)*)$`)

// monogram is one letter, or a few, with the word for it.
var monogram = regexp.MustCompile(`^(?i:(?:the )?(?:letters?|initials?)|buchstaben?|letras?|lettres?|lettera|lettere|iniziali|iniciales|initialen) (\p{Lu}{1,3})$`)

// furtherTexts are phrases of which the further ones begin behind the words for the maker, "make the saving of €4,900", and remarks in place of those that say nothing but
// which currency it is, "with pound sign".
func (r *Reader) furtherTexts(phrases []wish.Phrase, prompt string) []wish.Phrase {
	out := []wish.Phrase{}
	for i, p := range phrases {
		text := p.Role == wish.Headline || p.Role == wish.Second
		if said := prompt[p.From:p.To]; i > 0 && text {
			p.From += len(toMaker.FindString(said))
			if _, at, ok := r.choosing.Read(said).Currency(); ok && at == (wish.Span{To: len(said)}) {
				p.Role = wish.Aside
			}
		}
		out = append(out, p)
	}
	return out
}

// toMaker are words at the beginning of a text that tell the maker to show it.
var toMaker = regexp.MustCompile(`^(?:make|show|let|display|highlight|have) the `)

// itemsBelow is a brief with the items that a line below lists, where examples speak for a list or each item ends with a time of day or a price,
// "training times under 10s mon 5pm, under 14s wed 6pm", or that names with times of day are, where no chart is asked for.
func (r *Reader) itemsBelow(b Brief, read *wish.Reading) Brief {
	m := r.lister()
	i := slices.IndexFunc(b.phrases, func(p wish.Phrase) bool { return p.Role == wish.Second || p.Role == wish.Name })
	if m < 0 || len(b.ranks) == 0 || i < 1 || b.phrases[i-1].Role != wish.Headline || count(b.phrases, wish.Item) > 0 {
		return b
	}
	end := i + 1
	for end < len(b.phrases) && inList(b.phrases[end].Role) {
		end++
	}
	if end < len(b.phrases) && b.phrases[i].Role == wish.Name && b.phrases[end].Role == wish.Second {
		end++
	}
	from, to := b.phrases[i].From, b.phrases[end-1].To
	chart := slices.ContainsFunc(read.Wishes(), func(w wish.Wish) bool {
		return w.Kind == wish.Subject && w.Sure && !slices.ContainsFunc(r.manifests, func(m *recipe.Manifest) bool { return m.Name == w.About && slices.Contains(m.Fits, "list") })
	})
	if strings.ContainsAny(b.Prompt[from:to], ".!?\"“”") || b.phrases[i].Role == wish.Name && chart {
		return b
	}
	var items []wish.Phrase
	timed := true
	for _, at := range betweenCommas.FindAllStringIndex(b.Prompt[from:to], -1) {
		item := wish.Phrase{Span: wish.Span{From: from + at[0], To: from + at[1]}, Role: wish.Item}
		end := 0
		for _, time := range timeEnds.FindAllStringIndex(b.Prompt[item.From:item.To], -1) {
			end = time[1]
		}
		if inRow.MatchString(b.Prompt[item.From+end : item.To]) { // "Tokyo 22:00 in a row"
			item.To = item.From + end
		}
		timed = timed && end > 0 && item.To == item.From+end
		items = append(items, item)
	}
	first := r.manifests[m].Learned == b.ranks[0] && b.phrases[i].Role == wish.Second
	if len(items) < 2 || !first && (len(items) < 3 || !timed || priceEnds.MatchString(b.Prompt[from:to]) && b.phrases[i].Role == wish.Name) {
		return b
	}
	b.phrases = slices.Concat(b.phrases[:i], items, b.phrases[end:])
	b.ranks = append([]string{r.manifests[m].Learned}, b.ranks...)
	return b
}

// betweenCommas is what stands between two commas, timeEnds a time of day or a price, inRow how items stand, and priceEnds a price
// at the end.
var (
	betweenCommas = regexp.MustCompile(`[^\s,;][^,;]*`)
	timeEnds      = regexp.MustCompile(`(?i)\d(?::\d\d){1,2}(?: ?(?:am|pm|h|uhr))?|\d ?(?:am|pm|h|uhr)\b|[$€£]\s?\d[\d.,]*|\d\s?[$€£]`)
	timeOfDay     = regexp.MustCompile(`(?i)^(?:\d{1,2}:\d\d(?: ?[ap]m)?|\d{1,2} ?[ap]m)$`)
	inRow         = regexp.MustCompile(`^ in (?:a|one) (?:row|line|column|grid)$`)
	priceEnds     = regexp.MustCompile(`[$€£]\s?\d[\d.,]*$|\d\s?[$€£]$`)
)

// lister is the place of the recipe that shows nothing but a list, -1 if there is none.
func (r *Reader) lister() int {
	return slices.IndexFunc(r.manifests, func(m *recipe.Manifest) bool {
		return slices.Equal(m.Fits, []string{"list"}) && taker(m, "sides") == nil
	})
}

// results is a brief of several matches as a list with a line for each: "Lions 2 Tigers 1, Bears 0 Wolves 0".
func (r *Reader) results(b Brief) Brief {
	match := slices.IndexFunc(r.manifests, func(m *recipe.Manifest) bool { return taker(m, "outcome") != nil })
	list := r.lister()
	i := slices.IndexFunc(b.phrases, func(p wish.Phrase) bool { return p.Role == wish.Name })
	if match < 0 || list < 0 || i < 0 || len(b.ranks) == 0 || b.ranks[0] != r.manifests[match].Learned || count(b.phrases, wish.Name) < 4 {
		return b
	}
	var lines []wish.Phrase
	k := i
	for ; k+3 < len(b.phrases); k += 4 {
		line := b.phrases[k : k+4]
		if !slices.EqualFunc(line, []wish.PhraseRole{wish.Name, wish.Figure, wish.Name, wish.Figure}, func(p wish.Phrase, role wish.PhraseRole) bool { return p.Role == role }) ||
			strings.Contains(b.Prompt[line[0].From:line[3].To], ",") {
			return b
		}
		lines = append(lines, wish.Phrase{Span: wish.Span{From: line[0].From, To: line[3].To}, Role: wish.Item})
	}
	if len(lines) < 2 || count(b.phrases[k:], wish.Name)+count(b.phrases[k:], wish.Figure) > 0 {
		return b
	}
	b.phrases = slices.Concat(b.phrases[:i], lines, b.phrases[k:])
	b.ranks = append([]string{r.manifests[list].Learned}, b.ranks...)
	return b
}

// oneFigure is a brief of nothing but a label and its number as that number: "days until vacation: 12".
func (r *Reader) oneFigure(b Brief) Brief {
	at := labelNumber.FindStringSubmatchIndex(b.Prompt)
	m := slices.IndexFunc(r.manifests, func(m *recipe.Manifest) bool { return slices.Contains(m.Fits, "number") && taker(m, "order") != nil })
	if at == nil || m < 0 || len(b.phrases) != 1 || b.phrases[0].Role != wish.Headline || b.phrases[0].To > at[3] {
		return b
	}
	b.phrases = []wish.Phrase{{Span: wish.Span{From: at[2], To: at[3]}, Role: wish.Headline}}
	b.ranks = append([]string{r.manifests[m].Learned}, b.ranks...)
	return b
}

// labelNumber is a label with a colon and a number.
var labelNumber = regexp.MustCompile(`^(\pL[^:,.\d]*): ?[$€£]?\d[\d.,]*(?:\s?(?:%|[kKmM]|€))?[.!]?$`)

// timer is the countdown that a brief names with its length, where another recipe only writes a text and has no use for the name: "stream starting
// soon, neon, and a 10 second timer". nil if there is none.
func (r *Reader) timer(f *filler, b Brief) *filler {
	if !slices.Equal(f.m.Fits, []string{"text"}) || len(f.left()) == 0 {
		return nil
	}
	for _, m := range r.manifests {
		p := taker(m, "length")
		if p == nil || p.Type != recipe.Integer || m == f.m {
			continue
		}
		above := b
		above.phrases = slices.Clone(b.phrases)
		for i := range above.phrases { // what runs under a text ends with none
			if above.phrases[i].Role == wish.Headline {
				above.phrases[i].Role = wish.Second
			}
		}
		g := r.fill(m, above)
		if g.named() && g.set[p.Name] && missing(m, g.set) == "" && len(g.left()) < len(f.left()) {
			return g
		}
	}
	return nil
}

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
