package prompt_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/prompt"
)

// talk makes messages of the user, the assistant and the system from "u text", "a
// text" and "s text".
func talk(lines ...string) []koda.Message {
	var all []koda.Message
	for i, l := range lines {
		role := map[byte]string{'u': koda.RoleUser, 'a': koda.RoleAssistant, 's': koda.RoleSystem}[l[0]]
		all = append(all, koda.Message{ID: fmt.Sprint("m", i+1), Role: role, Content: l[2:], Timestamp: time.Unix(int64(i), 0).UTC()})
	}
	return all
}

func TestConversation(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("very ", 200) + "long"
	for _, tt := range []struct {
		name     string
		messages []koda.Message
		files    []prompt.FileNote
		want     string
	}{
		{"nothing", nil, nil, ""},
		{"one", talk("u ball"), nil, "user: ball\n"},
		{"ten in full", talk("u 1", "a 2", "u 3", "a 4", "u 5", "a 6", "u 7", "a 8", "u 9", "a 10"), nil,
			"user: 1\nassistant: 2\nuser: 3\nassistant: 4\nuser: 5\nassistant: 6\nuser: 7\nassistant: 8\nuser: 9\nassistant: 10\n"},
		{"eleven", talk("u ball", "a ok", "u 3", "a 4", "u 5", "a 6", "u 7", "a 8", "u 9", "a 10", "u 11"), nil,
			"system: Earlier in this conversation, in short (1 messages):\n- user: ball\n" +
				"assistant: ok\nuser: 3\nassistant: 4\nuser: 5\nassistant: 6\nuser: 7\nassistant: 8\nuser: 9\nassistant: 10\nuser: 11\n"},
		{"files", talk("u ball"), []prompt.FileNote{{Path: "src/a.ts", Description: "since v1"}},
			"system: The files of the project:\n<files_summary>\n- src/a.ts: since v1\n</files_summary>\nuser: ball\n"},
		{"the last wish is older", talk("u ball", "u blue", "a 1", "a 2", "a 3", "a 4", "a 5", "a 6", "a 7", "a 8", "a 9", "a 10", "a 11"), nil,
			"system: Earlier in this conversation, in short (2 messages):\n- user: ball\n- assistant: 1\n" +
				"user: blue\nassistant: 2\nassistant: 3\nassistant: 4\nassistant: 5\nassistant: 6\nassistant: 7\nassistant: 8\nassistant: 9\nassistant: 10\nassistant: 11\n"},
	} {
		if diff := cmp.Diff(tt.want, plainTalk(prompt.Conversation(tt.messages, tt.files))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	// Of twenty-one messages the older ones are in short, together with the
	// descriptions in their summaries.
	old := talk("u "+long, "a Setting up\n<files_summary>\n- src/a.ts: a first try\n</files_summary>", "a Scene one\nis there", "a "+long+"\n<files_summary>\n- src/a.ts: the ball\n- src/gone.ts: a try\n</files_summary>",
		"s the context was lost", "u make it blue")
	recent := talk("u 1", "a 2", "u 3", "a 4", "u 5", "a 6", "u 7", "a 8", "u 9", "a Done.\n<files_summary>\n- src/b.ts: the floor\n</files_summary>")
	got := prompt.Conversation(append(old, recent...), []prompt.FileNote{{Path: "src/a.ts", Description: "since v2"}, {Path: "src/b.ts", Description: ""}, {Path: "src/c.ts", Description: "since v1"}})
	want := `Earlier in this conversation, in short (6 messages):
- user: ` + strings.Repeat("very ", 79) + `very…
- assistant: ` + strings.Repeat("very ", 31) + `very…
- system: the context was lost
- user: make it blue

The files of the project:
<files_summary>
- src/a.ts: the ball (since v2)
- src/b.ts: the floor
- src/c.ts: since v1
</files_summary>`
	if diff := cmp.Diff(want, got[0].Content); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(recent, got[1:]); diff != "" {
		t.Errorf("the last ten messages are changed (-want +got): %s", diff)
	}
	// When the files are not known, the files of the older summaries are listed.
	if got := prompt.Conversation(append(old, recent...), nil)[0].Content; !strings.HasSuffix(got, "<files_summary>\n- src/a.ts: the ball\n- src/gone.ts: a try\n</files_summary>") {
		t.Errorf("without files: %s", got)
	}
}

func plainTalk(messages []koda.Message) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "%s: %s\n", m.Role, m.Content)
	}
	return b.String()
}

// The last ten messages and the person's last message come in full and in order, no
// message of the person is left out, and every file in some summary is listed.
func TestConversation_Keeps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		messages := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) koda.Message {
			m := koda.Message{
				Role:      rapid.SampledFrom([]string{koda.RoleUser, koda.RoleAssistant, koda.RoleAssistant, koda.RoleSystem}).Draw(t, "role"),
				Content:   awkward().Draw(t, "content"),
				Timestamp: time.Unix(rapid.Int64Range(0, 5).Draw(t, "time"), 0), // equal, and backward
			}
			if rapid.IntRange(0, 3).Draw(t, "summary") == 0 {
				m.Content += "\n" + prompt.FormatFiles(notes().Draw(t, "notes"))
			}
			return m
		}), 0, 30).Draw(t, "messages")
		for i := range messages {
			messages[i].ID = fmt.Sprint("m", i+1)
		}
		told := prompt.Conversation(messages, nil)
		full := told
		before := ""
		if len(told) > 0 && told[0].ID == "before" {
			full, before = told[1:], told[0].Content
		}
		first := max(0, len(messages)-prompt.Recent)
		want := messages[first:]
		last := -1
		for i, m := range messages {
			if m.Role == koda.RoleUser {
				last = i
			}
		}
		if last >= 0 && last < first {
			want = append([]koda.Message{messages[last]}, want...)
		}
		if len(want) > 0 || len(full) > 0 {
			if diff := cmp.Diff(want, full); diff != "" {
				t.Fatalf("told in full (-want +got): %s", diff)
			}
		}
		_, kept, _ := prompt.CutFiles(before)
		for i, m := range messages[:first] {
			text, said, _ := prompt.CutFiles(m.Content)
			if words := strings.Fields(text); m.Role == koda.RoleUser && i != last && len(words) > 0 && !strings.Contains(before, "- user: "+string([]rune(words[0]))) {
				t.Fatalf("%q was left out of %q", text, before)
			}
			for _, n := range said {
				if i != last && !hasPath(kept, n.Path) {
					t.Fatalf("%q is not among %v", n.Path, kept)
				}
			}
		}
	})
}

func hasPath(notes []prompt.FileNote, path string) bool {
	for _, n := range notes {
		if n.Path == path {
			return true
		}
	}
	return false
}
