// Package theme holds how koda looks at a terminal: colours, emphasis and the
// glyphs of bars, spinners and marks.
//
// It owns the tokens. A widget asks for [Theme.Good], never for green, so that
// light and dark backgrounds, terminals of 16 colours and people who set
// NO_COLOR are all served by one table. It refuses to look at the terminal:
// [Detect] is a pure function of the environment and of what the face found
// out, and lipgloss's own probing, which writes queries to the terminal and
// waits for replies, is never reached.
//
// Invariants: nothing is said by colour alone (marks differ in shape too), and
// the plain theme writes no escape sequence at all.
package theme
