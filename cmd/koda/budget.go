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
func budgetOf(m koda.Models) (budget, error) {
	plans, b, err := budgetsOf(m)
	if err == nil && b.free() {
		b = plans // of the two it alone may cost something
	}
	return b, err
}

// budgetsOf are the budgets of the model that plans and of the one that builds.
func budgetsOf(m koda.Models) (plans, builds budget, err error) {
	cfg, err := load()
	if err != nil {
		return plans, builds, err
	}
	plans, err = lateModel{m, m.Planner != ""}.budget(cfg)
	if err == nil {
		builds, err = lateModel{models: m}.budget(cfg)
	}
	return plans, builds, err
}

// of is what usages cost.
func (b budget) of(all []llm.Usage) (cost koda.Cost) {
	for _, u := range all {
		if u.Unpriced = 1; b.price != nil {
			u.USD, u.Unpriced = b.price.Of(u), 0
		}
		cost = cost.Plus(u.Cost())
	}
	return cost
}

func (l lateModel) budget(cfg config.Config) (b budget, err error) {
	p, c, err := l.find(cfg)
	if err != nil {
		return b, err
	}
	b = budget{name: p.name + "/" + c.Model, price: c.Price(c.Model), says: p.saysPrice}
	b.listed = b.price != nil && c.Listed && c.Rate == nil && !b.free()
	b.answers, b.usd = cfg.Budget()
	turns, err := cfg.Value("max-turns")
	if err == nil && b.unknown() && b.usd > 0 && turns.Origin == config.FromDefault {
		hint := "bound it by --max-turns ANSWERS"
		if !l.planner() { // the setting is of the model that builds
			hint += ", or say its price: KODA_MODEL_PRICE=3/15 (dollars a million tokens)"
		}
		err = &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("nobody knows what %s costs, so koda cannot stop it at %s", b.name, koda.Dollars(b.usd)), Hint: hint}
	}
	return b, err
}

func (b budget) unknown() bool { return b.price == nil && !b.says }

// free reports whether answers cost nothing.
func (b budget) free() bool { return b.price != nil && *b.price == llm.Price{} && !b.says }

// String says it for people.
func (b budget) String() string {
	switch {
	case b.free():
		return b.name + " costs nothing here"
	case b.unknown():
		return fmt.Sprintf("nobody knows what %s costs; it answers at most %d times to this command", b.name, b.answers)
	case b.usd > 0:
		return fmt.Sprintf("%s may cost up to %s in this project; --max-cost changes that", b.name, koda.Dollars(b.usd))
	}
	return b.name + " may cost what it will: max-cost is none"
}
