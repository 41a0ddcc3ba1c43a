package pages

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"strings"

	tokens "golang.org/x/net/html"

	"github.com/koda-video/koda/internal/koda"
)

// seekHead begins every script that koda puts beside a page. By it koda recognises the
// file as its own.
const seekHead = "// Written by koda init: how koda has this page show a time. It does nothing where\n// a person opens the page. More: koda init --help.\n"

const clockSeek = `if (new URLSearchParams(location.search).has('export')) {
  // koda's clock drives CSS animations, Web Animations, SMIL and videos.
  window.__exportSeekTo = () => {}
  addEventListener('load', () => document.fonts.ready.then(() => { window.__exportReady = true }))
}
`

const gsapSeek = `if (new URLSearchParams(location.search).has('export')) {
  addEventListener('load', () => {
    const root = gsap.exportRoot()
    root.pause()
    const starts = root.getChildren(false).map((child) => child.startTime() - child.delay())
    const begin = starts.length ? Math.min(...starts) : 0
    window.__exportSeekTo = (seconds) => { root.time(begin + seconds) }
    document.fonts.ready.then(() => { window.__exportReady = true })
  })
}
`

const lottieSeek = `if (new URLSearchParams(location.search).has('export')) {
  addEventListener('load', () => {
    const all = lottie.getRegisteredAnimations()
    window.__exportSeekTo = (seconds) => {
      for (const animation of all) {
        const frame = seconds * animation.frameRate * animation.playSpeed
        animation.goToAndStop(animation.loop ? frame % animation.totalFrames : Math.min(frame, animation.totalFrames - 1), true)
      }
    }
    const wait = () => all.every((animation) => animation.isLoaded) ? (window.__exportReady = true) : setTimeout(wait, 10)
    wait()
  })
}
`

// svgDocument is a document that shows an SVG file over the whole page. The SVG is inside
// the document, because in an <img> it would move by another clock than the page's.
func svgDocument(name string, svg []byte) []byte {
	if at := bytes.Index(svg, []byte("<svg")); at > 0 {
		svg = svg[at:] // without the XML declaration
	}
	fill := ""
	if bytes.Contains(svg, []byte("viewBox")) {
		fill = " body > svg { display: block; width: 100vw; height: 100vh }"
	}
	return fmt.Appendf(nil, "<!doctype html>\n<meta charset=\"utf-8\">\n<title>%s</title>\n<style>html, body { margin: 0; height: 100%%; overflow: hidden }%s</style>\n%s\n",
		html.EscapeString(name), fill, bytes.TrimSpace(svg))
}

const lottieHead = `<!doctype html>
<meta charset="utf-8">
<title>%s</title>
<style>html, body { margin: 0; height: 100%%; overflow: hidden } #stage { width: 100vw; height: 100vh }</style>
<div id="stage"></div>
`

const lottieBody = `import animationData from './%s'

const animation = lottie.loadAnimation({ container: document.getElementById('stage'), renderer: 'svg', loop: false, autoplay: false, animationData })
window.__exportSeekTo = (seconds) => animation.goToAndStop(Math.min(seconds * animation.frameRate, animation.totalFrames - 1), true)
const wait = () => animation.isLoaded ? (window.__exportReady = true) : setTimeout(wait, 10)
wait()
</script>
`

// lottieDocument is a document that plays a Lottie file with lottie-web, which lies
// beside the file or is installed.
func lottieDocument(plan *Plan, files fs.FS, file string) ([]byte, error) {
	var b strings.Builder
	fmt.Fprintf(&b, lottieHead, html.EscapeString(plan.Manifest.Name))
	player := ""
	for _, name := range roots(files, ".js") {
		if libraryOf(name) == "lottie-web" {
			player = name
		}
	}
	if player != "" {
		fmt.Fprintf(&b, "<script src=\"%s\"></script>\n<script type=\"module\">\n", html.EscapeString(player))
	} else {
		b.WriteString("<script type=\"module\">\nimport lottie from 'lottie-web'\n")
		if _, err := fs.Stat(files, "node_modules/lottie-web"); errors.Is(err, fs.ErrNotExist) {
			plan.Notes = append(plan.Notes, "the player of Lottie files is not there: run npm install lottie-web in the page's directory")
		}
	}
	if strings.ContainsAny(file, "'\\\n<") {
		return nil, &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("the name %q cannot stand in a script", file), Hint: "rename the file"}
	}
	fmt.Fprintf(&b, lottieBody, file)
	return []byte(b.String()), nil
}

// withLine puts a tag into a document, before the end of its body, and keeps every other
// byte. If the end of the body has a line of its own, the tag gets one too.
func withLine(doc []byte, tag string) []byte {
	at, end := len(doc), "\n"
	if bytes.Contains(doc, []byte("\r\n")) {
		end = "\r\n"
	}
	z := tokens.NewTokenizer(bytes.NewReader(doc))
	for from, body := 0, false; ; {
		kind := z.Next()
		if kind == tokens.ErrorToken {
			break
		}
		if name, _ := z.TagName(); kind == tokens.EndTagToken && (string(name) == "body" || string(name) == "html" && !body) {
			at, body = from, body || string(name) == "body"
		}
		from += len(z.Raw())
	}
	start := bytes.LastIndexByte(doc[:at], '\n') + 1
	lead := string(doc[start:at])
	var line string
	switch {
	case at == len(doc) && lead != "":
		line = end + tag
	case strings.TrimLeft(lead, " \t") != "":
		line = tag // in the middle of a line
	default:
		line, at = indent(doc[:start], lead)+tag+end, start
	}
	return append(append(append([]byte(nil), doc[:at]...), line...), doc[at:]...)
}

// indent is the indentation of the line before, if it is deeper.
func indent(before []byte, lead string) string {
	before = bytes.TrimRight(before, " \t\r\n")
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	if had := string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]); len(had) > len(lead) {
		return had
	}
	return lead
}
