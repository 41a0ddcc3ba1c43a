package recipe

import "strings"

// colourUse is a colour of the prompt and what it is for.
type colourUse struct {
	role  string // "color", "background", "accent"; "" when the prompt does not say
	value string // #rrggbb
	said  string
	at    int // first token
	end   int // the token after
}

// surfaces are the words for the background. accents and actors are the words for
// things that can have a colour.
var (
	surfaces = []string{"background", "backdrop", "bg", "backgrounds", "wall", "sky", "scene", "canvas", "screen", "page", "floor", "ground"}
	accents  = []string{"accent", "accents", "underline", "line", "highlight", "highlights", "details"}
	actors   = []string{
		"ball", "balls", "sphere", "circle", "orb", "dot", "box", "square", "cube", "star", "triangle", "pyramid", "hexagon", "heart", "shape", "object", "one", "thing",
		"basketball", "football", "marble", "text", "title", "letters", "lettering", "words", "font", "type", "headline", "heading", "logo", "caption", "typography", "name",
	}
	// between are words that may stand between a colour and its noun.
	between = []string{
		"bouncing", "bouncy", "bounces", "big", "large", "huge", "giant", "small", "little", "tiny", "shiny", "glossy", "rubber", "beach", "jumping", "hopping", "dropping", "falling",
		"bold", "animated", "kinetic", "simple", "plain", "solid", "coloured", "colored", "color", "colour", "soft", "smooth", "round",
	}
)

// readColours finds the colours of a prompt and claims their words.
func (w *words) readColours() []colourUse {
	var found []colourUse
	for i := 0; i < len(w.list); i++ {
		value, n := w.colourAt(i)
		if n == 0 || w.used(i) {
			continue
		}
		use := colourUse{value: value, said: strings.TrimSpace(w.source[w.list[i].start:w.list[i+n-1].end]), at: i}
		var sure bool
		use.role, sure = w.roleOf(i, i+n)
		if n == 1 && shyColours[w.at(i)] && !sure {
			continue
		}
		w.claim(i, i+n)
		use.end = i + n
		found = append(found, use)
		i += n - 1
	}
	// In "red and blue ball" red leads.
	for k := len(found) - 2; k >= 0; k-- {
		joint := w.skip(found[k].end, 1, "and")
		if w.punct(joint, ",&/") {
			joint = w.skip(joint+1, 1, "and")
		}
		if next := &found[k+1]; found[k].role == "" && next.role == "color" && joint == next.at {
			found[k].role, next.role = "color", ""
		}
	}
	return found
}

// colourAt reads a colour that begins at token i.
func (w *words) colourAt(i int) (value string, n int) {
	if w.list[i].kind == hexCode {
		v, ok := parseHex(w.list[i].text)
		if !ok {
			return "", 0
		}
		return v, 1
	}
	if w.is(i, "rgb") && w.punct(i+1, "(") {
		for j := i + 2; j < len(w.list) && j < i+10; j++ {
			if w.punct(j, ")") {
				if v, ok := parseRGB(w.source[w.list[i+2].start:w.list[j].start]); ok {
					return v, j - i + 1
				}
				return "", 0
			}
		}
	}
	var parts []string
	for j := i; j < min(i+3, len(w.list)) && w.at(j) != "" && !w.used(j); j++ {
		parts = append(parts, w.at(j))
	}
	return colourOf(parts)
}

// roleOf says what the colour at tokens [i, j) belongs to, and whether the words
// around it show that it is a colour at all.
func (w *words) roleOf(i, j int) (role string, sure bool) {
	noun := w.skip(j, 1, between...)
	switch {
	case w.is(noun, surfaces...):
		w.claim(j, noun+1)
		return "background", true
	case w.is(noun, accents...):
		w.claim(j, noun+1)
		return "accent", true
	case w.is(noun, actors...):
		return "color", true
	}
	// Backwards: "the background is navy", "background: #123", "on navy".
	article := w.skip(i-1, -1, "a", "an", "the", "bright", "plain", "solid")
	if w.is(article, "on", "against", "over") {
		w.claim(article, i)
		return "background", true
	}
	link := i - 1
	for link >= 0 && (w.is(link, "is", "be", "should", "in", "to", "of", "color", "colour", "colored", "coloured", "a", "as", "with", "turn", "turns", "make", "all", "completely") || w.punct(link, ":=")) {
		link--
	}
	linked := link < i-1
	switch {
	case w.is(link, surfaces...) && linked:
		w.claim(link, i)
		return "background", true
	case w.is(link, accents...) && linked:
		w.claim(link, i)
		return "accent", true
	case w.is(link, actors...) && linked:
		return "color", true
	case w.is(i-1, surfaces...):
		w.claim(i-1, i)
		return "background", true
	case w.is(i-1, accents...):
		w.claim(i-1, i)
		return "accent", true
	}
	return "", w.is(i-1, actors...) || w.is(i-1, "in", "color", "colour", "it", "and") || w.punct(i-1, ":=") || w.is(j, "and", "color", "colour", "on", "against") || w.is(i-1, "to")
}

// assign gives every colour a parameter: a colour without a role becomes the
// actor's colour, the next such colour the accent. left are the colours without a
// parameter.
func assign(uses []colourUse) (set map[string]colourUse, left []colourUse) {
	set = map[string]colourUse{}
	for _, u := range uses {
		if u.role != "" {
			if _, taken := set[u.role]; !taken {
				set[u.role] = u
				continue
			}
			u.role = ""
		}
		left = append(left, u)
	}
	var none []colourUse
	for _, u := range left {
		switch {
		case set["color"].value == "":
			set["color"] = u
		case set["accent"].value == "":
			set["accent"] = u
		default:
			none = append(none, u)
		}
	}
	return set, none
}
