// Package widget renders what koda shows: progress lines, todos, plans,
// questions, checks and lists of facts.
//
// It owns layout. Every function is pure: nouns, a theme and a width go in, a
// text comes out that ends without a newline; the command line prints it, the
// terminal interface puts it on a screen. It refuses state, clocks and streams:
// whoever wants a spinner to turn passes the next tick.
//
// Invariants:
//   - No line is wider than the width asked for, counted in columns, where the
//     width is at least [MinWidth]. What is there to be copied is the exception:
//     commands and paths are never broken.
//   - Widgets are written to a [theme.Writer], which lets nothing of the texts
//     of people, models and programs act on a terminal.
//   - What is left out for want of room is the least important part, never the
//     end of a line by accident.
package widget
