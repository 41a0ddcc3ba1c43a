package hush

import "os"

// The variable that makes termenv ask nothing, and its value before.
const name = "CI"

var before, had = os.LookupEnv(name)

func init() {
	if before == "" { // termenv takes an empty value for none
		_ = os.Setenv(name, "1") //nolint:errcheck // without it koda starts late, and works
	}
}

// End gives the environment back as the process got it. Main calls it first.
func End() {
	if had {
		_ = os.Setenv(name, before) //nolint:errcheck // the name is valid
		return
	}
	_ = os.Unsetenv(name) //nolint:errcheck // the name is valid
}
