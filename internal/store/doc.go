// Package store is the one database of koda: the index of all projects, the
// journal of each, and the memory of answered calls. It is SQLite through cgo.
//
// It owns the file ($KODA_HOME/koda.db), its schema and its queries. It refuses
// to look at project directories, to decide anything about phases, and to read
// a clock: times come with what is written.
//
// Invariants:
//
//   - A method that writes has written everything durably when it returns nil,
//     and nothing when it returns an error. The write-ahead log has
//     synchronous=FULL: one fsync a transaction. A kill −9 or power cut at any
//     instant leaves the state before or after.
//   - Events of a project are numbered 1, 2, 3, … without holes, except where a
//     directory with a higher number was adopted. A commit that does not continue the
//     last number is refused with IN_USE: two processes cannot both believe
//     they own a project.
//   - Writing goes through one connection, in transactions that take the write
//     lock at their start (a lock taken half way can fail with SQLITE_BUSY that
//     no waiting cures). Reading goes through other connections and never waits
//     for the writing connection.
//   - Each text is stored once. JSON is stored folded: a value of 128 bytes and more
//     is a row of the table contents, found by its digest, and the columns *_json and
//     other contents refer to it as @n, outside of strings. A long list is stored in
//     groups of sixteen and groups of groups, so that a list that grew shares all but
//     its end. A reader gets the same JSON back, byte for byte. So the size of the
//     database follows from what is new in each step. The state of the machine refers
//     to contents and makes none, as every step replaces it. Older databases hold JSON
//     that is not folded; the same code reads it. [DB.Prune] drops contents that
//     nothing refers to any more.
//   - Times are RFC 3339 text in UTC with nine digits of a second: they sort as
//     text, lose nothing, and can be read in the sqlite3 shell. The zero time is
//     NULL. Columns that hold numbers with a unit carry it in their name.
//
// Migrations are SQL files, each run once in a transaction of its own and
// recorded in the table migrations. A database written by a newer koda is
// refused with a sentence, and so is a database that is not koda's.
//
// Losing the database loses no animation: [DB.Adopt] adopts a project from the
// state file in its directory. Beside the database stands a list of the
// directories projects were ever in ([DB.Places]). [SetAside] sets a damaged
// database aside and keeps it; a new database is made from the list. An existing
// file that does not begin as SQLite's files do is not a database: whatever path
// the settings name, such a file is neither written to nor renamed.
package store
