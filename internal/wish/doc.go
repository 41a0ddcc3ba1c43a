// Package wish reads what a person wants out of a text.
//
// Read goes over a text once and returns wishes: colours, numbers, lengths, sizes, texts
// to show, data, and what each of them is about. It also returns the words that nobody
// understood, in order. The words of people are data: no Go code knows a word of a language,
// nor a recipe. A [Vocabulary] is made from word files, one for each language, and from the
// terms that the caller adds, such as the names of a recipe's parameters.
//
// ReadPhrases does the same for a text whose phrases are known: the words to be shown, each with a role, as a
// [Learned] finds them. Examples teach it. Parts and Orders do so for a text that says what is to be different about things that are shown.
//
// A text that is to be shown keeps every character. Only what instructs koda is cut off
// at its ends.
//
// A vocabulary of a language counts when the text is in that language. English always
// counts, and so does every language with its own script.
//
// The package does no I/O, and its functions are pure: the same text and vocabulary give the same
// wishes. Every span lies inside the text. Reading takes time proportional to the length of the
// text.
package wish
