package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/phase"
)

// spentOn is what the models of a project cost so far: for its versions, and since the
// last one. So it is known as well of a project that lost its database.
func spentOn(s phase.State, versions []koda.Version) koda.Cost {
	spent := s.Spent.Plus(s.Inquired)
	for _, v := range versions {
		spent = spent.Plus(v.Cost)
	}
	return spent
}

// modelBlock is the content of a block of kind model.
type modelBlock struct {
	Step  string    `json:"step"`
	Call  int       `json:"call"`
	Model string    `json:"model"`
	Cost  koda.Cost `json:"cost"`
	Texts string    `json:"texts"` // digest of what the model was told first
	Own   []string  `json:"own"`   // names of the texts that the person replaced
	Error string    `json:"error"`
}

// bills says what each model cost in the turns, in the order in which the models were
// first asked.
func (r *Reader) bills(ctx context.Context, turns []koda.Turn) ([]koda.Bill, error) {
	var bills []koda.Bill
	for _, turn := range turns {
		if turn.Cost == (koda.Cost{}) {
			continue
		}
		blocks, err := r.journal.Blocks(ctx, turn.ID)
		if err != nil {
			return nil, fmt.Errorf("read what models cost: %w", err)
		}
		for _, b := range blocks {
			raw, ok := b.Content.(json.RawMessage)
			var m modelBlock
			if b.Type != koda.BlockModel || !ok || json.Unmarshal(raw, &m) != nil || m.Cost == (koda.Cost{}) && m.Error != "" {
				continue
			}
			i := slices.IndexFunc(bills, func(b koda.Bill) bool { return b.Model == m.Model })
			if i < 0 {
				bills, i = append(bills, koda.Bill{Model: m.Model}), len(bills)
			}
			if m.Error == "" {
				bills[i].Answers++
			}
			bills[i].Cost = bills[i].Plus(m.Cost)
		}
	}
	return bills, nil
}
