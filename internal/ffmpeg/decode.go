package ffmpeg

import (
	"context"
	"slices"
)

// DecodeArgs are ffmpeg's arguments for reading the pictures of s and writing
// nothing, for measurements.
func DecodeArgs(s Spec) []string {
	args := Args(s)
	input := args[:slices.Index(args, "pipe:0")+1]
	return append(slices.Clone(input), "-map", "0:v:0", "-f", "null", "-")
}

// Decode starts an ffmpeg that takes pictures as Encode does and writes nothing.
func (t *Tool) Decode(ctx context.Context, s Spec) (*Encoder, error) {
	return t.feed(ctx, s, DecodeArgs(s))
}
