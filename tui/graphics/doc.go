// Package graphics shows still pictures in terminals that draw more than text.
//
// It owns the protocols: which of them a terminal speaks ([Detect], [Probe]), and how a
// picture is said in each. Pictures of half blocks are text with colours: they are in
// tui/widget. It refuses to write: what it composes is sealed, and a [theme.Writer]
// lets it pass.
//
// A terminal that does not know a question may print it, or answer into the shell after
// koda has ended. So the environment is read first, and only terminals that are known to
// understand the question are asked. A terminal must say that it can draw, and that it is
// one whose placeholders work: others answer the same question with yes and print boxes.
//
// Placeholders are the only pictures that are text: they scroll, and other text may be
// drawn over them. So a screen uses [Caps.Within], and a command that prints a picture
// once uses Caps.Mode.
//
// Invariant: the question ends with one that every terminal answers, the answer is read
// up to there, and nothing of it is left for whoever reads the terminal next.
package graphics
