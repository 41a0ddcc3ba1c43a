package store_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/store/storetest"
)

// jsonValue draws any JSON value, with parts that repeat.
func jsonValue() *rapid.Generator[any] {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"@1", `"@12"`, "a,b]}", `\`, "é\u2028<&>", strings.Repeat(`"@3",`, 40), strings.Repeat("long ", 60)}))
	leaf := rapid.OneOf(rapid.Just(any(nil)), rapid.Map(text, func(s string) any { return s }), rapid.Map(rapid.Int(), func(n int) any { return n }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }))
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(leaf, 0, 100), func(s []any) any { return s }),
		rapid.Map(rapid.MapOfN(text, rapid.OneOf(leaf, rapid.Map(rapid.SliceOf(leaf), func(s []any) any { return s })), 0, 30), func(m map[string]any) any { return m }))
}

// TestContents_Whole: all JSON is read back byte for byte, in whatever order it was
// written, and so is the state after it.
func TestContents_Whole(t *testing.T) {
	t.Parallel()
	db, ctx := openAt(t, filepath.Join(atomicfiletest.Dir(t), "koda.db")), t.Context()
	cases := 0
	rapid.Check(t, func(t *rapid.T) {
		cases++
		p := project(fmt.Sprint("p", cases), "ball")
		turn := "t" + p.ID
		if err := db.Create(ctx, first(p)); err != nil {
			t.Fatal(err)
		}
		var blocks []koda.Block
		grows := []any{}
		for n := range rapid.IntRange(1, 5).Draw(t, "steps") {
			grows = append(grows, rapid.SliceOfN(jsonValue(), 0, 12).Draw(t, "more")...)
			content, err := json.Marshal(map[string]any{"one": jsonValue().Draw(t, "one"), "all": grows})
			if err != nil {
				t.Fatal(err)
			}
			blocks = append(blocks, koda.Block{ID: fmt.Sprint(turn, n), TurnID: turn, Number: n + 1, Type: koda.BlockTool, Content: json.RawMessage(content), CreatedAt: t0})
			if _, err := db.Commit(ctx, koda.Commit{Project: p, Prev: 1, At: t0, State: content, Blocks: blocks[n:]}); err != nil {
				t.Fatal(err)
			}
			if _, state, err := db.Load(ctx, p.ID); err != nil || !bytes.Equal(state, content) {
				t.Fatalf("state %s was read as %s, %v", content, state, err)
			}
		}
		got, err := db.Blocks(ctx, turn)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(blocks, got); diff != "" {
			t.Fatalf("(-written +read):\n%s", diff)
		}
	})
	if err := db.IntegrityCheck(ctx); err != nil {
		t.Error(err)
	}
}

// noise is a text of n bytes that hardly compresses.
func noise(r *rand.Rand, n int) string {
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, "%016x", r.Uint64())
	}
	return b.String()[:n]
}

// said is step n of a project, in which somebody says a text. Its state holds all
// texts so far.
func said(p koda.Project, all []koda.Message) koda.Commit {
	n := len(all)
	m := all[n-1]
	node := koda.NodeState{ProjectID: p.ID, Phase: koda.PhaseExecuting, CreatedAt: t0, UpdatedAt: m.Timestamp, Execution: &koda.Execution{Messages: all}}
	state, err := json.Marshal(map[string]any{"node": node, "messages": all})
	if err != nil {
		panic(err)
	}
	turn := fmt.Sprintf("%s-t%d", p.ID, n)
	input, err := json.Marshal(map[string]string{"path": "src/App.tsx", "content": m.Content})
	if err != nil {
		panic(err)
	}
	return koda.Commit{
		Project: p, Prev: p.Seq, At: m.Timestamp, State: state, Cause: json.RawMessage(fmt.Sprintf(`{"name":"Said","body":{"text":%q}}`, m.Content)),
		Events: []koda.Event{
			{Type: koda.EventMessage, Payload: koda.MessageAdded{Role: m.Role, Content: m.Content}},
			{Type: koda.EventStateChange, Payload: koda.StateChange{Phase: node.Phase, State: node}},
		},
		Turn:     &koda.Turn{ID: turn, Number: n, Input: m.Content, Status: "completed"},
		Version:  &koda.Version{Number: n, Prompt: m.Content},
		Messages: all[n-1:],
		Blocks: []koda.Block{
			{ID: turn + "-b1", TurnID: turn, Number: 1, Type: koda.BlockMessage, Content: m},
			{ID: turn + "-b2", TurnID: turn, Number: 2, Type: koda.BlockTool, Content: map[string]any{"name": "sandbox_write_file", "input": json.RawMessage(input)}},
		},
		Call: &koda.CallRecord{Key: koda.CallKey{ProjectID: p.ID, TurnID: turn}, Name: "sandbox_write_file", Input: input},
	}
}

// TestContents_Once: a message or file that many records refer to is stored once,
// and the database grows only by new content, however large it is.
func TestContents_Once(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "koda.db")
	db, r := openAt(t, path), rand.New(rand.NewPCG(1, 2))
	var all []koda.Message
	p := create(t, db, project("p1", "ball"))
	sizes := map[int]int{}
	for n := 1; n <= 450; n++ {
		all = append(all, koda.Message{ID: fmt.Sprint("m", n), Role: koda.RoleUser, Content: noise(r, 150), Timestamp: t0})
		if _, err := db.Commit(t.Context(), said(p, all)); err != nil {
			t.Fatal(err)
		}
		p.Seq += 2
		if n%50 != 0 {
			continue
		}
		events, err := db.Events(t.Context(), "p1", p.Seq-1)
		if err != nil || len(events) != 1 || !cmp.Equal(events[0].Payload.(koda.StateChange).State.Execution.Messages, all) {
			t.Fatalf("the last event holds %.500v, %v", events, err)
		}
		if sizes[n], err = db.Int(t.Context(), `PRAGMA page_count`); err != nil {
			t.Fatal(err)
		}
	}
	if early, late := sizes[150]-sizes[50], sizes[450]-sizes[350]; float64(late) > 1.15*float64(early) {
		t.Errorf("100 steps took %d pages at first, and %d later", early, late)
	}
	columns, err := db.Texts(t.Context(), `SELECT 'SELECT ' || c.name || ' FROM ' || m.name || ' WHERE ' || c.name || ' IS NOT NULL'
		FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, column := range columns {
		rows, err := db.Texts(t.Context(), column)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, rows...)
	}
	everything := strings.Join(texts, "\n")
	for _, m := range all {
		if count := strings.Count(everything, m.Content); count != 1 {
			t.Fatalf("a message stands %d times in the database", count)
		}
	}
	// A dump from outside shows whole messages as well.
	if dump := storetest.Dump(t, path); !strings.Contains(strings.Join(dump["turns"], "\n"), all[77].Content) || !strings.Contains(strings.Join(dump["projects"], "\n"), all[77].Content) {
		t.Error("a dump lacks a message")
	}
}

// TestContents_Damaged: a reference to nothing, or to itself, is reported as damage
// and crashes nothing.
func TestContents_Damaged(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]string{
		"missing": `DELETE FROM contents`, "a circle": `UPDATE contents SET body = '@' || id`, "ahead": `UPDATE contents SET body = '[@' || (id + 1) || ']'`,
		"no number": `UPDATE contents SET body = '@x'`, "no data": `UPDATE contents SET body = x'ffff'`, "a number": `UPDATE contents SET body = 7`,
		"too large": `UPDATE contents SET body = '@99999999999999999999999'`,
	} {
		db, ctx := open(t), t.Context()
		p := create(t, db, project("p1", "ball"))
		all := []koda.Message{{ID: "m1", Role: koda.RoleUser, Content: noise(rand.New(rand.NewPCG(1, 2)), 500), Timestamp: t0}}
		if _, err := db.Commit(ctx, said(p, all)); err != nil {
			t.Fatal(err)
		}
		if err := db.Exec(ctx, damage); err != nil {
			t.Fatal(err)
		}
		_, err := db.Events(ctx, "p1", 0)
		if koda.CodeOf(err) != koda.CodeStorageFailed {
			t.Errorf("%s: %v", name, err)
		}
	}
}
