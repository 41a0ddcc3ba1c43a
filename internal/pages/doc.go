// Package pages examines pages that nobody made for koda. It says what koda needs to make
// a video of such a page: its size, rate and duration, and how the page is made to show a
// time.
//
// It owns the knowledge about kinds of pages: how a library is recognised, how long an
// animation takes as far as a file says so, and which lines make a page of a kind show a
// time. It runs nothing, and it does not guess what only the page's own code knows. If no
// file tells a duration, the duration is a default, and koda says so.
//
// # Invariants
//
//   - Nothing is written here. A face shows or writes the [Change]s of a [Plan].
//   - A document keeps every byte; only one line is put into it. A line that is there is
//     not put in again.
//   - A seek is written for a page only if it cannot be wrong: koda's clock drives
//     everything that moves, or the library hands out all its animations and no other
//     code of the page runs by time or by events. Every other page plays, which is slower
//     and never wrong.
package pages
