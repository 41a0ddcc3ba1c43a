package config

import (
	"fmt"
	"regexp"
	"strings"
)

var hostName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$`)

// Registries are the hosts of packages that were named beside npm's own.
func (c Config) Registries() []string {
	names, _ := parseHosts(c.SandboxRegistries) //nolint:errcheck // Load has checked it
	return names
}

// parseHosts reads names of hosts, with blanks or commas between them.
func parseHosts(text string) ([]string, error) {
	var names []string
	for _, name := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == ' ' || r == ',' }) {
		if !hostName.MatchString(name) {
			return nil, fmt.Errorf("%q is not the name of a host", name)
		}
		names = append(names, name)
	}
	return names, nil
}
