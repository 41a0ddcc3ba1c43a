package config

import "log/slog"

// Secret is a value that koda uses and never shows. Printing, logging or marshalling it
// gives "set", or "" if it is empty.
type Secret struct{ value string }

// Reveal returns the value, for the code that must send it.
func (s Secret) Reveal() string { return s.value }

// Set reports whether there is a value.
func (s Secret) Set() bool { return s.value != "" }

// String gives "set" or "".
func (s Secret) String() string {
	if s.Set() {
		return "set"
	}
	return ""
}

// GoString gives String, for %#v.
func (s Secret) GoString() string { return s.String() }

// MarshalText gives String.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue gives String.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// SecretOf is a secret with that value.
func SecretOf(value string) Secret { return Secret{value} }
