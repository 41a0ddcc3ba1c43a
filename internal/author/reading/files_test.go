package reading_test

import "testing"

// A shell leaves line breaks as \n. They are line breaks, but for those in the texts of code.
func TestRead_shellBreaks(t *testing.T) {
	r, _ := reader(t)
	for prompt, want := range map[string]string{
		`top 3 reasons to adopt a cat\n1. they purr\n2. they nap`: `list title="top 3 reasons to adopt a cat" items="they purr; they nap" marks=number`,
		`title "Hello\nWorld", blue`:                              `headline text="Hello\nWorld" color=#2463eb`,
		`python code print("a\nb") typed`:                         `code code=print("a\nb") language=python`,
	} {
		if got := request(r, prompt); got != want {
			t.Errorf("%s\n got  %s\n want %s", prompt, got, want)
		}
	}
}
