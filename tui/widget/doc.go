// Package widget renders what koda shows: progress lines, todos, plans,
// questions, checks and lists of facts.
//
// It owns layout. Every function is pure: nouns, a theme and a width go in, and a
// text without a final newline comes out. The command line prints the text, the
// terminal interface puts it on a screen. It refuses state, clocks and streams: a
// caller that wants a spinner to turn passes the next tick.
//
// Invariants:
//   - No line is wider than the width asked for, counted in columns, if the width
//     is at least 20. The exceptions are commands and paths: they are never
//     broken, so that they can be copied.
//   - Widgets are written to a [theme.Writer], which keeps texts of people, models
//     and programs from steering the terminal.
//   - When room is short, the least important part is left out, never just the end
//     of a line.
package widget
