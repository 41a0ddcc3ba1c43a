// Package store is the one database of koda: the index of all projects, the
// journal of each, and the memory of answered calls. It is SQLite through cgo.
//
// It owns the file ($KODA_HOME/koda.db), its schema and its queries. It refuses
// to look at project directories, to decide anything about phases, and to read
// a clock: times come with what is written.
//
// Invariants:
//
//   - A method that writes has written all of it durably when it returns nil,
//     and nothing of it when it returns an error. Write-ahead log with
//     synchronous=FULL: one fsync a transaction, and a kill −9 or power cut at
//     any instant leaves the state before or after.
//   - Events of a project are numbered 1, 2, 3, … without holes, except where a
//     directory that knew more was adopted. A commit that does not continue the
//     last number is refused with IN_USE: two processes cannot both believe
//     they own a project.
//   - Writing goes through one connection, in transactions that take the write
//     lock at their start (a lock taken half way can fail with SQLITE_BUSY that
//     no waiting cures). Reading goes through others and never waits for it.
//   - What is said, asked or written is stored once. JSON is stored folded: a value
//     of 128 bytes and more is a row of the table contents, found by its digest, and
//     the columns *_json and other contents refer to it as @n, outside of strings. A
//     long list is stored in groups of sixteen and groups of groups, so that a list
//     that grew shares all but its end. A reader is given all of it again, byte for
//     byte, so the size of the database follows from what is new in each step. The
//     state of the machine refers to contents and makes none, as it is replaced with
//     every step. JSON of databases older than this stands there whole, and is read
//     by the same code. Contents nothing refers to any more are for [DB.Prune].
//   - Times are RFC 3339 text in UTC with nine digits of a second: they sort as
//     text, lose nothing, and can be read in the sqlite3 shell. The zero time is
//     NULL. Columns that hold numbers with a unit carry it in their name.
//
// Migrations are SQL files, each run once in a transaction of its own and
// recorded in the table migrations. A database written by a newer koda is
// refused with a sentence, and so is one that is not koda's.
//
// Losing the database loses no animation: [DB.Adopt] takes a project in again
// from the state file in its directory. Beside the database stands a list of the
// directories projects were ever in ([DB.Places]); a damaged database is set
// aside by [SetAside], kept, and made anew from there. A file that is there and
// does not begin as SQLite's do is nobody's database: whatever path the settings
// name, such a file is neither written to nor renamed.
package store
