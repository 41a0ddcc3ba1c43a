package docker

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"github.com/docker/docker/api/types/build"
	"github.com/docker/docker/api/types/image"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// Build makes the image of sandboxes, if the engine does not have it, or again. It
// streams koda's own image to the engine, or pulls an image of the person, and adds what
// the person wants in it. An image gets its tag only after everything a sandbox needs was
// found in it. Tell gets each step before it is done; the first build takes some minutes.
//
// TEMPLATE_NOT_FOUND: there is no such image, or it lacks what the error names.
// PROVIDER_ERROR: a step failed; Details has the last lines of its output.
func (e *Engine) Build(ctx context.Context, again bool, tell func(koda.BuildStep)) (sandbox.Image, error) {
	b := &builder{engine: e, again: again, tell: tell}
	var base found
	var err error
	if e.cfg.Name == Name {
		var r recipe
		if r, err = e.cfg.own(); err == nil {
			base, err = b.build(ctx, r)
		}
	} else if base, err = b.pull(ctx, e.cfg.Name); err == nil {
		err = e.check(ctx, base.ID, e.cfg.Name, "add that to the image, or use koda's own: koda config unset sandbox-image")
	}
	if err != nil {
		return sandbox.Image{}, err
	}
	r, more, err := e.cfg.derived(base.ID, base.user)
	if err == nil && more {
		base, err = b.build(ctx, r)
	}
	base.Current = true
	return base.Image, err
}

type builder struct {
	engine *Engine
	again  bool
	tell   func(koda.BuildStep)
}

// pull finds an image of the person, and pulls it if the engine does not have it.
func (b *builder) pull(ctx context.Context, name string) (found, error) {
	f, err := b.engine.inspect(ctx, name)
	if err == nil || koda.CodeOf(err) != koda.CodeTemplateNotFound {
		return f, err
	}
	b.tell(koda.BuildStep{Image: "the image of sandboxes (once)", Step: 1, Steps: 1, Text: "pull " + name})
	watched, heard, done := b.engine.watched(ctx)
	defer done()
	progress, err := b.engine.api.ImagePull(watched, name, image.PullOptions{})
	if err == nil {
		_, err = follow(progress, func(string) { heard() })
	}
	if cause := context.Cause(watched); cause != nil {
		return found{}, fmt.Errorf("pull image %s: %w", name, cause)
	}
	if err != nil {
		return found{}, &koda.Error{
			Code: koda.CodeTemplateNotFound, Op: fmt.Sprintf("the image %s is not there, and cannot be pulled", name), Err: err,
			Hint: "docker pull " + name + " says more; koda config unset sandbox-image goes back to koda's own image",
		}
	}
	return b.engine.inspect(ctx, name)
}

// build builds an image, or finds it.
func (b *builder) build(ctx context.Context, r recipe) (found, error) {
	if !b.again {
		if f, err := b.engine.inspect(ctx, r.tag); err == nil || koda.CodeOf(err) != koda.CodeTemplateNotFound {
			return f, err
		}
	}
	id, err := b.steps(ctx, r)
	if ctx.Err() != nil {
		return found{}, fmt.Errorf("build the image of sandboxes: %w", ctx.Err())
	}
	if err != nil {
		return found{}, err
	}
	if err := b.engine.check(ctx, id, "that was built", r.mend); err != nil {
		return found{}, err
	}
	limited, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if err := b.engine.api.ImageTag(limited, id, r.tag); err != nil {
		return found{}, engineError("name the image of sandboxes", err)
	}
	return b.engine.inspect(ctx, r.tag)
}

// A step of a build as the classic builder of Docker, or Podman, says it. Words in quotes
// at the beginning of a command say what the command does.
var (
	stepLine = regexp.MustCompile(`(?i)^step (\d+)/(\d+) ?: (.*)`)
	stepText = regexp.MustCompile(`: \\?"([^"\\]*)\\?";`)
	builtAs  = regexp.MustCompile(`^Successfully built ([0-9a-f]+)`)
)

// steps builds an image and returns its id.
func (b *builder) steps(ctx context.Context, r recipe) (string, error) {
	args, err := b.fetched(ctx, r.files)
	if err != nil {
		return "", err
	}
	maps.Copy(args, r.args)
	var files bytes.Buffer
	if err := sandbox.Pack(&files, r.files); err != nil {
		return "", fmt.Errorf("pack the parts of the image: %w", err)
	}
	watched, heard, done := b.engine.watched(ctx)
	defer done()
	res, err := b.engine.api.ImageBuild(watched, &files, build.ImageBuildOptions{
		Version: build.BuilderV1, BuildArgs: args, Labels: map[string]string{labelImage: r.tag},
		NoCache: b.again, Remove: true, ForceRemove: true,
	})
	var at koda.BuildStep
	if err != nil {
		if cause := context.Cause(watched); cause != nil {
			return "", stepError(at, cause, "")
		}
		return "", engineError("build the image of sandboxes", err)
	}
	var id string
	said, err := follow(res.Body, func(line string) {
		heard()
		if m := builtAs.FindStringSubmatch(line); m != nil {
			id = m[1]
		}
		m := stepLine.FindStringSubmatch(line)
		if m == nil {
			return
		}
		at = koda.BuildStep{Image: r.called, Step: number(m[1]), Steps: number(m[2])}
		if text := stepText.FindStringSubmatch(m[3]); text != nil {
			at.Text = text[1]
		} else if base := r.args["BASE"]; base != nil && strings.HasPrefix(m[3], "FROM") {
			at.Text = "get " + *base
		}
		b.tell(at)
	})
	if err == nil && id == "" {
		err = errors.New("the engine did not say which image it built")
	}
	if err == nil {
		return id, nil
	}
	return "", stepError(at, cmp.Or(context.Cause(watched), err), said)
}

// fetched gives the build arguments that say how packages are fetched, and adds what the
// build needs for this to its files.
func (b *builder) fetched(ctx context.Context, files map[string][]byte) (map[string]*string, error) {
	args, err := proxies()
	if err != nil {
		return nil, providerError("read the Docker settings", err, "mend that file")
	}
	if b.engine.cfg.Fetch == nil {
		return args, nil
	}
	f, err := b.engine.cfg.Fetch(ctx)
	if err != nil {
		return nil, err
	}
	if f.Registry != "" {
		args["NPM_REGISTRY"], args["npm_config_registry"] = &f.Registry, &f.Registry
	}
	if len(f.Certificates) > 0 {
		files["certificates/koda.crt"] = f.Certificates
	}
	return args, nil
}

// stepError is the error of a build that ended at a step. That the engine's disk is full
// is said by the engine or by the command of the step.
func stepError(at koda.BuildStep, err error, said string) error {
	e := &koda.Error{
		Code: koda.CodeProviderError, Op: "build the image of sandboxes", Err: shorter(err), Details: said,
		Hint: "containers need the way to Debian's and npm's packages that this machine has: koda passes on HTTPS_PROXY, NODE_EXTRA_CA_CERTS and npm's registry",
	}
	if at.Step > 0 {
		e.Op += fmt.Sprintf(", step %d of %d", at.Step, at.Steps)
	}
	if at.Text != "" {
		e.Op += ", " + at.Text
	}
	if hint := koda.HintOf(err); hint != "" {
		e.Hint = hint
	} else if full := syscall.ENOSPC.Error(); strings.Contains(strings.ToLower(err.Error()+said), full) {
		e.Code, e.Hint = koda.CodeQuotaExceeded, roomHint
	} else if at.Text == setupStep {
		e.Hint = "sandbox-setup is a command of yours, which root runs in the image; koda config get sandbox-setup shows it"
	} else if strings.HasPrefix(at.Text, "get ") {
		e.Hint = "if no registry of images can be reached, load an image of Debian 12 or 13 and name it: koda config set sandbox-base IMAGE"
	}
	return e
}

// shorter cuts a long command out of what the builder says.
func shorter(err error) error {
	if _, status, ok := strings.Cut(err.Error(), "' returned a "); ok {
		return errors.New("the command returned a " + status)
	}
	return err
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits) //nolint:errcheck // digits of a pattern
	return n
}

// keptOutput is how many bytes of the output of a build an error shows.
const keptOutput = 2 << 10

// follow reads what the engine says while it works, to the end, and closes it. It returns
// the last lines.
func follow(r io.ReadCloser, line func(string)) (said string, err error) {
	defer r.Close() //nolint:errcheck // read to its end
	d := json.NewDecoder(r)
	for {
		var m struct {
			Stream string
			Error  string
		}
		switch err := d.Decode(&m); {
		case errors.Is(err, io.EOF):
			return said, nil
		case err != nil:
			return said, fmt.Errorf("listen to the engine: %w", err)
		case m.Error != "":
			return said, errors.New(m.Error)
		}
		if m.Stream != "" && !stepLine.MatchString(m.Stream) {
			said += m.Stream
			said = said[max(0, len(said)-keptOutput):]
		}
		line(strings.TrimRight(m.Stream, "\n"))
	}
}
