package docker

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/pkg/stdcopy"

	"github.com/koda-video/koda/internal/koda"
)

// needed is a shell script that prints what an image lacks, a line each.
//
//go:embed needed.sh
var needed string

// checkTimeout bounds the check of an image.
const checkTimeout = time.Minute

// check looks in a container of the image for everything a sandbox needs. The error is
// TEMPLATE_NOT_FOUND and names what the image lacks. Called names the image for people, and
// mend says what to do.
func (e *Engine) check(ctx context.Context, id, called, mend string) error {
	limited, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	stdout, stderr, status, err := e.try(limited, id, "/bin/sh", "-c", needed)
	if ctx.Err() != nil {
		return fmt.Errorf("check image %s: %w", called, ctx.Err())
	}
	if err == nil && status == 0 && stdout == "" {
		return nil
	}
	missing := strings.Split(strings.TrimSpace(stdout), "\n")
	if err != nil || status != 0 || stdout == "" { // the script itself did not run
		missing = []string{"a shell, /bin/sh, that runs"}
		if err == nil {
			err = errors.New(strings.TrimSpace(stderr))
		}
	}
	return &koda.Error{
		Code: koda.CodeTemplateNotFound, Op: fmt.Sprintf("the image %s lacks %s", called, strings.Join(missing, "; ")), Err: err,
		Hint: mend,
	}
}

// try runs a program in a confined container of an image, to its end.
func (e *Engine) try(ctx context.Context, id string, command ...string) (stdout, stderr string, status int64, err error) {
	host, err := walls(0, 0)
	if err != nil {
		return "", "", 0, err
	}
	host.AutoRemove, host.Init = false, new(true)
	made, err := contain(ctx, e.api, e.podman, &container.Config{
		Image: id, Entrypoint: command[:1], Cmd: command[1:], Healthcheck: unchecked,
	}, host, "")
	if err != nil {
		return "", "", 0, engineError("make a container of the image", err)
	}
	defer func() {
		done, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkTimeout)
		defer cancel()
		err = errors.Join(err, e.api.ContainerRemove(done, made, container.RemoveOptions{Force: true, RemoveVolumes: true}))
	}()
	ended, failed := e.api.ContainerWait(ctx, made, container.WaitConditionNextExit)
	if err := e.api.ContainerStart(ctx, made, container.StartOptions{}); err != nil {
		return "", "", 0, engineError("start a container of the image", err)
	}
	select {
	case end := <-ended:
		status = end.StatusCode
	case err := <-failed:
		return "", "", 0, engineError("wait for a container of the image", err)
	}
	logs, err := e.api.ContainerLogs(ctx, made, container.LogsOptions{ShowStdout: true, ShowStderr: true})
	if err != nil {
		return "", "", 0, engineError("read what a container of the image says", err)
	}
	var out, errs bytes.Buffer
	_, err = stdcopy.StdCopy(&out, &errs, logs)
	return out.String(), errs.String(), status, errors.Join(err, logs.Close())
}
