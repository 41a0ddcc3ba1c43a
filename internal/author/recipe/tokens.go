package recipe

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind says what a token is.
type kind int

const (
	word    kind = iota
	number       // digits, "1.5", "1,5"
	clock        // "1:30": num holds seconds, text both parts
	hexCode      // "#1d3557"
	quoted       // the inside of a quotation
	punct
)

// token is a piece of a prompt. For words, text is in lower case; raw is the text
// as typed. glued says that no white space stands before the token.
type token struct {
	kind       kind
	text, raw  string
	num        float64
	start, end int // bytes of the prompt
	glued      bool
	used       bool
}

// quotes maps each mark that opens a quotation to the marks that may close it.
var quotes = map[rune]string{
	'"': `"”`, '“': `”"“`, '„': `“”"`, '«': `»`, '»': `«`, '‘': `’`, '「': `」`, '『': `』`, '`': "`", '\'': `'’`, '’': `’`,
}

// tokens takes a prompt apart.
func tokens(s string) []token {
	var out []token
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		t := token{start: i, glued: i > 0 && !spaceBefore(s, i)}
		switch {
		case unicode.IsSpace(r) || r == utf8.RuneError || r == '-' && !opensNumber(s, i) || r == '–' || r == '—':
			i += size
			continue
		case quotes[r] != "":
			inner, end, ok := quotation(s, i, r, size)
			if !ok {
				i += size
				continue
			}
			t.kind, t.text, t.raw, t.end = quoted, inner, inner, end
		case r == '#':
			n := 1
			for i+n < len(s) && isHex(s[i+n]) {
				n++
			}
			t.kind, t.text, t.end = hexCode, strings.ToLower(s[i:i+n]), i+n
			if n == 1 {
				t.kind = punct
			}
		case r >= '0' && r <= '9' || r == '-' || r == '.' && i+1 < len(s) && isDigit(s[i+1]):
			t = scanNumber(s, t)
			if t.kind == number && t.end < len(s) && (s[t.end] == 'd' || s[t.end] == 'D') && !letterAt(s, t.end+1) { // "3d" is no number
				t.kind, t.end = word, t.end+1
				t.text += "d"
			}
		case unicode.IsLetter(r) || unicode.IsMark(r):
			end := i
			for end < len(s) {
				c, n := utf8.DecodeRuneInString(s[end:])
				inside := unicode.IsLetter(c) || unicode.IsMark(c) || (c == '\'' || c == '’') && end > i && letterAt(s, end+n)
				if !inside {
					break
				}
				end += n
			}
			t.kind, t.text, t.end = word, strings.ReplaceAll(strings.ToLower(s[i:end]), "’", "'"), end
		default:
			t.kind, t.text, t.end = punct, s[i:i+size], i+size
		}
		if t.kind != quoted {
			t.raw = s[t.start:t.end]
		}
		out = append(out, t)
		i = t.end
	}
	return out
}

// scanNumber reads digits with a decimal point or comma, or minutes and seconds.
func scanNumber(s string, t token) token {
	i := t.start
	if s[i] == '-' {
		i++
	}
	digits := func() string {
		from := i
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		return s[from:i]
	}
	whole := digits()
	t.kind = number
	switch {
	case i+2 < len(s) && s[i] == ':' && isDigit(s[i+1]):
		i++
		rest := digits()
		t.kind, t.text = clock, whole+":"+rest
		m, _ := strconv.ParseFloat(whole, 64)  //nolint:errcheck // digits only; too many give +Inf
		sec, _ := strconv.ParseFloat(rest, 64) //nolint:errcheck // likewise
		t.num, t.end = 60*m+sec, i
		return t
	case i+3 < len(s) && s[i] == ',' && isDigit(s[i+1]) && isDigit(s[i+2]) && isDigit(s[i+3]): // 1,000
		for i+3 < len(s) && s[i] == ',' && isDigit(s[i+1]) && isDigit(s[i+2]) && isDigit(s[i+3]) {
			whole += s[i+1 : i+4]
			i += 4
		}
	case i+1 < len(s) && (s[i] == '.' || s[i] == ',') && isDigit(s[i+1]):
		i++
		whole += "." + digits()
	}
	if s[t.start] == '-' {
		whole = "-" + whole
	}
	t.num, _ = strconv.ParseFloat(whole, 64) //nolint:errcheck // digits and one point; too many give +Inf, which is out of every range
	t.text, t.end = whole, i
	return t
}

// quotation finds the end of the quotation that r opens at i. A single quote opens
// a quotation only where an apostrophe cannot stand.
func quotation(s string, i int, r rune, size int) (inner string, end int, ok bool) {
	single := r == '\'' || r == '’' || r == '‘'
	if single && i > 0 && !spaceBefore(s, i) && !strings.ContainsRune("([{:=,", rune(s[i-1])) {
		return "", 0, false
	}
	for j := i + size; j < len(s); {
		c, n := utf8.DecodeRuneInString(s[j:])
		if strings.ContainsRune(quotes[r], c) && !(single && letterAt(s, j+n)) {
			inner = strings.TrimSpace(s[i+size : j])
			return inner, j + n, inner != ""
		}
		j += n
	}
	return "", 0, false
}

// opensNumber reports whether the dash at i is a minus: before a digit and
// after a space.
func opensNumber(s string, i int) bool {
	return i+1 < len(s) && isDigit(s[i+1]) && (i == 0 || spaceBefore(s, i))
}

func spaceBefore(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return unicode.IsSpace(r)
}

func letterAt(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r)
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isHex(b byte) bool { return isDigit(b) || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F' }

// words is a prompt being read: its tokens, some of which readers have claimed.
type words struct {
	source string
	list   []token
}

func newWords(s string) *words { return &words{source: s, list: tokens(s)} }

// at is the text of token i if the token is an unclaimed word; "" for other tokens
// and beyond the ends.
func (w *words) at(i int) string {
	if i < 0 || i >= len(w.list) || w.list[i].kind != word {
		return ""
	}
	return w.list[i].text
}

// is reports whether token i is one of the given words.
func (w *words) is(i int, list ...string) bool {
	text := w.at(i)
	return text != "" && slices.Contains(list, text)
}

// skip returns the first index from i, in steps of step, that holds none of the
// given words.
func (w *words) skip(i, step int, list ...string) int {
	for w.is(i, list...) {
		i += step
	}
	return i
}

// phrase reports whether the words of p stand at i, in order.
func (w *words) phrase(i int, p string) (n int, ok bool) {
	fields := strings.Fields(p)
	for j, f := range fields {
		if w.at(i+j) != f {
			return 0, false
		}
	}
	return len(fields), true
}

// find returns the places where one of the phrases begins, and the lengths.
func (w *words) find(phrases ...string) (places [][2]int) {
	for i := range w.list {
		for _, p := range phrases {
			if n, ok := w.phrase(i, p); ok {
				places = append(places, [2]int{i, n})
				break
			}
		}
	}
	return places
}

func (w *words) has(phrases ...string) bool { return len(w.find(phrases...)) > 0 }

// claim marks tokens [i, j) as understood.
func (w *words) claim(i, j int) {
	for k := max(i, 0); k < min(j, len(w.list)); k++ {
		w.list[k].used = true
	}
}

func (w *words) used(i int) bool { return i >= 0 && i < len(w.list) && w.list[i].used }

// punct reports whether token i is one of the given punctuation marks.
func (w *words) punct(i int, marks string) bool {
	return i >= 0 && i < len(w.list) && w.list[i].kind == punct && strings.Contains(marks, w.list[i].text)
}

// numerals are the numbers people write in letters.
var numerals = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
	"nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	"dozen": 12, "hundred": 100,
}

// quantity reads the number that begins at token i, in digits or letters: "3",
// "twenty five", "half a", "one and a half", "a couple of". n is the number of
// tokens; 0 when no number begins there. article says that the number was only "a"
// or "an".
func (w *words) quantity(i int) (value float64, n int, article bool) {
	if i < 0 || i >= len(w.list) {
		return 0, 0, false
	}
	if w.list[i].kind == number {
		if m, ok := w.phrase(i+1, "and a half"); ok {
			return w.list[i].num + 0.5, 1 + m, false
		}
		return w.list[i].num, 1, false
	}
	for _, p := range []struct {
		words string
		value float64
	}{
		{"half a", 0.5}, {"half an", 0.5}, {"a half", 0.5}, {"a quarter of a", 0.25}, {"quarter of a", 0.25}, {"three quarters of a", 0.75},
		{"a couple of", 2}, {"a couple", 2}, {"couple of", 2}, {"a few", 3}, {"a dozen", 12}, {"half a dozen", 6},
	} {
		if m, ok := w.phrase(i, p.words); ok {
			if m2, ok := w.phrase(i, "half a dozen"); ok {
				return 6, m2, false
			}
			return p.value, m, false
		}
	}
	if v, ok := numerals[w.at(i)]; ok {
		n = 1
		if unit, ok := numerals[w.at(i+1)]; ok && v >= 20 && v < 100 && unit > 0 && unit < 10 {
			v, n = v+unit, 2
		}
		if m, ok := w.phrase(i+n, "and a half"); ok {
			v, n = v+0.5, n+m
		}
		return v, n, false
	}
	if w.is(i, "a", "an") {
		return 1, 1, true
	}
	return 0, 0, false
}
