// Package tui is the studio: koda at a terminal, with a screen for each phase of a project.
//
// It owns what is on the screen, the keys and the mouse. The root model routes: a screen
// gets a key and returns itself changed and an intent, what the person wants. The root
// makes of an intent a call of [Session], which runs outside of the event loop, and shows
// the screen of the phase that the project is then in.
//
// It refuses to know the engine, files and programs: everything comes through [Session],
// and what the terminal can do through [Config].
//
// Rules of the interface:
//   - A screen has one table of its keys: its reducer does what the table says, and the
//     foot, the overlay of all keys (? or F1), the palette (/ or ctrl+p) and clicks on the foot
//     read it. What a key does is never a surprise: ctrl+c interrupts the work, and the work is
//     saved; with nothing at work, or pressed twice, it leaves. Esc goes back. Enter does what
//     is marked.
//   - On every screen of which something can be said, a line for it stands open, and letters
//     and digits are always its text ([remarker]). While the line is empty, the other keys are
//     the screen's, and what a person might want beside them is on alt and a letter, or a word. With a
//     text the keys edit the text: enter sends it, and esc clears it. A text that goes without being sent
//     comes back by the arrow up. Only screens without such a line, as lists, pictures and
//     overlays, have plain letters.
//   - A remark belongs to a moment only if it points there ("here"), and the screen says which.
//   - Update does no I/O and never waits. Frames of a video are dropped when the terminal
//     is slow; keys are not.
//   - Where text is typed, the root has what every line needs: what was typed before, the
//     person's own editor, and the words that koda obeys.
//   - An overlay is a screen over another screen. It has the keys until it is closed.
//   - Everything that reaches the terminal goes through one writer, which writes whole
//     pieces: nothing else writes to the terminal while the studio is on the screen. Around
//     the text stand the title, how far work is, and pictures; leaving takes them away.
//   - The clock runs only while something moves.
//   - All texts of people, models and programs pass the package theme, so that none can
//     steer the terminal. Nothing is said by colour alone.
//   - Opening a project again leads to the same screen: screens are made from where the
//     project stands, and the work screen from its numbered events. What passes, as a
//     thought or the progress of a render, is shown while it lasts.
//   - Keys and the mouse are signs of life: they begin anew the time after which a project
//     that waits for the person is put to rest.
package tui
