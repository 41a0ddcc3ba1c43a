package recipe

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The names of the recipes.
const (
	ballRecipe  = "bouncing-ball"
	titleRecipe = "title"
)

// subjects are words and how strongly each speaks for a recipe.
var subjects = map[string]map[string]int{
	ballRecipe: weights(map[int]string{
		4: "ball balls sphere orb marble bead basketball football soccerball volleyball handball baseball softball beachball pingpong",
		3: "bounce bounces bouncing bounced bouncer",
		2: "hop hops hopping jump jumps jumping box square cube block brick star triangle pyramid hexagon heart circle dot squash dribble dribbling",
		1: "drop drops dropping falling falls rubber landing trampoline",
	}),
	titleRecipe: weights(map[int]string{
		3: "title titles text headline heading typography lettering wordmark caption slogan tagline logo logotype intro outro credits banner letters words quote quotation opener announcement greeting",
		2: "says say saying reads reading spells spelling sign typographic type font name message sentence phrase",
		1: "write writing kinetic channel brand company",
	}),
}

func weights(by map[int]string) map[string]int {
	out := map[string]int{}
	for n, list := range by {
		for _, s := range strings.Fields(list) {
			out[s] = n
		}
	}
	return out
}

// media are words that make anything a request for a video. makers are the verbs
// that ask for something to be made.
var (
	media = strings.Fields("animation animations animate animated animating video videos clip clips gif gifs film films movie movies motion intro outro trailer teaser " +
		"title titles loop scene scenes visual visuals visualize visualise footage reel reels short storyboard frames fps cartoon promo commercial ad advert")
	makers = strings.Fields("make create draw show render generate design produce build give animate do craft want need like see have get compose")
	// interrogatives open questions; auxiliaries open questions that end in a
	// question mark.
	interrogatives = strings.Fields("what what's whats who who's whose whom when when's where where's why which how how's")
	auxiliaries    = strings.Fields("is are am was were do does did will would can could should shall has have had may might isn't aren't don't doesn't")
	// errands are verbs of other work, products its nouns.
	errands = strings.Fields("send email call text book order buy sell pay delete remove fix debug translate summarize summarise explain tell remind calculate compute solve " +
		"install run open close find search google look help list sing cook schedule cancel refactor deploy commit push test review compile convert analyze analyse answer recommend suggest compare define")
	products = strings.Fields("website app application script program function code email essay poem article report spreadsheet database server joke recipe story blog resume letter " +
		"sandwich coffee appointment reservation tweet bug query regex api test tests")
	greetings = strings.Fields("hi hello hey hiya howdy thanks thank thx ok okay yes no yep nope bye goodbye cheers sorry please")
)

// subjectOf scores the recipes a prompt may mean. The title recipe shows a
// quotation, so a quotation counts for that recipe.
func (w *words) subjectOf() (name string, score int) {
	scores := map[string]int{}
	first := map[string]int{ballRecipe: len(w.list), titleRecipe: len(w.list)}
	seen := map[string]bool{}
	for i := range w.list {
		if w.list[i].kind == quoted && !seen["\""] {
			seen["\""] = true
			scores[titleRecipe] += 4
			first[titleRecipe] = min(first[titleRecipe], i)
		}
		for recipe, list := range subjects {
			if n := list[w.at(i)]; n > 0 && !seen[recipe+w.at(i)] {
				seen[recipe+w.at(i)] = true
				scores[recipe] += n
				first[recipe] = min(first[recipe], i)
			}
		}
	}
	if w.has("hello world") {
		scores[titleRecipe] += 3
		first[titleRecipe] = min(first[titleRecipe], w.find("hello world")[0][0])
	}
	ball, title := scores[ballRecipe], scores[titleRecipe]
	switch {
	case max(ball, title) < 2:
		return "", max(ball, title)
	case ball > title || ball == title && first[ballRecipe] <= first[titleRecipe]:
		return ballRecipe, ball
	}
	return titleRecipe, title
}

// notAnimation says why a prompt asks for no animation; "" when it may ask for an
// animation.
func (w *words) notAnimation(recipe string) string {
	var said []string // the plain words
	letters := false
	for i := range w.list {
		t := w.list[i]
		if t.kind == word {
			said = append(said, t.text)
		}
		letters = letters || t.kind == quoted || t.kind == number || t.kind == word
	}
	if !letters {
		return "there is no word in it"
	}
	if len(said) == 0 {
		for i := range w.list {
			if w.punct(i, "+*/=^%<>") {
				return "it is a sum"
			}
		}
		return ""
	}
	among := func(list []string) bool {
		return slices.ContainsFunc(said, func(s string) bool { return slices.Contains(list, s) })
	}
	moving := among(media)
	asked := moving || recipe != "" && among(makers)
	question := strings.HasSuffix(strings.TrimRight(w.source, " \t\r\n!"), "?") || strings.HasSuffix(strings.TrimSpace(w.source), "？")
	first := w.skip(0, 1, "please", "so", "and", "well", "hey", "koda", "ok", "okay")
	opener := w.at(first)
	switch {
	case w.isPhrase(first, "how about") || w.isPhrase(first, "what about") || w.isPhrase(first, "what if"):
		return ""
	case slices.Contains(interrogatives, opener) && !asked, slices.Contains(interrogatives, opener) && w.is(first+1, "is", "are", "does", "do", "did", "was", "were", "to", "many", "much"):
		return "it is a question"
	case slices.Contains(auxiliaries, opener) && question && !asked:
		return "it is a question"
	case question && recipe == "" && !moving && !among(makers):
		return "it is a question"
	case recipe != "":
		return ""
	case !moving && slices.Contains(errands, opener):
		return "it asks for something else"
	case !moving && among(products) && (among(makers) || opener == "write"):
		return "it asks for something else"
	case !moving && slices.Contains(greetings, opener) && len(said) <= 3:
		return "it is a greeting"
	case !moving && (w.isPhrase(first, "i am") || w.is(first, "i'm") || w.isPhrase(first, "i feel")):
		return "it says something about you"
	case !moving && len(said) > 60:
		return "it is a long text without a word about moving pictures"
	}
	return ""
}

// fillers are words that say nothing about the picture by themselves. At the ends
// of an unquoted text they do not belong to the text.
var fillers = func() map[string]bool {
	out := map[string]bool{}
	for _, s := range strings.Fields(`a an the of with and or in on at to for from by as it its it's is are be that this these those there which who please me my your our you i we us
		want wants need needs would could can just very really some any so such one's d'd i'd i'll let lets let's make makes making create creates creating generate generates draw draws
		show shows showing render renders rendering design build produce do does have has having get give gives see like about into onto out over under up down off then than
		animation animations animate animated animating video videos clip clips gif film movie motion graphic graphics picture visual visuals scene scenes short quick nice cool beautiful
		great awesome pretty amazing lovely simple basic good best new little bit thing something kind sort style styled look looking feel vibe version example demo
		title titles text texts headline heading typography lettering wordmark caption slogan tagline logo logotype intro outro credits banner opener kinetic typographic card
		says say saying reads reading spells spelling sign word words letters message phrase sentence called named titled being where while when
		using use used should will must also plus both each full hd 4k resolution size color colour colors colours colored coloured background`) {
		out[s] = true
	}
	return out
}()

// unclaimed returns the words and pictographs that nobody understood, in order,
// without fillers.
func (w *words) unclaimed() []string {
	var out []string
	for i, t := range w.list {
		if t.used || t.kind == punct && !pictograph(t) || t.kind == word && (fillers[t.text] || utf8.RuneCountInString(t.text) < 2) {
			continue
		}
		if t.kind == clock && ratios[t.text] {
			continue
		}
		if !slices.Contains(out, w.list[i].raw) {
			out = append(out, w.list[i].raw)
		}
	}
	return out
}

// pictograph reports whether a token is a picture among letters: an emoji.
func pictograph(t token) bool {
	r, _ := utf8.DecodeRuneInString(t.text)
	return unicode.Is(unicode.So, r)
}

// untitled is unclaimed without the words that ask for a title.
func (w *words) untitled() []string {
	return slices.DeleteFunc(w.unclaimed(), func(s string) bool { return subjects[titleRecipe][strings.ToLower(s)] > 0 })
}

// remainder is the longest stretch of the prompt that nobody understood, as it was
// typed, without fillers at its ends: the text of an unquoted title, or the name of
// a subject the recipes do not know. A claimed token or a comma ends a stretch.
// remainder claims what it returns.
func (w *words) remainder() string {
	best, from, to := "", 0, 0
	for i := 0; i < len(w.list); i++ {
		if w.list[i].used || w.list[i].kind == punct && !midSentence(w.list[i]) {
			continue
		}
		j := i
		for j < len(w.list) && !w.list[j].used && (w.list[j].kind != punct || midSentence(w.list[j])) {
			j++
		}
		a, b := i, j
		for a < b && w.fills(a) {
			a++
		}
		for b > a && w.fills(b-1) && !w.is(b-1, "show", "shows", "design") { // "slide show", "graphic design"
			b--
		}
		if a < b {
			if s := strings.TrimSpace(w.source[w.list[a].start:w.list[b-1].end]); utf8.RuneCountInString(s) > utf8.RuneCountInString(best) {
				best, from, to = s, a, b
			}
		}
		i = j
	}
	w.claim(from, to)
	return best
}

func midSentence(t token) bool { return strings.Contains("&'’/%+@$€£!?…", t.text) }

func (w *words) fills(i int) bool {
	return w.list[i].kind == word && fillers[w.list[i].text] || w.list[i].kind == punct && !strings.Contains("!?…", w.list[i].text)
}

// capital begins a text with a capital letter.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}
