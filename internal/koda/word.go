package koda

import "strings"

// Word is an order that koda understands where a person types; all other text is for the
// author.
type Word string

// The words, in the order in which help explains them. A face knows those that mean
// something there.
const (
	WordAccept   Word = "accept"
	WordChange   Word = "change"
	WordReject   Word = "reject"
	WordUndo     Word = "undo"
	WordRedo     Word = "redo"
	WordVersions Word = "versions"
	WordShow     Word = "show"
	WordProjects Word = "projects"
	WordHelp     Word = "help"
	WordStop     Word = "stop"
	WordQuit     Word = "quit"
)

// words are all words by which people say a Word.
var words = map[string]Word{
	"accept": WordAccept, "a": WordAccept, "y": WordAccept, "yes": WordAccept, "ok": WordAccept, "okay": WordAccept,
	"accept it": WordAccept, "looks good": WordAccept, "looks great": WordAccept, "perfect": WordAccept, "go ahead": WordAccept,
	"yep": WordAccept, "yeah": WordAccept, "sure": WordAccept, "fine": WordAccept, "lgtm": WordAccept, "good": WordAccept, "great": WordAccept, "all good": WordAccept,
	"sounds good": WordAccept, "i like it": WordAccept, "love it": WordAccept, "i love it": WordAccept, "that's it": WordAccept, "go": WordAccept, "go on": WordAccept,
	"continue": WordAccept, "do it": WordAccept, "ship it": WordAccept, "render": WordAccept, "render it": WordAccept, "export": WordAccept, "export it": WordAccept,
	"save": WordAccept, "save it": WordAccept, "done": WordAccept, "finish": WordAccept, "make it": WordAccept, "make the video": WordAccept, "👍": WordAccept,
	"change": WordChange, "c": WordChange, "e": WordChange, "edit": WordChange,
	"reject": WordReject, "r": WordReject, "n": WordReject, "no": WordReject,
	"undo": WordUndo, "undo it": WordUndo, "undo that": WordUndo, "undo this": WordUndo, "go back": WordUndo, "back": WordUndo, "revert": WordUndo, "revert it": WordUndo,
	"redo": WordRedo, "redo it": WordRedo, "redo that": WordRedo,
	"versions": WordVersions, "history": WordVersions,
	"show": WordShow, "projects": WordProjects,
	"help": WordHelp, "?": WordHelp, "h": WordHelp, "what can i say?": WordHelp, "what can i do?": WordHelp, "what now?": WordHelp,
	"stop": WordStop, "stop it": WordStop, "cancel": WordStop, "abort": WordStop, "interrupt": WordStop,
	"quit": WordQuit, "q": WordQuit, "exit": WordQuit, "bye": WordQuit, ":q": WordQuit, ":wq": WordQuit,
}

// WordOf is the order that a text is as a whole; "" if the text is for the author. Case,
// a full stop at the end and a "please" do not matter. Consent may be said twice: "ok, looks good".
func WordOf(text string) Word {
	text = strings.ToLower(strings.TrimRight(strings.TrimSpace(text), ".!"))
	text = strings.TrimSuffix(strings.TrimPrefix(text, "please "), " please")
	text = strings.Trim(text, " ,")
	first, rest, _ := strings.Cut(text, " ")
	if words[text] == "" && words[strings.TrimRight(first, ",.!")] == WordAccept && WordOf(rest) == WordAccept {
		return WordAccept
	}
	return words[text]
}

// Unquote takes the quotes off a text that stands in them as a whole, which makes it a
// text for the author, whatever it says.
func Unquote(text string) (inner string, quoted bool) {
	if n := len(text); n > 2 && text[0] == '"' && text[n-1] == '"' {
		return strings.TrimSpace(text[1 : n-1]), true
	}
	return text, false
}

// longestQuote is how many characters of a text Quote keeps.
const longestQuote = 60

// Quote is what a person wrote, as a sentence quotes it: on one line, in quotation marks, without
// escapes, and with at most 60 characters.
func Quote(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > longestQuote {
		text = string(r[:longestQuote-1]) + "…"
	}
	return `"` + text + `"`
}
