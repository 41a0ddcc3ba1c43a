package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/prompt"
	"github.com/koda-video/koda/internal/tool"
)

// Bounds of what a request is told, in bytes.
const (
	mostData   = 16 << 10 // of the data that a person brought
	mostFile   = 24 << 10 // of one file of data, and in need of one file of code
	mostResult = 24 << 10 // of the result of a tool
)

// tagged puts material between tags. No text can close its tag, with whatever blanks.
// Other tags stay as they are: code has elements and components of such names.
func tagged(tag, about, text string) string {
	closing := regexp.MustCompile(`<[\s\x{200b}]*[/\\][\s\x{200b}]*(` + tag + "|" + strings.ToUpper(tag) + `)\b`)
	return fmt.Sprintf("<%s%s>\n%s\n</%s>", tag, about, closing.ReplaceAllString(text, "‹/$1"), tag)
}

// bounded is the beginning and the end of a text that is too long.
func bounded(text string, most int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= most {
		return text
	}
	head, tail := text[:most*3/4], text[len(text)-most/4:]
	return strings.ToValidUTF8(head, "") + fmt.Sprintf("\n[… %d bytes left out …]\n", len(text)-most) + strings.ToValidUTF8(tail, "")
}

// aboutBrief tells what the person wants.
func aboutBrief(b koda.Brief) string {
	var s strings.Builder
	s.WriteString(tagged("wish", "", b.Prompt) + "\n\nThe video:\n")
	fmt.Fprintf(&s, "- %d × %d CSS pixels, %s frames a second\n", b.Width, b.Height, b.FPS)
	if b.Duration > 0 {
		fmt.Fprintf(&s, "- %g seconds, as the person wants\n", b.Duration)
	}
	if b.Style != "" {
		fmt.Fprintf(&s, "- style: %s, as the person wants\n", b.Style)
	}
	if b.Preset != "" {
		fmt.Fprintf(&s, "- for %s\n", b.Preset)
	}
	var brought []string
	for _, a := range b.Assets {
		brought = append(brought, fmt.Sprintf("%s %q; the page shows it as %q", a.Kind, a.Path, strings.TrimPrefix(a.Path, "public")))
	}
	if brought != nil {
		s.WriteString("- the person brought:\n" + tagged("files", "", strings.Join(brought, "\n")) + "\n")
	}
	if b.Data != "" {
		s.WriteString("\n" + tagged("data", "", bounded(b.Data, mostData)) + "\n")
	}
	return strings.TrimRight(s.String(), "\n")
}

// aboutAnswer tells what the person answered.
func aboutAnswer(b koda.Brief, ans koda.Answer) string {
	if ans == (koda.Answer{}) {
		return ""
	}
	asked := "Asked by you"
	if ans.Asked != "" {
		asked = fmt.Sprintf("You asked: %q", ans.Asked)
	}
	return "\n\n" + asked + ", the person answered: " + sentence(cmp.Or(strings.TrimSpace(ans.Text), ans.Meaning, ans.OptionID))
}

// aboutRevision tells what was planned before, and what the person said of it.
func aboutRevision(rev *koda.Revision) string {
	if rev == nil {
		return ""
	}
	var s strings.Builder
	if rev.Question != nil {
		fmt.Fprintf(&s, "\n\nYou asked before: %s", rev.Question.Text)
	}
	if rev.Plan != nil {
		s.WriteString("\n\nYour plan before:\n" + tagged("plan", "", aboutPlan(*rev.Plan)))
	}
	if rev.Before != nil {
		s.WriteString("\n\nThe plan before that one:\n" + tagged("plan", "", aboutPlan(*rev.Before)))
	}
	if rev.Feedback != "" {
		s.WriteString("\n\nThe person says of the plan:\n" + tagged("wish", "", rev.Feedback) + "\nKeep what they do not speak of.")
	} else if rev.Plan != nil {
		s.WriteString("\n\nThe person rejected that plan and did not say why.")
	}
	return s.String()
}

// aboutPlan tells a plan, with the times of its scenes in the whole video.
func aboutPlan(p koda.Plan) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%g seconds, style: %s\n", p.TotalDuration, p.Style)
	at := 0.0
	for _, scene := range p.Scenes {
		fmt.Fprintf(&s, "Scene %d, %s (%.4g–%.4g s): %s %s\n", scene.Number, scene.Title, at, at+scene.Duration, scene.Description, scene.AnimationNotes)
		at += scene.Duration
	}
	for i, t := range p.Todos {
		fmt.Fprintf(&s, "Todo %d: %s\n", i+1, t.Label)
	}
	for _, n := range p.Notes {
		s.WriteString("Note: " + n + "\n")
	}
	if d := designOf(p); d.Intent != "" {
		fmt.Fprintf(&s, "Design: %s\nPalette: %s\nTypography: %s\nLayout: %s\n", d.Intent, strings.Join(d.Palette, ", "), d.Typography, d.Layout)
		for _, f := range d.Files {
			fmt.Fprintf(&s, "File %s: %s\n", f.Path, f.About)
		}
	}
	return strings.TrimRight(s.String(), "\n")
}

// designOf is the build plan of a plan; empty if it has none.
func designOf(p koda.Plan) (d design) {
	if json.Unmarshal([]byte(p.Data[designKey]), &d) != nil {
		return design{}
	}
	return d
}

// aboutTask tells the todo that is to be done.
func aboutTask(t koda.Task, hard hardness) string {
	var s strings.Builder
	if said := aboutTalk(t, hard); said != "" {
		s.WriteString(said + "\n\n")
	}
	if len(t.HandEdited) > 0 {
		s.WriteString("The person edited some files by hand. Build on that:\n" + tagged("files", "", strings.Join(t.HandEdited, "\n")) + "\n\n")
	}
	switch t.Kind {
	case koda.TaskSetup:
		s.WriteString("Your todo: the set-up. Write the palette and fonts, src/theatre/project.ts, and an App.tsx with the ground of the video and a simple first form of every scene, so that the page builds. koda.json is done.")
	case koda.TaskScene:
		fmt.Fprintf(&s, "Your todo: %s. Animate scene %d of the plan as it is told there.", t.Todo.Label, t.Scene)
	case koda.TaskTodo:
		fmt.Fprintf(&s, "Your todo: %s.", t.Todo.Label)
		if t.Message != "" {
			s.WriteString("\n" + t.Message)
		}
	case koda.TaskFinish:
		s.WriteString("Your todo: the finishing touches. Look at the whole video by check, mend what a designer would mend (shadows, light, ground, transitions, timing), and nothing else.")
	case koda.TaskChange, koda.TaskUpdate:
		s.WriteString("Your todo: a change that the person asks for:\n" + tagged("wish", "", t.Message))
	}
	return s.String()
}

// aboutLook tells what the page shows in words, which a model that sees no pictures needs,
// and what seems wrong.
func aboutLook(seen tool.LookOutput) string {
	var s strings.Builder
	for _, f := range seen.Frames {
		fmt.Fprintf(&s, "%.2f s", f.At)
		if f.Scene != "" {
			s.WriteString(", " + f.Scene)
		}
		s.WriteString(": colours " + strings.Join(f.Colours, " "))
		if f.At != seen.Frames[0].At {
			fmt.Fprintf(&s, "; %.0f %% of the pixels changed", 100*f.Changed)
		}
		if len(f.Texts) == 0 {
			s.WriteString("; no text")
		}
		for _, t := range f.Texts {
			fmt.Fprintf(&s, "; %q at x %d–%d %%, y %d–%d %%", t.Text, t.Left, t.Right, t.Top, t.Bottom)
		}
		if f.More > 0 {
			fmt.Fprintf(&s, "; and %d more texts", f.More)
		}
		s.WriteString("\n")
	}
	if len(seen.Problems) > 0 {
		s.WriteString("What seems wrong:\n")
	}
	for _, p := range seen.Problems {
		s.WriteString("- ")
		if p.Serious {
			s.WriteString("SERIOUS: ")
		}
		if p.At > 0 {
			fmt.Fprintf(&s, "%.2f s: ", p.At)
		}
		fmt.Fprintf(&s, "%s: %s\n", p.Kind, p.About)
	}
	return strings.TrimRight(s.String(), "\n")
}

// aboutTalk tells what was said before: the last ten messages, and what came before in
// short. A finished todo is in it with what the author said at its end.
func aboutTalk(t koda.Task, hard hardness) string {
	told := prompt.Conversation
	if hard >= talkless {
		told = prompt.Shorter
	}
	var lines []string
	for _, m := range told(t.Messages, t.Files) {
		lines = append(lines, m.Role+": "+m.Content)
	}
	if lines == nil {
		return ""
	}
	return "What was said so far:\n" + tagged("messages", "", strings.Join(lines, "\n"))
}

// apart are files that are not told: the starter's, which are described in the contract, the
// kit, and of a recipe what no page reads.
var apart = regexp.MustCompile(`^src/(koda/|stage/|classic/|recipe/(score\.ts|recipe\.json)$)`)

// shown reports whether the text of a file is worth telling.
func shown(name string) bool {
	if apart.MatchString(name) || slices.Contains([]string{"src/main.tsx", "src/utils/easing.ts", "vite.config.ts", "tsconfig.json", "package.json", "index.html"}, name) {
		return false
	}
	return slices.Contains([]string{".ts", ".tsx", ".js", ".jsx", ".css", ".json", ".glsl"}, path.Ext(name))
}
