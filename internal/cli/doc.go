// Package cli is the command line: one file per command, each an Options
// struct, a newXCmd that parses into it and a runX that works.
//
// It owns what people and scripts meet: flags, prompts, printed lines, JSON
// shapes and exit statuses. It refuses to know adapters: a command calls the
// functions of [Deps], each of which opens what it needs when it is called, so
// `koda version` and every help page touch no database, no settings and no
// network.
//
// The rules of this face:
//
//   - Results go to standard output, everything else to standard error. What
//     `koda new … --yes` prints on standard output is the path of the video.
//   - Under --json standard output is newline-delimited event envelopes and
//     ends with exactly one result, whatever happened. Nothing is asked and
//     nothing is written to standard error.
//   - A key is waited for only when standard input and standard error are both
//     terminals. Otherwise a command that needs a person prints what is needed
//     and the command that goes on, and ends with status 3.
//   - No escape sequence reaches a stream that is not a terminal, nor any when
//     NO_COLOR is set or TERM is "dumb".
//   - Everything but a patch for a program passes one writer, which leaves out
//     what a name, a prompt, a page or a program put there to act on a terminal.
//     A path with such characters in it is whole under --json only.
//   - At a prompt no line goes without a reply: it is an order, a wish for the
//     author, or is told what can be typed. Sentences break at blanks where the
//     terminal ends; paths and commands never do, so that they can be copied.
//   - An error is printed once, here, as "koda: what failed" and "hint: what to
//     do". A broken pipe ends the command without a word.
//   - SIGINT, SIGTERM and SIGHUP cancel the work, wait for it to be saved and
//     end with 130; a second signal ends at once.
//
// Lines are edited by github.com/peterh/liner: it is small, kept up, counts the
// columns of wide characters and asks the terminal nothing. Bubble Tea asks every
// terminal for its background when the program starts, and golang.org/x/term
// counts every character as one column. What was typed is kept in koda's home,
// for the person alone to read; lines that begin with a blank or look like a key
// are not.
package cli
