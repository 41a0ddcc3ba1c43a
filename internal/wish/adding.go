package wish

import (
	"strings"
)

// newRow is a row without the words around its label: "Travel with 300", "bitte noch Samstag mit 820".
func (r *reader) newRow(p pair) Row {
	from := min(r.skip(p.label, 1, please, even), p.labelTo-1)
	to := p.labelTo
	for to > from+1 && r.is(to-1, in, of, be) {
		to--
	}
	return p.q.row(strings.TrimSpace(r.said(from, to)))
}
