package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// memoCall is a call of an author and, once it is made, its result.
type memoCall struct {
	name, input string
	output      string
	code        koda.Code
}

func (c memoCall) same(d memoCall) bool { return c.name == d.name && c.input == d.input }

// acts reports whether making the call emits an event.
func (c memoCall) acts() bool {
	return c.code == "" && c.name != tool.NameSandboxReadFile && c.name != tool.NameUpdateTodo
}

func drawCall(t *rapid.T) memoCall {
	path := rapid.SampledFrom([]string{"src/a.ts", "src/b.ts", "src/main.tsx"}).Draw(t, "path") // the last is the starter's
	switch rapid.IntRange(0, 7).Draw(t, "tool") {
	case 0, 1:
		return memoCall{name: tool.NameSandboxWriteFile, input: fmt.Sprintf(`{"path":%q,"content":%q}`, path, rapid.SampledFrom([]string{"x", "xy"}).Draw(t, "content"))}
	case 2, 3:
		return memoCall{name: tool.NameEditFile, input: fmt.Sprintf(`{"path":%q,"old_string":"x","new_string":"ax"}`, path)}
	case 6:
		return memoCall{name: tool.NameEditFile, input: `{"path":"src/old.ts","old_string":"x","new_string":"ax"}`}
	case 4:
		return memoCall{name: tool.NameSandboxDeleteFile, input: fmt.Sprintf(`{"path":%q}`, path)}
	case 5:
		return memoCall{name: tool.NameSandboxReadFile, input: fmt.Sprintf(`{"path":%q}`, path)}
	}
	return memoCall{name: tool.NameAddMessage, input: fmt.Sprintf(`{"content":%q}`, rapid.SampledFrom([]string{"hi", "ho"}).Draw(t, "message"))}
}

// act applies to files what the call should do to them.
func act(files map[string]string, c memoCall) {
	var in struct{ Path, Content string }
	if err := json.Unmarshal([]byte(c.input), &in); err != nil {
		panic(err)
	}
	text, there := files[in.Path]
	switch {
	case in.Path == "src/main.tsx":
	case c.name == tool.NameSandboxWriteFile:
		files[in.Path] = in.Content
	case c.name == tool.NameEditFile && there && strings.Count(text, "x") == 1:
		files[in.Path] = strings.Replace(text, "x", "ax", 1)
	case c.name == tool.NameSandboxDeleteFile:
		delete(files, in.Path)
	}
}

// TestMemo: an author runs a todo again and again, killed or interrupted after any
// calls, in its sandbox or in a new sandbox. Up to the first call that differs from
// the last run, every call gets its old answer and is not made again. From there on
// all calls are made. At any time the files are as if every call had been made
// once.
func TestMemo(t *testing.T) {
	t.Parallel()
	b, _ := newSandboxBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	b.author.work = func(_ context.Context, task koda.Task, box tool.Desk) error {
		if task.Kind == koda.TaskSetup {
			return tool.WriteFile(ctx, box, "src/old.ts", "x")
		}
		cancel()
		return ctx.Err()
	}
	out, err := b.engine.New(ctx, b.request("bouncing ball", true))
	if koda.CodeOf(err) != koda.CodeInterrupted {
		t.Fatal(err)
	}
	id, cases, old := out.Project.ID, 0, "x"
	rapid.Check(t, func(rt *rapid.T) {
		cases++
		// The first call of a case is unlike any call of the case before, so that
		// the journal of that case is not used.
		journal := []memoCall{}
		script := []memoCall{
			{name: tool.NameSandboxWriteFile, input: fmt.Sprintf(`{"path":"src/case.ts","content":"%d"}`, cases)},
			{name: tool.NameSandboxWriteFile, input: `{"path":"src/a.ts","content":"x"}`},
			{name: tool.NameSandboxWriteFile, input: `{"path":"src/b.ts","content":"bx"}`},
			{name: tool.NameEditFile, input: `{"path":"src/old.ts","old_string":"x","new_string":"ax"}`},
		}
		files := map[string]string{"src/old.ts": old}
		for run := range rapid.IntRange(2, 4).Draw(rt, "runs") {
			if run > 0 {
				keep := rapid.IntRange(1, len(journal)).Draw(rt, "same")
				script = append(journal[:keep:keep], rapid.SliceOfN(rapid.Custom(drawCall), 0, 4).Draw(rt, "calls")...)
				if rapid.IntRange(0, 2).Draw(rt, "lost") == 0 {
					b.lose()
				}
			}
			same := 0
			for same < len(script) && same < len(journal) && script[same].same(journal[same]) {
				same++
			}
			events := len(b.events())
			atOnce := rapid.IntRange(1, 3).Draw(rt, "at once")
			saved, got, err := b.engine.Work(t.Context(), id, rapid.Bool().Draw(rt, "park"), func(box tool.Toolbox) {
				for i := 0; i < len(script); {
					var calls []tool.Call
					for _, c := range script[i:min(len(script), i+atOnce)] {
						calls = append(calls, tool.Call{Name: c.name, Input: json.RawMessage(c.input)})
					}
					for _, r := range box.Calls(t.Context(), calls) {
						c := script[i]
						c.output, c.code = string(r.Output), koda.CodeOf(r.Err)
						if i < same && c != journal[i] {
							rt.Fatalf("run %d: call %d was answered %+v, before %+v", run, i, c, journal[i])
						}
						script[i] = c
						i++
					}
				}
			})
			if err != nil {
				rt.Fatal(err)
			}
			if saved.Calls != same {
				rt.Fatalf("run %d: %d calls answered from the journal, want %d of %v after %v", run, saved.Calls, same, script, journal)
			}
			made, seen := 0, 0
			for _, c := range script[same:] {
				if c.acts() {
					made++
				}
				if c.name != tool.NameAddMessage {
					act(files, c)
				}
			}
			for _, ev := range b.events()[events:] {
				if m, ok := ev.Payload.(koda.MessageAdded); ev.Type == koda.EventFileWritten || ok && m.Role == koda.RoleAssistant {
					seen++
				}
			}
			if made != seen {
				rt.Fatalf("run %d: %d events of %d calls made: %v", run, seen, made, script[same:])
			}
			if same == len(script) && same < len(journal) {
				script = journal // this run did not come as far as the run before
			}
			journal = script
			have := maps.Collect(func(yield func(string, string) bool) {
				for _, path := range []string{"src/a.ts", "src/b.ts", "src/old.ts"} {
					if data, ok := got[path]; ok && !yield(path, string(data)) {
						return
					}
				}
			})
			old = have["src/old.ts"]
			want := maps.Clone(files)
			delete(want, "src/case.ts")
			if diff := cmp.Diff(want, have); diff != "" {
				rt.Fatalf("run %d: files (-want +got):\n%s\nafter %v", run, diff, journal)
			}
		}
	})
}
