package tool_test

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

var reserved = []string{"src/main.tsx", "vite.config.ts", "src/runtime/**", "scripts/*.cjs"}

func TestWritablePath(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]string{
		"src/App.tsx":                    "src/App.tsx",
		"./src/./a//b.ts":                "src/a/b.ts",
		"public/images/logo 1.png":       "public/images/logo 1.png",
		"scripts/a.mjs":                  "scripts/a.mjs",
		"koda.json":                      "koda.json",
		"index.html":                     "index.html",
		"tailwind.config.js":             "tailwind.config.js",
		"src/größe/鞠.tsx":                "src/größe/鞠.tsx",
		"src/a..b.ts":                    "src/a..b.ts",
		"src/[id].tsx":                   "src/[id].tsx",
		strings.Repeat("src/", 15) + "a": strings.Repeat("src/", 15) + "a",
	} {
		got, err := tool.WritablePath(p, reserved)
		if err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %q", p, got, err, want)
		}
	}
	for p, says := range map[string]string{
		"":                                 "is empty",
		"/etc/passwd":                      "is absolute",
		"//host/share":                     "is absolute",
		"../x":                             `has ".."`,
		"src/../../x":                      `has ".."`,
		"src/..":                           `has ".."`,
		`src\..\x`:                         "backslash",
		`C:/x`:                             "colon",
		"src/a\x00.ts":                     "cannot be printed",
		"src/a\n.ts":                       "cannot be printed",
		"src/\u202eexe.ts":                 "cannot be printed",
		"src/\xff.ts":                      "not UTF-8",
		".koda/state.json":                 "hidden",
		"src/.env":                         "hidden",
		".git/config":                      "hidden",
		"node_modules/x/a.js":              "node_modules",
		"src/Node_Modules/a.js":            "node_modules",
		"package/a.json":                   "outside",
		"dist/a.js":                        "outside",
		"renders/a.mp4":                    "outside",
		"a.sh":                             "outside",
		"Makefile":                         "outside",
		"SRC/a.ts":                         "outside",
		".":                                "is a directory",
		"src":                              "is a directory",
		"src/":                             "is a directory",
		"src/components/":                  "is a directory",
		"src/main.tsx":                     "starter",
		"src/Main.TSX":                     "starter",
		"./src//main.tsx":                  "starter",
		"src/runtime/a/b.ts":               "starter",
		"scripts/export-video.cjs":         "starter",
		"src/a /b.ts":                      "space or dot",
		"src/a./b.ts":                      "space or dot",
		"src/" + strings.Repeat("a", 201):  "longer than 200",
		"src/" + strings.Repeat("a/", 300): "longer than 512",
		strings.Repeat("src/", 16) + "a":   "deep",
	} {
		got, err := tool.WritablePath(p, reserved)
		if koda.CodeOf(err) != koda.CodeInvalidPath || !strings.Contains(err.Error(), says) || got != "" {
			t.Errorf("%q: got %q, %v, want %q", p, got, err, says)
		}
	}
	if p, err := tool.CleanPath("package-lock.json"); err != nil || p != "package-lock.json" {
		t.Errorf("a path that cannot be written can be read: %q, %v", p, err)
	}
}

func FuzzWritablePath(f *testing.F) {
	for _, p := range []string{
		"src/App.tsx", "../x", "/etc/passwd", "src/../a", "./src//a", `src\a`, "src/.a", "src/a\x00", "node_modules/a", "koda.json",
		"src/%2e%2e/x", "src/..%2fx", "src/．．/x", "src/.. /x", "src/main.tsx", "SRC/MAIN.TSX", "~/x", "src/a:b", "src/\u202ea",
	} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		got, err := tool.WritablePath(p, reserved)
		if err != nil {
			if koda.CodeOf(err) != koda.CodeInvalidPath || got != "" || !utf8.ValidString(err.Error()) {
				t.Fatalf("%q: got %q, %v", p, got, err)
			}
			return
		}
		again, err := tool.WritablePath(got, reserved)
		if err != nil || again != got {
			t.Fatalf("%q became %q, which becomes %q, %v", p, got, again, err)
		}
		if path.IsAbs(got) || got != path.Clean(got) || strings.ContainsAny(got, "\\\x00:") {
			t.Fatalf("%q became %q", p, got)
		}
		for s := range strings.SplitSeq(got, "/") {
			if strings.HasPrefix(s, ".") || strings.EqualFold(s, "node_modules") {
				t.Fatalf("%q became %q, which holds %q", p, got, s)
			}
		}
		if strings.EqualFold(got, "src/main.tsx") || strings.HasPrefix(strings.ToLower(got), "src/runtime/") {
			t.Fatalf("%q became %q, which is the starter's", p, got)
		}
		root, _, nested := strings.Cut(got, "/")
		if nested && root != "src" && root != "public" && root != "scripts" {
			t.Fatalf("%q became %q, which may not be written", p, got)
		}
	})
}

func TestCheckCommand(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"bun install", "bun run dev", "npm run build && ls -la | grep src", "node scripts/a.cjs > out.txt 2>&1",
		"rm -rf node_modules dist", "rm -rf ./exports/*", "echo hi > /dev/null", "cat /etc/hostname", "cp /usr/share/a.png public/",
		"curl -s http://localhost:5173/", "curl -o out.html localhost:5173", "npm install left-pad",
		"npm view react", `echo "sudo is not run"`, "echo 'rm -rf /'",
		"git status # curl example.com", "ls -R src", "bun add @react-three/drei@npm:@x/y", `git commit -m "a; b"`,
		"pip --version", "FOO=1 node a.js", "time node a.js",
		"cat > src/a.txt <<'EOF'\nrm -rf /\nsudo is not run\nEOF", "build() { tsc | head && vite build; }; build", "echo $((1+x)) ${X:-/} $(pwd)/",
		"for i in 1 2 3; do echo $i >> out.txt; done", `[ -f "a b" ] && cat "a b"`, "node a.js 2>&1 | tee out.txt", "count() { [ $1 -gt 0 ] && count $(($1-1)); }; count 3",
	} {
		if err := tool.CheckCommand(line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for line, says := range map[string]string{
		"rm -rf /":                             "deletes everything",
		"rm -fr /*":                            "deletes everything",
		"rm -r -f ~":                           "deletes everything",
		"rm --recursive --force $HOME":         "deletes everything",
		"cd / && rm -rf ../..":                 "deletes everything",
		"rm -rf / --no-preserve-root":          "deletes everything",
		`r""m -rf '/'`:                         "deletes everything",
		"/bin/rm -rf /home":                    "deletes everything",
		"rm -rf /usr":                          "system file",
		"sudo ls":                              "sudo",
		"ls; sudo rm x":                        "sudo",
		"echo $(sudo id)":                      "sudo",
		"echo \"`sudo id`\"":                   "sudo",
		`echo "$(sudo id)"`:                    "sudo",
		"s\\udo id":                            "sudo",
		`"sudo" id`:                            "sudo",
		"FOO=1 sudo id":                        "sudo",
		"env A=b sudo id":                      "sudo",
		"nohup sudo id":                        "sudo",
		"timeout 5s sudo id":                   "sudo",
		"ls | xargs sudo rm":                   "sudo",
		"sh -c 'sudo id'":                      "sudo",
		`bash -lc "bash -c 'sudo id'"`:         "sudo",
		"eval sudo id":                         "sudo",
		"(sudo id)":                            "sudo",
		"{ sudo id; }":                         "sudo",
		"if true; then sudo id; fi":            "sudo",
		"curl https://example.com/x.sh":        "example.com",
		"curl -s example.com":                  "example.com",
		"wget example.com/a":                   "example.com",
		"curl http://user@10.0.0.1/":           "10.0.0.1",
		"git clone https://example.com/a":      "example.com",
		"git clone git@example.com:a/b":        "example.com",
		"npm i --registry=https://example.com": "example.com",
		"npm i git+https://example.com/a.git":  "example.com",
		"ssh me@example.com":                   "ssh",
		"nc -l 80":                             "nc",
		"echo x > /etc/passwd":                 "/etc/passwd",
		"echo x 2>>/usr/lib/a":                 "/usr/lib/a",
		"echo x | tee /etc/hosts":              "/etc/hosts",
		"sed -i s/a/b/ /etc/hosts":             "/etc/hosts",
		"dd if=/dev/zero of=/dev/sda":          "/dev/zero",
		"chmod 777 /":                          "system file",
		"mkfs.ext4 /dev/sda":                   "mkfs",
		"apt-get install x":                    "apt-get",
		"docker run x":                         "docker",
		"reboot":                               "reboot",
		":(){ :|:& };:":                        "without end",
		"eval eval eval eval eval eval ls":     "too deeply",
		"cp a.txt /etc/":                       "/etc/",
		"sh <<EOF\nsudo id\nEOF":               "sudo",
		"bash <<< 'sudo id'":                   "sudo",
		"$'\\x73udo' id":                       "sudo",
		"while sudo id; do :; done":            "sudo",
		"diff <(sudo id) a":                    "sudo",
		"f() { f & f; }; f":                    "without end",
		"echo 'a":                              "not a shell command",
		"sudo id\n(":                           "not a shell command",
	} {
		err := tool.CheckCommand(line)
		if koda.CodeOf(err) != koda.CodeCommandBlocked || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v, want %q", line, err, says)
		}
	}
}

func TestInstalls(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"npm install left-pad": "left-pad", "npm i -D a b@2 && bun run build": "a b@2", "cd . ; bun add @x/y@npm:z": "@x/y@npm:z", "npm ci": "", "CI=1 timeout 60s npm install": "",
		"/usr/bin/npm i a | tail -1; yarn add b": "a b", "pnpm add --save-exact c": "c",
	} {
		if names, installs := tool.Installs(line); !installs || strings.Join(names, " ") != want {
			t.Errorf("%s: %v, %q, want %q", line, installs, names, want)
		}
	}
	for _, line := range []string{"npm run install", "npm view react", "echo npm install x", "bun run dev", "npm", "git add a", "yarn", "( npm install"} {
		if names, installs := tool.Installs(line); installs {
			t.Errorf("%s installs %q", line, names)
		}
	}
}

// The filter answers for any command line.
func FuzzCheckCommand(f *testing.F) {
	for _, line := range []string{"rm -rf /", "echo \"$(", "a '", "b \\", "c > ", "`", "sh -c", "(((", "\"`x", "2>", "eval eval eval"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if err := tool.CheckCommand(line); err != nil && koda.CodeOf(err) != koda.CodeCommandBlocked {
			t.Fatalf("%q: %v", line, err)
		}
	})
}
