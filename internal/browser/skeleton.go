package browser

import (
	"context"
	"errors"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

var errUnfinished = errors.New("browser: not built yet")

func find(context.Context, sandbox.Host, string) (string, error) { return "", errUnfinished }

func probe(context.Context, sandbox.Host, string) (koda.CaptureInfo, error) {
	return koda.CaptureInfo{}, errUnfinished
}

func cachedProbe(context.Context, sandbox.Host, string, string) (koda.CaptureInfo, error) {
	return koda.CaptureInfo{}, errUnfinished
}

func open(context.Context, Options) (*Tab, error) { return nil, errUnfinished }

func (t *Tab) capture(context.Context, int) (Frame, error) { return Frame{}, errUnfinished }

func (t *Tab) frameKey(context.Context, int) (string, bool, error) { return "", false, errUnfinished }

func (t *Tab) close() error { return errUnfinished }
