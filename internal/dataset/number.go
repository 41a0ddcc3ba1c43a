package dataset

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// quantity is a number as people write it: "1.234,5", "12 %", "€ 40", "2.5M".
type quantity struct {
	value    float64
	unit     string // "%", "km"; "" for none
	currency string // as an ISO code; "" for none
	// sign says what the separators prove: ',' or '.' parts the decimals, 0 if both may.
	sign byte
}

var currencies = map[string]string{
	"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "₺": "TRY", "zł": "PLN", "Fr.": "CHF", "kr": "SEK", "R$": "BRL", "US$": "USD",
	"EUR": "EUR", "USD": "USD", "GBP": "GBP", "JPY": "JPY", "CHF": "CHF", "CAD": "CAD", "AUD": "AUD", "CNY": "CNY", "INR": "INR", "SEK": "SEK", "NOK": "NOK", "DKK": "DKK", "PLN": "PLN", "CZK": "CZK", "BRL": "BRL", "MXN": "MXN",
}

var magnitudes = map[string]float64{
	"k": 1e3, "K": 1e3, "tsd": 1e3, "Tsd": 1e3, "Tsd.": 1e3, "mil": 1e3, "M": 1e6, "mn": 1e6, "mio": 1e6, "Mio": 1e6, "Mio.": 1e6, "million": 1e6, "B": 1e9, "bn": 1e9, "Mrd": 1e9, "Mrd.": 1e9, "billion": 1e9, "T": 1e12, "万": 1e4, "億": 1e8,
}

var (
	amount     = regexp.MustCompile(`^([^\d.,+\-−(]*)(\()?([+\-−])?([^\d.,\s]{0,3})\s?((?:\d[\d.,'’_\x{a0}\x{202f} ]*)?\d|[.,]\d+)((?:[eE][+-]?\d+)?)\s*([^\d()]*?)(\))?$`)
	sameBlank  = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "’", "'")
	digitsOnly = strings.NewReplacer(".", "", ",", "", "'", "", "_", "", " ", "")
	grouped    = regexp.MustCompile(`^\d{1,3}(([.'_ ]\d{3})+|(,\d{2,3})*,\d{3})$`)
)

// parse reads a number. Comma says that ',' parts the decimals where the number itself
// does not tell.
func parse(s string, comma bool) (q quantity, ok bool) {
	if s == "" || len(s) > 48 || !strings.ContainsAny(s, "0123456789") {
		return q, false
	}
	m := amount.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil || m[2] == "" != (m[8] == "") || len(m[7]) > 16 {
		return q, false
	}
	for _, before := range []string{strings.TrimSpace(m[1]), strings.TrimSpace(m[4])} {
		if before == "" {
			continue
		}
		if q.currency, ok = currencies[before]; !ok {
			return q, false
		}
	}
	digits, ok := q.plain(sameBlank.Replace(m[5]), comma)
	if !ok {
		return q, false
	}
	v, err := strconv.ParseFloat(digits+m[6], 64)
	if err != nil || math.IsInf(v, 0) {
		return q, false
	}
	if m[2] != "" || m[3] == "-" || m[3] == "−" {
		v = -v
	}
	for after := range strings.FieldsSeq(m[7]) {
		if scale, ok := magnitudes[after]; ok && q.unit == "" {
			v *= scale
		} else if code, ok := currencies[after]; ok && q.currency == "" {
			q.currency = code
		} else if q.unit == "" {
			q.unit = after
		} else {
			return q, false
		}
	}
	q.value = math.Round(v*1e6) / 1e6
	return q, true
}

// plain turns digits with separators into digits with a decimal point.
func (q *quantity) plain(s string, comma bool) (string, bool) {
	whole, decimals := s, ""
	last := strings.LastIndexAny(s, ".,")
	if last >= 0 {
		sep := s[last : last+1]
		both := strings.ContainsAny(s[:last], strings.Replace(".,'_ ", sep, "", 1))
		many := strings.Count(s, sep) > 1
		open := !both && !many && grouped.MatchString(s) && s[0] != '0'
		switch {
		case many && both:
			return "", false
		case many, open && (sep == ",") != comma:
			if !open {
				q.sign = byte('.' + ',' - sep[0])
			}
		default:
			whole, decimals = s[:last], s[last:]
			if !open {
				q.sign = sep[0]
			}
		}
	}
	if strings.ContainsAny(whole, ".,'_ ") && !grouped.MatchString(whole) || len(whole) > 1 && whole[0] == '0' {
		return "", false
	}
	return digitsOnly.Replace(whole) + strings.Replace(decimals, ",", ".", 1), true
}

func isNumber(s string) bool {
	q, ok := parse(s, false)
	return ok && (q.unit == "" || q.unit == "%")
}

// blank reports whether a cell holds no value, as programs say it.
func blank(s string) bool {
	switch strings.ToLower(s) {
	case "", "-", "–", "—", "n/a", "#n/a", "na", "null", "none", "nil":
		return true
	}
	return false
}

// odd reports whether a cell says that there is no number where one should be.
func odd(s string) bool {
	switch strings.TrimLeft(strings.ToLower(s), "+-.") {
	case "nan", "inf", "infinity", "#div/0!", "#ref!", "#value!", "#num!", "#name?":
		return true
	}
	return false
}

var (
	date = regexp.MustCompile(`^(?i:\d{4}[-/.]\d{1,2}([-/.]\d{1,2})?([T ]\d\d:\d\d.*)?|\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d\d)([T ]\d\d:\d\d.*)?|[qh][1-4]([ /'-]*\d{2,4})?|\d{4}[ /-]*(q|h|w|kw)\d{1,2}|(kw|week|w) ?\d{1,2}|\d{1,2}:\d\d(:\d\d)?|\d{1,2}月)$`)
	year = regexp.MustCompile(`^(19|20)\d\d$`)
	// moments are the months and days of the week, with their usual short forms.
	moments = regexp.MustCompile(`(?i)^(jan(uary|uar)?|feb(ruary|ruar)?|mar(ch)?|märz?|mrz|apr(il)?|may|mai|june?|juni|july?|juli|aug(ust)?|sept?(ember)?|o[ck]t(ober)?|nov(ember)?|de[cz](ember)?|ene(ro)?|febrero|marzo|abr(il)?|mayo|junio|julio|ago(sto)?|se?pt?iembre|octubre|noviembre|dic(iembre)?|mon|tue|wed|thu|fri|sat|sun|(mon|tues|wednes|thurs|fri|satur|sun)day|mo|di|mi|do|fr|sa|so|(mon|diens|donners|frei|sams|sonn)tag|mittwoch)$`)
)

func isYear(s string) bool { return year.MatchString(s) }

// dated reports whether a text is a point in time.
func dated(s string) bool {
	if date.MatchString(s) {
		return true
	}
	words, named := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" .,'/-", r) }), 0
	for _, w := range words {
		if moments.MatchString(w) {
			named++
		} else if len(w) > 4 || strings.Trim(w, "0123456789") != "" {
			return false
		}
	}
	return named > 0
}
