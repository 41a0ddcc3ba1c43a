package main

import (
	"fmt"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// budget is what the model of the settings costs and may cost.
type budget struct {
	name    string     // provider/name
	price   *llm.Price // nil: nobody knows
	says    bool       // the service says it with each answer
	listed  bool       // it is from the table
	answers int        // of one command; 0 is no bound
	usd     float64    // of a project; 0 is no bound
}

// budgetOf reads the budget of a project with these models. USAGE: nobody knows what one of
// them costs, so that --max-cost cannot be kept, and nothing else that the person said bounds it.
func budgetOf(m koda.Models) (b budget, err error) {
	cfg, err := load()
	if err != nil {
		return b, err
	}
	if m.Planner != "" {
		if _, err := (lateModel{m, true}).budget(cfg); err != nil {
			return b, err
		}
	}
	return lateModel{models: m}.budget(cfg)
}

func (l lateModel) budget(cfg config.Config) (b budget, err error) {
	p, c, err := l.find(cfg)
	if err != nil {
		return b, err
	}
	b = budget{name: p.name + "/" + c.Model, price: c.Price(c.Model), says: p.saysPrice}
	b.listed = b.price != nil && c.Listed && c.Rate == nil && *b.price != llm.Price{}
	b.answers, b.usd = cfg.Budget()
	turns, err := cfg.Value("max-turns")
	if err == nil && b.unknown() && b.usd > 0 && turns.Origin == config.FromDefault {
		err = &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("nobody knows what %s costs, so koda cannot stop it at %s", b.name, koda.Dollars(b.usd)),
			Hint: "bound it by --max-turns ANSWERS, or say its price: KODA_MODEL_PRICE=3/15 (dollars a million tokens)",
		}
	}
	return b, err
}

func (b budget) unknown() bool { return b.price == nil && !b.says }

// String says it for people.
func (b budget) String() string {
	switch {
	case b.price != nil && *b.price == llm.Price{} && !b.says:
		return b.name + " costs nothing here"
	case b.unknown():
		return fmt.Sprintf("nobody knows what %s costs; it answers at most %d times to this command", b.name, b.answers)
	case b.usd > 0:
		return fmt.Sprintf("%s may cost up to %s in this project; --max-cost changes that", b.name, koda.Dollars(b.usd))
	}
	return b.name + " may cost what it will: max-cost is none"
}
