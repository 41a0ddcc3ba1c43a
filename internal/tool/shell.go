package tool

import "strings"

// simple is one simple command of a shell line, read roughly: quotes are taken
// off, expansions are left as they are written.
type simple struct {
	words    []string
	writesTo []string // targets of > and >>
}

// shellReader splits a line into simple commands.
type shellReader struct {
	commands []simple
	current  simple
	word     strings.Builder
	inWord   bool
	redirect bool // the next word is the target of > or >>
}

// splitShell splits at ;, &, |, newlines, parentheses and command
// substitutions, so that the first word of each part is a command.
func splitShell(line string) []simple {
	var r shellReader
	runes := []rune(line)
	for i := 0; i < len(runes); i++ {
		c := runes[i]
		next := func() rune {
			if i+1 < len(runes) {
				return runes[i+1]
			}
			return 0
		}
		switch {
		case c == '\\' && i+1 < len(runes):
			i++
			if runes[i] != '\n' {
				r.add(runes[i])
			}
		case c == '\'':
			r.inWord = true
			for i++; i < len(runes) && runes[i] != '\''; i++ {
				r.add(runes[i])
			}
		case c == '"':
			i = r.quoted(runes, i+1)
		case c == '#' && !r.inWord:
			for i < len(runes) && runes[i] != '\n' {
				i++
			}
			r.endCommand()
		case c == '$' && next() == '(':
			r.endCommand()
			i++
		case strings.ContainsRune(";&|\n()`", c):
			if c == '&' && next() == '>' { // &> writes both outputs
				break
			}
			r.endCommand()
		case c == '>':
			if w := r.word.String(); len(w) == 1 && strings.Contains("012", w) { // 2> has no word 2
				r.word.Reset()
				r.inWord = false
			}
			r.endWord()
			r.redirect = true
			if n := next(); n == '>' || n == '|' || n == '&' {
				i++
			}
		case c == '<' || c == ' ' || c == '\t' || c == '\r':
			r.endWord()
		default:
			r.add(c)
		}
	}
	r.endCommand()
	return r.commands
}

// quoted reads on from after a double quote and returns the index of the
// closing one. Substitutions inside are commands of their own.
func (r *shellReader) quoted(runes []rune, i int) int {
	r.inWord = true
	for ; i < len(runes) && runes[i] != '"'; i++ {
		switch {
		case runes[i] == '\\' && i+1 < len(runes):
			i++
			r.add(runes[i])
		case runes[i] == '$' && i+1 < len(runes) && runes[i+1] == '(':
			end := i + 2
			for depth := 1; end < len(runes); end++ {
				if runes[end] == '(' {
					depth++
				} else if runes[end] == ')' {
					if depth--; depth == 0 {
						break
					}
				}
			}
			r.nested(runes[i+2 : end])
			i = end
		case runes[i] == '`':
			end := i + 1
			for end < len(runes) && runes[end] != '`' {
				end++
			}
			r.nested(runes[i+1 : end])
			i = end
		default:
			r.add(runes[i])
		}
	}
	return i
}

func (r *shellReader) nested(runes []rune) {
	r.commands = append(r.commands, splitShell(string(runes))...)
}

func (r *shellReader) add(c rune) {
	r.inWord = true
	r.word.WriteRune(c)
}

func (r *shellReader) endWord() {
	if !r.inWord {
		return
	}
	w := r.word.String()
	r.word.Reset()
	r.inWord = false
	if r.redirect {
		r.redirect = false
		r.current.writesTo = append(r.current.writesTo, w)
		return
	}
	r.current.words = append(r.current.words, w)
}

func (r *shellReader) endCommand() {
	r.endWord()
	r.redirect = false
	if len(r.current.words) > 0 || len(r.current.writesTo) > 0 {
		r.commands = append(r.commands, r.current)
	}
	r.current = simple{}
}
