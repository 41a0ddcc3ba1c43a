package browser

import (
	"fmt"
	"strconv"

	"github.com/koda-video/koda/internal/koda"
)

// The capture methods of koda.CaptureInfo.
const (
	methodFramebuffer = koda.MethodFramebuffer // as beginframe, but koda reads the pixels out of the browser's memory
	methodBeginFrame  = koda.MethodBeginFrame  // koda says when a frame is drawn
	methodScreenshot  = "screenshot"           // the browser decides when a frame is drawn
)

// The GL backends of koda.CaptureInfo.
const (
	glGPU         = "gpu"
	glLLVMpipe    = "llvmpipe"
	glSwiftShader = "swiftshader"
	glNone        = "none"
)

// common makes a browser that reaches no network, shows nothing of its machine, and draws
// the same everywhere.
var common = []string{
	"--headless",
	"--remote-debugging-pipe",
	"--no-first-run", "--no-default-browser-check", "--no-service-autorun", "--no-pings",
	"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
	"--disable-extensions", "--disable-default-apps", "--disable-component-extensions-with-background-pages",
	"--disable-client-side-phishing-detection", "--disable-domain-reliability", "--disable-breakpad",
	"--disable-crash-reporter", "--metrics-recording-only", "--disable-search-engine-choice-screen",
	"--disable-features=Translate,MediaRouter,DialMediaRouteProvider,OptimizationHints,InterestFeedContentSuggestions," +
		"CertificateTransparencyComponentUpdater,AutofillServerCommunication,PaintHolding,BackForwardCache,Prerender2",
	"--password-store=basic", "--use-mock-keychain",
	// All traffic goes to a proxy, and no name resolves, not even the proxy's. So
	// requests that the Fetch domain does not see (sockets, workers) reach no network
	// either, and not this machine.
	"--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=http://koda.invalid:9", "--proxy-bypass-list=<-loopback>",
	"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
	// Pages run at full speed even if nobody looks.
	"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
	"--disable-hang-monitor", "--disable-ipc-flooding-protection", "--disable-popup-blocking",
	"--autoplay-policy=no-user-gesture-required", "--mute-audio", "--enable-blink-features=CSSImageAnimation", "--hide-scrollbars", "--disable-smooth-scrolling",
	"--disable-dev-shm-usage",
	// One rendering of colours and glyphs.
	"--force-color-profile=srgb", "--font-render-hinting=none", "--disable-lcd-text",
	"--lang=en-US", "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
}

// controlled reports whether koda decides when a frame is drawn.
func controlled(info koda.CaptureInfo) bool { return info.Method != methodScreenshot }

// control hands the drawing of frames over to koda, and finishes every stage of one frame
// before the next frame begins.
var control = []string{
	"--enable-begin-frame-control", "--run-all-compositor-stages-before-draw", "--disable-new-content-rendering-timeout",
	"--disable-threaded-animation", "--disable-threaded-scrolling", "--disable-checker-imaging",
	"--disable-image-animation-resync", "--enable-surface-synchronization",
	// Each frame is composited whole. Otherwise pixels of earlier frames stay in the
	// bitmap, and the bitmap differs from a screenshot.
	"--ui-disable-partial-swap",
}

// tiles makes a layer of the viewport's size one tile. A frame that is composited whole
// then needs one copy, and a filter or a shadow is drawn once instead of once for each
// small tile it reaches into.
func tiles(v koda.Viewport) []string {
	side := func(length int) string { return strconv.Itoa((int(float64(length)*v.Scale)/64 + 2) * 64) }
	return []string{"--default-tile-width=" + side(v.Width), "--default-tile-height=" + side(v.Height)}
}

// environ is what the browser's environment has besides the host's minimal one. Its
// temporary directory is its working directory, the profile: a full Chromium that is
// killed leaves sockets there, and a longer path would be too long for a socket. Sound
// goes nowhere: otherwise a sound library would look for a server in the home directory,
// leave a link there, and start a server. WebGL gets one thread, which Mesa calls zero:
// the thread that gives the commands also does the work, and no work is handed over.
func environ(o *Options) []string {
	env := []string{"TZ=UTC", "LC_ALL=C.UTF-8", "TMPDIR=.", "PULSE_SERVER=none", "PULSE_RUNTIME_PATH=.", "PULSE_COOKIE=cookie"}
	if o.Info.GL != glLLVMpipe {
		return env
	}
	env = append(env, "LIBGL_ALWAYS_SOFTWARE=1")
	switch n := o.Viewport.GLThreads; {
	case n == 1:
		env = append(env, "LP_NUM_THREADS=0")
	case n > 1:
		env = append(env, "LP_NUM_THREADS="+strconv.Itoa(n))
	}
	return env
}

// flags builds the command line of a browser for a tab.
func flags(o *Options, dir string) []string {
	args := append([]string(nil), common...)
	args = append(args, "--user-data-dir="+dir,
		fmt.Sprintf("--window-size=%d,%d", o.Viewport.Width, o.Viewport.Height),
		"--force-device-scale-factor="+strconv.FormatFloat(o.Viewport.Scale, 'f', -1, 64))
	if o.Info.Sandbox == sandboxOff {
		args = append(args, "--no-sandbox")
	}
	if controlled(o.Info) {
		args = append(append(args, control...), tiles(o.Viewport)...)
	}
	args = append(args, graphics(o.Page, o.Info)...)
	args = append(args, o.ExtraArgs...)
	return append(args, "about:blank")
}

// graphics chooses the compositor. Without a GPU, a WebGL page is composited in software
// too, and only its canvases use GL.
func graphics(p koda.Page, info koda.CaptureInfo) []string {
	if !p.WebGL {
		return []string{"--disable-gpu"}
	}
	switch info.GL {
	case glSwiftShader, glNone:
		return []string{"--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"}
	case glLLVMpipe:
		return []string{"--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist", "--disable-gpu-compositing"}
	}
	return []string{"--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"}
}
