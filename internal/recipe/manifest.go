package recipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
)

// Words are words of people by language: "en", "de", "es", "ja".
type Words map[string][]string

// NextScene begins the names of columns of a scene that follows another one of the same prompt: "Go!" behind a countdown.
const NextScene = "next."

// Manifest is a recipe.json, with the parameters that its base adds.
type Manifest struct {
	Schema int    `json:"schema"` // 1
	Name   string `json:"name"`
	Title  string `json:"title"`
	About  string `json:"about"` // one sentence
	Base   string `json:"base"`
	// Learned is the name under which the examples that koda learned to read from know the recipe.
	Learned  string   `json:"learned,omitempty"`
	Rank     int      `json:"rank,omitempty"`  // of two recipes that fit alike, the higher is taken
	Examples []string `json:"examples"`        // prompts
	Subjects Words    `json:"subjects"`        // words that mean this recipe
	Says     Words    `json:"says,omitempty"`  // words that mean this recipe and are part of the text that is shown
	Hints    Words    `json:"hints,omitempty"` // words that speak for it beside others
	// Together are lists of words: a prompt that names no recipe means this one if it has a word of each list.
	Together []Words  `json:"together,omitempty"`
	Fits     []string `json:"fits,omitempty"` // shapes of a prompt that speak for it, see [Shapes]
	Params   []Param  `json:"params"`
	// Means are words about more than one parameter, or about what the recipe cannot do.
	Means []Meaning `json:"means,omitempty"`
	// Further is what more of a style does to a project of that style: by style and
	// parameter, the factor.
	Further map[string]map[string]float64 `json:"further,omitempty"`
	Edits   []string                      `json:"edits,omitempty"` // changes to try, for hints
	// Beats are for a recipe that strings others together. For each of the others, by name,
	// it says what the columns of a row hold: words in which $name is the value of a
	// parameter of the other recipe. Columns behind NextScene are of a second row, which follows
	// where its text is not empty.
	Beats map[string]map[string]string `json:"beats,omitempty"`
	// Retired recipes are for projects that exist; a new project is never made from one.
	Retired bool `json:"retired,omitempty"`
	// RowsMove says that the page takes the keyframes of a batch's row from the row. It
	// is the base's.
	RowsMove bool `json:"rowsMove,omitempty"`

	// Styles are the base's.
	Styles []Style `json:"-"`
	own    int     // how many of Params are the recipe's own
	ours   bool    // it came with koda
	// Written is what the project that carries the manifest says of its files.
	written map[string]string
	// Files holds the recipe, under its base.
	files, under fs.FS
}

// Meaning is what words mean that name no parameter: values that they set, and a
// sentence for the plan. Words with neither say nothing and are not left over.
type Meaning struct {
	Words Words             `json:"words"`
	Set   map[string]string `json:"set,omitempty"`
	Say   string            `json:"say,omitempty"`
	// Shown says that the words count where they are shown as well: "Shopping checklist".
	Shown bool `json:"shown,omitempty"`
	// When says, by parameter, with which of its values the words mean that: "to the right", of a lower third.
	When map[string][]string `json:"when,omitempty"`
	// Pick leaves of rows those that words name: by parameter, the text of the row, or "*" for all rows of the
	// default. Only the words of a new video pick.
	Pick map[string]string `json:"pick,omitempty"`
}

// Style is one look and one way of moving.
type Style struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description"`
	Words       Words  `json:"words"`
}

// Base is a base.json.
type Base struct {
	Schema int     `json:"schema"`
	Styles []Style `json:"styles"`
	Params []Param `json:"params"`
	// Means are for every recipe of the base.
	Means []Meaning `json:"means,omitempty"`
	// RowsMove says that the page takes the keyframes of a batch's row from the row.
	RowsMove bool `json:"rowsMove,omitempty"`
	// Further is that of every recipe that has none of its own.
	Further map[string]map[string]float64 `json:"further,omitempty"`
}

// Type is what a parameter holds.
type Type string

// The types of parameters.
const (
	Number  Type = "number"
	Integer Type = "integer"
	Color   Type = "color"
	Choice  Type = "choice"
	Text    Type = "text"
	Texts   Type = "texts" // a list of texts
	Rows    Type = "rows"  // a list of objects with Columns
	File    Type = "file"  // an asset of the project, as its path
	Flag    Type = "flag"  // "true" or "false"
	Sign    Type = "sign"  // names of things that can be drawn, with commas between
)

// Param is a parameter of a recipe.
type Param struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
	Help string `json:"help"`
	Auto bool   `json:"auto,omitempty"` // "auto" leaves the choice to the score
	// Min and Max limit numbers; of a text they limit the characters, of a list the items.
	Min     *float64          `json:"min,omitempty"`
	Max     *float64          `json:"max,omitempty"`
	Unit    string            `json:"unit,omitempty"`
	Default Default           `json:"default"`
	Known   []json.RawMessage `json:"known,omitempty"` // rows that people name, and that the default has not: Pluto
	Kind    string            `json:"kind,omitempty"`  // of a file: "image", "audio", "data" or "recording"
	Columns []Column          `json:"columns,omitempty"`
	// Choices are those of a choice, or what the first column of rows can be that take "kinds".
	Choices Choices `json:"choices,omitempty"`
	// Broad are the choices that say less than all others: "wedding" stays where "congratulations" is said as well.
	Broad []string `json:"broad,omitempty"`
	Scene bool     `json:"scene,omitempty"` // a scene may have a value of its own
	// Spread gives each new project one of the numbers from Min to Max by its prompt, so
	// that projects differ. Projects without the value have the default.
	Spread bool `json:"spread,omitempty"`
	// Words are nouns by which people name the parameter, More and Less words that make
	// it more or less, by the factor Step (1.25 unless set).
	Words Words   `json:"words,omitempty"`
	More  Words   `json:"more,omitempty"`
	Less  Words   `json:"less,omitempty"`
	Step  float64 `json:"step,omitempty"`
	// Places are the words before or behind a text that say that it is this one: "at the end".
	Places Words `json:"places,omitempty"`
	// Takes lists what fills the parameter although the prompt does not name it, see
	// [Takes]. Units are the words that follow a count.
	Takes []string `json:"takes,omitempty"`
	Units Words    `json:"units,omitempty"`
}

// Column is a column of rows.
type Column struct {
	Name string `json:"name"`
	Type Type   `json:"type"` // Text, Number, Color or File, which is a picture
	// Also are further names that the column has in people's data.
	Also []string `json:"also,omitempty"`
	// Required columns must be there in every row.
	Required bool `json:"required,omitempty"`
	// Takes says what of a prompt's rows the column holds, beside label and number: "unit", or "series", the name
	// of the one of several series that the row belongs to. In rows that take "sides" it says "figure", what is said of
	// a side as it is written, or "lines", the points of a side, one a line.
	Takes []string `json:"takes,omitempty"`
}

// Shapes are what a manifest's fits may hold.
func Shapes() []string {
	return []string{"rows", "rows.share", "series", "range", "percent", "number", "list", "quote", "code", "text", "image", "markdown", "beats", "recording", "sides"}
}

// Taker is the first parameter that takes something, see [Takes]; nil if there is none.
func (m *Manifest) Taker(what string) *Param {
	for i := range m.Params {
		if slices.Contains(m.Params[i].Takes, what) {
			return &m.Params[i]
		}
	}
	return nil
}

// Takes are what a parameter's takes may hold.
func Takes() []string {
	return []string{
		"color", "text", "subtitle", "below", "added", "count", "number", "percent", "rating", "range.from", "range.to", "rows", "sides", "best", "outcome", "order", "marks", "about", "about.title", "list", "author", "file", "date", "currency", "percent.sign", "length", "each", "loop", "unit", "code", "commands", "action", "output", "whom", "locale", "recording", "recording.seconds", "sign", "sign.color", "sign.move", "parts", "chosen", "air.amount", "letters", "sort", "label", "heading", "then", "kinds", "arrows",
	}
}

// Default is a default value: one for all styles, or one for each.
type Default struct {
	value   string
	byStyle map[string]string
}

// For returns the default in a style.
func (d Default) For(style string) string {
	if v, ok := d.byStyle[style]; ok {
		return v
	}
	return d.value
}

// UnmarshalJSON reads a value, or an object from style to value.
func (d *Default) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte("{")) {
		var by map[string]json.RawMessage
		if err := json.Unmarshal(data, &by); err != nil {
			return err
		}
		d.byStyle = map[string]string{}
		for style, v := range by {
			d.byStyle[style] = literal(v)
		}
		return nil
	}
	d.value = literal(data)
	return nil
}

// MarshalJSON writes what UnmarshalJSON reads.
func (d Default) MarshalJSON() ([]byte, error) {
	if d.byStyle != nil {
		return json.Marshal(d.byStyle)
	}
	return json.Marshal(d.value)
}

// literal is the text of a JSON value: a string's content, else the value as written.
func literal(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return string(v)
	}
	return b.String()
}

// Choices are the values of a choice with their words, in the manifest's order.
type Choices []ChoiceValue

// ChoiceValue is a value of a choice.
type ChoiceValue struct {
	ID    string
	Words Words
}

// IDs lists the values.
func (c Choices) IDs() []string {
	ids := make([]string, len(c))
	for i := range c {
		ids[i] = c[i].ID
	}
	return ids
}

// UnmarshalJSON reads {"box": {"en": ["box", "cube"]}, …} and keeps the order.
func (c *Choices) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf(`choices are written {"box": {"en": ["box", "cube"]}}`)
	}
	*c = nil
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		v := ChoiceValue{ID: fmt.Sprint(name)}
		if err := d.Decode(&v.Words); err != nil {
			return err
		}
		*c = append(*c, v)
	}
	_, err := d.Token()
	return err
}

// MarshalJSON writes what UnmarshalJSON reads.
func (c Choices) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, v := range c {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(v.ID)
		if err != nil {
			return nil, err
		}
		words, err := json.Marshal(v.Words)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(words)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Param finds a parameter by name; nil if there is none.
func (m *Manifest) Param(name string) *Param {
	if i := slices.IndexFunc(m.Params, func(p Param) bool { return p.Name == name }); i >= 0 {
		return &m.Params[i]
	}
	return nil
}

// ParamNames lists the parameters in the manifest's order.
func (m *Manifest) ParamNames() []string {
	names := make([]string, len(m.Params))
	for i := range m.Params {
		names[i] = m.Params[i].Name
	}
	return names
}

// StyleIDs lists the styles in the order in which people are offered them.
func (m *Manifest) StyleIDs() []string {
	ids := make([]string, len(m.Styles))
	for i := range m.Styles {
		ids[i] = m.Styles[i].ID
	}
	return ids
}

// Ours reports whether the recipe came with koda. Scores of other recipes run with
// limits.
func (m *Manifest) Ours() bool { return m.ours }
