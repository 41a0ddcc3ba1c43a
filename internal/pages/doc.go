// Package pages looks at pages that nobody made for koda, and says what koda needs
// to make a video of one: its size, rate and duration, and how it is made to show
// a time.
//
// It owns what is known of kinds of pages: by which names a library is found, how
// long an animation takes that a file tells of, which lines have a page of that
// kind show a time. It refuses to run anything: what only the page's own code knows
// is not guessed. A duration that no file tells is a default, and is said to be one.
//
// # Invariants
//
//   - Nothing is written here. A face shows or writes the [Change]s of a [Plan].
//   - A document keeps every byte but the line that is put into it, and a line that
//     is there is not put in again.
//   - A seek is written for a page only where it cannot be wrong: where koda's clock
//     drives all that moves, or where the library hands out all its animations and
//     no code of the page runs by time or by events beside them. Every other page
//     plays, which is slower and never wrong.
package pages
