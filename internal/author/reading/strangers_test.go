package reading_test

import "testing"

// understood is how many of the prompts of strangers.txt come to what was wanted. Raise the
// number when reading becomes better.
const understood = 29

// TestStrangers: no fewer prompts of a stranger than before come to what the stranger wanted.
func TestStrangers(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	right := 0
	all := cases(t, "strangers.txt")
	for _, c := range all {
		if got := request(r, c[0]); got == c[1] {
			right++
		} else {
			t.Logf("%s\n  got  %s\n  want %s", c[0], got, c[1])
		}
	}
	t.Logf("%d of %d", right, len(all))
	if right < understood {
		t.Errorf("%d prompts come out right, %d did before", right, understood)
	}
}
