package browser

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

//go:embed probe.html
var probePage []byte

// probeTimeout bounds one attempt to capture a frame one way.
const probeTimeout = 20 * time.Second

// sight is what koda saw of the probe page when it was drawn one way.
type sight struct {
	build    string
	renderer string // what drew WebGL; "" if nothing did
}

// Probe finds out how a browser captures frames, and whether the browser's own
// sandbox works. For each way of capturing, Probe captures a frame of a page and of
// a WebGL canvas, and checks the pixels. The answer's GL may be "none". Probe takes a
// second or two; CachedProbe remembers the answer. If the person wants a sandbox and
// this machine lets no browser make a sandbox, the error is MISSING_TOOL.
func Probe(ctx context.Context, host sandbox.Host, want Wanted) (koda.CaptureInfo, error) {
	path, err := Find(ctx, host, want.Path)
	if err != nil {
		return koda.CaptureInfo{}, err
	}
	info := koda.CaptureInfo{Browser: path, GL: glNone}
	if err := wall(host, want.Sandbox, &info, func() error { return plain(ctx, host, &info) }); err != nil {
		return koda.CaptureInfo{}, err
	}
	renderer := ""
	for _, gl := range []string{glGPU, glLLVMpipe, glSwiftShader} {
		try := info
		try.GL = gl
		seen, err := look(ctx, host, try)
		if ctx.Err() != nil {
			return koda.CaptureInfo{}, ctx.Err()
		}
		if err == nil && backend(seen.renderer) == gl {
			info.GL, renderer = gl, seen.renderer
			break
		}
	}
	info.Why = why(info, renderer)
	return info, nil
}

// plain finds out how a page without WebGL is drawn. It keeps out graphics drivers, which
// may be what fails.
func plain(ctx context.Context, host sandbox.Host, info *koda.CaptureInfo) error {
	info.Method = methodBeginFrame
	seen, err := look(ctx, host, *info)
	if err != nil && ctx.Err() == nil && koda.CodeOf(err) != koda.CodeMissingTool {
		info.Method = methodScreenshot
		seen, err = look(ctx, host, *info)
	}
	info.Build = seen.build
	if err == nil && info.Method == methodBeginFrame {
		read := *info
		read.Method = methodFramebuffer
		if _, err := look(ctx, host, read); err == nil {
			*info = read
		}
	}
	return err
}

// backend names the kind of a WebGL renderer.
func backend(renderer string) string {
	s := strings.ToLower(renderer)
	switch {
	case s == "":
		return glNone
	case strings.Contains(s, "swiftshader"):
		return glSwiftShader
	case strings.Contains(s, "llvmpipe"), strings.Contains(s, "softpipe"), strings.Contains(s, "swrast"):
		return glLLVMpipe
	}
	return glGPU
}

func why(info koda.CaptureInfo, renderer string) string {
	how := "this browser is asked for screenshots, because only a headless shell lets koda control frames"
	switch info.Method {
	case methodFramebuffer:
		how = "frames are drawn on demand and read from the browser's memory"
	case methodBeginFrame:
		how = "frames are drawn on demand and come as screenshots, because this system does not let koda read the browser's memory"
	}
	switch info.GL {
	case glGPU:
		return how + "; WebGL runs on " + renderer
	case glLLVMpipe:
		return how + "; WebGL runs on the CPU through Mesa (llvmpipe), as there is no usable GPU"
	case glSwiftShader:
		return how + "; WebGL runs on the CPU through SwiftShader: installing Mesa (apt install libegl1 libgl1-mesa-dri) makes it faster"
	}
	return how + "; WebGL does not work here"
}

// look draws the probe page one way and checks the picture's pixels.
func look(ctx context.Context, host sandbox.Host, info koda.CaptureInfo) (sight, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	page := koda.Page{
		Files: map[string]koda.PageFile{"/index.html": {Type: "text/html", Body: probePage}},
		WebGL: info.GL != glNone,
	}
	view := koda.Viewport{Width: 64, Height: 64, Scale: 1, FPS: koda.FPS{Num: 60, Den: 1}}
	view.Raw = info.Raw(page, view)
	tab, err := Open(ctx, Options{Host: host, Info: info, Page: page, Viewport: view})
	if err != nil {
		return sight{}, err
	}
	seen := sight{build: tab.proc.build}
	err = func() error {
		frame, err := tab.Capture(ctx, 0)
		if err != nil {
			return err
		}
		renderer, err := tab.evaluate(ctx, "probeRenderer()")
		if err != nil {
			return tab.explain(ctx, "ask for the WebGL renderer", err)
		}
		picture, err := decode(frame, view)
		if err != nil {
			return err
		}
		if !shows(picture, 16, 0xff, 0) {
			return &koda.Error{Code: koda.CodeCaptureFailed, Op: "the browser draws a wrong picture"}
		}
		if shows(picture, 48, 0, 0xff) {
			seen.renderer = renderer
		}
		return nil
	}()
	return seen, errors.Join(err, tab.Close())
}

// decode makes an image of a captured frame whose scale is 1.
func decode(frame []byte, v koda.Viewport) (image.Image, error) {
	if !v.Raw {
		picture, err := png.Decode(bytes.NewReader(frame))
		if err != nil {
			return nil, fmt.Errorf("read picture: %w", err)
		}
		return picture, nil
	}
	picture := image.NewRGBA(image.Rect(0, 0, v.Width, v.Height))
	for i := 0; i < len(frame); i += 4 {
		picture.Pix[i], picture.Pix[i+1], picture.Pix[i+2], picture.Pix[i+3] = frame[i+2], frame[i+1], frame[i], 0xff
	}
	return picture, nil
}

// shows reports whether the middle row of a picture has that red and green at x.
func shows(p image.Image, x int, red, green uint32) bool {
	b := p.Bounds()
	r, g, _, _ := p.At(b.Min.X+x, b.Min.Y+b.Dy()/2).RGBA()
	return b.Dx() == 64 && b.Dy() == 64 && r>>8 == red && g>>8 == green
}

// CachedProbe is Probe with a cache of answers in dir, an existing directory of this
// machine. An answer holds as long as the binary, the GL drivers and what confines
// koda stay the same.
func CachedProbe(ctx context.Context, host sandbox.Host, want Wanted, dir string) (koda.CaptureInfo, error) {
	var err error
	if want.Path, err = Find(ctx, host, want.Path); err != nil {
		return koda.CaptureInfo{}, err
	}
	if file, err := probeFile(host, want, dir); err == nil {
		var info koda.CaptureInfo
		if raw, err := os.ReadFile(file); err == nil && json.Unmarshal(raw, &info) == nil && info.Browser == want.Path && info.Method != "" {
			return info, nil
		}
	}
	return Reprobe(ctx, host, want, dir)
}

// Reprobe is CachedProbe without the cached answer: it probes again, because what a
// system allows may change without a trace that koda can see.
func Reprobe(ctx context.Context, host sandbox.Host, want Wanted, dir string) (koda.CaptureInfo, error) {
	info, err := Probe(ctx, host, want)
	if err != nil {
		return info, err
	}
	want.Path = info.Browser
	file, err := probeFile(host, want, dir)
	if err != nil {
		return info, nil //nolint:nilerr // an answer that cannot be kept is still an answer
	}
	raw, err := json.MarshalIndent(info, "", "  ")
	if err != nil {
		return info, fmt.Errorf("write probe result: %w", err)
	}
	// If the cache cannot be written, the next probe takes a second. Nothing else is
	// lost.
	_ = atomicfile.Write(file, append(raw, '\n'), 0o600) //nolint:errcheck // see above
	return info, nil
}

// probeFile is the file that keeps the answer of a probe.
func probeFile(host sandbox.Host, want Wanted, dir string) (string, error) {
	key, err := fingerprint(host, want)
	return filepath.Join(dir, "browser-"+key+".json"), err
}

// probeVersion changes when koda draws pages in another way.
const probeVersion = 3

// fingerprint covers everything that the answer of a probe depends on: the binary, what
// the person wants of it, what it may do here, and the graphics drivers of this machine.
func fingerprint(host sandbox.Host, want Wanted) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, probeVersion, want.Sandbox, confinement(host))
	for _, p := range []string{want.Path, "/usr/share/glvnd/egl_vendor.d", "/dev/dri", "/proc/driver/nvidia/version"} {
		f, err := host.Open(p)
		if err != nil {
			if p == want.Path {
				return "", err
			}
			fmt.Fprintln(h, p, "missing")
			continue
		}
		stat, err := f.Stat()
		_ = f.Close() //nolint:errcheck // only looked at
		if err != nil {
			return "", err
		}
		if stat.Mode().IsRegular() || stat.IsDir() {
			fmt.Fprintln(h, p, stat.Size(), stat.ModTime().UnixNano())
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
