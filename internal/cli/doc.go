// Package cli is the command line: one file per command, each an Options
// struct, a newXCmd that parses into it and a runX that works.
//
// It owns what people and scripts meet: flags, prompts, printed lines, JSON shapes and
// exit statuses. It knows no adapters: a command calls the functions of [Deps], and each
// function opens what it needs only when it is called. So `koda version` and every help
// page touch no database, no settings and no network.
//
// The rules of this face:
//
//   - Results go to standard output, everything else to standard error. `koda new …
//     --yes` prints the path of the video on standard output.
//   - Under --json, standard output has one event envelope a line, and ends with exactly
//     one result, whatever happened. Koda asks nothing, and writes nothing to standard
//     error.
//   - Koda waits for a key only if standard input and standard error are both terminals.
//     Otherwise a command that needs a person prints what it needs and the command that
//     goes on, and ends with status 3.
//   - Only a terminal gets escape sequences, and not if NO_COLOR is set or TERM is
//     "dumb".
//   - All output passes one writer, except a patch for a program. The writer removes
//     characters by which a name, a prompt, a page or a program could control a terminal.
//     A path with such characters is complete only under --json.
//   - At a prompt every line gets a reply: the line is an order, or a wish for the
//     author, or koda says what can be typed. Sentences break at blanks where the
//     terminal ends. Paths and commands never break, so that people can copy them.
//   - An error is printed once, here, as "koda: what failed" and "hint: what to do". A
//     broken pipe ends the command without a word.
//   - SIGINT, SIGTERM and SIGHUP cancel the work, wait until it is saved and end with
//     130. A second signal ends at once.
//
// Lines are edited by github.com/peterh/liner: it is small, well kept, counts the columns
// of wide characters and asks the terminal nothing. Bubble Tea asks every terminal for
// its background when the program starts, and golang.org/x/term counts every character as
// one column. Koda's home keeps the lines that were typed, and only the person can read
// them. Lines that begin with a blank or look like a key are not kept.
package cli
