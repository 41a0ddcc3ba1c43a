package preset

import (
	"slices"
	"strings"
)

// Asked is what a text asks of the video file, if the text asks for nothing else: "render it as gif",
// "mov please". The zero value is a text that is about something else.
type Asked struct {
	Presets []string // names, in the order in which they are said
	Unknown string   // a name that no preset has: the text asks for that
	Now     bool     // a verb says to make the video
}

// Words around the names. Without a verb only a format says that the file is meant: "make it square"
// is about the picture.
var (
	verbs = wordSet(`render export save convert download output rendere rendern exportiere exportieren speichern speichere
		exporter exporte exportar exporta convertir convierte guardar guarda`)
	around = wordSet(`please now it this that the a an me us my i we you can could would will like want need have get give make create let also too and again
		as in to into for with file video animation clip version format preset output too then instead just final
		bitte das es als im und auch mir ein eine einen datei s'il te vous plaît le la en un une et aussi comme por favor lo el y como también`)
	before = wordSet(`as to als`) // a name
)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// Ask reads what a text asks of the video file.
func Ask(text string) Asked {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \t\n,.!?;", r) })
	var a Asked
	var rest []string
	format, led := false, false
	for i := 0; i < len(words); i++ {
		w := words[i]
		p, err := Lookup(w)
		if i+1 < len(words) {
			if two, no := Lookup(w + "-" + words[i+1]); no == nil {
				p, err = two, nil
				i++
			}
		}
		switch {
		case verbs[w]:
			a.Now = true
		case err == nil:
			format = format || w == p.Format
			a.Presets = append(a.Presets, p.Name)
		case !around[w]:
			led = led || i > 0 && (before[words[i-1]] || verbs[words[i-1]])
			rest = append(rest, w)
		}
	}
	a.Presets = fewest(a.Presets)
	switch {
	case len(rest) == 0 && len(a.Presets) > 0 && (a.Now || format):
		return a
	case len(rest) == 1 && len(a.Presets) == 0 && a.Now && led && len(words) <= 5 && (words[0] == "export" || words[0] == "render") && len(rest[0]) <= 4:
		return Asked{Unknown: rest[0], Now: true}
	}
	return Asked{}
}

// fewest are the presets of a list, each once. The format of a preset that is named beside the format
// makes no second video: "mp4 square".
func fewest(names []string) (out []string) {
	for _, name := range names {
		p, err := Lookup(name)
		plain := err == nil && p.Width == 0 && slices.ContainsFunc(names, func(n string) bool {
			other, err := Lookup(n)
			return err == nil && n != name && other.Format == p.Format
		})
		if !plain && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
