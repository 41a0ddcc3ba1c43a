package wish

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// form says what a token is by its letters.
type form uint8

const (
	word   form = iota
	number      // digits, "1.5", "1,5", "1,000"
	clock       // "1:30"
	code        // a colour in CSS: "#1d3557", "rgb(1 2 3)"
	quoted      // the inside of a quotation
	file        // "data.csv"
	mark        // one character that is none of the above
	line        // the end of a line
)

// token is the smallest piece of a text.
type token struct {
	form  form
	span  Span
	text  string  // folded; of a quotation the inside as written
	num   float64 // of number; of clock seconds, reading minutes:seconds
	glued bool    // nothing stands between this token and the one before
	// phrase is the place of the phrase that the token belongs to, from 1 on; 0 for none.
	phrase int
}

// quotes maps each mark that opens a quotation to the marks that may close it.
var quotes = map[rune]string{
	'"': `"”`, '“': `”"“`, '„': `“”"`, '«': `»`, '»': `«`, '‹': `›`, '‘': `’`, '「': `」`, '『': `』`, '`': "`", '\'': `'’`, '’': `’`, '＂': `＂`,
}

// longestName is the longest name of a file that is looked for, in bytes.
const longestName = 200

// scan takes a text apart. files are the known endings of files.
func scan(s string, files map[string]string) []token {
	out := make([]token, 0, 1+len(s)/6)
	blanks := sync.OnceValue(func() bool { return spacedGroup.MatchString(s) || spacedItems(s) })
	end := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		t := token{span: Span{i, i + n}, glued: i > 0 && i == end, form: mark}
		switch {
		case r == '\n':
			t.form = line
		case unicode.IsSpace(r) || r == utf8.RuneError && n == 1 || unicode.Is(unicode.Cf, r) && r != '\u200d' || r == '-' && !minus(s, i) && !spaced(s, i):
			if r == '-' && end == i && i > 0 { // "2-3": no space between
				end += n
			}
			i += n
			continue
		case quotes[r] != "":
			if inner, ok := quotation(s, i, r, n); ok {
				t.form, t.text, t.span = quoted, strings.ReplaceAll(s[inner.From:inner.To], `\`+string(r), string(r)), Span{i, closing(s, inner.To)}
			} else if r != '`' && r != '"' && r != '＂' {
				i += n
				continue
			}
		case colourCode(s, i) > 0:
			t.form, t.span.To = code, i+colourCode(s, i)
		case isDigit(r) || r == '-' && minus(s, i) || r == '.' && i+1 < len(s) && isDigit(rune(s[i+1])) && (i == 0 || s[i-1] != '.'): // "10..1" has no ".1"
			scanNumber(s, &t, blanks)
			if j := fileEnd(s, i, files); j > t.span.To { // "2024.csv"
				t.form, t.span.To = file, j
			}
		case single(r):
			t.form = word
		case unicode.IsLetter(r) || unicode.IsMark(r):
			t.form, t.span.To = word, wordEnd(s, i, t.glued && len(out) > 0 && out[len(out)-1].form == number)
			if j := fileEnd(s, i, files); j > 0 {
				t.form, t.span.To = file, j
			}
		case (r == '/' || r == '.' || r == '~') && fileEnd(s, i, files) > 0:
			t.form, t.span.To = file, fileEnd(s, i, files)
		}
		switch t.form {
		case word, mark, clock, code:
			t.text = fold(s[t.span.From:t.span.To])
		case number:
			t.text = strconv.FormatFloat(t.num, 'f', -1, 64)
		case file:
			t.text = s[t.span.From:t.span.To]
		}
		out = append(out, t)
		i, end = t.span.To, t.span.To
	}
	return out
}

// fold makes words that people write alike the same: case, width, accents.
func fold(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] < utf8.RuneSelf
	}
	if plain {
		return strings.ToLower(s)
	}
	s = strings.ToLower(norm.NFKC.String(s))
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '’':
			b.WriteByte('\'')
		case r == 'ß':
			b.WriteString("ss")
		case r == 'œ':
			b.WriteString("oe")
		case unicode.Is(unicode.Latin, r):
			base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
			b.WriteRune(base)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// single reports whether a letter is a token by itself, since its script writes no blanks.
func single(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) || r == 'ー'
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' || r >= '０' && r <= '９' }

// minus reports whether the dash at i is one of a number: before a digit, after a space or an opening mark.
func minus(s string, i int) bool {
	if i+1 >= len(s) || !isDigit(rune(s[i+1])) || i > 0 && s[i-1] != ' ' && s[i-1] != '(' && s[i-1] != ':' {
		return false
	}
	return true
}

// spaced reports whether the dash at i stands alone: a bullet, or a dash before a name.
func spaced(s string, i int) bool {
	return (i == 0 || s[i-1] == ' ' || s[i-1] == '\n' || s[i-1] == '\t') && i+1 < len(s) && s[i+1] == ' '
}

// wordEnd is the end of the word at i: letters, then digits too, and apostrophes or dots inside. A unit
// ends before digits: "1m30s", "1080x1920".
func wordEnd(s string, i int, unit bool) int {
	end := i
	for end < len(s) {
		r, n := utf8.DecodeRuneInString(s[end:])
		next, _ := utf8.DecodeRuneInString(s[min(end+n, len(s)):])
		switch {
		case single(r):
			return end
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) && end > i && !unit:
		case (r == '\'' || r == '’') && unicode.IsLetter(next) && end > i:
		case (r == '.' || r == '_' || r == '@') && end > i && (unicode.IsLetter(next) || unicode.IsDigit(next)) && end+n < len(s):
		default:
			return end
		}
		end += n
	}
	return end
}

// fileEnd is the end of the name of a file that begins at i, 0 if there is none.
func fileEnd(s string, i int, files map[string]string) int {
	if i > 0 {
		if before, _ := utf8.DecodeLastRuneInString(s[:i]); unicode.IsLetter(before) && !single(before) || before == '/' || before == '.' || before == '-' || before == '_' {
			return 0
		}
	}
	best := 0
	for j := i; j < len(s) && j < i+longestName; {
		r, n := utf8.DecodeRuneInString(s[j:])
		if !(unicode.IsLetter(r) && !single(r) || isDigit(r) || strings.ContainsRune("./-_~", r)) {
			break
		}
		j += n
		if dot := strings.LastIndexByte(s[i:j], '.'); dot >= 0 && j > i+dot+1 {
			next, _ := utf8.DecodeRuneInString(s[j:])
			if files[strings.ToLower(s[i+dot+1:j])] != "" && dot > 0 && (single(next) || !unicode.IsLetter(next) && !isDigit(next)) {
				best = j
			}
		}
	}
	return best
}

// colourCode is the length of the CSS colour at i, 0 if there is none.
func colourCode(s string, i int) int {
	if s[i] == '#' {
		n := 1
		for i+n < len(s) && isHex(s[i+n]) {
			n++
		}
		next, _ := utf8.DecodeRuneInString(s[i+n:])
		if (n == 4 || n == 5 || n == 7 || n == 9) && !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			return n
		}
		return 0
	}
	open := strings.IndexByte(s[i:min(len(s), i+8)], '(')
	if open < 3 || !cssFunctions[strings.ToLower(s[i:i+open])] || i > 0 && isLetter(s[i-1]) {
		return 0
	}
	if n := strings.IndexByte(s[i:min(len(s), i+80)], ')'); n > 0 {
		if _, ok := parseCSS(strings.ToLower(s[i : i+n+1])); ok {
			return n + 1
		}
	}
	return 0
}

func isHex(b byte) bool { return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F' }

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

// scanNumber reads digits with a decimal point or comma and with marks between
// thousands, or two numbers with a colon.
func scanNumber(s string, t *token, blanks func() bool) {
	i := t.span.From
	var b strings.Builder
	if s[i] == '-' {
		b.WriteByte('-')
		i++
	}
	digits := func() (n int) {
		for i < len(s) {
			r, size := utf8.DecodeRuneInString(s[i:])
			if !isDigit(r) {
				break
			}
			if r >= '０' {
				r += '0' - '０'
			}
			b.WriteRune(r)
			i += size
			n++
		}
		return n
	}
	digitAt := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	group := func() bool { // a mark, three digits, and no fourth
		return i < len(s) && strings.IndexByte(",.' ", s[i]) >= 0 && digitAt(i+1) && digitAt(i+2) && digitAt(i+3) && !digitAt(i+4) && (s[i] != ' ' || !digitAt(i-4))
	}
	whole := digits()
	t.form = number
	switch {
	case i < len(s) && (s[i] == ':' || s[i] == 'h' && digitAt(i+2) && !digitAt(i+3)) && digitAt(i+1): // "8h15"
		minutes, _ := strconv.ParseFloat(b.String(), 64) //nolint:errcheck // digits only; too many give +Inf
		b.Reset()
		i++
		digits()
		t.form = clock
		seconds, _ := strconv.ParseFloat(b.String(), 64) //nolint:errcheck // likewise
		t.num = minutes*60 + seconds
		if i < len(s) && s[i] == ':' && digitAt(i+1) { // "23:59:50"
			b.Reset()
			i++
			digits()
			seconds, _ = strconv.ParseFloat(b.String(), 64) //nolint:errcheck // likewise
			t.num = t.num*60 + seconds
		}
	default:
		if whole > 0 && whole <= 3 && group() && (s[i] == ',' || s[i] == '\'' || i+4 < len(s) && s[i+4] == s[i] && digitAt(i+5) || parted(s, i, whole, blanks)) && !numbersInRow(s, i) {
			for sep := s[i]; group() && s[i] == sep; {
				i++
				digits()
			}
		}
		if i < len(s) && (s[i] == '.' || s[i] == ',') && digitAt(i+1) && (i == 0 || s[i] == '.' || digitAt(i-1)) && !listed(s, i) {
			i++
			b.WriteByte('.')
			digits()
		}
		t.num, _ = strconv.ParseFloat(b.String(), 64) //nolint:errcheck // likewise
	}
	t.span.To = max(i, t.span.From+1)
}

// numbersInRow reports whether the blank at i parts numbers rather than thousands: a number of more than three digits, or
// fewer, is among them, or they are too many for one number: "120 134 98".
func numbersInRow(s string, i int) bool {
	if s[i] != ' ' {
		return false
	}
	from := i
	for from > 0 && s[from-1] >= '0' && s[from-1] <= '9' {
		from--
	}
	run := s[from:]
	if end := strings.IndexFunc(run, func(r rune) bool { return r != ' ' && (r < '0' || r > '9') }); end >= 0 {
		run = run[:end]
	}
	groups := strings.Fields(run)
	return len(groups[0]) == 3 && len(groups) > 2 && groups[len(groups)-1] != "000" || len(groups) > 4 ||
		slices.ContainsFunc(groups[1:], func(g string) bool { return len(g) != 3 })
}

// spacedGroup is a number whose thousands a blank parts, where what follows shows that it is one number.
var spacedGroup = regexp.MustCompile(`(?:^|[^\d\s.,:]\s*)\d{1,3} (?:000|\d{3}\s?[€$£%])(?:[^\d]|$)`)

// spacedItem is a name with such a number at the end of an item.
var spacedItem = regexp.MustCompile(`(\pL+) \d{1,2} \d{3}\s*(?:[,;\n]|$)`)

// spacedItems reports whether two such items show that blanks part thousands: "juillet 1 650, août 1 910". Those of "week 1 420, week 2 465" have
// one name.
func spacedItems(s string) bool {
	items := spacedItem.FindAllStringSubmatch(s, 2)
	return len(items) > 1 && items[0][1] != items[1][1]
}

// spelledMoney is the word for a currency behind a number: "8 600 euros".
var spelledMoney = regexp.MustCompile(`^\s?(?i:euros?|dollars?|dólares|francs?|franken|pesos?|livres|reais|pounds?|kronen|kr)\b`)

// parted reports whether the blank at i parts the thousands of a number by itself: zeros follow, or a currency, or, behind
// two digits or beside another such number, the word for what is counted. "1 200 €", "84 300 visiteurs". blanks reports whether
// the text has such a number, which is looked for once.
func parted(s string, i, whole int, blanks func() bool) bool {
	if s[i] != ' ' {
		return false
	}
	before, behind := strings.TrimRight(s[:i-whole], " "), s[i+4:]
	if before != "" && isDigit(rune(before[len(before)-1])) || len(behind) > 1 && behind[0] == ' ' && isDigit(rune(behind[1])) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(behind, " "))
	switch {
	case s[i+1:i+4] == "000" || strings.ContainsRune("€$£%", next) || spelledMoney.MatchString(behind):
		return true
	case unicode.IsLower(next) && whole == 2, before != "" && strings.IndexFunc(s[:i-whole]+behind, isDigit) < 0: // "jusqu'à 3 500" has the only digits of the text
		return true
	}
	return blanks()
}

// listed reports whether the comma at i parts numbers rather than a number: "3,2,1". The comma stands before a digit.
func listed(s string, i int) bool {
	digits := func(i int) int {
		for i < len(s) && isDigit(rune(s[i])) {
			i++
		}
		return i
	}
	comma := func(i int) bool { return i+1 < len(s) && s[i] == ',' && isDigit(rune(s[i+1])) }
	from := i
	for from > 0 && (isDigit(rune(s[from-1])) || s[from-1] == ',') {
		from--
	}
	return s[i] == ',' && (comma(digits(i+1)) || comma(digits(from)) && digits(from) != i)
}

// quotation returns the inside of the quotation that r opens at i. A single quotation
// mark opens only at the start of a word and closes only at the end of one.
func quotation(s string, i int, r rune, size int) (inner Span, ok bool) {
	apostrophe := r == '\'' || r == '’' || r == '‘'
	if apostrophe && i > 0 {
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		if !unicode.IsSpace(before) && !strings.ContainsRune("([{:=,", before) {
			return Span{}, false
		}
	}
	for j := i + size; j < len(s); {
		c, n := utf8.DecodeRuneInString(s[j:])
		if c == '\\' && j+1 < len(s) && rune(s[j+1]) == r && strings.ContainsRune(s[j+2:], r) { // as in a program: \"
			j += 2
			continue
		}
		if strings.ContainsRune(quotes[r], c) && !(apostrophe && inWord(s, j, j+n)) {
			text := s[i+size : j]
			left := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
			inner = Span{i + size + left, i + size + len(strings.TrimRightFunc(text, unicode.IsSpace))}
			return inner, inner.From < inner.To
		}
		j += n
	}
	return Span{}, false
}

// inWord reports whether the apostrophe [from, to) ends no word: "'22 310, '23 288", "don't".
func inWord(s string, from, to int) bool {
	last, _ := utf8.DecodeLastRuneInString(s[:from])
	next, _ := utf8.DecodeRuneInString(s[to:])
	return unicode.IsSpace(last) || to < len(s) && (unicode.IsLetter(next) || isDigit(next))
}

// closing is the end of the mark that closes a quotation whose inside ends at i.
func closing(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if !unicode.IsSpace(r) {
			break
		}
	}
	return i
}
