package wish_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/wish"
)

// TestRead: what texts come to, over a recipe that nobody ships.
func TestRead(t *testing.T) {
	t.Parallel()
	v := vocabulary(t)
	for text, want := range map[string]string{
		"a red kite on navy":               "colour cloth=#e5343d; subject kite; colour =#14225c behind",
		"a kite, not blue":                 "subject kite; not colour =#2463eb",
		"green kite instead of red":        "colour cloth=#1fa34a; subject kite; not colour =#e5343d",
		"red kite, no wait, blue":          "not colour cloth=#e5343d; subject kite; colour cloth=#2463eb",
		"sky #fff, kite hsl(120 100% 50%)": "colour sky=#ffffff; subject kite; colour cloth=#00ff00",
		"dunkelblauer Himmel, 5 Sekunden":  "colour =#002786; length =5",
		"un cielo azul oscuro":             "colour =#002786",
		"赤い、5秒":                            "colour =#e5343d; length =5",
		"10k followers":                    "number =10000",
		"10 s":                             "length =10",
		"kite for a minute and a half":     "subject kite; length =90",
		"from 9:00 to 5:00":                "range 9:00..5:00",
		"40%":                              "percent =40",
		"$1.2M":                            "number =1200000 USD",
		"3 turns, higher":                  "number loops=3; more height*1.5",
		"much higher, not so low":          "more height*1.91; more height*1.91",
		"height 80%":                       "number height=80%",
		"4K, 30fps, vertical, loop":        "scale =2160; rate =30; shape =9:16; loop =",
		"1080x1920 transparent webm":       "size =1080x1920; transparent =; format =webm",
		"show data.csv and pics/logo.png":  "file =data.csv; file =pics/logo.png",
		"kite without tail":                "subject kite; flag tail=false",
		"swap Pears and “Plums”":           "swap Pears/Plums",
		"navy sky in scene 2 and the last": "colour sky=#14225c @2",
		"navy sky in scenes 2-3":           "colour sky=#14225c @2 @3",
		"undo that":                        "undo =",
		"a hihger kiet":                    "more height*1.5; subject kite",
		"how does a kite work":             "explain =; subject kite",
		"happy kite day Anna!":             "subject kite",
		"`go test ./...` – it’s “fine” 🎈":  `text =go test ./...; text =fine`,
	} {
		var got []string
		for _, w := range v.Read(text).Wishes() {
			got = append(got, told(w))
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%s\n  got  %s\n  want %s", text, s, want)
		}
	}
}

func told(w wish.Wish) string {
	s := string(w.Kind) + " " + w.About + "=" + w.Value
	switch w.Kind {
	case wish.Subject:
		s = "subject " + w.About
	case wish.Range:
		s = "range " + w.From + ".." + w.To
	case wish.Swap:
		s = "swap " + w.From + "/" + w.To
	case wish.More:
		s = fmt.Sprintf("more %s*%.3g", w.About, w.By)
	case wish.List:
		s = "list " + strings.Join(w.Items, "|")
	case wish.Rows:
		var rows []string
		for _, r := range w.Rows {
			rows = append(rows, fmt.Sprintf("%s %v", r.Label, r.Value))
		}
		s = "rows " + strings.Join(rows, ", ")
	case wish.Text:
		if w.About != "" && w.Quoted {
			s = fmt.Sprintf("text %s=%q", w.About, w.Value)
		}
	case wish.Number:
		if w.Unit != "" && w.Unit != "%" {
			s += " " + w.Unit
		}
	}
	if w.Not {
		s = "not " + s
	}
	if w.Behind() {
		s += " behind"
	}
	for _, n := range w.Scenes {
		s += fmt.Sprintf(" @%d", n.Number)
	}
	return s
}

// Phrases become what their roles say, every character kept; the other words ask for what they ask.
func TestReadPhrases(t *testing.T) {
	t.Parallel()
	v := vocabulary(t)
	for example, want := range map[string][]string{
		"⟦t Black Friday – it's 100% free… (really) 🎉⟧, red": {"text Black Friday – it's 100% free… (really) 🎉", "colour #e5343d"},
		"⟦t \"Red 5 seconds\"⟧ ⟦s in blue⟧, 5 seconds":       {"text Red 5 seconds", "text in blue", "length 5"},
		"⟦i milk⟧, ⟦i eggs and bread⟧":                       {"list [milk eggs bread]"},
		"⟦l Pears⟧ ⟦v 40 %⟧, ⟦l Plums⟧: ⟦v 3⟧ red":           {"rows [{Pears 40 % %  } {Plums 3   #e5343d }]"},
		"⟦v 12⟧ ⟦l cats⟧ ⟦v 3⟧ ⟦l dogs⟧":                     {"rows [{cats 12    } {dogs 3    }]"},
		"⟦x hi, I love red⟧":                                 {"remark "},
		"⟦t Less is more⟧ by ⟦a Mies⟧":                       {"text Less is more", "author Mies"},
	} {
		e, err := wish.ParseExample("kite\t" + example)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range v.ReadPhrases(e.Text, e.Phrases).Wishes() {
			switch w.Kind {
			case wish.List:
				got = append(got, fmt.Sprint("list ", w.Items))
			case wish.Rows:
				got = append(got, fmt.Sprint("rows ", w.Rows))
			default:
				got = append(got, string(w.Kind)+" "+w.Value)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", example, diff)
		}
	}
}

// Every word file speaks of the classes that English has.
func TestWordFiles(t *testing.T) {
	t.Parallel()
	words := func(lang string) map[string][]string {
		data, err := os.ReadFile(filepath.Join("..", "..", "templates", "recipes", "words", lang+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var f struct{ Words map[string][]string }
		if err := json.Unmarshal(data, &f); err != nil {
			t.Fatal(err)
		}
		return f.Words
	}
	english := words("en")
	for _, lang := range []string{"de", "es", "ja"} {
		for class := range words(lang) {
			if english[class] == nil {
				t.Errorf("%s.json has the class %q, which nothing reads", lang, class)
			}
		}
	}
}

// Of two endings, either of which leads from a misspelt word to a known one, the longer is taken: each
// time, whatever the order in which a map gives endings.
func TestRead_endings(t *testing.T) {
	words := `{"language": "en", "endings": {"xx": "e", "ixx": "y"}, "colours": {"barrly": "#ff0000", "barrle": "#00ff00"}}`
	for range 50 {
		v, err := wish.Load([]byte(words))
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Read("barrixx").Wishes(); len(got) != 1 || got[0].Value != "#ff0000" {
			t.Fatalf("got %+v, want the colour of barrly", got)
		}
	}
}
