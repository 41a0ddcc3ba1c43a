package reading

import (
	"slices"

	"github.com/koda-video/koda/internal/wish"
)

func share(rows []wish.Row) bool {
	sum := 0.0
	for _, row := range rows {
		sum += row.Value
	}
	return sum > 95 && sum < 105 && !several(rows)
}

// several reports whether rows are those of several series.
func several(rows []wish.Row) bool {
	return slices.ContainsFunc(rows, func(row wish.Row) bool { return row.Series != "" })
}

// mixed reports whether rows of several series are of things that no scale has in common: a price, a weight.
func mixed(rows []wish.Row) bool {
	return several(rows) && slices.ContainsFunc(rows, func(row wish.Row) bool { return row.Label != rows[0].Label && row.Unit != rows[0].Unit })
}

// series reports whether the labels of rows are points in time.
func series(read *wish.Reading, rows []wish.Row) bool {
	if several(rows) && rows[0].Label == "" {
		return true
	}
	for _, row := range rows {
		if !read.Calendar(row.Label) {
			return false
		}
	}
	return len(rows) > 2 && rows[0].Label != ""
}
