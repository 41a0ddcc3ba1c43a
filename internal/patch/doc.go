// Package patch replaces a piece of a text that somebody quotes from memory, as language
// models do: their quotes differ from the text in blanks, indentation and small slips.
//
// It owns the ways to find the piece. They are tried from the strictest to the loosest, and
// the first that finds something decides:
//
//   - exact: byte for byte; line ends may differ.
//   - line-trimmed: the lines are the same, but for blanks at their ends and blank lines.
//   - indentation-flexible: likewise, at another indentation.
//   - block-anchored: first and last line are the same, and what is between them is alike.
//   - similarity: at least nine tenths of the letters are the same, and no other place
//     has more than eight tenths.
//
// It refuses to guess. Two places that fit are an error, and so is a quote that leaves lines
// out. The error shows the lines that come nearest. The package touches no file.
//
// Invariants:
//
//   - Only lines that the quote and its replacement do not share are changed, unless the match
//     is exact. The text keeps its line ends, and its end without a line end.
//   - A quote and the lines it stands for have the same number of lines that are not blank, so
//     no line is removed that was not quoted.
//   - The replacement gets the indentation of the place where it goes.
//   - The time is bounded, whatever the text.
package patch
