package cli

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// estimateResult is the result of `koda new --estimate`.
type estimateResult struct {
	head
	Estimate *koda.Estimate `json:"estimate,omitempty"`
}

// estimate says what a project is expected to cost. Nothing is made.
func (a *app) estimate(ctx context.Context, r engine.NewRequest) error {
	e, err := a.deps.Estimate(ctx, r.Brief, r.Sandbox, a.tellBuild())
	if err != nil {
		return err
	}
	a.result = &estimateResult{Estimate: &e}
	if a.json {
		return nil
	}
	_, err = fmt.Fprintln(a.io.Out, widget.Facts(a.look().out, estimateFacts(e), a.io.Columns()))
	return err
}

func estimateFacts(e koda.Estimate) []widget.Fact {
	facts := []widget.Fact{{Name: "model", Value: "nothing: a recipe makes it"}}
	if m := e.Model; m != nil {
		facts[0].Value = fmt.Sprintf("%s: %s", widget.Line(m.Name), upTo(m.Low.Price(), m.High.Price()))
		facts = append(facts,
			widget.Fact{Value: fmt.Sprintf("%d answers, %s, if all goes well", m.Answers[0], m.Low.Tokens())},
			widget.Fact{Value: fmt.Sprintf("%d answers, %s, if much is to mend", m.Answers[1], m.High.Tokens())})
		if m.Prices != "" {
			facts = append(facts, widget.Fact{Value: "by the prices of " + m.Prices})
		}
		if m.Limit > 0 && m.High.USD > m.Limit {
			facts = append(facts, widget.Fact{Value: "koda stops at " + koda.Dollars(m.Limit) + "; --max-cost changes that"})
		}
	}
	took := func(s [2]float64) string {
		round := func(v float64) string {
			return (time.Duration(math.Max(1, math.Round(v))) * time.Second).String()
		}
		return upTo(round(s[0]), round(s[1]))
	}
	v := e.Render
	return append(facts,
		widget.Fact{Name: "preview", Value: took(v.Preview)},
		widget.Fact{Name: "video", Value: fmt.Sprintf("%s, for %s of %dx%d at %s fps", took(v.Final), count(v.Frames, "frame"), v.Width, v.Height, v.FPS)},
		widget.Fact{Value: fmt.Sprintf("a simple page takes %.1f ms a frame here, in one browser", v.Probe)})
}

// upTo is a range for people.
func upTo(low, high string) string {
	if low == high {
		return low
	}
	return low + " to " + high
}
