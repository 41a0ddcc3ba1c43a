package dataset_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/dataset"
	"github.com/koda-video/koda/internal/recipe"
)

// TestNames: data with the names that people give to columns fills koda's own recipes, and what is not shown is told.
func TestNames(t *testing.T) {
	t.Parallel()
	library, err := recipe.Load(os.DirFS("../../templates/recipes"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ recipe, name, data, prompt, want, note string }{
		{"counter", "n.csv", "n\n42\n", "", `{"to":"42"}`, ""},
		{"counter", "n.csv", "label,value\nUsers,42\n", "", `{"text":"Users","to":"42"}`, ""},
		{"score", "match.csv", "team,goals\nLions,3\nTigers,2\n", "", `{"sides":"[{\"name\":\"Lions\",\"figure\":\"3\"},{\"name\":\"Tigers\",\"figure\":\"2\"}]"}`, ""},
		{"score", "match.csv", "Lions,Tigers\n3,2\n", "", `{"sides":"[{\"name\":\"Lions\",\"figure\":\"3\"},{\"name\":\"Tigers\",\"figure\":\"2\"}]"}`, "Each column of match.csv is a side."},
		{"compare", "plans.csv", "plan,price\nFree,0\nPro,12\n", "", `{"sides":"[{\"name\":\"Free\",\"figure\":\"0\"},{\"name\":\"Pro\",\"figure\":\"12\"}]"}`, ""},
		{"compare", "both.csv", "before,after\nslow,fast\nugly,nice\n", "", `{"sides":"[{\"name\":\"before\",\"lines\":\"slow\\nugly\"},{\"name\":\"after\",\"lines\":\"fast\\nnice\"}]"}`, "Each column of both.csv is a side."},
		{"compare", "plans.csv", "feature,Free,Pro\nSupport,none,mail\n", "", `{"sides":"[{\"name\":\"Free\",\"lines\":\"Support: none\"},{\"name\":\"Pro\",\"lines\":\"Support: mail\"}]"}`, "Each column of plans.csv is a side."},
		{"quote", "q.csv", "txt,author\nStay hungry,Steve\n", "", `{"author":"Steve","text":"Stay hungry"}`, ""},
		{"quote", "q.json", `{"author":"Bob","quote":"Be nice"}`, "", `{"author":"Bob","text":"Be nice"}`, ""},
		{"changelog", "c.json", `[{"type":"Added","text":"Dark mode"},{"type":"Fixed","text":"Crash"}]`, "", `{"rows":"[{\"group\":\"Added\",\"item\":\"Dark mode\"},{\"group\":\"Fixed\",\"item\":\"Crash\"}]"}`, ""},
		{"changelog", "c.md", "## 2.1.0\n- New (closes #99)\n## 2.0.0\n- Old\n", "what's new in 2.0.0", `{"rows":"[{\"item\":\"New\",\"version\":\"2.1.0\"},{\"item\":\"Old\",\"version\":\"2.0.0\"}]","version":"2.0.0"}`, ""},
		{"bars", "b.csv", "item,amount\nRent,$900\nFood,€300\n", "", `{"rows":"[{\"label\":\"Rent\",\"value\":900},{\"label\":\"Food\",\"value\":300}]"}`, "The column amount of b.csv has numbers in several currencies (EUR, USD): they are shown without one."},
		{"bars", "b.csv", "month,sales,revenue\nJan,3,1\n", "bars of the reveneu", `{"rows":"[{\"label\":\"Jan\",\"value\":1}]"}`, "\"reveneu\" was taken as the column revenue of b.csv."},
		{"bars", "b.csv", "month,sales,cost\nJan,3,1\n", "bars of the profit", `{"rows":"[{\"label\":\"Jan\",\"value\":3}]"}`, "The column cost of b.csv is not shown. Name the column to show in the prompt."},
		{"story", "s.json", `[{"scene":"title","title":"Trip","titel":"x"},{"scene":"bars","text":"Fruit","rows":[{"label":"Apples","value":3}]},{"scene":"picture","image":"a.jpg"}]`, "", `{"beats":"[{\"scene\":\"title\",\"text\":\"Trip\"},{\"scene\":\"bars\",\"text\":\"Fruit\",\"items\":\"Apples 3\"},{\"scene\":\"picture\",\"picture\":\"a.jpg\"}]"}`, "The column titel of s.json is not shown."},
	} {
		s, err := dataset.Read(c.name, []byte(c.data))
		if err != nil {
			t.Fatal(err)
		}
		values, notes, err := s.Fill(library.Manifest(c.recipe), c.prompt)
		if err != nil {
			t.Errorf("%s of %q: %v", c.recipe, c.data, err)
			continue
		}
		got, err := json.Marshal(values)
		if err != nil {
			t.Fatal(err)
		}
		if plain := strings.ReplaceAll(string(got), `\u0026`, "&"); plain != c.want {
			t.Errorf("%s of %q:\n%s\nwant\n%s", c.recipe, c.data, plain, c.want)
		}
		if !strings.Contains(strings.Join(notes, "\n"), c.note) {
			t.Errorf("%s of %q: notes %q, want %q", c.recipe, c.data, notes, c.note)
		}
	}
}

// TestDocs: the story that docs/recipes.md shows has all that it says.
func TestDocs(t *testing.T) {
	t.Parallel()
	library, err := recipe.Load(os.DirFS("../../templates/recipes"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../../docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(doc), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	s, err := dataset.Read("story.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	values, notes, err := s.Fill(library.Manifest("story"), "")
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	for _, want := range []string{`"items":"Apples 30\nPears 45"`, `"picture":"team.jpg"`, `"form":"bar"`, `"text":"Best year so far.","subtitle":"Tom"`} {
		if !strings.Contains(values["beats"], want) {
			t.Errorf("%s lacks %s", values["beats"], want)
		}
	}
}
