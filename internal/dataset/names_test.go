package dataset_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
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
		{"bars", "b.csv", "month,sales,cost\nJan,3,1\n", "bars of profit by month", `{"rows":"[{\"label\":\"Jan\",\"value\":3}]"}`, `There is no column profit in b.csv: sales is shown. There are "month", "sales", "cost".`},
		{"bars", "profit.csv", "month,sales,cost\nJan,3,1\n", "bars of profit by month", `{"rows":"[{\"label\":\"Jan\",\"value\":3}]"}`, "The column cost of profit.csv is not shown."},
		{"line", "b.csv", "month,sales,cost,tax\nJan,3,1,2\nFeb,4,2,2\n", "line of sales and cost", `{"rows":"[{\"label\":\"Jan\",\"value\":3,\"series\":\"sales\"},{\"label\":\"Feb\",\"value\":4,\"series\":\"sales\"},{\"label\":\"Jan\",\"value\":1,\"series\":\"cost\"},{\"label\":\"Feb\",\"value\":2,\"series\":\"cost\"}]"}`, "The column tax of b.csv is not shown."},
		{"line", "steps.csv", "step,loss\n0,9\n1,8\n2,7\n", "", `{"rows":"[{\"label\":\"0\",\"value\":9},{\"label\":\"1\",\"value\":8},{\"label\":\"2\",\"value\":7}]"}`, ""},
		{"line", "it.csv", "volts,amps\n1,9\n1.5,8\n2,7\n2.5,6\n3,5\n", "", `{"rows":"[{\"label\":\"1\",\"value\":9},{\"label\":\"1.5\",\"value\":8},{\"label\":\"2\",\"value\":7},{\"label\":\"2.5\",\"value\":6},{\"label\":\"3\",\"value\":5}]"}`, ""},
		{"bars", "b.csv", "label,value,colour\nA,1,red\n", "", `{"rows":"[{\"label\":\"A\",\"value\":1,\"color\":\"red\"}]"}`, ""},
		{"bars", "b.csv", "label,value,colr\nA,1,red\n", "", `{"rows":"[{\"label\":\"A\",\"value\":1}]"}`, "Did you mean color by colr?"},
		{"bars", "b.csv", "label,value\n" + strings.Repeat("x", 300) + ",1\n", "", `{"rows":"[{\"label\":\"` + strings.Repeat("x", 199) + `…\",\"value\":1}]"}`, "Labels of b.csv are cut to 200 characters."},
		{"orbit", "o.csv", "name,size,mass\nAlpha,1,5\nBeta,2,6\n", "", `{"planets":"[{\"label\":\"Alpha\",\"size\":1},{\"label\":\"Beta\",\"size\":2}]"}`, "The column mass of o.csv is not shown."},
		{"quote", "q.csv", "text,author\nStay hungry,Steve\nBe bold,Ana\n", "", `{"author":"Steve","text":"Stay hungry"}`, "Of the 2 rows of q.csv, the first is shown: quote shows one."},
		{"terminal", "t.json", `[{"command":"ls","output":"a"},{"command":"pwd","output":"/x"}]`, "", `{"text":"$ ls\na\n$ pwd\n/x"}`, ""},
		{"story", "s.csv", "name,age,city\nAnn,30,Rome\nBob,40,Oslo\n", "", `{"beats":"[{\"text\":\"Ann\"},{\"text\":\"Bob\"}]"}`, `There is no column scene in s.csv, so each row is a title or a picture; there are "name", "age", "city".`},
		{"list", "-", "item\nTea\nMilk\n", "", `{"items":"[\"Tea\",\"Milk\"]"}`, ""},
		{"story", "s.json", `[{"scene":"title","title":"Trip","titel":"x"},{"scene":"bars","text":"Fruit","rows":[{"label":"Apples","value":3}]},{"scene":"picture","image":"a.jpg"}]`, "", `{"beats":"[{\"scene\":\"title\",\"text\":\"Trip\"},{\"scene\":\"bars\",\"text\":\"Fruit\",\"items\":\"Apples 3\"},{\"scene\":\"picture\",\"picture\":\"a.jpg\"}]"}`, "The column titel of s.json is not shown."},
	} {
		s, err := dataset.Read(c.name, []byte(c.data))
		if err != nil {
			t.Fatal(err)
		}
		values, notes, err := s.Fill(library.Manifest(c.recipe), c.prompt, nil)
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

// TestWrong: an error names what is wrong, and where.
func TestWrong(t *testing.T) {
	t.Parallel()
	library, err := recipe.Load(os.DirFS("../../templates/recipes"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ recipe, data, prompt, want string }{
		{"bars", "month,sales\nJan,3\n", "show column 'margin'", "b.csv: there is no column \"margin\""},
		{"bars", "month,sales\nJan,3\n", "use the column margin", "b.csv: there is no column \"margin\""},
		{"bars", "label,value\nA,abc\n", "", "b.csv, line 2: \"abc\" in the column value is no number to show"},
		{"bars", "label,value,color\nA,1,red\nB,1,blurple\n", "", "b.csv, line 3: \"blurple\" in the column color is no colour"},
	} {
		s, err := dataset.Read("b.csv", []byte(c.data))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err = s.Fill(library.Manifest(c.recipe), c.prompt, nil); err == nil || err.Error() != c.want {
			t.Errorf("%s of %q: %v, want %s", c.recipe, c.data, err, c.want)
		}
	}
}

// TestManyRows: a recipe of a few rows gets the first of a large file, and a line gets all of it in order.
func TestManyRows(t *testing.T) {
	t.Parallel()
	library, err := recipe.Load(os.DirFS("../../templates/recipes"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("label,value\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "s%d,%d\n", i, 3000-i)
	}
	for _, c := range []struct {
		recipe, param, first, note string
		rows                       int
	}{
		{"line", "rows", `{"label":"s0","value":2995.5}`, "Of the 3000 rows of it.csv, every 10 neighbours are shown as their mean.", 300},
		{"bars", "rows", `{"label":"s0","value":3000}`, "Of the 3000 rows of it.csv, the 999 largest are shown; the others are added up as Other.", 1000},
		{"counter", "rows", `{"label":"s0","value":3000}`, "Of the 3000 rows of it.csv, the first 12 are shown.", 12},
		{"compare", "sides", `{"name":"s0","figure":"3000"}`, "Of the 3000 rows of it.csv, the first 4 are shown.", 4},
		{"list", "items", `"s0"`, "Of 3000 texts in it.csv, the first 60 are shown.", 60},
	} {
		s, err := dataset.Read("it.csv", []byte(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		s.Reduce("")
		values, notes, err := s.Fill(library.Manifest(c.recipe), "", nil)
		if err != nil {
			t.Errorf("%s: %v", c.recipe, err)
			continue
		}
		var rows []json.RawMessage
		if err := json.Unmarshal([]byte(values[c.param]), &rows); err != nil {
			t.Fatal(err)
		}
		if len(rows) != c.rows || string(rows[0]) != c.first || strings.Count(strings.Join(notes, " "), "Of ") != 1 || !slices.Contains(notes, c.note) {
			t.Errorf("%s: %d rows, %s, %q", c.recipe, len(rows), rows[0], notes)
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
	values, notes, err := s.Fill(library.Manifest("story"), "", nil)
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	for _, want := range []string{`"items":"Apples 30\nPears 45"`, `"picture":"team.jpg"`, `"form":"bar"`, `"text":"Best year so far.","subtitle":"Tom"`} {
		if !strings.Contains(values["beats"], want) {
			t.Errorf("%s lacks %s", values["beats"], want)
		}
	}
}
