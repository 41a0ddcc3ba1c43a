package main

import (
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/needs"
)

// commands are the commands that a person may run on a clone, in this order:
// commands that read the clone come first, commands that remove it last. A * is a
// blank in a word.
var commands = []string{
	"show .", "list", "history .", "diff . v1 v2", "messages . --told", "doctor .", "config show", "trust",
	"say . hello", "follow .", "cancel .", "answer . 1", "accept .", "reject . -m no", "resume .", "still . --at 0", "render .", "diff . v1 v2 --video side",
	"undo .", "redo .", "checkout . v1", "fork . v1 other --dir .", "edit . make*it*yellow", "resume . --yes",
	"new red*ball,*1.5*seconds --plan-only --style playful --yes --asset public/data/data.json --dir .",
	"delete . --render e9 --yes", "gc", "delete . --yes",
}

// drawing are commands whose input is code, pictures, sounds and rows.
var drawing = []string{
	"still . --at 0", "sheet .", "bench .", "render . --explain --no-cache", "render . --format png -o out", "render . --batch rows.json -o out/{name}-{size}.mp4",
	"checkout . v1", "edit . make*it*yellow", "fork . v1 other --dir .", "delete . --yes",
}

// alone are commands that need a fresh clone.
var alone = [][]string{{"resume . --yes", "show ."}, {"checkout . v1", "show ."}, {"gc"}, {"delete . --yes"}}

// attack is a trap that somebody prepared in a clone. `make test` tries the short
// attacks.
type attack struct {
	name   string
	short  bool
	draws  bool // it attacks the drawing
	plants []plant
}

// short marks an attack that is tried whenever tests are.
func short(name string, plants ...plant) attack {
	return attack{name: name, short: true, plants: plants}
}

// full marks an attack that is tried by `make hostile`.
func full(name string, plants ...plant) attack { return attack{name: name, plants: plants} }

// rows are the commands that an attack meets, each row in a clone of its own.
func (a attack) rows() [][]string {
	switch {
	case a.draws:
		return [][]string{drawing}
	case a.short:
		return [][]string{commands}
	}
	return append([][]string{commands}, alone...)
}

// TestHostile tries attacks on a person who clones a repository and runs koda in
// it. No attack may do harm.
func TestHostile(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	used := usedMachine(t)
	t.Run("self", func(t *testing.T) { t.Parallel(); harmful(t, used) })
	t.Run("page", func(t *testing.T) { t.Parallel(); hostilePages(t, used) })
	t.Run("clone", func(t *testing.T) { t.Parallel(); hostileClones(t, used) })
}

func hostileClones(t *testing.T, used string) {
	var attacks, tried atomic.Int64
	t.Run("attacks", func(t *testing.T) {
		for _, a := range needs.SomeThat(cloneAttacks(), os.Getenv(inFull) == "all", func(a attack) bool { return a.short }) {
			t.Run(a.name, func(t *testing.T) {
				t.Parallel()
				attacks.Add(1)
				for _, row := range a.rows() {
					v := newVictim(t, used)
					v.plant(a)
					if a.draws {
						v.limits.memory *= 2 // code takes a lot of memory to be read
					}
					for _, command := range row {
						e := v.suffers(command)
						tried.Add(1)
						for _, harm := range e.harms {
							t.Errorf("koda %s: %s", command, harm)
						}
						t.Logf("koda %s: status %d: %.300s", command, e.status, strings.ReplaceAll(e.err, "\n", " | "))
					}
				}
			})
		}
	})
	if !t.Failed() {
		t.Logf("%d attacks met %d commands: none did harm", attacks.Load(), tried.Load())
	}
}

// harmful does every kind of harm; the test must find each.
func harmful(t *testing.T, used string) {
	for script, want := range map[string]string{
		"true":                       "",
		"rm $HOME/photos/1.png":      "home/photos/1.png changed",
		"echo x >> $HOME/.bashrc":    "home/.bashrc changed",
		"ln -sf x $HOME/code/README": "home/code/README changed",
		"touch $HOME/photos/new":     "home/photos/new was made",
		"touch $TMPDIR/left":         "tmp/left was made",
		"rm -r $HOME/" + kodaHome[5:] + "cache/segments":     "changed",
		"$2 delete $HOME/mine --yes":                         "the person's project in table projects changed",
		"cp /etc/hostname $HOME/" + kodaHome[5:] + "koda.db": "the person's project in table projects changed",
		`printf '\033[2J'`:                                   "it acts on the terminal",
		`printf '\302\233m' >&2`:                             "it acts on the terminal",
		"echo $ANTHROPIC_API_KEY":                            "it tells a secret",
		"cp $HOME/.ssh/id_ed25519 x":                         "a secret is in",
		"sleep 100":                                          "it did not end within 3s",
		"setsid sleep 100 >/dev/null 2>&1 &":                 "it left a process",
		"head -c 1300M /dev/zero | tail -c 1250M >/dev/null": "MB of memory",
		"head -c 40M /dev/zero > zeroes":                     "MB of the disk",
		"exec 3<>/dev/tcp/127.0.0.1/$1":                      "it reached the network",
		"echo koda: no >&2; exit 2":                          "without a hint",
		"echo 'goroutine 1 [running]' >&2; exit 2":           "it broke",
		"exit 42": "exit status 42",
		"printf 'koda: a\nkoda: b\n  hint: c\n' >&2; exit 1": "2 lines of reasons",
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			v := newVictim(t, used)
			v.limits = bounds{time: time.Minute, memory: 500 << 20, disk: 30 << 20}
			if strings.Contains(want, "within 3s") { // the others may take their time on a busy machine
				v.limits.time = 3 * time.Second
			}
			e := v.runs(exec.Command("bash", "-c", script, "bash", v.port(), os.Args[0]), false)
			if got := strings.Join(e.harms, "\n"); !strings.Contains(got, want) || (want == "") != (got == "") {
				t.Errorf("found %q, want %q", got, want)
			}
		})
	}
}
