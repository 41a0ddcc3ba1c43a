package recipe

import "github.com/koda-video/koda/internal/koda"

// Check refuses a brief for this author before a project is made for it: USAGE or
// INVALID_INPUT, with the nearest name as hint, if a recipe, style or parameter does not
// exist, or a value is out of range. A brief that asks for no animation passes: Clarify
// explains it, and the project is kept.
func Check(b koda.Brief) error {
	if b.Author == "model" {
		return nil
	}
	u, err := understand(b)
	if err == nil {
		_, _, err = u.values(koda.Answer{})
	}
	if koda.CodeOf(err) == koda.CodeNotAnimation {
		return nil
	}
	return err
}
