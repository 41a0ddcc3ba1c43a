package ffmpeg

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// deviceTimeout is how long a graphics device has for one picture: some drivers
// hang instead of failing.
const deviceTimeout = 20 * time.Second

// The encoders of graphics devices, as koda.HardwareEncoders has them.
const (
	nvenc        = "nvenc"
	videotoolbox = "videotoolbox"
	qsv          = "qsv"
	amf          = "amf"
	vaapi        = "vaapi"
)

// trial is a test with one picture.
type trial struct {
	identity
	hardware      string
	width, height int
	fps           koda.FPS
}

// tried is the result of a trial; one of the two fields is empty.
type tried struct{ device, why string }

// Hardware encodes one picture of the size of s with the encoder s.Hardware, once
// for each size. Only that proves that there is a device that can encode. The
// answer names the device by its output for that picture: two devices of one name
// encode alike. MISSING_TOOL wraps the reason why the encoder cannot be used.
func (t *Tool) Hardware(ctx context.Context, s Spec) (device string, err error) {
	id, err := t.identify("ffmpeg")
	if err != nil {
		return "", err
	}
	have, err := t.Encoders(ctx)
	if err != nil {
		return "", err
	}
	key := trial{id, s.Hardware, s.Width, s.Height, s.FPS}
	t.mu.Lock()
	defer t.mu.Unlock()
	got, ok := t.devices[key]
	if !ok {
		if got.why = "this ffmpeg was built without " + s.encoder(); slices.Contains(have, s.encoder()) {
			got = t.try(ctx, id.path, s)
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		t.devices[key] = got
	}
	if got.device == "" {
		return "", &koda.Error{
			Code: koda.CodeMissingTool, Op: fmt.Sprintf("%s cannot encode %dx%d here", s.Hardware, s.Width, s.Height), Err: errors.New(got.why),
			Hint: "leave out --encoder: libx264 needs no graphics device",
		}
	}
	return got.device, nil
}

func (t *Tool) try(ctx context.Context, path string, s Spec) tried {
	ctx, cancel := context.WithTimeout(ctx, deviceTimeout)
	defer cancel()
	out, stderr, err := t.once(ctx, path, tryArgs(s), nil)
	switch {
	case ctx.Err() != nil:
		return tried{why: fmt.Sprintf("its driver gave no picture in %v", deviceTimeout)}
	case err != nil:
		return tried{why: firstCause(stderr, err)}
	case len(out) == 0:
		return tried{why: "its driver gave no picture"}
	}
	sum := sha256.Sum256(out)
	return tried{device: hex.EncodeToString(sum[:])}
}

// tryArgs are ffmpeg's arguments for encoding one picture in the way of s.
func tryArgs(s Spec) []string {
	s.Scaled = false
	args := append(deviceArgs(s), "-f", "lavfi", "-i", fmt.Sprintf("testsrc2=size=%dx%d:rate=%s,format=bgr0", s.Width, s.Height, s.FPS), "-frames:v", "1",
		"-filter_threads", "1", "-vf", toVideo(s))
	return append(append(args, codecArgs(s)...), "-f", "h264", "pipe:1")
}

var (
	logPrefix  = regexp.MustCompile(`^(\[[^\]]*\] *)+`)
	errorCodes = regexp.MustCompile(`[: ]*\(?-\d+\)?\.?$`)
)

// firstCause is ffmpeg's first message, without its sender and without numbers that
// nobody can look up. Consequences follow after the first message.
func firstCause(stderr string, err error) string {
	for line := range strings.Lines(stderr) {
		line = errorCodes.ReplaceAllString(logPrefix.ReplaceAllString(strings.TrimSpace(line), ""), "")
		if line != "" {
			return line
		}
	}
	return err.Error()
}

// deviceArgs open the device that an encoder needs before its input.
func deviceArgs(s Spec) []string {
	if s.Hardware == vaapi {
		return append(quiet(), "-init_hw_device", "vaapi=device", "-filter_hw_device", "device")
	}
	return quiet()
}

// Quality is the name and the number of an encoder's quality that corresponds to an
// x264 -crf. All encoders keep the quality constant, so that segments look alike.
func Quality(hardware string, crf int) (name string, value int) {
	if hardware == videotoolbox { // from 1 to 100, in the opposite direction
		return "q", min(100, max(1, int(math.Round(100-1.7*float64(crf)))))
	}
	return "qp", crf
}

// efforts are the encoders' names for x264's presets; encoders that are missing
// have no such names.
var efforts = map[string]map[string]string{
	nvenc: {
		"ultrafast": "p1", "superfast": "p2", "veryfast": "p3", "faster": "p4", "fast": "p4", "medium": "p5", "slow": "p6",
		"slower": "p7", "veryslow": "p7", "placebo": "p7",
	},
	qsv: {
		"ultrafast": "veryfast", "superfast": "veryfast", "veryfast": "veryfast", "faster": "faster", "fast": "fast", "medium": "medium", "slow": "slow",
		"slower": "slower", "veryslow": "veryslow", "placebo": "veryslow",
	},
	amf: {
		"ultrafast": "speed", "superfast": "speed", "veryfast": "speed", "faster": "balanced", "fast": "balanced", "medium": "balanced",
		"slow": "quality", "slower": "quality", "veryslow": "quality", "placebo": "quality",
	},
}

// HasEffort reports whether an encoder of a graphics device can be told to try
// harder.
func HasEffort(hardware string) bool { return efforts[hardware] != nil }

// hardwareArgs choose an encoder of a graphics device: constant quality, closed
// groups of pictures without B-frames. The colours are written into its stream
// by a filter, because not every driver does it.
func hardwareArgs(s Spec) []string {
	_, value := Quality(s.Hardware, s.CRF)
	q, effort := strconv.Itoa(value), efforts[s.Hardware][s.Preset]
	args := []string{"-c:v", s.encoder(), "-profile:v", "high", "-g", strconv.Itoa(keyint), "-bf", "0"}
	switch s.Hardware {
	case nvenc:
		args = append(args, "-preset", effort, "-rc", "constqp", "-qp", q, "-forced-idr", "1")
	case qsv:
		args = append(args, "-preset", effort, "-q:v", q)
	case amf:
		args = append(args, "-quality", effort, "-rc", "cqp", "-qp_i", q, "-qp_p", q)
	case vaapi:
		args = append(args, "-rc_mode", "CQP", "-qp", q)
	case videotoolbox:
		args = append(args, "-q:v", q)
	}
	return append(args, "-bsf:v", "h264_metadata=colour_primaries=1:transfer_characteristics=1:matrix_coefficients=1:video_full_range_flag=0")
}
