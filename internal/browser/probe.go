package browser

import (
	"context"
	"errors"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

func probe(context.Context, sandbox.Host, string) (koda.CaptureInfo, error) {
	return koda.CaptureInfo{}, errors.New("soon")
}

func cachedProbe(context.Context, sandbox.Host, string, string) (koda.CaptureInfo, error) {
	return koda.CaptureInfo{}, errors.New("soon")
}
