package main

import (
	"context"
	"slices"

	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/form"
	llmservice "github.com/koda-video/koda/internal/llm/service"
	"github.com/koda-video/koda/templates"
)

// inForm lets a model that takes no tools write its calls as text. Services that have a model
// of their own for koda take tools; others are asked whether the model does.
func inForm(p provider, s service, c llmservice.Config) llm.Model {
	return form.New(s, templates.Form(), func(ctx context.Context) *bool {
		if yes := true; p.model != "" && c.Listed {
			return &yes
		}
		ctx, cancel := context.WithTimeout(ctx, listTime)
		defer cancel()
		all, _ := s.Models(ctx) //nolint:errcheck // the answer that is asked for next says what is wrong
		if i := slices.IndexFunc(all, func(i llm.Info) bool { return i.ID == c.Model }); i >= 0 {
			return all[i].Tools
		}
		return nil
	})
}
