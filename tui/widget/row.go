package widget

import (
	"regexp"
	"strconv"
)

// rowMark finds the mark of a row: a control sequence that takes no column, and that
// nothing lets through to a terminal.
var rowMark = regexp.MustCompile("\x1b\\[([0-9]+)r")

// Row marks a line of a list as belonging to its row n, from 0, so that [RowOf] finds the
// row again where the line is shown. The mark is not drawn.
func Row(n int, line string) string { return "\x1b[" + strconv.Itoa(n) + "r" + line }

// RowOf is the row to which a line belongs; -1 if it belongs to none.
func RowOf(line string) int {
	found := rowMark.FindStringSubmatch(line)
	if found == nil {
		return -1
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		return -1
	}
	return n
}
