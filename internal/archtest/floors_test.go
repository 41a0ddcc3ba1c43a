package archtest_test

import (
	"fmt"
	"strings"
)

// floor is a level of packages: a package imports only packages of lower floors.
type floor int

// suite is the floor of contract suites. Only tests import them, and they may
// import any package below the adapters.
const suite floor = -1

// floors gives every package its floor. The first pattern that matches counts.
var floors = []struct {
	pattern string
	floor   floor
	what    string
}{
	{"cmd/koda", 5, "names the concrete adapters"},
	{"cmd/koda-guest", 5, "the program koda puts into a sandbox"},
	{"templates/film", 5, "a program for people who work on the README: records the studio"},
	{"templates/gallery", 5, "a program for people who work on recipes: draws them"},
	{"templates/learn", 5, "a program for people who work on reading: learns from examples"},
	{"templates/fonts/pack", 5, "a program of the build: installs the fonts of further scripts"},
	{"templates/signs/pack", 5, "a program for people who work on signs: writes their pictures"},
	{"templates/guest/pack", 5, "a program of the build: packs the guest"},
	{"templates/runtime/pack", 5, "a program of the build: packs the page runtime"},

	{"internal/cli", 4, "the command line"},
	{"internal/serve", 4, "koda over HTTP"},
	{"tui", 4, "the studio"},
	{"tui/widget", 4, "pure renderers"},
	{"tui/theme", 4, "colours and spacing"},
	{"tui/graphics", 4, "pictures in terminals that draw more than text"},

	{"internal/engine", 3, "runs projects"},
	{"internal/author/reading", 2, "words of people → a recipe and its parameters"},
	{"internal/author/*", 3, "who thinks up animations"},
	{"internal/render", 3, "makes videos of segments: plan, cache, publishing"},
	{"internal/draw", 3, "makes segments out of browser and encoder"},

	{"internal/needs", suite, "what tests need of this machine"},
	{"internal/sandbox/sandboxtest", suite, "the contract of sandboxes"},
	{"internal/*/*test", suite, "contract suites"},

	{"internal/llm/service", 1, "what the adapters of all model services share"},
	{"internal/llm/*", 2, "models of one wire format"},

	{"internal/store", 2, "SQLite"},
	{"internal/repo", 2, "git repositories of the person"},
	{"internal/workdir", 2, "project directories"},
	{"internal/control", 2, "what koda's processes say to each other, both ends"},
	{"internal/live", 2, "the live page of a person's browser"},
	{"internal/sandbox/local", 2, "sandboxes in a directory"},
	{"internal/sandbox/docker", 2, "sandboxes in a container"},
	{"internal/browser", 2, "Chromium"},
	{"internal/ffmpeg", 2, "the encoder"},
	{"internal/bundle", 2, "esbuild"},
	{"internal/score", 2, "runs the scores of recipes"},

	// hostos is the part of the local sandbox that starts programs. It is a floor
	// lower because browser and encoder are tested with it, and adapters never
	// import each other.
	{"internal/sandbox/hostos", 1, "starts programs on this machine"},
	{"internal/guest", 1, "what koda and its guest say to each other, both ends"},
	{"internal/phase", 1, "the state machine"},
	{"internal/feed", 1, "hands events to whoever watches"},
	{"internal/tool", 1, "what authors can do"},
	{"internal/prompt", 1, "texts for models"},
	{"internal/config", 1, "settings"},
	{"internal/preset", 1, "named outputs"},
	{"internal/recipe", 1, "recipes as data"},
	{"internal/wish", 1, "words of people → wishes, over a vocabulary given as data"},
	{"internal/dataset", 1, "data that people bring for a recipe"},
	{"internal/fonts", 1, "fonts of further scripts, and what they cover"},
	{"internal/npm", 1, "packages of a lock file"},
	{"internal/packages", 1, "how npm packages come into sandboxes, and become part of a project"},
	{"internal/remote", 2, "a project of a server, over HTTP"},
	{"internal/agentlog", 1, "what outside agents print, as steps, and where it waits"},
	{"internal/mirror", 1, "keeps the files of a project and a directory the same"},
	{"internal/trace", 1, "spans of the work, for a collector of OpenTelemetry"},
	{"internal/pages", 1, "what is known of pages nobody made for koda"},
	{"internal/strip", 1, "small pictures of a video in one file"},
	{"internal/eye", 1, "what is wrong with frames"},

	{"templates/clock", 0, "the script by which a page shows a time"},
	{"internal/koda", 0, "the nouns"},
	{"internal/tagger", 0, "spans with roles in sequences, by a small neural network that learned from examples"},
	{"internal/theatre", 0, "Theatre.js states: tracks, merging"},
	{"internal/llm", 0, "the vocabulary of conversations"},
	{"internal/sandbox", 0, "the vocabulary of sandboxes"},
	{"internal/patch", 0, "edits of texts that are quoted with slips"},
	{"internal/timeline", 0, "frame arithmetic"},
	{"internal/atomicfile", 0, "durable files"},
	{"internal/projectfs", 0, "the one reader of projects' files"},
	{"internal/proc", 0, "child processes"},
	{"internal/failpoint", 0, "named crash points for tests"},
	{"internal/hush", 0, "nothing is asked before main"},
	{"internal/archtest", 0, "this test"},
	{"templates", 0, "embedded files"},
}

// sideways are the imports that are allowed within a floor, with the reason.
var sideways = []struct{ from, to, why string }{
	{"internal/cli", "tui", "a command opens the studio"},
	{"tui", "tui/widget", "screens are made of widgets"},
	{"tui", "tui/theme", "screens have colours"},
	{"tui", "tui/graphics", "screens show pictures"},
	{"internal/cli", "internal/serve", "a command starts the server"},
	{"internal/cli", "tui/widget", "plain lines draw bars and lists too"},
	{"internal/cli", "tui/graphics", "commands show pictures"},
	{"internal/cli", "tui/theme", "plain lines have the colours of the screens"},
	{"tui/widget", "tui/theme", "widgets have colours"},
	{"tui/graphics", "tui/theme", "pictures pass the writer as all sequences do"},
	{"internal/dataset", "internal/recipe", "data fills the parameters of a recipe"},
	{"internal/fonts", "internal/npm", "fonts come as packages"},
	{"internal/llm/service", "internal/config", "keys are secrets"},
	// All packages of floor 0 may use the nouns of internal/koda.
	{"internal/timeline", "internal/koda", "frame rates and spans are nouns"},
	{"internal/theatre", "internal/koda", "frame rates are nouns"},
	{"internal/llm", "internal/koda", "errors are nouns"},
	{"internal/sandbox", "internal/koda", "errors are nouns"},
	{"internal/projectfs", "internal/koda", "errors are nouns"},
	{"internal/patch", "internal/koda", "errors are nouns"},
	{"internal/atomicfile", "internal/failpoint", "every publishing of a file is a place to crash at"},
}

// narrow binds packages more than their floor: they import only these packages of
// the module.
var narrow = []struct {
	from []string
	only []string
	why  string
}{
	{
		[]string{"internal/koda", "internal/proc", "internal/failpoint", "internal/hush", "templates"}, nil,
		"the ground stands on the standard library",
	},
	{[]string{"internal/atomicfile"}, []string{"internal/failpoint"}, "the ground stands on the standard library"},
	{[]string{"internal/projectfs"}, []string{"internal/koda"}, "the ground stands on the standard library"},
	{[]string{"internal/phase"}, []string{"internal/koda", "internal/timeline"}, "the machine is pure: no clock, no input or output"},
	{
		[]string{"internal/author/*"},
		[]string{"internal/koda", "internal/tool", "internal/llm", "internal/prompt", "internal/timeline", "internal/recipe", "internal/theatre", "internal/wish", "internal/author/reading", "internal/dataset"},
		"authors act through the toolbox only, never on files",
	},
	{[]string{"tui"}, []string{"internal/koda", "internal/timeline", "tui/widget", "tui/theme", "tui/graphics"}, "the studio knows koda by its session only"},
}

// apart are forbidden imports that no floor forbids.
var apart = []struct {
	from, to []string
	why      string
}{
	{
		[]string{"internal/cli", "internal/serve", "tui/..."},
		[]string{
			"internal/store", "internal/workdir", "internal/sandbox/*", "internal/browser", "internal/ffmpeg", "internal/bundle", "internal/llm/*",
		},
		"faces never touch adapters; cmd/koda hands them what they need",
	},
	{
		[]string{"internal/engine"},
		[]string{
			"internal/store", "internal/workdir", "internal/sandbox/*", "internal/browser", "internal/ffmpeg", "internal/bundle", "internal/llm/*",
		},
		"the engine declares interfaces; cmd/koda names what fulfils them",
	},
	{
		[]string{"internal/render"}, []string{"internal/browser"},
		"a drawer draws, wherever it is",
	},
	{
		[]string{"tui/..."},
		[]string{"internal/sandbox", "internal/tool", "internal/llm", "internal/proc", "templates"},
		"screens show events and state, nothing else",
	},
}

func floorOf(pkg string) (floor, bool) {
	for _, f := range floors {
		if matches(pkg, f.pattern) {
			return f.floor, true
		}
	}
	return 0, false
}

// checkFloors finds forbidden imports, and packages without a floor.
func checkFloors(all []*source) []finding {
	var out []finding
	unknown := map[string]bool{}
	for _, s := range all {
		if _, ok := floorOf(s.pkg); !ok {
			if !unknown[s.pkg] {
				out = append(out, s.found(s.file.Name, "package %s has no floor: give it one in internal/archtest, and its line in the layout", s.pkg))
			}
			unknown[s.pkg] = true
			continue
		}
		if s.test {
			continue
		}
		for _, spec := range s.file.Imports {
			to, ours := strings.CutPrefix(unquote(spec.Path.Value), modulePath+"/")
			if !ours {
				continue
			}
			if why := refused(s.pkg, to); why != "" {
				out = append(out, s.found(spec, "%s imports %s: %s", s.pkg, to, why))
			}
		}
	}
	return out
}

// refused says why one package must not import another package; "" if it may.
func refused(from, to string) string {
	for _, n := range narrow {
		if matches(from, n.from...) && !matches(to, n.only...) {
			return n.why
		}
	}
	for _, a := range apart {
		if matches(from, a.from...) && matches(to, a.to...) {
			return a.why
		}
	}
	above, ok1 := floorOf(from)
	below, ok2 := floorOf(to)
	switch {
	case !ok1 || !ok2: // the package without a floor is a finding of its own
		return ""
	case below == suite:
		return "contract suites are imported by tests only"
	case above == suite && below < 2:
		return ""
	case below < above:
		return ""
	case below > above:
		return fmt.Sprintf("floor %d is above floor %d", below, above)
	}
	for _, s := range sideways {
		if s.from == from && s.to == to {
			return ""
		}
	}
	if above == 2 {
		return "adapters never know each other: what joins them stands above"
	}
	return fmt.Sprintf("both are on floor %d", above)
}
