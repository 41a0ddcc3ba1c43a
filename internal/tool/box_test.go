package tool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

const manifest = `{"schema":1,"name":"b","width":640,"height":360,"fps":30,"duration":2}`

// Every tool: the input, the calls to the parts below, the output.
func TestBox_route(t *testing.T) {
	t.Parallel()
	f := newFake()
	box := tool.NewBox(everything(f))
	fed := strings.Repeat("é", 4<<10) + `\n[… 8192 bytes left out …]\n` + strings.Repeat("é", 12<<10)
	fedNote := "output above 32 KiB was cut in the middle; write it to a file to read all of it. n"
	covered := map[string]bool{}
	for _, c := range []struct{ name, input, asked, out string }{
		{"sandbox_create", `{"reuse_existing":true}`, "create, reuse true", `{"sandbox_id":"local-1","status":"created"}`},
		{"sandbox_destroy", `{"sandbox_id":"a","save_state":true}`, "destroy a, save true", `{"success":true}`},
		{"sandbox_write_file", `{"path":"./src//App.tsx","content":"<b>a</b>"}`, "write src/App.tsx", `{"success":true,"path":"src/App.tsx","size_bytes":8}`},
		{"sandbox_write_file", `{"path":"public/a.bin","content":"AAEC\n","encoding":"base64"}`, "write public/a.bin", `{"success":true,"path":"public/a.bin","size_bytes":3}`},
		{"sandbox_write_file", `{"path":"koda.json","content":` + fmt.Sprintf("%q", manifest) + `}`, "write koda.json", `{"success":true,"path":"koda.json","size_bytes":70}`},
		{"sandbox_read_file", `{"path":"src/App.tsx"}`, "read src/App.tsx", `{"content":"<b>a</b>","encoding":"utf8","size_bytes":8}`},
		{"sandbox_read_file", `{"path":"src/App.tsx","offset":7}`, "read src/App.tsx", `{"content":">","encoding":"utf8","size_bytes":8}`},
		{"edit_file", `{"path":"src/App.tsx","old_string":"a","new_string":"cc"}`, "write src/App.tsx", `{"success":true,"path":"src/App.tsx","size_bytes":9,"line":1,"matched":"exact"}`},
		{"sandbox_list_files", `{}`, "list . false", `{"files":[` +
			`{"path":"koda.json","type":"file","size_bytes":70},{"path":"public/a.bin","type":"file","size_bytes":3},` +
			`{"path":"src/App.tsx","type":"file","size_bytes":9},{"path":"zz","type":"directory","size_bytes":0}]}`},
		{"sandbox_list_files", `{"path":"src/","recursive":true}`, "list src true", `{"files":[` +
			`{"path":"src/App.tsx","type":"file","size_bytes":9},{"path":"src/zz","type":"directory","size_bytes":0}]}`},
		{"sandbox_delete_file", `{"path":"src/App.tsx"}`, "delete src/App.tsx", `{"success":true}`},
		{"sandbox_run_command", `{"command":"bun run build"}`, `run "bun run build" in ., background false, 30s`, `{"stdout":"","stderr":"","exit_code":0}`},
		{"sandbox_run_command", `{"command":"ls","working_dir":"src","timeout_ms":1.5e3,"background":true}`, `run "ls" in src, background true, 1.5s`, `{"stdout":"","stderr":"","exit_code":0}`},
		{"sandbox_list_processes", `{}`, "processes", `{"processes":[{"pid":7,"command":"vite","running":true,"exit_code":0,"output":"` + strings.Repeat("x", 8<<10-8) + "ready\uFFFD" + `"}]}`},
		{"sandbox_stop_process", `{"pid":7}`, "stop 7", `{"success":true}`},
		{"create_new_shell", `{}`, "new shell default {120 40}", `{"output":"$ "}`},
		{"create_new_shell", `{"shell_name":"b","columns":80,"rows":24}`, "new shell b {80 24}", `{"output":"$ "}`},
		{"feed_chars", `{"chars":"ls -la"}`, `feed default "ls -la" {0 0} 1s`, `{"output":"` + fed + `","note":"` + fedNote + `"}`},
		{"feed_chars", `{"chars":"\u0003","shell_name":"b","yield_time_ms":0,"columns":80,"rows":24}`, `feed b "\x03" {80 24} 250ms`, `{"output":"` + fed + `","note":"` + fedNote + `"}`},
		{"feed_chars", `{"chars":"exit\n"}`, `feed default "exit\n" {0 0} 1s`, `{"output":"` + fed + `","ended":true,"exit_code":3,"note":"` + fedNote + `"}`},
		{"sandbox_start_preview", ``, "preview", `{"stream_url":"http://127.0.0.1:1/s","dev_server_url":"http://127.0.0.1:1"}`},
		{"sandbox_screenshot", `{"seek_to":1.5}`, "screenshot 1.5 0x0", `{"image_url":"data:image/png;base64,AA==","timestamp":1.5}`},
		{"sandbox_screenshot", `{"width":640,"height":360,"seek_to":null}`, "screenshot 0 640x360", `{"image_url":"data:image/png;base64,AA==","timestamp":0}`},
		{"sandbox_look", `{"times":[1,2.5]}`, "look [1 2.5]", `{"image_url":"data:image/jpeg;base64,anBlZw==","frames":[{"at":1,"colours":["#000000"]}],"problems":[{"at":0,"kind":"blank","about":"","serious":true}]}`},
		{"render_preview", `{"duration":2}`, "render preview 2", `{"video_url":"/v.mp4","thumbnail_url":"/v.png","duration":2,"render_time_ms":7,"note":"n"}`},
		{"render_final", `{"duration":2,"resolution":"4k","fps":60,"format":"mp4"}`, "render final {Duration:2 Resolution:4k FPS:60 Format:mp4}",
			`{"video_url":"/v.mp4","thumbnail_url":"/v.png","duration":2,"file_size_bytes":9,"render_time_ms":7}`},
		{"update_todo", `{"todo_id":"t1","status":"active"}`, "todo t1 active", `{"success":true}`},
		{"set_thinking", `{"message":" Writing\n App.tsx "}`, "think Writing App.tsx", `{"success":true}`},
		{"set_thinking", `{"message":"` + strings.Repeat("ä", 60) + `"}`, "think " + strings.Repeat("ä", 49) + "…", `{"success":true}`},
		{"add_message", `{"content":"hello\n"}`, "say hello", `{"message_id":"m1"}`},
	} {
		out, err := call(t, box, c.name, c.input)
		if err != nil || out != c.out {
			t.Errorf("%s %s:\n got %s, %v\nwant %s", c.name, c.input, out, err, c.out)
		}
		if f.last() != c.asked {
			t.Errorf("%s %s asked %q, want %q", c.name, c.input, f.last(), c.asked)
		}
		covered[c.name] = true
	}
	for _, tl := range box.Tools() {
		if !covered[tl.Name] {
			t.Errorf("%s is not tried here", tl.Name)
		}
	}
}

func TestBox_refusals(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.files["src/a.ts"] = []byte("const a = 1\nconst aa = 1\n")
	f.files["public/x.bin"] = []byte{0xff, 0xfe}
	box := tool.NewBox(everything(f))
	for _, c := range []struct {
		name, input string
		code        koda.Code
		says        string
	}{
		{"sandbox_writefile", `{}`, koda.CodeUnknownTool, "did you mean sandbox_write_file?"},
		{"write_file", `{}`, koda.CodeUnknownTool, "did you mean sandbox_write_file?"},
		{"make_coffee", `{}`, koda.CodeUnknownTool, `there is no tool "make_coffee"`},
		{"sandbox_write_file", `{"path":"src/a.ts"}`, koda.CodeInvalidInput, `field "content" is missing`},
		{"sandbox_write_file", `{"path":"src/a.ts","content":null}`, koda.CodeInvalidInput, `field "content" must be a string, not null`},
		{"sandbox_write_file", `{"file":"src/a.ts","content":1}`, koda.CodeInvalidInput,
			`field "path" is missing; field "content" must be a string, not a number; field "file" is unknown`},
		{"sandbox_write_file", `{"path":"src/a.ts","content":"","encodng":"utf8"}`, koda.CodeInvalidInput, `did you mean "encoding"?`},
		{"sandbox_write_file", `{"path":"src/a.ts","content":"","encoding":"utf16"}`, koda.CodeInvalidInput, `must be "utf8" or "base64", not "utf16"`},
		{"sandbox_write_file", `{"path":"src/a.ts","content":"%","encoding":"base64"}`, koda.CodeInvalidInput, "not base64"},
		{"sandbox_write_file", `{"path":" ","content":""}`, koda.CodeInvalidInput, `field "path" is empty`},
		{"sandbox_write_file", `{"path":"src/a.ts","content":"` + strings.Repeat("a", 8<<20+1) + `"}`, koda.CodeInvalidInput, "at most 8 MiB"},
		{"sandbox_write_file", `{"path":"src/a.ts","content":"` + strings.Repeat("a", 18<<20) + `"}`, koda.CodeInvalidInput, "input is larger"},
		{"sandbox_write_file", `{"path":"src/main.tsx","content":""}`, koda.CodeInvalidPath, "belongs to the starter"},
		{"sandbox_write_file", `{"path":"koda.json","content":"{}"}`, koda.CodeInvalidInput, "koda.json: schema is missing"},
		{"sandbox_write_file", `{"path":"Koda.json","content":"{}"}`, koda.CodeInvalidPath, "case only"},
		{"sandbox_delete_file", `{"path":"koda.json"}`, koda.CodeInvalidPath, "cannot be deleted"},
		{"sandbox_delete_file", `{"path":"vite.config.ts"}`, koda.CodeInvalidPath, "belongs to the starter"},
		{"sandbox_read_file", `{"path":"src/none.ts"}`, koda.CodeFileNotFound, "none.ts"},
		{"sandbox_read_file", `{"path":"."}`, koda.CodeInvalidPath, "is a directory"},
		{"sandbox_read_file", `{"path":".koda/state.json"}`, koda.CodeInvalidPath, "hidden"},
		{"sandbox_read_file", `{"path":"src/a.ts","offset":999}`, koda.CodeInvalidInput, "has 25 bytes"},
		{"sandbox_read_file", `{"path":"src/a.ts","offset":-1}`, koda.CodeInvalidInput, "must be at least 0"},
		{"sandbox_read_file", `{"path":"src/a.ts","offset":0.5}`, koda.CodeInvalidInput, "must be a whole number, not 0.5"},
		{"sandbox_list_files", `{"path":"../x"}`, koda.CodeInvalidPath, `has ".."`},
		{"edit_file", `{"path":"src/a.ts","old_string":"zzz","new_string":""}`, koda.CodeInvalidInput, "edit_file src/a.ts: old_string is not in the file"},
		{"edit_file", `{"path":"src/a.ts","old_string":"const","new_string":""}`, koda.CodeInvalidInput, "edit_file src/a.ts: old_string occurs 2 times (lines 1, 2)"},
		{"edit_file", `{"path":"src/a.ts","old_string":"","new_string":""}`, koda.CodeInvalidInput, "is empty"},
		{"edit_file", `{"path":"src/a.ts","old_string":"a","new_string":"a"}`, koda.CodeInvalidInput, "the same"},
		{"edit_file", `{"path":"public/x.bin","old_string":"a","new_string":"b"}`, koda.CodeInvalidInput, "edit_file public/x.bin: the file is not text"},
		{"edit_file", `{"path":"scripts/x.cjs","old_string":"a","new_string":"b"}`, koda.CodeInvalidPath, "belongs to the starter"},
		{"sandbox_run_command", `{"command":"sudo ls"}`, koda.CodeCommandBlocked, "uses sudo"},
		{"sandbox_run_command", `{"command":"ls","working_dir":"/etc"}`, koda.CodeInvalidPath, "is absolute"},
		{"sandbox_run_command", `{"command":"ls","timeout_ms":1e9}`, koda.CodeInvalidInput, "at most 600000"},
		{"sandbox_start_preview", `{"port":1}`, koda.CodeInvalidInput, `field "port" is unknown`},
		{"sandbox_look", `{"times":[]}`, koda.CodeInvalidInput, "there are 0 times"},
		{"sandbox_look", `{"times":[1,"2"]}`, koda.CodeInvalidInput, "has item 2, which must be a number, not a string"},
		{"sandbox_look", `{"times":3}`, koda.CodeInvalidInput, "must be an array, not a number"},
		{"render_preview", `{"duration":0}`, koda.CodeInvalidInput, "must be above 0"},
		{"render_preview", `{"duration":"5"}`, koda.CodeInvalidInput, "must be a number, not a string"},
		{"render_preview", `{"duration":1e999}`, koda.CodeInvalidInput, "too large"},
		{"render_final", `{"duration":5,"resolution":"1080p","fps":25,"format":"mp4"}`, koda.CodeInvalidInput, "must be 30 or 60, not 25"},
		{"update_todo", `{"todo_id":"t","status":"finished"}`, koda.CodeInvalidInput, `must be "pending", "active" or "done"`},
		{"add_message", `[]`, koda.CodeInvalidInput, "must be an object, not an array"},
		{"add_message", `{"content":`, koda.CodeInvalidInput, "not JSON"},
		{"add_message", "{\"content\":\"\xff\"}", koda.CodeInvalidInput, "not UTF-8"},
		{"add_message", `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}`, koda.CodeInvalidInput, "and 2 more"},
	} {
		before := f.files["src/a.ts"]
		_, err := call(t, box, c.name, c.input)
		if koda.CodeOf(err) != c.code || !strings.Contains(fmt.Sprint(err, koda.HintOf(err)), c.says) {
			t.Errorf("%s %.100s: got %v (%s; %s), want %s and %q", c.name, c.input, err, koda.CodeOf(err), koda.HintOf(err), c.code, c.says)
		}
		if diff := cmp.Diff(before, f.files["src/a.ts"]); diff != "" {
			t.Errorf("%s %.100s changed a file: %s", c.name, c.input, diff)
		}
	}
}

// A failure from below keeps its code; a failure without a code gets the tool's code.
func TestBox_failures(t *testing.T) {
	t.Parallel()
	f := newFake()
	box := tool.NewBox(everything(f))
	full := &koda.Error{Code: koda.CodeDiskFull, Op: "write src/a.ts", Hint: "make room"}
	for _, c := range []struct {
		fail error
		name string
		in   string
		code koda.Code
		hint string
	}{
		{full, "sandbox_write_file", `{"path":"src/a.ts","content":""}`, koda.CodeDiskFull, "make room"},
		{fmt.Errorf("outer: %w", full), "sandbox_write_file", `{"path":"src/a.ts","content":""}`, koda.CodeDiskFull, "make room"},
		{errors.New("x"), "sandbox_write_file", `{"path":"src/a.ts","content":""}`, koda.CodeWriteFailed, ""},
		{errors.New("x"), "sandbox_read_file", `{"path":"src/a.ts"}`, koda.CodeReadFailed, ""},
		{errors.New("x"), "sandbox_list_files", `{}`, koda.CodeReadFailed, ""},
		{errors.New("x"), "sandbox_run_command", `{"command":"ls"}`, koda.CodeExecutionFailed, ""},
		{errors.New("x"), "sandbox_create", `{"reuse_existing":false}`, koda.CodeProviderError, ""},
		{errors.New("x"), "sandbox_destroy", `{"sandbox_id":"a","save_state":false}`, koda.CodeSaveFailed, ""},
		{errors.New("x"), "sandbox_start_preview", `{}`, koda.CodeServerFailed, ""},
		{errors.New("x"), "sandbox_screenshot", `{}`, koda.CodeCaptureFailed, ""},
		{errors.New("x"), "render_preview", `{"duration":1}`, koda.CodeRenderFailed, ""},
	} {
		f.fail = c.fail
		out, err := call(t, box, c.name, c.in)
		if koda.CodeOf(err) != c.code || koda.HintOf(err) != c.hint || !errors.Is(err, c.fail) || out != "" {
			t.Errorf("%s failing with %v: got %q, %v, %s", c.name, c.fail, out, err, koda.CodeOf(err))
		}
	}
}

func TestBox_time(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.run = func(ctx context.Context) error {
			<-ctx.Done()
			return fmt.Errorf("wait: %w", ctx.Err())
		}
		box := tool.NewBox(everything(f))
		begin := time.Now()
		_, err := box.Call(t.Context(), "sandbox_screenshot", nil)
		if koda.CodeOf(err) != koda.CodeTimeout || time.Since(begin) != time.Minute {
			t.Errorf("after %v: %v, want TIMEOUT after a minute", time.Since(begin), err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err = box.Call(ctx, "sandbox_screenshot", nil); koda.CodeOf(err) != koda.CodeInterrupted {
			t.Errorf("cancelled: %v, want INTERRUPTED", err)
		}
		if _, err = box.Call(ctx, "sandbox_list_files", nil); koda.CodeOf(err) != koda.CodeInterrupted || f.last() != "" {
			t.Errorf("already cancelled: %v, asked %q", err, f.last())
		}
	})
}

// A sandbox that does not return at the command's time limit does not hang the box.
func TestBox_commandTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		deps := everything(newFake())
		deps.Commands = hanging{}
		begin := time.Now()
		_, err := tool.NewBox(deps).Call(t.Context(), "sandbox_run_command", []byte(`{"command":"x","timeout_ms":2000}`))
		if koda.CodeOf(err) != koda.CodeTimeout || time.Since(begin) > 20*time.Second || !strings.Contains(err.Error(), "2s") {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
	})
}

type hanging struct{ tool.Commands }

func (hanging) Run(ctx context.Context, _ sandbox.Command) (sandbox.RunResult, string, error) {
	<-ctx.Done()
	return sandbox.RunResult{}, "", ctx.Err()
}

func TestBox_longOutput(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.shell = func(sandbox.Command) sandbox.RunResult {
		return sandbox.RunResult{Stdout: "first " + strings.Repeat("é", 1<<20) + " last", Stderr: "bad \xff", ExitCode: 2}
	}
	box := tool.NewBox(everything(f))
	out, err := tool.RunCommand(t.Context(), box, tool.RunInput{Command: "ls"})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Stdout) > 33<<10 || !strings.HasPrefix(out.Stdout, "first é") || !strings.HasSuffix(out.Stdout, "é last") ||
		!strings.Contains(out.Stdout, "bytes left out") || strings.Contains(out.Stdout, "\uFFFD") || out.Note == "" {
		t.Errorf("stdout of %d bytes: %.20q…, note %q", len(out.Stdout), out.Stdout, out.Note)
	}
	if out.Stderr != "bad \uFFFD" || out.ExitCode != 2 {
		t.Errorf("stderr %q, exit %d", out.Stderr, out.ExitCode)
	}

	for i := range 2100 {
		f.files[fmt.Sprintf("src/%04d.ts", i)] = nil
	}
	f.files[".hidden"], f.files["node_modules/x.js"] = nil, nil
	var list tool.ListOutput
	if list, err = tool.Invoke[tool.ListOutput](t.Context(), box, "sandbox_list_files", tool.ListInput{}); err != nil {
		t.Fatal(err)
	}
	if len(list.Files) != 2000 || !strings.HasPrefix(list.Note, "101 further") || list.Files[0].Path != "src/0000.ts" {
		t.Errorf("%d files, note %q", len(list.Files), list.Note)
	}
}

// The typed calls pass everything through unchanged.
func TestCalls(t *testing.T) {
	t.Parallel()
	f := newFake()
	box := tool.NewBox(everything(f))
	ctx := t.Context()
	for p, content := range map[string]string{
		"src/long.ts":     strings.Repeat("ü<&>\u2028\"\\\n", 100_000),
		"src/empty.ts":    "",
		"public/x.bin":    "\x00\xff" + strings.Repeat("\x80\xfe\x01", 200_000),
		"src/größe/鞠.tsx": "\ufeffcrlf\r\n",
	} {
		if err := tool.WriteFile(ctx, box, p, content); err != nil {
			t.Fatal(err)
		}
		got, err := tool.ReadFile(ctx, box, p)
		if err != nil || got != content {
			t.Errorf("%s: %d bytes came back as %d, %v", p, len(content), len(got), err)
		}
	}
	if err := tool.EditFile(ctx, box, "src/größe/鞠.tsx", "crlf\r\n", "lf\n"); err != nil || string(f.files["src/größe/鞠.tsx"]) != "\ufefflf\r\n" {
		t.Errorf("edit: %v, %q", err, f.files["src/größe/鞠.tsx"])
	}
	files, err := tool.ListFiles(ctx, box, "src", true)
	if err != nil || len(files) != 4 {
		t.Errorf("list: %v, %v", files, err)
	}
	if err := tool.DeleteFile(ctx, box, "src/empty.ts"); err != nil {
		t.Error(err)
	}
	if err := errors.Join(tool.Think(ctx, box, "a"), tool.Say(ctx, box, "b"), tool.Todo(ctx, box, "c", koda.TodoDone)); err != nil {
		t.Error(err)
	}
	if url, err := tool.Screenshot(ctx, box, 1, 64, 36); err != nil || !strings.HasPrefix(url, "data:image/png") {
		t.Errorf("screenshot: %q, %v", url, err)
	}
	if _, err := tool.ReadFile(ctx, box, "src/empty.ts"); koda.CodeOf(err) != koda.CodeFileNotFound {
		t.Errorf("a deleted file: %v", err)
	}
	if err := tool.Todo(ctx, box, "c", "finished"); koda.CodeOf(err) != koda.CodeInvalidInput {
		t.Errorf("a wrong status: %v", err)
	}
}

// Edits made at once are all kept.
func TestBox_concurrentEdits(t *testing.T) {
	t.Parallel()
	f := newFake()
	var text strings.Builder
	for i := range 50 {
		fmt.Fprintf(&text, "[%d]\n", i)
	}
	f.files["src/a.ts"] = []byte(text.String())
	box := tool.NewBox(everything(f))
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			if err := tool.EditFile(t.Context(), box, "src/a.ts", fmt.Sprintf("[%d]", i), "done"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := string(f.files["src/a.ts"]); got != strings.Repeat("done\n", 50) {
		t.Errorf("edits were lost: %q", got)
	}
}

// TestInOrder: reads that follow each other go on side by side. What is written before them is
// there, and what is written after them waits.
func TestInOrder(t *testing.T) {
	t.Parallel()
	var calls []tool.Call
	for _, name := range []string{tool.NameEditFile, tool.NameSandboxReadFile, tool.NameSandboxListFiles, tool.NameSandboxReadFile, tool.NameEditFile, tool.NameSandboxRunCommand, tool.NameSandboxReadFile} {
		calls = append(calls, tool.Call{Name: name})
	}
	var done [7]atomic.Bool
	var reading, after sync.WaitGroup
	reading.Add(3)
	after.Add(1)
	results := tool.InOrder(calls, func(i int) tool.Result {
		before := 0
		switch i {
		case 1, 2, 3:
			before = 1
			reading.Done()
			reading.Wait() // all three have begun
		case 4:
			before = 4
		case 5: // a command goes on while the next call is made
			after.Wait()
		case 6:
			before = 5
			after.Done()
		}
		for k := range before {
			if !done[k].Load() {
				t.Errorf("call %d began before call %d was answered", i, k)
			}
		}
		done[i].Store(true)
		return tool.Result{Output: []byte{byte('0' + i)}}
	})
	for i, r := range results {
		if string(r.Output) != fmt.Sprint(i) {
			t.Errorf("result %d is %s", i, r.Output)
		}
	}
}
