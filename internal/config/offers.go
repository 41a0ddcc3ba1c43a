package config

import (
	"fmt"
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// Offers lists, by setting, the choices that this build of koda can do. A setting that is
// not listed has all choices of the table.
type Offers map[string][]string

// Choices are the values that the setting can have here; nil means any value.
func (o Offers) Choices(s Setting) []string {
	if offered, known := o[s.Name]; known {
		return offered
	}
	return s.choices
}

// Check refuses a value that the setting does not accept, or that this build cannot do,
// before anything is made. Place is where the value was set. The value "" means that
// nothing was set.
func (o Offers) Check(name, value, place string) error {
	set, err := Find(name)
	if err != nil || value == "" {
		return err
	}
	if err := set.check(value, place, o); err != nil {
		return err
	}
	offered, known := o[name]
	if !known || slices.Contains(offered, value) {
		return nil
	}
	return &koda.Error{
		Code: koda.CodeUsage, Op: fmt.Sprintf("setting %s (%s) is %q, which this version of koda cannot do", name, place, value),
		Hint: "use " + list(offered),
	}
}
