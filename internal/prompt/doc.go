// Package prompt holds the texts for models: the conversation of a project as an
// author gets it, and the tags around a summary of files.
//
// It is pure: text in, text out. It owns which messages are told in full and which
// in short. It refuses to read projects; the engine brings messages and files.
//
// Invariants: [CutFiles] reads every summary that [FormatFiles] writes, whatever is
// in names and descriptions. No message of the person is left out of a
// [Conversation], and the person's last message is never shortened.
package prompt
