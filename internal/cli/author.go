package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// authorSet is the author that the command line or the settings choose; "" if neither
// does. A key alone chooses nobody.
func (a *app) authorSet(cfg config.Config) (string, error) {
	switch {
	case a.model+a.planner+a.baseURL != "":
		return engine.AuthorModel, nil
	case cfg.Author != "":
		return cfg.Author, a.offered(cfg, "author")
	case cfg.Model != "":
		return engine.AuthorModel, nil
	}
	return "", nil
}

// settleAuthor asks once who thinks videos up, if a key is there and nothing else says it.
// The answer becomes the setting author.
func (a *app) settleAuthor(ctx context.Context, o *NewOptions) error {
	if o.Author+o.Recipe != "" || o.Yes || !a.canAsk() {
		return nil
	}
	sources, cfg, err := a.settings()
	if err != nil {
		return err
	}
	if set, err := a.authorSet(cfg); set != "" || err != nil {
		return err
	}
	m, keyFrom, err := a.deps.Choose()
	if err != nil || keyFrom == "" {
		return err
	}
	a.say("", fmt.Sprintf("%s is set. Who shall think videos up: the model %s, which costs what its service asks for, or koda's recipes, free and offline? "+
		"koda keeps the answer; koda config set author changes it.", keyFrom, m.Model))
	for {
		l, err := a.io.Ask(ctx, "model or recipe? ")
		if errors.Is(err, io.EOF) {
			return nil // recipes, and the question comes again
		}
		if err != nil {
			return err
		}
		said := strings.ToLower(strings.TrimSpace(l))
		for _, author := range []string{engine.AuthorModel, engine.AuthorRecipe} {
			if said != "" && strings.HasPrefix(author, strings.TrimSuffix(said, "s")) {
				_, err := sources.Set("author", author)
				return err
			}
		}
	}
}

// chooseAuthor fills in who makes a project, and the models that a model author asks.
func (a *app) chooseAuthor(b *koda.Brief, cfg config.Config) (err error) {
	if b.Author == "" && b.Recipe == "" {
		if b.Author, err = a.authorSet(cfg); err != nil {
			return err
		}
	}
	b.Author = cmp.Or(b.Author, engine.AuthorRecipe)
	if b.Author != engine.AuthorModel {
		return nil
	}
	b.Models, _, err = a.deps.Choose()
	if err == nil && b.Models.Model == "" {
		err = usage("give --model PROVIDER/NAME, or set KODA_MODEL; `koda models` lists them", "no model is chosen")
	}
	return err
}

// tellAuthor says in one line who makes a video that both could make, and how to choose the
// other; or that there is no model. It says nothing to somebody who just chose. Exact is
// the recipe that draws all of the brief.
func (a *app) tellAuthor(ctx context.Context, b koda.Brief, exact string, o *NewOptions) {
	if o.Author+o.Recipe+a.model != "" || a.json || a.quiet || a.painted {
		return
	}
	m, keyFrom, err := a.deps.Choose()
	switch {
	case err != nil: // of a model that is not asked
	case b.Author == engine.AuthorModel:
		b.Author, b.Models = engine.AuthorRecipe, koda.Models{}
		if w, err := a.deps.CheckBrief(ctx, b); err == nil && w.Recipe != "" {
			a.say("", fmt.Sprintf("%s makes this. The recipe %s draws it, too, free and offline: --recipe %s.", m.Model, w.Recipe, w.Recipe))
		}
	case m.Model == "":
		a.say("", "No model is set up, so koda's recipes draw this, offline; koda models says more.")
	case exact != "":
		why := ""
		if keyFrom != "" {
			why = ", as " + keyFrom + " is set"
		}
		a.say("", fmt.Sprintf("The recipe %s draws this. The model %s could make it, too%s: --author model.", exact, m.Model, why))
	}
}

// newFrom makes a project that begins with the present version of another one, and lets a
// model go on with it.
func newFrom(ctx context.Context, a *app, o *NewOptions) error {
	if o.Recipe+o.Style+o.Data+o.Batch+o.Finals.Output != "" || o.PlanOnly || o.timed || len(o.Set)+len(o.Assets)+len(o.Finals.Presets) > 0 {
		return usage("say in the prompt what should change", "--from begins with a video as it is: of the other flags it takes --author, --sandbox, --name, --dir, --yes, --timeout and those of the model")
	}
	r := engine.NewRequest{Sandbox: o.Sandbox}
	b := koda.Brief{Author: o.Author}
	if err := a.fillFromSettings(&r, &b, o.Dir); err != nil {
		return err
	}
	if b.Author != engine.AuthorModel {
		return usage("add --author model, or --model PROVIDER/NAME", "--from is for a model; koda fork makes a copy that a recipe goes on with")
	}
	if o.named {
		if err := a.deps.CheckName(o.Name); err != nil {
			return err
		}
	}
	text := ""
	if o.Prompt != "" {
		var err error
		if text, err = readPrompt(ctx, a.io, o.Prompt, false); err != nil {
			return err
		}
	}
	return a.converse(ctx, talk{timeout: o.Timeout}, func(ctx context.Context, e Engine) (engine.Outcome, error) {
		p, err := e.Find(ctx, o.From)
		if err != nil {
			return engine.Outcome{}, err
		}
		v, err := e.Show(ctx, p.ID)
		if err != nil {
			return engine.Outcome{Project: p}, err
		}
		if v.Version == 0 {
			return engine.Outcome{Project: p}, usage("koda resume "+p.Name+" goes on with it", "%s has no version yet, and a model goes on with a video", p.Name)
		}
		req := engine.ForkRequest{Version: v.Version, Name: cmp.Or(o.Name, p.Name+"-model"), Author: b.Author, Models: b.Models, Sandbox: r.Sandbox}
		if o.Dir != "" {
			req.Dir = r.Dir
		}
		out, err := e.Fork(ctx, p.ID, req)
		if err == nil && !a.json {
			a.say("", fmt.Sprintf("%s begins with v%d of %s, and %s goes on with it", out.Project.Name, v.Version, p.Name, b.Models))
		}
		if err == nil && text != "" {
			out, err = e.Edit(ctx, out.Project.ID, koda.Seen{}, text)
		}
		if err == nil && o.Yes {
			out, err = e.Resume(ctx, out.Project.ID, true)
		}
		return out, err
	})
}
