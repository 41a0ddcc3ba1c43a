package reading

import (
	"strings"

	"github.com/koda-video/koda/internal/wish"
)

// mostRetold is how often people change their minds in one prompt that is followed.
const mostRetold = 4

// retold is a brief whose prompt has what it tells at last: a figure in the place of the one that was told first of the same name, "Saturday
// 37 … sorry, Saturday was 39", and no item that it takes back, "pony rides … scrap the pony rides".
func (r *Reader) retold(b Brief) Brief {
	for range mostRetold {
		said, ok := b.refigured()
		if !ok {
			said, ok = r.shortened(b)
		}
		if !ok {
			break
		}
		b.Prompt = said
		b = r.learnedOf(b)
	}
	return b
}

// refigured is the prompt with the last figure that is told of a name again, in the place of the first.
func (b Brief) refigured() (string, bool) {
	before := false // figures stand before their names: "18 on Friday"
	var names, numbers []wish.Phrase
	for _, p := range b.phrases {
		if p.Role == wish.Name {
			names = append(names, p)
		} else if p.Role == wish.Figure {
			before = before || len(names) == 0
			numbers = append(numbers, p)
		}
	}
	for k := len(numbers) - 1; k > 1 && len(names) > 1; k-- {
		now, gap := numbers[k], wish.Span{From: numbers[k-1].To, To: numbers[k].From}
		for _, name := range names {
			if before && name.From >= gap.From { // the name of the figure before
				gap.From = name.To
				break
			}
		}
		for i, name := range names {
			if name.To > gap.From || gap.From > gap.To {
				break
			}
			from, to := find(b.Prompt[gap.From:gap.To], b.Prompt[name.From:name.To], 0)
			if from < 0 || !strings.ContainsAny(b.Prompt[gap.From:gap.From+from], ".!?;\n—–") || len(strings.Fields(b.Prompt[gap.From+to:gap.To])) > 3 {
				continue
			}
			for n, old := range numbers[:k] {
				if !before && (old.From < name.To || i+1 < len(names) && old.From > names[i+1].From) || before && (old.To > name.From || numbers[n+1].To <= name.From) {
					continue
				}
				if unit := signOf(b.Prompt[now.From:now.To]); unit != "" && unit != signOf(b.Prompt[old.From:old.To]) { // "plan B $19 … plan B saves 20%"
					continue
				}
				return b.Prompt[:old.From] + b.Prompt[now.From:now.To] + b.Prompt[old.To:b.clause(gap.From+from)] + b.Prompt[now.To:], true
			}
		}
	}
	return "", false
}

// signOf is what a figure has beside its digits.
func signOf(figure string) string { return strings.TrimSpace(strings.Trim(figure, figures+".,")) }

// clause is where the clause begins that has a place.
func (b Brief) clause(at int) int {
	return strings.LastIndexAny(b.Prompt[:at], ".,!?;:—–(\n") + 1
}

// shortened is the prompt without the first item that it takes back behind all of them.
func (r *Reader) shortened(b Brief) (string, bool) {
	var items []wish.Phrase
	for _, p := range b.phrases {
		if p.Role == wish.Item {
			items = append(items, p)
		}
	}
	if len(items) < 3 {
		return "", false
	}
	last := items[len(items)-1].To
	for _, d := range r.choosing.Dropped(b.Prompt, last) {
		gone, found := b.Prompt[d.Thing.From:d.Thing.To], -1
		for i, item := range items {
			if from, _ := find(b.Prompt[item.From:item.To], gone, 0); from >= 0 {
				if found >= 0 {
					found = len(items)
				} else {
					found = i
				}
			}
		}
		if found < 0 || found >= len(items) {
			continue
		}
		from, to := items[found].From, items[found].To
		if found > 0 {
			from = items[found-1].To
		} else {
			to = items[1].From
		}
		return b.Prompt[:from] + b.Prompt[to:d.All.From] + b.Prompt[d.All.To:], true
	}
	return "", false
}
