package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Code, pictures and sounds of a clone.
func codeAttacks() []attack {
	all := []attack{
		full("code of the person's", put("src/main.tsx", `import s from "../../../secret"; import { k } from "{home}/secret"; throw new Error(s + k)`)),
		short("code and sound of the person's", put("src/main.tsx", `import s from "../../../secret"; throw new Error(s)`), link("src/out", "{home}"),
			put("public/audio/a.mp3", "#EXTM3U\n#EXTINF:1,\nfile://{home}/.ssh/id_ed25519\n"), put("rows.json", `[{"name": "../../../photos/1", "size": "{evil}"}]`)),
		full("data of the person's", put("src/main.tsx", `import s from "../../../secret.json"; import t from "/../../secret.json"; import u from "file://{home}/secret.json"; throw new Error(s.name)`)),
		full("data by a linked directory", link("src/out", "{home}"), put("src/main.tsx", `import s from "./out/secret.json"; throw new Error(s.name)`)),
		full("styles of the person's", put("src/styles.css", `@import "../../../secret.css"; @import url(file://{home}/secret.css); body { background: url(../../../photos/1.png) }`)),
		full("a document of the person's", put("index.html", `<script src="../../secret.ts"></script><link rel="stylesheet" href="/%2e%2e/%2e%2e/secret.css"><iframe src="file://{home}/.ssh/id_ed25519"></iframe>`)),
		full("TypeScript's settings", put("tsconfig.json", `{"extends": "../../secret.json", "compilerOptions": {"baseUrl": "/", "paths": {"*": ["../../*"]}, "jsxImportSource": "../../../secret"}}`),
			put("src/main.tsx", `import s from "secret"; throw new Error(s)`)),
		full("TypeScript's settings of themselves", put("tsconfig.json", `{"extends": "./tsconfig.json"}`)),
		full("packages", put("package.json", `{"imports": {"#x": "../../secret.ts"}, "browser": {"react": "../../secret.ts"}}`), put("src/main.tsx", `import s from "#x"; import r from "react"; throw new Error(s + r)`),
			put("node_modules/react/package.json", `{"main": "../../../../secret.ts"}`)),
		full("a map of the person's", put("src/main.tsx", "throw new Error('x')\n//# sourceMappingURL=../../../secret.json")),
		full("code that doubles", put("src/main.tsx", "namespace a"+strings.Repeat(".a", 2000)+"{}")),
		short("code as deep as can be", put("src/main.tsx", strings.Repeat("(", 5<<20))),
		full("types as deep as can be", put("src/main.tsx", "let x: "+strings.Repeat("[", 5<<20))),
		full("elements as deep as can be", put("src/main.tsx", "let x = "+strings.Repeat("<a>", 3<<20))),
		full("functions as deep as can be", put("src/main.tsx", strings.Repeat("()=>", 5<<20)+"1")),
		full("additions without end", put("src/main.tsx", "let x = "+strings.Repeat("1+", 5<<20)+"1")),
		full("styles as deep as can be", put("src/styles.css", strings.Repeat("a{", 8<<20))),
		full("a document as deep as can be", put("index.html", strings.Repeat("<div>", 4<<20))),
		full("much code", put("src/main.tsx", importing(30)), each(30, func(i int) plant { return put(fmt.Sprintf("src/m%d.ts", i), strings.Repeat("a.b=1;", 4<<20)) })),
		full("much text", put("src/main.tsx", importing(30)), each(30, func(i int) plant {
			return put(fmt.Sprintf("src/m%d.ts", i), "export default '"+strings.Repeat("x", 30<<20)+"'")
		})),
		full("names of code that act", put("src/main.tsx", `import "./{evil}"; import "{evil}"; throw new Error("{evil}")`)),
		full("mistakes without end", put("src/main.tsx", strings.Repeat("import './nowhere';\n", 100_000))),
		full("a mistake on a long line", put("src/main.tsx", strings.Repeat("{evil}", 100_000)+" = ;")),

		full("a huge picture", set("koda.json", "width", 1<<40), set("koda.json", "height", 1<<40)),
		full("a picture of no size", set("koda.json", "width", 0)), full("a picture of a wrong size", set("koda.json", "width", -3)),
		full("endless", set("koda.json", "duration", 1e300)), full("a million seconds", set("koda.json", "duration", 1e6), set("koda.json", "fps", 240)),
		full("no time", set("koda.json", "duration", -1)), full("quick", set("koda.json", "fps", 1e12)), full("no rate", set("koda.json", "fps", "1/0")),
		full("a name that leads out", set("koda.json", "name", "../../../photos/1")), full("a name that acts", set("koda.json", "name", "{evil}")),
		full("a name of a flag", set("koda.json", "name", "-rf")), full("a long name", set("koda.json", "name", strings.Repeat("x", 500_000))),
		full("many scenes", func(v *victim) error {
			var scenes []any
			for i := range 15_000 {
				scenes = append(scenes, map[string]any{"title": "{evil}", "start": float64(i) / 10_000})
			}
			return set("koda.json", "scenes", scenes)(v)
		}),
		full("a scene nowhere", func(v *victim) error {
			return set("koda.json", "scenes", []any{map[string]any{"title": "{evil}", "start": -1e300}, map[string]any{"start": 1e300}, map[string]any{}})(v)
		}),

		full("rows that lead out", put("rows.json", `[{"name": "../../../photos/1", "size": 1}, {"name": "{home}/photos/1", "size": "/../../x"}, {"name": "..", "size": ".."}]`)),
		full("rows that act", put("rows.json", `[{"name": "{evil}", "size": "{evil}"}, {"name": "a\nb", "size": null}, {"__proto__": {"x": 1}, "name": {}, "size": []}]`)),
		full("a million rows", put("rows.json", "["+strings.Repeat(`{"name": "a", "size": 1},`, 300_000)+"{}]")),
		full("rows of wrong parameters", put("rows.json", `[{"name": "a", "size": 1e308}, {"name": "b", "size": -1}, {"name": "c", "size": "NaN"}]`)),
		full("data of another kind", put("public/data/data.json", `{"a": 1e999999, "{evil}": "{evil}"}`)),
		full("nested data", put("public/data/data.json", nested)),

		full("a song that is a list", put("public/audio/a.mp3", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://{host}/a.mp3\n#EXTINF:1,\nfile://{home}/.ssh/id_ed25519\n#EXT-X-ENDLIST\n")),
		full("a song that joins others", put("public/audio/a.mp3", "ffconcat version 1.0\nfile {home}/photos/1.png\nfile http://{host}/a\nfile ../../../../photos/1.png\n")),
		full("a song from the network", put("public/audio/a.wav", "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n")),
		full("a song that is a plan", put("public/audio/a.m4a", `<?xml version="1.0"?><MPD><Period><AdaptationSet><BaseURL>http://{host}/</BaseURL></AdaptationSet></Period></MPD>`)),
		full("a song of no length", put("public/audio/a.wav", "RIFF\xff\xff\xff\xffWAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00\x08\x00data\xff\xff\xff\xff")),
		full("a song by name of a protocol", put("public/audio/http:a.mp3", "x"), put("public/audio/concat:a|b.mp3", "x"), put("public/audio/-i.mp3", "x"), put("public/audio/{evil}.mp3", "x")),
		full("a thumbnail that is a key", link("previews/clone-v1.jpg", "{home}/.ssh/id_ed25519"), link("renders/clone-v2-gif.jpg", "{home}/.ssh/id_ed25519")),
	}
	for i := range all {
		all[i].draws = true
	}
	return all
}

func importing(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "import m%d from './m%d'; console.log(m%d);\n", i, i, i)
	}
	return b.String()
}

func readState(v *victim) (state map[string]any) {
	data, err := os.ReadFile(filepath.Join(v.clone, stateFile))
	v.must(errors.Join(err, json.Unmarshal(data, &state)))
	return state
}

func toJSON(v *victim, value any) string {
	data, err := json.Marshal(value)
	v.must(err)
	return string(data)
}

func chmod(v *victim, mode os.FileMode, names ...string) (err error) {
	for _, name := range names {
		err = errors.Join(err, os.Chmod(filepath.Join(v.clone, name), mode))
	}
	return err
}
