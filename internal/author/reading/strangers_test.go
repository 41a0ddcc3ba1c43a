package reading_test

import "testing"

// understood is how many of the prompts of strangers.txt come to what was wanted. Raise the
// number when reading becomes better.
const understood = 317

// TestStrangers: no fewer prompts of a stranger than before come to what the stranger wanted.
func TestStrangers(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	count(t, "strangers.txt", understood, func(prompt string) string { return request(r, prompt) })
}

// changed is how many of the edits of edit-strangers.txt come to what was wanted. Raise the number when
// reading becomes better.
const changed = 92

// unseen is the same of edit-unseen.txt.
const unseen = 39

// TestEditStrangers: no fewer edits than before come to what was wanted.
func TestEditStrangers(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	count(t, "edit-strangers.txt", changed, func(line string) string { return edit(r, line) })
	count(t, "edit-unseen.txt", unseen, func(line string) string { return edit(r, line) })
}

// count compares a corpus with what comes out, and fails if fewer lines than before come out right.
func count(t *testing.T, name string, before int, come func(string) string) {
	t.Helper()
	right, all := 0, cases(t, name)
	for _, c := range all {
		if got := come(c[0]); got == c[1] {
			right++
		} else {
			t.Logf("%s\n  got  %s\n  want %s", c[0], got, c[1])
		}
	}
	t.Logf("%d of %d", right, len(all))
	if right < before {
		t.Errorf("%d come out right, %d did before", right, before)
	}
}
