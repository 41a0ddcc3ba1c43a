// Package theme holds how koda looks in a terminal: colours, emphasis and the
// glyphs of bars, spinners and marks.
//
// It owns the tokens. A widget asks for [Theme.Good], never for green, so that
// light and dark backgrounds, terminals of 16 colours and people who set NO_COLOR
// are all served by one table. It refuses to ask the terminal: [Detect] is a pure
// function of the environment and of what the face knows about its stream.
//
// It also owns what may reach a terminal. Text and control sequences travel in one
// string; [Writer] tells koda's own sequences from all others by a key that is
// drawn anew in every process. So a name, a prompt or a line of a program's output
// may hold any bytes, and nobody has to remember to clean them. (A type for styled
// text would do the same, but every function between here and the terminal would
// have to know it.) Pictures travel in the same string: [Seal] packs their bytes into
// the parameters of one marked sequence.
//
// Invariants: nothing is said by colour alone (marks differ in shape too), and
// the plain theme writes no escape sequence at all.
package theme
