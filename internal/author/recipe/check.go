package recipe

import "github.com/koda-video/koda/internal/koda"

// Check refuses, before a project is made, a brief for this author that names a
// recipe, style or parameter there is none of, or a value out of its range:
// USAGE or INVALID_INPUT, with the nearest name as hint. A brief that asks for
// no animation passes: Clarify explains it, and the project is kept.
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
