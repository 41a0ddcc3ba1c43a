package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

var (
	nested  = strings.Repeat("[", 1<<20)
	objects = strings.Repeat(`{"a":`, 1<<18)
)

// cloneAttacks are the attacks that a clone may contain.
func cloneAttacks() []attack {
	return slices.Concat(settingsAttacks, fileAttacks(), stateAttacks(), codeAttacks())
}

// Files with settings.
var settingsAttacks = []attack{
	full("nothing at all"),
	short("a home with a linked cache", env("KODA_HOME=./h", "KODA_CACHE_MAX=1B"), link("h/cache/segments", "{home}/photos"), link("h/cache/tmp", "{home}/photos")),
	full("a small cache", env("KODA_CACHE_MAX=1B", "KODA_IDLE_TIMEOUT=0")),
	short("a key as the database", env("DATABASE_PATH={home}/.ssh/id_ed25519")),
	full("a photo as the database", env("DATABASE_PATH=../../photos/1.png", "STORAGE_PATH={home}/photos")),
	short("programs of its own", env("KODA_CHROME=./evil", "KODA_FFMPEG=./evil", "KODA_BROWSER_SANDBOX=off", "SANDBOX_PROVIDER=docker", "SANDBOX_IMAGE=evil"),
		program("evil"), program("ffmpeg"), program("chromium"), program("chrome-headless-shell")),
	full("other variables", env("PATH=.", "HOME=.", "LD_PRELOAD=./evil", "XDG_DATA_HOME=.", "TMPDIR=.", "KODA_FAILPOINT=store.commit.before", "FFREPORT=file=x",
		"HTTPS_PROXY=http://{host}", "GODEBUG=x=1", "export DATABASE_PATH=x", "FONTCONFIG_FILE=./evil"), program("evil"), program("ffmpeg")),
	full("settings of the project", put(".koda/config.json", `{"home": "h", "database-path": "{home}/.ssh/id_ed25519", "cache-max": "1B", "chrome": "./evil", "ffmpeg": "./evil",
		"storage-path": "{home}/photos", "browser-sandbox": "off", "anthropic-api-key": "x", "author": "recipe"}`), program("evil")),
	full("settings that cannot be", put(".koda/config.json", `{"color": "{evil}", "author": {"a": []}, "{evil}": 1}`), env("KODA_AUTHOR={evil}", "NO_COLOR={evil}", "{evil}")),
	full("an author that is not there", env("KODA_AUTHOR=model")),
	full("a settings file that is no text", env(strings.Repeat("\x00\xff=\n", 10000), "KODA_CACHE_MAX")),
	full("a settings file of one line", env(strings.Repeat("A", 900<<10))),
	full("a million settings", env(strings.Repeat("A=1\n", 200_000))),
	full("a settings file that is a key", link(".env", "{home}/.ssh/id_ed25519")),
	full("project settings that are a key", link(".koda/config.json", "{home}/secret.json")),
	full("nested settings", put(".koda/config.json", nested)),
}

// Things that are not files.
func fileAttacks() (all []attack) {
	strange := map[string]func(name string) plant{
		"endless":         func(name string) plant { return link(name, "/dev/zero") },
		"a secret":        func(name string) plant { return link(name, "{home}/.ssh/id_ed25519") },
		"linked settings": func(name string) plant { return link(name, "{home}/.bashrc") },
		"a pipe":          pipe,
		"a directory":     dir,
		"of 3 GB":         func(name string) plant { return sparse(name, 3<<10) },
		"nested":          func(name string) plant { return put(name, objects) },
	}
	for _, name := range []string{
		".env", "koda.json", "index.html", ".gitignore", "rows.json", "src/main.tsx", "src/theatre/params.json", "src/theatre/state.json", "public/data/data.json",
		"public/audio/a.mp3", "tsconfig.json", "package.json", ".koda/config.json", ".koda/state.json", ".koda/state.prev.json", ".koda/pending.json", ".koda/assets.json",
		".koda/lock", ".koda/log", ".koda/.gitignore", ".koda/versions/v1.json", ".koda/versions/v3.json",
	} {
		for kind, make := range strange {
			all = append(all, full(name+" "+kind, make(name)))
		}
	}
	for _, name := range []string{
		".koda", ".koda/versions", ".koda/versions/objects", ".koda/conflicts", ".koda/log", "renders", "previews", "src", "src/theatre", "public", "public/images",
		"public/audio", "out", "other", "renders/clone-v2-gif.gif", "renders/clone-v2.gif", "previews/clone-v3.mp4", "clone.mp4", "clone-sheet.png", "red-ball",
	} {
		all = append(all, full(name+" leads out", link(name, "{home}/photos")), full(name+" leads to the person's project", link(name, "{home}/mine")))
	}
	return append(all,
		short("links for files and directories", link(".koda/state.json", "/dev/zero"), pipe(".koda/pending.json"), link(".koda/log", "{home}/.bashrc"),
			link("renders", "{home}/photos"), link("previews", "{home}/photos"), link("public/data", "{home}"), sparse(".koda/assets.json", 3<<10)),
		full("the state of another project", link(".koda/state.json", "{home}/mine/.koda/state.json")),
		full("8 GB of pictures", sparse("public/a.bin", 8<<10)),
		full("30 files of 190 MB", each(30, func(i int) plant { return sparse(fmt.Sprintf("public/%d.bin", i), 190) })),
		full("a song of 8 GB", sparse("public/audio/a.wav", 8<<10)),
		full("a hundred thousand names", each(100_001, func(i int) plant { return put(fmt.Sprintf("public/n/%d", i), "") })),
		full("a hundred thousand versions", each(20_000, func(i int) plant {
			return put(fmt.Sprintf(".koda/versions/v%d.json", i+3), `{"number": 3, "parent": 2}`)
		})),
		full("deep directories", deep("public/deep", 3000)), full("deep versions", deep(".koda/versions/deep", 3000)), full("deep code", deep("src/deep", 300)),
		full("names that act", put("public/{evil}.png", "x"), put("src/{evil}.ts", "x"), put("public/a\nb", "x"), put("{evil}.koda", "x")),
		full("names for programs", put("public/-rf", "x"), put("public/%05d.png", "x"), put("public/a'b", "x"), put("src/$(touch x).ts", "x"), put("public/images/CON", "x"), put("public/\xff\xfe", "x")),
		full("cases of a name", put(".KODA/state.json", "{}"), put("KODA.JSON", "{}"), put("Src/Main.tsx", "x"), put("INDEX.HTML", "x"), put("kóda.json", "{}"), put("ko\u0301da.json", "{}")),
		full("no rights", func(v *victim) error { return chmod(v, 0o000, "src/main.tsx", ".koda/state.json", ".koda/lock") }),
		full("hooks", program(".git/hooks/post-checkout"), program(".git/hooks/pre-commit"), put(".git/config", "[core]\n\tfsmonitor = ./evil\n\tpager = ./evil\n"), program("evil"),
			put(".gitattributes", "* diff=evil filter=evil")),
		full("a lock of nobody", put(".koda/lock", `{"pid": 1, "host": "{evil}", "since": "2999-01-01T00:00:00Z", "version": "{evil}"}`)),
		full("a lock of a thousand years", put(".koda/lock", `{"pid": 1e300, "brief": true}`)),
	)
}

// Texts in .koda.
func stateAttacks() (all []attack) {
	for field, values := range map[string][]any{
		"project.id":      {"../../photos", "{mine}", "{evil}", "", 7, strings.Repeat("x", 10_000), "a/b", "."},
		"project.name":    {"../../../photos/1", "/etc/passwd", "-rf", "{evil}", "", "a\nb", strings.Repeat("x", 10_000), "%05d", "..", "a'b"},
		"project.dir":     {"{home}/mine", "{home}/photos", "", "/", "{evil}"},
		"project.phase":   {"{evil}", "idle", "question", "plan", "executing", "preview", "error", ""},
		"project.author":  {"{evil}", "model", ""},
		"project.seq":     {-1, 1e18, "x"},
		"seq":             {-1, 9e18, 1e300, "x", nil},
		"version":         {-1, 1e18, "x", 99},
		"schema":          {-1, 99, "x"},
		"files":           {nil, map[string]any{"../../photos/1.png": strings.Repeat("a", 64)}, map[string]any{".git/hooks/post-checkout": strings.Repeat("a", 64)}, []any{}},
		"lastCheckpoint":  {map[string]any{"sandboxId": "../../../photos", "todoIndex": -5}, nil, 1},
		"theatreState":    {"{evil}", nil, []any{}},
		"messagesBefore":  {-1, 1 << 40, "x"},
		"messages":        {nil, []any{map[string]any{"role": "{evil}", "content": "{evil}", "id": "{evil}"}}, []any{map[string]any{"role": "user", "content": "{evil}"}}, 1},
		"machine":         {nil, "x", []any{}, map[string]any{}},
		"machine.version": {-1, 1 << 40, 3},
		"machine.newest":  {-1, 1 << 60, 0},
		"machine.turn":    {-1, 1 << 62},
		"machine.undone":  {[]any{-1, 1 << 40, 1, 1, 1}},
		"machine.past":    {"x", []any{map[string]any{}}, []any{map[string]any{"plan": map[string]any{}}, map[string]any{"plan": map[string]any{"style": "{evil}"}, "revision": 1}}},
		"machine.ahead":   {[]any{map[string]any{}, nil}, []any{map[string]any{"question": map[string]any{"text": "{evil}"}}}},
		"machine.tasks":   {nil, map[string]any{"5": map[string]any{"kind": "{evil}", "message": "{evil}"}}},
		"machine.brief":   {nil, map[string]any{}},
		"machine.origin":  {map[string]any{"projectId": "{mine}", "dir": "{home}/mine", "version": 1, "name": "mine"}},
		"machine.pending": {
			map[string]any{"id": "e1", "kind": "final", "payload": map[string]any{"output": "{home}/x", "Output": "../../photos/1.png"}, "turnId": "x"},
			map[string]any{"id": "e1", "kind": "release", "payload": map[string]any{"sandboxId": "../../photos"}},
			map[string]any{"id": "../..", "kind": "preview", "payload": "x"}, map[string]any{"id": "e1", "kind": "{evil}"},
			map[string]any{"id": "e1", "kind": "place", "payload": map[string]any{"version": 1 << 40}}, map[string]any{"id": "e1", "kind": "work", "payload": map[string]any{"todoId": "{evil}"}},
		},
		"nodeState.sandboxId":           {"../../../photos", "local-../../photos", "{home}/photos", "{evil}"},
		"nodeState.execution":           {nil, map[string]any{"todos": nil}},
		"nodeState.plan":                {nil, map[string]any{}},
		"nodeState.plan.style":          {"{evil}"},
		"nodeState.plan.totalDuration":  {-1, 1e300, 0, "x"},
		"nodeState.plan.fps":            {-1, 1e300, 0, "1/0"},
		"nodeState.output.videoUrl":     {"{home}/photos/1.png", "../../photos/1.png", "{evil}", "/dev/zero"},
		"nodeState.output.thumbnailUrl": {"{home}/photos/1.png", "{home}/.ssh/id_ed25519"},
		"nodeState.output.resolution":   {"{evil}"},
		"nodeState.output.duration":     {-1, 1e300},
		"nodeState.output.fileSize":     {-1, 1 << 62},
		"nodeState.preview.videoUrl":    {"{home}/photos/1.png", "{evil}"},
		"machine.brief.preset":          {"../../photos", "{evil}"},
		"machine.brief.fps":             {0, -1, 1e9, "1/0", "30000/0"},
		"machine.brief.width":           {0, -1, 1 << 40},
		"machine.brief.recipe":          {"../../photos", "{evil}"},
		"machine.brief.author":          {"model", "{evil}"},
		"machine.brief.params":          {map[string]any{"{evil}": "{evil}", "duration": "1e300", "bounces": "1000000000"}},
		"machine.brief.assets": {[]any{map[string]any{"id": "x", "name": "../../x", "kind": "data", "path": "../../.ssh/id_ed25519", "size": -1, "sha256": "x"}},
			[]any{map[string]any{"id": "x", "name": "id", "kind": "audio", "path": "{home}/.ssh/id_ed25519", "size": 1, "sha256": "x"}}},
	} {
		for i, value := range values {
			all = append(all, full(fmt.Sprintf("state %s %d", field, i), state(field, value)))
		}
	}
	for _, phase := range []string{"idle", "question", "plan", "executing", "preview", "error", "{evil}"} {
		all = append(all, full("in phase "+phase, state("nodeState.phase", phase), state("project.phase", phase)))
	}
	sum := strings.Repeat("a", 64)
	for _, name := range []string{
		"../../.bashrc", "{home}/.bashrc", ".git/hooks/post-checkout", ".GIT/hooks/post-checkout", ".git\u200c/config", ".env", ".koda/config.json", ".KODA/config.json",
		"src/../../../x", `src\..\..\x`, "C:x", "renders/x.mp4", "previews/x.mp4", strings.Repeat("x", 300), strings.Repeat("d/", 3000) + "x", "a\x00b", "{evil}", "src", "koda.json/x",
		".bashrc", "src/.hidden", "con", "x ", "x.", "/", "", ".", "..", "src//x", "./x",
	} {
		all = append(all, full(fmt.Sprintf("a version with %.30q", name), object(name, "#!/bin/sh\ntouch {home}/photos/run\n")))
	}
	return append(all,
		short("a state that acts", state("nodeState.output.resolution", "{evil}"), state("nodeState.output.videoUrl", "{home}/photos/{evil}"),
			state("nodeState.plan.style", "{evil}"), state("project.name", "{evil}"), state("nodeState.sandboxId", "../../../photos"), state("machine.undone", []any{-1, 1 << 40})),
		short("takes another project over", state("project.id", "{mine}"), state("seq", 1e15), state("project.seq", 1e15), state("project.dir", "{home}/mine"),
			state("nodeState.nodeId", "{mine}"), state("nodeState.projectId", "{mine}")),
		full("takes another project over, in work", state("project.id", "{mine}"), state("seq", 1e15), state("nodeState.phase", "executing"), state("nodeState.projectId", "{mine}"),
			state("machine.pending", map[string]any{"id": "e1", "kind": "work", "turnId": "t1"})),
		full("copies that are the person's", put(".koda/assets.json", `{"../../.bashrc": "`+digestOf([]byte("alias x=y"))+`", "{home}/.bashrc": "`+digestOf([]byte("alias x=y"))+`",
			"public/images/../../../../photos/1.png": "`+digestOf([]byte("a photo"))+`"}`)),
		full("a checkpoint that is none", put(".koda/pending.json", `{"state": {"project": {"id": "x"}, "files": {"../../.bashrc": "`+sum+`"}}}`)),
		full("a checkpoint over the settings", func(v *victim) error {
			data := readState(v)
			data["files"] = map[string]any{".git/hooks/post-checkout": sum, "../../x": sum}
			return put(".koda/pending.json", toJSON(v, map[string]any{"state": data, "version": map[string]any{"number": 1 << 40, "files": data["files"]}}))(v)
		}),
		full("an object that is a key", link(".koda/versions/objects/"+digestOf([]byte(secret))[:2]+"/"+digestOf([]byte(secret)), "{home}/.ssh/id_ed25519"),
			set(".koda/versions/v1.json", "files", map[string]any{"public/x": digestOf([]byte(secret)), "koda.json": sum})),
		full("objects of another project", link(".koda/versions/objects", "{home}/mine/.koda/versions/objects")),
		full("an object of another content", put(".koda/versions/objects/aa/"+sum, "not it"), set(".koda/versions/v1.json", "files", map[string]any{"src/x.ts": sum})),
		full("versions that are their own parents", set(".koda/versions/v1.json", "parent", 2), set(".koda/versions/v2.json", "parent", 1)),
		full("a version that is its own parent", set(".koda/versions/v1.json", "parent", 1)),
		full("a version of a huge number", set(".koda/versions/v2.json", "number", 1<<60), set(".koda/versions/v1.json", "number", -1)),
		full("a version told by an escape", set(".koda/versions/v1.json", "prompt", "{evil}"), set(".koda/versions/v1.json", "author", "{evil}"), set(".koda/versions/v1.json", "model", "{evil}")),
		full("a version of a great cost", set(".koda/versions/v1.json", "cost", map[string]any{"usd": math.MaxFloat64, "tokens": -1})),
		full("a long log", put(".koda/log", strings.Repeat("{evil}\n", 100_000))),
		full("conflicts", put(".koda/conflicts/src/{evil}.ts.1", "x"), link(".koda/conflicts/src/main.tsx.1", "{home}/.bashrc"), pipe(".koda/conflicts/x")),
		full("half-written files", put(".koda/.state.json.123.tmp", "x"), link(".koda/.x.123.tmp", "{home}/.bashrc"), link("renders/.x.123.tmp", "{home}/photos"), dir("renders/.y.123.tmp")),
	)
}
