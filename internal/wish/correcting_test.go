package wish_test

import "testing"

func TestCorrected(t *testing.T) {
	t.Parallel()
	v := vocabulary(t)
	for said, meant := range map[string]string{
		"countdown from 10, no wait, from 7":             "countdown from 7",
		"countdown from 10, no, wait, 7. no wait, 5":     "countdown from 5",
		"the logo Zed, 10 seconds, actually make it 12s": "the logo Zed, 12s",
		"ball for 8 seconds... actually 5":               "ball for 5 seconds",
		"Reds 3, Blues 2 — oops, Blues 1, square":        "Reds 3, Blues 1, square",
		"from 5 to 1 (make that 3 to 1), then \"Go!\"":   "from 3 to 1, then \"Go!\"",
		"von 10 bis 1, nein warte, von 20 bis 1":         "von 20 bis 1",
		"we sold 3 cars, sorry for the wait, 2 are left": "we sold 3 cars, sorry for the wait, 2 are left",
		"print(\"3, no wait, 4\")":                       "print(\"3, no wait, 4\")",
		"red 5 s, no wait, blue":                         "red 5 s, no wait, blue",
		"Wait 5 minutes, 3 left":                         "Wait 5 minutes, 3 left",
		"10 things that are better: 3 more, 4 fewer":     "10 things that are better: 3 more, 4 fewer",
	} {
		if got := v.Corrected(said); got != meant {
			t.Errorf("%s\n  got  %s\n  want %s", said, got, meant)
		}
	}
}
