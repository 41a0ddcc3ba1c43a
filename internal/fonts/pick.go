package fonts

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Fallback and FallbackEmoji are the families under which a page finds the fonts that
// were picked for it. A page names them after its own families.
const (
	Fallback      = "Koda Scripts"
	FallbackEmoji = "Koda Emoji"
)

// Need says what a page needs of the fonts.
type Need struct {
	// Lacks are the characters that the page's own families do not have.
	Lacks []rune
	// All are all characters of the page's texts, and Families the families that the
	// page names: of those, the page gets what All needs.
	All      []rune
	Families []string
	// Locale is the language of the page, such as "ja-JP"; "" is unknown.
	Locale string
}

// Choice is the fonts for a page.
type Choice struct {
	// CSS declares the fonts. Their files lie beside the style sheet.
	CSS string
	// Files are the files by name.
	Files map[string][]byte
	// ID is a digest of all that decides which font draws a character: equal IDs draw
	// equal texts alike, whatever other characters a page has.
	ID string
	// Lacks are the characters that no font here has.
	Lacks []rune
	// Missing are the families of Need.Families that are not here.
	Missing []string
}

// Pick picks the fonts for a page. A page without Lacks and Families needs none, and
// nothing is read.
func (s *Store) Pick(n Need) (Choice, error) {
	c := Choice{Files: map[string][]byte{}}
	if len(n.Lacks) == 0 && len(n.Families) == 0 {
		return c, nil
	}
	families, err := s.Families()
	if err != nil {
		return c, err
	}
	first := n.language()
	ordered := inOrder(families, first)
	by := map[int][]rune{} // the characters of each family
	for _, r := range n.Lacks {
		i := slices.IndexFunc(ordered, func(f Family) bool { return f.draws(r) })
		if i < 0 {
			i = slices.IndexFunc(ordered, func(f Family) bool { return f.has(r) })
		}
		if i < 0 {
			c.Lacks = append(c.Lacks, r)
			continue
		}
		by[i] = append(by[i], r)
	}
	var css strings.Builder
	for i, f := range ordered {
		if by[i] == nil {
			continue
		}
		name, mine := Fallback, coverOf(by[i])
		if f.Name == emoji {
			name = FallbackEmoji
		}
		// A page may write further letters of its language by itself, such as those of a
		// date. Other families give only the characters they were chosen for.
		// The emoji come last, and need the letters of their sequences.
		whole := f.Name == first || !isHan(f.Name)
		if err := s.declare(&c, &css, f, name, mine.Has, func(r rune) bool { return f.Name == emoji || mine.Has(r) || whole && f.draws(r) }); err != nil {
			return c, err
		}
	}
	all := coverOf(slices.Clone(n.All))
	for _, name := range n.Families {
		i := slices.IndexFunc(families, func(f Family) bool { return f.Name == name })
		if i < 0 {
			c.Missing = append(c.Missing, name)
			continue
		}
		if err := s.declare(&c, &css, families[i], name, all.Has, func(rune) bool { return true }); err != nil {
			return c, err
		}
	}
	c.CSS = css.String()
	if c.CSS != "" {
		var own []string
		for _, f := range families {
			if f.Own {
				own = append(own, fmt.Sprint(f.Name, f.Faces))
			}
		}
		c.ID = digest(fmt.Appendf(nil, "%s\n%s\n%q\n%q", setName(), first, own, n.Families))
	}
	return c, nil
}

// Lacks lists the characters that no font of the store has.
func (s *Store) Lacks(runes []rune) ([]rune, error) {
	families, err := s.Families()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(runes), func(r rune) bool {
		return slices.ContainsFunc(families, func(f Family) bool { return f.has(r) })
	}), nil
}

// declare adds the faces of a family that have a character of the page.
func (s *Store) declare(c *Choice, css *strings.Builder, f Family, name string, needed, given func(rune) bool) error {
	for _, face := range f.Faces {
		if len(face.Cover.keep(needed)) == 0 {
			continue
		}
		data, err := s.file(f, face.File)
		if err != nil {
			return err
		}
		c.Files[face.File] = data
		weight := "100 900"
		if face.Weight > 0 && len(f.Faces) > 1 && f.Own {
			weight = fmt.Sprint(face.Weight)
		}
		fmt.Fprintf(css, "@font-face {\n  font-family: '%s';\n  font-weight: %s;\n  src: url(./%s);\n  unicode-range: %s;\n}\n", name, weight, face.File, face.Cover.keep(given).css())
	}
	return nil
}

func (f Family) has(r rune) bool {
	return slices.ContainsFunc(f.Faces, func(face Face) bool { return face.Cover.Has(r) })
}

// draws reports whether a family has a character and is the right family for it: signs
// that are emoji by themselves are for the emoji, and other signs are for the letters.
func (f Family) draws(r rune) bool { return IsEmoji(r) == (f.Name == emoji) && f.has(r) }

func isHan(name string) bool { return name == chinese || name == japanese || name == korean }

// inOrder puts the family of the page's language first.
func inOrder(families []Family, first string) []Family {
	i := slices.IndexFunc(families, func(f Family) bool { return f.Name == first })
	if i < 0 {
		return families
	}
	return slices.Concat(families[i:i+1], families[:i], families[i+1:])
}

// language is the family whose Chinese characters the page gets. Kana and Hangul say
// whose they are; without them the locale says it.
func (n Need) language() string {
	has := func(tables ...*unicode.RangeTable) bool {
		return slices.ContainsFunc(n.Lacks, func(r rune) bool { return unicode.In(r, tables...) })
	}
	lang, _, _ := strings.Cut(n.Locale, "-")
	switch {
	case has(unicode.Hiragana, unicode.Katakana) || lang == "ja":
		return japanese
	case has(unicode.Hangul) || lang == "ko":
		return korean
	case has(unicode.Han) || lang == "zh":
		return chinese
	}
	return ""
}

// Written are characters that a page of a locale writes by itself: digits, names of
// months and days, signs of currencies.
func Written(locale string) string {
	lang, _, _ := strings.Cut(locale, "-")
	return map[string]string{
		"ja": "年月日時分秒曜火水木金土億万兆円￥",
		"zh": "年月日时分秒星期一二三四五六七八九十周亿万元￥",
		"ko": "년월일시분초요화수목금토억만조천원￦",
		"ar": "٠١٢٣٤٥٦٧٨٩٪٫٬ينارفبسلأغطكتومدجحخثزالةعشق",
		"fa": "۰۱۲۳۴۵۶۷۸۹٪٫٬ژانویهفرلمسپتکبدآگشجوچ",
		"he": "ינוארפבלמסתגדשעהקטחזכוםץךן״׳₪",
		"hi": "जनवरीफ़मचअप्ैलईूुगसतंबटकोदिशथॉलाण",
		"th": "มกราคุภพันธ์ีนเษยฎหสิตวฤจโบ",
	}[lang]
}

// emojiBelow are the characters below U+1F000 that are emoji by themselves
// (Emoji_Presentation in Unicode).
var emojiBelow = Cover{
	{0x231a, 0x231b}, {0x23e9, 0x23ec}, {0x23f0, 0x23f0}, {0x23f3, 0x23f3}, {0x25fd, 0x25fe}, {0x2614, 0x2615}, {0x2648, 0x2653},
	{0x267f, 0x267f}, {0x2693, 0x2693}, {0x26a1, 0x26a1}, {0x26aa, 0x26ab}, {0x26bd, 0x26be}, {0x26c4, 0x26c5}, {0x26ce, 0x26ce},
	{0x26d4, 0x26d4}, {0x26ea, 0x26ea}, {0x26f2, 0x26f3}, {0x26f5, 0x26f5}, {0x26fa, 0x26fa}, {0x26fd, 0x26fd}, {0x2705, 0x2705},
	{0x270a, 0x270b}, {0x2728, 0x2728}, {0x274c, 0x274c}, {0x274e, 0x274e}, {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2764, 0x2764},
	{0x2795, 0x2797}, {0x27b0, 0x27b0}, {0x27bf, 0x27bf}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b50}, {0x2b55, 0x2b55},
}

// IsEmoji reports whether a character is drawn as emoji where nothing says otherwise. The
// heart counts: people mean the emoji.
func IsEmoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || emojiBelow.Has(r) || r >= 0xe0020 && r <= 0xe007f
}

// Unseen reports whether a character shows nothing of its own: blanks, controls, joiners
// and selectors.
func Unseen(r rune) bool {
	return r < ' ' || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Variation_Selector)
}
