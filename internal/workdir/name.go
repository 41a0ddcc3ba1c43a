package workdir

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/koda-video/koda/internal/koda"
)

const (
	slugLength = 40   // bytes of a derived name, before "-2"
	slugWords  = 4    // words of a derived name
	nameLength = 64   // bytes of a name given by hand
	promptHead = 1000 // bytes of a prompt that are read
)

// filler are words that do not say what a project is about.
var filler = wordSet(`
	a an the this that these those some any my our your his her its their me us you i we it he she they one
	and or but so then with without of in on at to from for by as into onto over under per about like while
	is are be being been was were has have having do does can could would should will shall may let lets
	make makes making create creates creating creation build generate draw render produce design show shows showing give want wants need needs
	animate animated animates animating animation animations video videos clip clips movie film gif motion graphic graphics
	please just very really nice cool beautiful simple short quick new where which who there
	second seconds sec secs minute minutes min mins frame frames fps px pixels long duration lasting lasts
	style styled`)

// unit are words that make the number before them a measure.
var unit = wordSet(`s sec secs second seconds m min mins minute minutes ms fps px pixel pixels frame frames hz k p times x`)

// scheme is the start of a web address, which says nothing of the site.
var scheme = regexp.MustCompile(`(?i)\bhttps?://(?:www\.)?`)

// reserved are names with another meaning, for koda or for a file system.
var reserved = wordSet(`src public scripts renders previews node_modules koda
	con prn aux nul com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9`)

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// NameFrom derives a project name from a prompt: the first essential words, in lower-case
// ASCII, joined by hyphens, at most 40 bytes. The name is never empty (it is "animation"
// if there is nothing to read), reserved or hidden.
func NameFrom(prompt string) string {
	if len(prompt) > promptHead {
		prompt = prompt[:promptHead]
	}
	prompt = scheme.ReplaceAllString(prompt, "")
	foreign := strings.ContainsFunc(prompt, func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsLetter(r) })
	var words, number []string
	for _, clause := range strings.FieldsFunc(prompt, endsClause) {
		// A number alone names nothing where other words do.
		if words = essential(clause); len(words) > 0 && strings.Trim(strings.Join(words, ""), "0123456789") != "" {
			break
		}
		if len(words) > 0 && number == nil && !foreign {
			number = words
		}
		words = nil
	}
	if words == nil {
		words = number
	}
	name := ""
	for _, w := range words[:min(len(words), slugWords)] {
		if name != "" && len(name)+1+len(w) > slugLength {
			break
		}
		name = strings.Trim(name+"-"+w, "-")
	}
	name = strings.TrimRight(name[:min(len(name), slugLength)], "-")
	switch {
	case name == "":
		return "animation"
	case reserved[name]:
		return name + "-animation"
	}
	return name
}

// endsClause splits where a thought ends. It also drops the stop in "v1.2" or "3.5",
// which hardly harms a name.
func endsClause(r rune) bool { return strings.ContainsRune(",;:.!?()[]{}\n\r—–|", r) }

// essential are the words of a clause that say what it is about.
func essential(clause string) []string {
	all := words(clause)
	var keep []string
	for i, w := range all {
		measure := isNumber(w) && i+1 < len(all) && unit[all[i+1]]
		counted := unit[w] && i > 0 && isNumber(all[i-1])
		if !filler[w] && !measure && !counted && !isMeasure(w) {
			keep = append(keep, w)
		}
	}
	return keep
}

// words splits a text at everything that is not a letter or a digit. Before that, it
// spells the text in ASCII, letter by letter where this is possible.
func words(text string) []string {
	var b strings.Builder
	for _, r := range strings.ToLower(norm.NFKD.String(text)) {
		switch {
		case r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case r == '\'' || r == '’' || unicode.Is(unicode.Mn, r): // don't → dont, é → e
		case spelled[r] != "":
			b.WriteString(spelled[r])
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}

// spelled are letters that Unicode does not decompose.
var spelled = map[rune]string{'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'þ': "th", 'ł': "l", 'ı': "i"}

func isNumber(w string) bool {
	return strings.Trim(w, "0123456789") == ""
}

// isMeasure recognises "5s", "1080p", "60fps".
func isMeasure(w string) bool {
	rest := strings.TrimLeft(w, "0123456789")
	return rest != w && unit[rest]
}

// ValidName says whether a project may have this name; if not, the error is USAGE and
// says why. A name has letters and digits of any script, "-", "_" and ".".
func ValidName(name string) error {
	bad := func(what string) error {
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("the name %.80q %s", name, what),
			Hint: "use letters, digits and hyphens, such as bouncing-ball",
		}
	}
	firstRune, _ := utf8.DecodeRuneInString(name)
	switch {
	case name == "":
		return bad("is empty")
	case len(name) > nameLength:
		return bad(fmt.Sprintf("is longer than %d bytes", nameLength))
	case !utf8.ValidString(name):
		return bad("is not UTF-8")
	case strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && !strings.ContainsRune("-_.", r)
	}):
		return bad("has a character a name cannot have")
	case !unicode.IsLetter(firstRune) && !unicode.IsDigit(firstRune):
		return bad("does not begin with a letter or digit")
	case strings.HasSuffix(name, "."):
		return bad("ends with a dot")
	case reserved[strings.ToLower(name)]:
		return bad("is reserved")
	}
	return nil
}
