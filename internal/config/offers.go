package config

import (
	"fmt"
	"slices"

	"github.com/koda-video/koda/internal/koda"
)

// Offers lists, by setting, those of its choices that this build of koda can
// do. A setting that is not in it can be all that its table says.
type Offers map[string][]string

// Choices are what the setting can be here; nil is anything.
func (o Offers) Choices(s Setting) []string {
	if offered, known := o[s.Name]; known {
		return offered
	}
	return s.choices
}

// Check refuses a value that the setting does not accept, or that this build
// cannot do, before anything is made for
// it. Place is who said it. The value "" means that nothing was said.
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

// Unused reports whether nothing in this build looks at the setting.
func (o Offers) Unused(s Setting) bool {
	offered, known := o[s.serves.name]
	return known && !slices.Contains(offered, s.serves.value)
}
