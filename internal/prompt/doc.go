// Package prompt holds the texts for models: how the conversation of a project
// is told to an author, and the tags in which files are summarised.
//
// It is pure: text in, text out. It owns what is told in full and what in
// short. It refuses to read projects; the engine brings messages and files.
//
// Invariants: what [FormatFiles] writes [CutFiles] reads, whatever is in names
// and descriptions; the person's words are never left out of a [Conversation],
// and the latest are never shortened.
package prompt
