package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/tool"
)

// askTexts are the texts that a model is told before a question about a project.
var askTexts = []string{"ask"}

// The bounds of an answer.
const (
	mostReads   = 16       // calls of the model
	mostAnswer  = 32 << 10 // bytes
	mostHistory = 60       // lines of versions, and of commits
)

// Answer lets the model read and answer a question. It writes nothing. FAILED: the model
// goes round in circles, or gives no answer. LIMIT_REACHED: it was asked too often.
func (a *Author) Answer(ctx context.Context, about koda.Dossier, desk tool.Desk) (string, error) {
	if err := tool.Think(ctx, desk, "Reading the project"); err != nil {
		return "", err
	}
	var tools []llm.Tool
	for _, t := range desk.Tools() {
		if t.Reads {
			tools = append(tools, llm.Tool{Name: t.Name, Description: t.Description, Input: t.Input})
		}
	}
	j := &job{talk: newTalk(desk, a.told(askTexts, desk.Texts), "", tools, mostReads), called: map[string]int{}}
	j.first = func(ctx context.Context, hard hardness) ([]llm.Part, error) {
		files, paths, err := aboutFiles(ctx, desk, hard)
		j.paths = paths
		return []llm.Part{{Text: aboutProject(about, hard)}, {Text: files}, {Text: "The question of the person:\n" + tagged("question", "", about.Text)}}, err
	}
	if err := j.begin(ctx); err != nil {
		return "", err
	}
	for {
		resp, err := j.ask(ctx)
		if err != nil {
			return "", asksAgain(err)
		}
		uses := resp.Uses()
		if text := strings.TrimSpace(resp.Text()); len(uses) == 0 && text != "" {
			return bounded(text, mostAnswer), nil
		}
		reply := said("You gave no answer. Answer the question in plain text.")
		if len(uses) > 0 {
			if reply, err = j.read(ctx, uses); err != nil {
				return "", asksAgain(err)
			}
		} else if err := j.repeated("", ""); err != nil {
			return "", asksAgain(err)
		}
		j.req.Messages = append(j.req.Messages, reply)
	}
}

// read makes the calls that read, and refuses all others, whatever the toolbox would do.
func (j *job) read(ctx context.Context, uses []llm.ToolUse) (llm.Message, error) {
	reply := llm.Message{Role: llm.User, Parts: make([]llm.Part, len(uses))}
	var reads []llm.ToolUse
	for i, u := range uses {
		if slices.ContainsFunc(j.req.Tools, func(t llm.Tool) bool { return t.Name == u.Name }) {
			reads = append(reads, u)
			continue
		}
		reply.Parts[i] = failure(u, "You can only read here. The tools are sandbox_list_files and sandbox_read_file.")
		if err := j.repeated(u.Name+string(u.Input), ""); err != nil {
			return reply, err
		}
	}
	results, err := j.call(ctx, reads)
	if err != nil {
		return reply, err
	}
	for i := range reply.Parts {
		if reply.Parts[i].Result == nil {
			reply.Parts[i].Result, results = results[0], results[1:]
		}
	}
	return reply, nil
}

// asksAgain says of a failure that nothing is left to go on with: a question is asked anew.
func asksAgain(err error) error {
	var e *koda.Error
	if !errors.As(err, &e) || !strings.Contains(koda.HintOf(err), "koda resume") {
		return err
	}
	hint, _, _ := strings.Cut(koda.HintOf(err), "; then ")
	if strings.Contains(hint, "koda resume") {
		hint = "ask it again; a stronger model needs fewer answers"
	}
	return &koda.Error{Code: koda.CodeOf(err), Err: err, Hint: hint, Details: koda.DetailsOf(err)}
}

// aboutProject tells what is known of a project beside its files.
func aboutProject(d koda.Dossier, hard hardness) string {
	var s strings.Builder
	s.WriteString("The project " + oneLine(d.Project.Name) + ", as it was asked for:\n" + aboutBrief(d.Brief) + "\n")
	fmt.Fprintf(&s, "- its author is %s; it is in phase %s\n", oneLine(d.Project.Author), d.Project.Phase)
	if d.Cost != (koda.Cost{}) {
		fmt.Fprintf(&s, "- its models cost %s so far: %d tokens read, %d written\n", koda.Dollars(d.Cost.USD), d.Cost.InputTokens, d.Cost.OutputTokens)
	}
	if d.Plan != nil {
		s.WriteString("\nIts plan:\n" + tagged("plan", "", aboutPlan(*d.Plan)) + "\n")
	}
	var versions []string
	for _, v := range d.Versions {
		line := fmt.Sprintf("v%d", v.Number)
		if v.Parent > 0 {
			line += fmt.Sprintf(" from v%d", v.Parent)
		}
		line += fmt.Sprintf(", %s, by %s %s: %s", v.CreatedAt.Format("2006-01-02 15:04"), v.Author, v.Model, oneLine(v.Prompt))
		if v.Number == d.Version {
			line += " (the current one)"
		}
		versions = append(versions, line)
	}
	var failed []string
	for _, t := range d.Turns {
		if t.Error != nil && t.Kind != "ask" {
			failed = append(failed, fmt.Sprintf("%s %q: %s: %s", t.Kind, oneLine(t.Input), t.Error.Code, oneLine(t.Error.Message)))
		}
	}
	for _, part := range []struct {
		about, tag string
		lines      []string
	}{
		{"Its versions", "versions", newest(versions)},
		{"What failed or was refused", "failures", newest(failed)},
		{"The commits that led to its files, the latest first", "commits", d.Commits[:min(len(d.Commits), mostHistory)]},
	} {
		if len(part.lines) > 0 {
			s.WriteString("\n" + part.about + ":\n" + tagged(part.tag, "", strings.Join(part.lines, "\n")) + "\n")
		}
	}
	if talked := aboutTalk(koda.Task{Messages: d.Messages, Files: d.Files}, hard); talked != "" {
		s.WriteString("\n" + talked + "\n")
	}
	return strings.TrimRight(s.String(), "\n")
}

// newest are the last lines.
func newest(lines []string) []string { return lines[max(0, len(lines)-mostHistory):] }
