package docker_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/sandbox/docker"
)

// The tag follows from what is in the image, and not from how it is fetched.
func TestTag(t *testing.T) {
	c := docker.ImageConfig{Name: docker.Name, Base: "debian", Files: fstest.MapFS{"Dockerfile": {Data: []byte("FROM x")}, "a/b": {Data: []byte("1")}}}
	tag, args, err := c.Own()
	if err != nil || !strings.HasPrefix(tag, docker.Name+":") || *args["BASE"] != "debian" || args["STUDIO"] != nil || args["NPM_REGISTRY"] != nil {
		t.Errorf("%s with %v, %v", tag, args, err)
	}
	for name, change := range map[string]struct {
		same bool
		do   func(*docker.ImageConfig)
	}{
		"nothing": {true, func(*docker.ImageConfig) {}},
		"packages": {true, func(c *docker.ImageConfig) {
			c.Fetch = func(context.Context) (docker.Fetch, error) {
				return docker.Fetch{Registry: "x", Certificates: []byte("y")}, nil
			}
		}},
		"base":   {false, func(c *docker.ImageConfig) { c.Base = "debian:13" }},
		"studio": {false, func(c *docker.ImageConfig) { c.Studio = true }},
		"a file": {false, func(c *docker.ImageConfig) { c.Files = fstest.MapFS{"Dockerfile": {Data: []byte("FROM y")}} }},
	} {
		changed := c
		change.do(&changed)
		if got, _, err := changed.Own(); err != nil || (got == tag) != change.same {
			t.Errorf("%s: %s, %v; before %s", name, got, err, tag)
		}
	}
}

func TestDerived(t *testing.T) {
	c := docker.ImageConfig{Setup: `apt-get install -y "fonts-x"`, Env: []string{`A=1`, `B=a "b" \c $D`}}
	tag, got, err := c.Derived("sha256:12", "1000:1000")
	want := `FROM sha256:12
ENV A="1"
ENV B="a \"b\" \\c \$D"
ARG npm_config_registry
USER 0
RUN ["/bin/sh","-euc",": \"run sandbox-setup\"; apt-get install -y \"fonts-x\""]
USER 1000:1000
`
	if got != want || err != nil {
		t.Errorf("%v\n%s", err, got)
	}
	if other, _, err := c.Derived("sha256:34", "1000:1000"); other == tag || err != nil {
		t.Errorf("the image of another image has the same tag: %s, %v", other, err)
	}
}
