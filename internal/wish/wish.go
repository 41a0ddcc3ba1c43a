package wish

// Kind says what a wish asks for.
type Kind string

// The kinds of wishes. The comment says what Value holds.
const (
	Colour      Kind = "colour"      // #rrggbb
	Number      Kind = "number"      // a number in decimal digits
	Percent     Kind = "percent"     // likewise: "40" for 40 %
	Share       Kind = "share"       // likewise: "60" for "3 of 5"
	Length      Kind = "length"      // seconds
	Clock       Kind = "clock"       // a time of the day, as written
	Range       Kind = "range"       // From and To; either may be ""
	Rows        Kind = "rows"        // nothing: see Rows
	List        Kind = "list"        // nothing: see Items
	Text        Kind = "text"        // the text
	Author      Kind = "author"      // a name
	File        Kind = "file"        // the path, as written
	Shape       Kind = "shape"       // of the picture: "9:16"
	Size        Kind = "size"        // pixels: "1080x1920"
	Scale       Kind = "scale"       // pixels of the short side
	Rate        Kind = "rate"        // frames per second
	Format      Kind = "format"      // "gif", "webm", …
	Loop        Kind = "loop"        // nothing
	Transparent Kind = "transparent" // nothing
	Subject     Kind = "subject"     // nothing: About is the subject
	Choice      Kind = "choice"      // the choice
	Flag        Kind = "flag"        // "true" or "false"
	More        Kind = "more"        // nothing: By is a factor, or with Plus a summand
	Reset       Kind = "reset"       // nothing
	Remove      Kind = "remove"      // nothing: About is the thing, or Items its words
	Add         Kind = "add"         // nothing: Items and Rows, at the place To, as of Move
	Replace     Kind = "replace"     // From is replaced by To
	Swap        Kind = "swap"        // From and To change places
	Move        Kind = "move"        // From goes to the place To: "1", "-1" for the last, "<Tea" before, ">Tea" after
	Merge       Kind = "merge"       // Items become one item, Value
	Sort        Kind = "sort"        // the items, by Value: "label", "up", "down", "reverse"
	Undo        Kind = "undo"        // nothing
	Other       Kind = "other"       // nothing: another value than there is, "the other colour"
	Advice      Kind = "advice"      // a sentence for the person
	Means       Kind = "means"       // nothing: About is what the caller's words mean
	Remark      Kind = "remark"      // nothing: words to the maker
	Explain     Kind = "explain"     // nothing: the text asks for an explanation as an animation
)

// NewScene is what Add is about if a scene is to be added; its item is what the scene says. Both is what Swap is about
// if the only two there are change places.
const (
	NewScene = "a scene"
	Both     = "both"
)

// HintValue is the value of a subject that the text only hints at, PhraseValue that of a
// subject that a phrase names. The value of others is "1".
const (
	HintValue   = "0"
	PhraseValue = "2"
)

// Falling is the value of a range whose numbers are all there: "3, 2, 1".
const Falling = "falling"

// ShadeUnit is the unit of a wish for more or less light. Its Value is the thing, other than About,
// that the words are about.
const ShadeUnit = "shade"

// Span is a place in the text: bytes From up to To.
type Span struct{ From, To int }

// In reports whether s lies inside of other.
func (s Span) In(other Span) bool { return s.From >= other.From && s.To <= other.To }

// Overlaps reports whether s and other have a byte in common.
func (s Span) Overlaps(other Span) bool { return s.From < other.To && other.From < s.To }

// Wish is one thing that a text asks for.
type Wish struct {
	Kind  Kind
	About string // the term that the wish is about, "" if the text does not say
	Value string
	Span  Span
	// Not says that the person does not want it: "not blue".
	Not bool
	// By is the factor of More, or with Plus what is added.
	By   float64
	Plus bool
	// From and To belong to Range, Replace, Swap and Move.
	From, To string
	Rows     []Row
	Label    string // of the item that a colour is for: "savings pink", or its place: "#2"
	Items    []string
	// Scenes are the scenes that the wish is meant for; nil for the whole.
	Scenes []Scene
	// Sure is false for what may as well be part of a text: "black" in "black friday sale".
	Sure bool
	// Quoted belongs to Text: the text stood between quotation marks. Cued says that words
	// such as "that says" led to the text.
	Quoted, Cued bool
	// Shown is the place of a text without the words that lead to it.
	Shown Span
	// Unit is what stood with a number: "%", "$", a word.
	Unit string
	// Typo says that the words were corrected to be understood.
	Typo bool
}

// Row is a label and its number, as written in a text.
type Row struct {
	Label  string
	Value  float64
	Unit   string
	Sign   string // the unit as written: "$"
	Colour string // #rrggbb, "" if the text says none
	Series string // of several the one that the number belongs to
}

// Scene is a mention of a scene.
type Scene struct {
	Number int    // 1 for the first, -1 for the last, 0 if only Name says which
	Name   string // a title, in lower case; where no scene has it, Number counts
	Word   string // the words, where these are not a number: "sixth scene"
	Reach  Reach
	Said   string // with the words around: "after the sixth scene"
}

// Reach says which scenes a mention includes.
type Reach int

// The scene alone, the scene and all after it, all after it, all up to it, all before it.
const (
	Itself Reach = iota
	Onwards
	After
	UpTo
	Before
)
