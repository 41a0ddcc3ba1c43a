package pages

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// A Kind is a way in which pages are animated.
type Kind string

// The kinds koda knows by name.
const (
	CSS     Kind = "CSS animations"
	WAAPI   Kind = "Web Animations"
	SMIL    Kind = "SMIL"
	Video   Kind = "video"
	Canvas  Kind = "canvas"
	GSAP    Kind = "GSAP"
	Anime   Kind = "anime.js"
	Motion  Kind = "Motion"
	Lottie  Kind = "Lottie"
	Theatre Kind = "Theatre.js"
	R3F     Kind = "React Three Fiber"
	Three   Kind = "three.js"
	P5      Kind = "p5.js"
	Pixi    Kind = "PixiJS"
	D3      Kind = "d3"
	Zdog    Kind = "Zdog"
	React   Kind = "React"
	Preact  Kind = "Preact"
	Vue     Kind = "Vue"
	Svelte  Kind = "Svelte"
	Script  Kind = "JavaScript"
)

// library says how pages of a kind are recognised, and which lines make such a page show
// a time if only its own code can.
type library struct {
	kind     Kind
	packages []string
	file     *regexp.Regexp // matches the file name of the library
	words    *regexp.Regexp // matches the page's code
	lines    string
}

// libraries are in the order in which they drive a page: Theatre.js moves what three.js
// draws, and React moves nothing.
var libraries = []library{
	{
		Theatre, []string{"@theatre/core", "@theatre/r3f"}, regexp.MustCompile(`(?i)^theatre`), regexp.MustCompile(`\bgetProject\(.+\.sheet\(`),
		"window.__exportSeekTo = (seconds) => { sheet.sequence.position = seconds }\nproject.ready.then(() => { window.__exportReady = true })",
	},
	{
		GSAP, []string{"gsap"}, regexp.MustCompile(`(?i)^(gsap|TweenMax|TweenLite)([.-]|$)`), regexp.MustCompile(`\bgsap\.(to|from|fromTo|timeline|set)\(`),
		"timeline.pause()\nwindow.__exportSeekTo = (seconds) => { timeline.time(seconds) }\nwindow.__exportReady = true",
	},
	{
		Anime, []string{"animejs", "anime"}, regexp.MustCompile(`(?i)^anime([.-]|$)`), regexp.MustCompile(`\banime(\.timeline)?\(\s*\{`),
		"animation.pause()\nwindow.__exportSeekTo = (seconds) => { animation.seek(1000 * seconds) }\nwindow.__exportReady = true",
	},
	{
		Motion, []string{"motion", "framer-motion", "@motionone/dom", "popmotion"}, regexp.MustCompile(`(?i)^(framer-)?motion([.-]|$)`), regexp.MustCompile(`\bMotion\.animate\(`),
		"animation.pause()\nwindow.__exportSeekTo = (seconds) => { animation.time = seconds }\nwindow.__exportReady = true",
	},
	{
		Lottie, []string{"lottie-web", "lottie-react", "@lottiefiles/dotlottie-web", "@lottiefiles/lottie-player", "react-lottie"},
		regexp.MustCompile(`(?i)^(dot)?(lottie|bodymovin)`), regexp.MustCompile(`\b(lottie|bodymovin)\.loadAnimation\(`),
		"window.__exportSeekTo = (seconds) => { animation.goToAndStop(1000 * seconds) }\nanimation.addEventListener('DOMLoaded', () => { window.__exportReady = true })",
	},
	{
		R3F, []string{"@react-three/fiber"}, nil, nil,
		"// In a component within <Canvas frameloop=\"never\">, which reads state.clock.elapsedTime in useFrame:\n" +
			"const advance = useThree((state) => state.advance)\nuseEffect(() => {\n  window.__exportSeekTo = (seconds) => advance(seconds)\n  window.__exportReady = true\n}, [advance])",
	},
	{
		P5, []string{"p5"}, regexp.MustCompile(`(?i)^p5([.-]|$)`), regexp.MustCompile(`\bcreateCanvas\(`),
		"noLoop() // in setup; draw() reads the variable time in place of millis() and frameCount\nwindow.__exportSeekTo = (seconds) => { time = seconds; redraw() }\nwindow.__exportReady = true",
	},
	{
		Pixi, []string{"pixi.js"}, regexp.MustCompile(`(?i)^pixi([.-]|$)`), regexp.MustCompile(`\bnew PIXI\.`),
		"app.ticker.stop() // show sets what the ticker moved, from a time alone\nwindow.__exportSeekTo = (seconds) => { show(seconds); app.render() }\nwindow.__exportReady = true",
	},
	{
		Zdog, []string{"zdog"}, regexp.MustCompile(`(?i)^zdog([.-]|$)`), regexp.MustCompile(`\bnew Zdog\.`),
		"window.__exportSeekTo = (seconds) => { illo.rotate.y = seconds; illo.updateRenderGraph() }\nwindow.__exportReady = true",
	},
	{
		Three, []string{"three"}, regexp.MustCompile(`(?i)^three([.-]|$)`), regexp.MustCompile(`\bnew THREE\.`),
		"// show sets what the loop moved, from a time alone\nwindow.__exportSeekTo = (seconds) => { show(seconds); renderer.render(scene, camera) }\nwindow.__exportReady = true",
	},
	{
		D3, []string{"d3", "d3-transition", "d3-timer", "d3-selection"}, regexp.MustCompile(`(?i)^d3([.-]|$)`), regexp.MustCompile(`\bd3\.(select|selectAll|timer|transition)\(`),
		"// show draws the data at a time, with .attr in place of .transition()\nwindow.__exportSeekTo = (seconds) => show(seconds)\nwindow.__exportReady = true",
	},
	{
		Vue, []string{"vue"}, regexp.MustCompile(`(?i)^vue([.-]|$)`), regexp.MustCompile(`\bVue\.createApp\(`),
		"// time is the ref that all components draw from\nwindow.__exportSeekTo = (seconds) => { time.value = seconds; return nextTick() }\nwindow.__exportReady = true",
	},
	{
		Svelte, []string{"svelte"}, nil, nil,
		"// time is the $state that all components draw from\nwindow.__exportSeekTo = (seconds) => { time = seconds; flushSync() }\nwindow.__exportReady = true",
	},
	{
		Preact, []string{"preact"}, regexp.MustCompile(`(?i)^preact([.-]|$)`), nil,
		"// setTime is the setter of the state that all components draw from\nwindow.__exportSeekTo = (seconds) => setTime(seconds)\nwindow.__exportReady = true",
	},
	{
		React, []string{"react-dom", "react"}, regexp.MustCompile(`(?i)^(react|react-dom)([.-]|$)`), nil,
		"// setTime is the setter of the state that all components draw from\nwindow.__exportSeekTo = (seconds) => flushSync(() => setTime(seconds))\nwindow.__exportReady = true",
	},
}

// ownLines are the lines for a page that draws by its own code.
const ownLines = "// show draws what the page shows at a time, from that time alone\nwindow.__exportSeekTo = (seconds) => show(seconds)\nwindow.__exportReady = true"

// versioned matches a version in an address.
var versioned = regexp.MustCompile(`@[0-9^~][^/]*`)

// libraryOf is the package of the library whose file an address names, wherever the file
// lies.
func libraryOf(address string) string {
	address, _, _ = strings.Cut(address, "?")
	if !strings.ContainsAny(address, "./") {
		return ""
	}
	base := versioned.ReplaceAllString(path.Base(address), "")
	if ext := path.Ext(base); ext != ".js" && ext != ".mjs" && ext != ".cjs" && !strings.Contains(address, "//") {
		return ""
	}
	for _, l := range libraries {
		if l.file != nil && l.file.MatchString(base) {
			return l.packages[0]
		}
	}
	// https://cdn.example/npm/three@0.160/build/three.module.js, …/gsap@3
	if strings.Contains(address, "//") || strings.Contains(address, "node_modules/") {
		for _, part := range strings.Split(versioned.ReplaceAllString(address, ""), "/") {
			for _, l := range libraries {
				if slices.Contains(l.packages, part) {
					return part
				}
			}
		}
	}
	return ""
}

var (
	keyframes = regexp.MustCompile(`@(-webkit-)?keyframes\b`)
	animated  = regexp.MustCompile(`\banimation(-name)?\s*:`)
	animates  = regexp.MustCompile(`\.animate\(\s*[\[{\w]`)
	contexts  = regexp.MustCompile(`\bgetContext\s*\(`)
	smilTags  = []string{"animate", "animatetransform", "animatemotion", "set"}
)

// kindsOf finds out what animates a page. The kind that drives the page comes first.
func kindsOf(s *source) (kinds []Kind) {
	code := s.all()
	for _, l := range libraries {
		has := slices.ContainsFunc(l.packages, func(p string) bool { return slices.Contains(s.packages, p) })
		if has || l.words != nil && l.words.MatchString(code) {
			kinds = append(kinds, l.kind)
		}
	}
	if len(kinds) == 0 && (len(s.scripts) > 0 || s.unseen) {
		for _, l := range libraries { // the packages that a bundle was made of
			if slices.ContainsFunc(dependencies(s.files), func(p string) bool { return slices.Contains(l.packages, p) }) {
				kinds = append(kinds, l.kind)
			}
		}
	}
	if contexts.MatchString(code) && !slices.ContainsFunc(kinds, func(k Kind) bool { return k == Three || k == R3F || k == Pixi }) {
		kinds = append(kinds, Canvas)
	}
	if animates.MatchString(code) && !slices.Contains(kinds, Motion) {
		kinds = append(kinds, WAAPI)
	}
	if keyframes.MatchString(s.css()) && animated.MatchString(s.css()) {
		kinds = append(kinds, CSS)
	}
	if slices.ContainsFunc(smilTags, func(name string) bool { return s.count(name) > 0 }) {
		kinds = append(kinds, SMIL)
	}
	if s.count("video") > 0 {
		kinds = append(kinds, Video)
	}
	if len(kinds) == 0 && (len(s.scripts) > 0 || s.unseen) {
		kinds = append(kinds, Script)
	}
	return kinds
}

// drivenByClock are the kinds that koda's clock moves without any code of the page.
var drivenByClock = []Kind{CSS, WAAPI, SMIL, Video}

var (
	// restless matches code that makes the page depend on more than what was made while
	// it loaded.
	restless = regexp.MustCompile(`\b(setTimeout|setInterval|requestAnimationFrame|requestIdleCallback|addEventListener|on(click|mousemove|scroll|resize|message)|performance\.now|Date\.now|new Date|Worker|WebSocket|EventSource|fetch|XMLHttpRequest|\w+Observer|classList|className|onfinish|finished|await|ScrollTrigger|delayedCall|ticker|onComplete|onUpdate|onRepeat|onStart|addLabel|hover)\b|\.(then|call|reverse|restart|play|kill|cancel)\(|@starting-style|:hover`)
	onLoad   = regexp.MustCompile("addEventListener\\(\\s*[\"'`](DOMContentLoaded|load)[\"'`]")
	moving   = regexp.MustCompile(`\btransition(-property|-duration)?\s*:\s*(?:[^;}n]|n[^o])`)
	styled   = regexp.MustCompile(`\.style\b|setAttribute\(|innerHTML`)
)

// calm reports whether everything that a page shows began while the page loaded.
func (s *source) calm() bool {
	code := onLoad.ReplaceAllString(s.all(), "")
	if s.unseen || restless.MatchString(code) || strings.Contains(s.css(), "@starting-style") {
		return false
	}
	return !(moving.MatchString(s.css()) && styled.MatchString(code))
}
