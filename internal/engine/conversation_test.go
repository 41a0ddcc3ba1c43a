package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/prompt"
	"github.com/koda-video/koda/internal/tool"
)

// journal is a journal that fails to read some things.
type journal struct {
	engine.Journal
	messages, versions error
}

func (j *journal) Messages(ctx context.Context, id string) ([]koda.Message, error) {
	if j.messages != nil {
		return nil, j.messages
	}
	return j.Journal.Messages(ctx, id)
}

func (j *journal) Versions(ctx context.Context, id string) ([]koda.Version, error) {
	if j.versions != nil {
		return nil, j.versions
	}
	return j.Journal.Versions(ctx, id)
}

func newJournalBench(t *testing.T) (*bench, *journal) {
	t.Helper()
	b, j := &bench{t: t, home: atomicfiletest.Dir(t), parent: atomicfiletest.Dir(t), author: &author{}, video: &renderer{}}, &journal{}
	b.tweak = func(cfg *engine.Config) {
		j.Journal = cfg.Journal
		cfg.Journal = j
	}
	b.open()
	return b, j
}

func (b *bench) talk(id string) engine.Conversation {
	b.t.Helper()
	c, err := b.engine.Conversation(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

// TestConversation_Told: every project keeps its own messages in order. The author
// gets them with the list of files and the change that last touched each file.
func TestConversation_Told(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ctx := t.Context()
	id := b.upToPlan()
	other := b.must(b.engine.New(ctx, b.request("falling leaf", false))).Project.ID
	b.must(b.engine.Accept(ctx, id, koda.Seen{}))
	b.must(b.engine.Edit(ctx, id, koda.Seen{}, "make it blue"))
	c := b.talk(id)
	var lines []string
	for _, m := range c.Messages {
		lines = append(lines, m.Role+": "+m.Content)
	}
	want := []string{
		"user: bouncing ball", "user: Playful", "assistant: Done with Set up Theatre.js project",
		"assistant: Done with Create Scene 1 (Intro) keyframes", "assistant: Done with Create Scene 2 (Outro) keyframes",
		"assistant: Done with Add finishing touches (shadows, light, background)", "user: make it blue", "assistant: Done with Change: make it blue",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(c.Messages, c.Told[1:]); diff != "" || c.Warning != "" {
		t.Errorf("told (-want +got), warning %q:\n%s", c.Warning, diff)
	}
	_, notes, _ := prompt.CutFiles(c.Told[0].Content)
	for path, want := range map[string]string{
		"src/todo2-0.ts": "since v1, bouncing ball", "src/todo6-1.ts": "since v2, make it blue", "koda.json": "since v1, bouncing ball",
	} {
		if !slices.Contains(notes, prompt.FileNote{Path: path, Description: want}) {
			t.Errorf("%s, %s, is not among %v", path, want, notes)
		}
	}
	// At work the author got the files of version 1 and the messages up to then.
	work := b.author.works[len(b.author.works)-1]
	if diff := cmp.Diff(c.Messages[:7], work.Messages); diff != "" {
		t.Errorf("the author was told (-want +got):\n%s", diff)
	}
	if files := fmt.Sprint(work.Files); !strings.Contains(files, "since v1, bouncing ball") || strings.Contains(files, "v2") {
		t.Errorf("the author was told of the files %s", files)
	}
	if got := b.talk(other).Messages; len(got) != 1 || got[0].Content != "falling leaf" {
		t.Errorf("the other project says %+v", got)
	}
	if _, err := b.engine.Conversation(ctx, "nobody"); koda.CodeOf(err) != koda.CodeNotFound {
		t.Errorf("no project: %v", err)
	}
}

// TestConversation_SameAgain: when a todo is done again, the author gets the same
// conversation as the first time, whatever was said since, so that its calls are
// the same.
func TestConversation_SameAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	failed := false
	b.author.work = func(ctx context.Context, task koda.Task, box tool.Desk) error {
		if err := tool.Say(ctx, box, "Working on "+task.Todo.Label); err != nil {
			return err
		}
		if task.Scene == 1 && !failed {
			failed = true
			return &koda.Error{Code: koda.CodeNetwork, Op: "the model does not answer"}
		}
		return nil
	}
	out, err := b.engine.New(t.Context(), b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeNetwork {
		t.Fatal(err)
	}
	b.open()
	b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
	if diff := cmp.Diff(b.author.works[1].Messages, b.author.works[2].Messages); diff != "" {
		t.Errorf("told first and again:\n%s", diff)
	}
	if n := len(b.author.works[2].Messages); n != 3 { // the prompt, the answer to the question, the word on the todo before
		t.Errorf("told %d messages: %+v", n, b.author.works[2].Messages)
	}
}

// TestConversation_Unreadable: if the history cannot be read, the author works
// without it, and a warning says so.
func TestConversation_Unreadable(t *testing.T) {
	t.Parallel()
	b, j := newJournalBench(t)
	ctx := t.Context()
	out := b.must(b.engine.New(ctx, b.request("bouncing ball", true)))
	id := out.Project.ID
	j.messages = errors.New("disk I/O error")
	out = b.must(b.engine.Edit(ctx, id, koda.Seen{}, "make it blue"))
	if out.State.Phase != koda.PhaseComplete {
		t.Fatalf("phase %s", out.State.Phase)
	}
	if told := b.author.works[len(b.author.works)-1].Messages; told != nil {
		t.Errorf("the author was told %v", told)
	}
	var warned []string
	for _, ev := range b.events() {
		if w, ok := ev.Payload.(koda.Warned); ok && ev.Type == koda.EventWarning && ev.Seq == 0 {
			warned = append(warned, w.Message)
		}
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "disk I/O error") {
		t.Errorf("warned of %q", warned)
	}
	if c := b.talk(id); c.Messages != nil || c.Told != nil || c.Warning != warned[0] {
		t.Errorf("conversation %+v", c)
	}
	j.messages, j.versions = nil, errors.New("disk I/O error")
	if c := b.talk(id); len(c.Messages) == 0 || len(c.Told) == 0 || strings.Contains(c.Told[0].Content, "files_summary") || !strings.Contains(c.Warning, "versions") {
		t.Errorf("conversation %+v", c)
	}
}
