package docker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/containerd/errdefs"
	"github.com/distribution/reference"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// Name is the name of koda's own image. Its tags are digests of what it is built of.
const Name = "koda/animation-sandbox"

// labelImage is on every image that koda built; its value is the image's tag.
const labelImage = "video.koda.image"

// ImageConfig says of what sandboxes are made.
type ImageConfig struct {
	Files fs.FS  // the build context of koda's own image
	Name  string // Name, or an image of the person

	// Of koda's own image:
	Base   string // image of Debian 12 or 13 it begins with
	Studio bool   // with Theatre.js Studio

	// Of either:
	Setup string   // shell command that root runs while the image is built; "" means none
	Env   []string // NAME=value

	// Quiet is how long the engine may say nothing while it makes an image; 0: 10 minutes.
	Quiet time.Duration

	// Fetch says how packages are fetched. It is asked only before an image is built, and
	// what it says is not part of the tag.
	Fetch func(context.Context) (Fetch, error)
}

// Fetch is how the packages of an image are fetched.
type Fetch struct {
	Registry     string // of npm; "" means npm's own
	Certificates []byte // that are trusted beside those of Debian, in PEM; may be empty
}

// recipe is one image that can be built.
type recipe struct {
	called string // for people
	mend   string // what people do if the image lacks something
	tag    string
	files  map[string][]byte
	args   map[string]*string
}

// Takes says how long koda's own image takes to build.
const Takes = "once, about 3 minutes"

// own is koda's own image.
func (c ImageConfig) own() (recipe, error) {
	r := recipe{called: "the image of sandboxes (" + Takes + ", 1.7 GB)", mend: "build upon Debian 12 or 13: koda config unset sandbox-base", files: map[string][]byte{}, args: map[string]*string{}}
	err := fs.WalkDir(c.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		r.files[path], err = fs.ReadFile(c.Files, path)
		return err
	})
	if err != nil {
		return recipe{}, fmt.Errorf("read the parts of the image: %w", err)
	}
	r.args["BASE"] = &c.Base
	if c.Studio {
		r.args["STUDIO"] = new("on")
	}
	return r, r.seal()
}

// setupStep is what people are told while their command runs.
const setupStep = "run sandbox-setup"

// derived is an image made of another image by the person's commands and environment. If
// the person wants neither, the result is false.
func (c ImageConfig) derived(id, user string) (recipe, bool, error) {
	if c.Setup == "" && len(c.Env) == 0 {
		return recipe{}, false, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "FROM %s\n", id)
	for _, pair := range c.Env {
		name, value, _ := strings.Cut(pair, "=")
		fmt.Fprintf(&b, "ENV %s=\"%s\"\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`).Replace(value))
	}
	if c.Setup != "" {
		command, err := json.Marshal([]string{"/bin/sh", "-euc", `: "` + setupStep + `"; ` + c.Setup})
		if err != nil {
			return recipe{}, false, err
		}
		fmt.Fprintf(&b, "ARG npm_config_registry\nUSER 0\nRUN %s\n", command)
		if user != "" {
			fmt.Fprintf(&b, "USER %s\n", user)
		}
	}
	r := recipe{called: "the image of sandboxes with what your settings add (once)", mend: "your settings took that away: koda config get sandbox-setup, koda config get sandbox-env", files: map[string][]byte{"Dockerfile": []byte(b.String())}, args: map[string]*string{}}
	return r, true, r.seal()
}

// seal gives the recipe the tag of what it is made of: a digest of its files and arguments.
func (r *recipe) seal() error {
	h := sha256.New()
	if err := sandbox.Pack(h, r.files); err != nil {
		return err
	}
	if err := json.NewEncoder(h).Encode(r.args); err != nil { // in the order of their names
		return err
	}
	r.tag = Name + ":" + hex.EncodeToString(h.Sum(nil))[:16]
	return nil
}

// found is an image that the engine has.
type found struct {
	sandbox.Image
	user string
}

// inspect looks an image up. The error is TEMPLATE_NOT_FOUND if the engine does not have it.
func (e *Engine) inspect(ctx context.Context, name string) (found, error) {
	if _, err := reference.ParseAnyReference(name); err != nil {
		return found{}, &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("%q is not the name of an image", name), Err: err, Hint: "write it like registry.example/name:tag: koda config set sandbox-image NAME",
		}
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	info, err := e.api.ImageInspect(ctx, name)
	if errdefs.IsNotFound(err) {
		return found{}, &koda.Error{
			Code: koda.CodeTemplateNotFound, Op: fmt.Sprintf("the image of sandboxes, %s, is not there", name), Hint: "build it: koda sandbox build",
		}
	}
	if err != nil {
		return found{}, engineError("look up image "+name, err)
	}
	f := found{Image: sandbox.Image{Tag: name, ID: info.ID, Size: info.Size}}
	f.Created, _ = time.Parse(time.RFC3339Nano, info.Created) //nolint:errcheck // zero if the engine does not say it
	if info.Config != nil {
		f.user = info.Config.User
	}
	return f, nil
}

// Image finds the image that sandboxes are made of. The error is TEMPLATE_NOT_FOUND if
// the image must be built or pulled first.
func (e *Engine) Image(ctx context.Context) (sandbox.Image, error) {
	all, err := e.images(ctx)
	if err != nil {
		return sandbox.Image{}, err
	}
	f := all[len(all)-1]
	f.Current = true
	return f.Image, nil
}

// images finds the image that sandboxes are made of, last, and before it the image it is
// derived from, if there is one. With an error it returns those that are there.
func (e *Engine) images(ctx context.Context) ([]found, error) {
	name := e.cfg.Name
	if name == Name {
		r, err := e.cfg.own()
		if err != nil {
			return nil, err
		}
		name = r.tag
	}
	base, err := e.inspect(ctx, name)
	if err != nil {
		return nil, err
	}
	r, more, err := e.cfg.derived(base.ID, base.user)
	if err != nil || !more {
		return []found{base}, err
	}
	f, err := e.inspect(ctx, r.tag)
	if err != nil {
		return []found{base}, err
	}
	return []found{base, f}, nil
}
