package browser_test

import "strings"

// scenes are pages that move in all the ways that pages commonly do.
var scenes = map[string]string{
	"dom": `<!doctype html><style>
		html, body { margin: 0; height: 100%; background: linear-gradient(#101522, #2a3350) }
		h1 { color: #fff; font: 700 30px sans-serif; margin: 8px; text-align: center }
		#shadow { position: absolute; left: 120px; top: 150px; width: 80px; height: 12px; border-radius: 50%; background: #0008; filter: blur(4px) }
		#ball { position: absolute; left: 130px; top: 0; width: 60px; height: 60px; border-radius: 50%; will-change: transform;
			background: radial-gradient(circle at 35% 30%, #ff9d7a, #ff5a3c 60%, #b32a12) }
		</style><h1>Ball</h1><div id="shadow"></div><div id="ball"></div><script>
		window.__exportSeekTo = (t) => {
			const p = t % 1, y = 4 * p * (1 - p)
			document.querySelector('h1').style.letterSpacing = 2 + 4 * Math.sin(t) + 'px'
			shadow.style.transform = 'scale(' + (1 - y / 2) + ')'
			ball.style.transform = 'translateY(' + (100 - 80 * y) + 'px) scale(' + (1 + 0.1 * (1 - y)) + ',' + (0.9 + 0.1 * y) + ')'
		}
		window.__exportReady = true</script>`,

	"css": `<!doctype html><style>
		body { background: #222 }
		div { width: 40px; height: 40px; background: gold; animation: go 2s ease-in-out infinite alternate }
		p { color: #fff; animation: fade 1s steps(7) forwards }
		@keyframes go { to { transform: translateX(200px) rotate(90deg); background: tomato } }
		@keyframes fade { from { opacity: 0 } }
		</style><div></div><p>fading in</p><script>
		window.__exportSeekTo = () => {}
		window.__exportReady = true</script>`,

	"waapi": `<!doctype html><body style="background:#123"><i id="a" style="display:block;width:50px;height:50px;background:#fff"></i><script>
		a.animate([{ transform: 'none' }, { transform: 'translate(200px, 100px) rotate(1turn)' }], { duration: 1000, iterations: Infinity })
		window.__exportSeekTo = () => {}
		window.__exportReady = true</script>`,

	"canvas": `<!doctype html><body style="margin:0"><canvas id="c" width="320" height="180"></canvas><script>
		const g = c.getContext('2d')
		window.__exportSeekTo = (t) => {
			g.fillStyle = '#012'; g.fillRect(0, 0, 320, 180)
			g.font = '24px serif'; g.fillStyle = '#fc0'; g.fillText('t = ' + t.toFixed(3), 20 + 100 * t, 60)
			for (let i = 0; i < 40; i++) {
				g.beginPath(); g.arc(160 + 80 * Math.cos(t * 3 + i), 100 + 50 * Math.sin(t * 2 + i / 2), 6, 0, 7)
				g.fillStyle = 'hsl(' + i * 9 + ' 80% 60%)'; g.fill()
			}
		}
		window.__exportReady = true</script>`,

	"webgl": `<!doctype html><body style="margin:0;background:#000"><canvas id="c" width="320" height="180"></canvas><script>
		const gl = c.getContext('webgl', { antialias: true })
		const shader = (type, text) => { const s = gl.createShader(type); gl.shaderSource(s, text); gl.compileShader(s); return s }
		const program = gl.createProgram()
		gl.attachShader(program, shader(gl.VERTEX_SHADER, 'attribute vec2 p; uniform float t; varying vec3 v;' +
			'void main() { float c = cos(t), s = sin(t); v = vec3(p * .5 + .5, .5); gl_Position = vec4(mat2(c, s, -s, c) * p, 0., 1.); }'))
		gl.attachShader(program, shader(gl.FRAGMENT_SHADER, 'precision mediump float; varying vec3 v; void main() { gl_FragColor = vec4(v, 1.); }'))
		gl.linkProgram(program); gl.useProgram(program)
		gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
		gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, .9, -.8, -.7, .8, -.7]), gl.STATIC_DRAW)
		gl.enableVertexAttribArray(0); gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0)
		const time = gl.getUniformLocation(program, 't')
		window.__exportSeekTo = (t) => {
			gl.clearColor(.05, .05, .1, 1); gl.clear(gl.COLOR_BUFFER_BIT)
			gl.uniform1f(time, t); gl.drawArrays(gl.TRIANGLES, 0, 3)
		}
		window.__exportReady = true</script>`,

	"timers": `<!doctype html><body style="background:#fff"><h1 id="h"></h1><script>
		let n = 0
		setInterval(() => { n++; h.textContent = 'tick ' + n + ' at ' + performance.now().toFixed(1) }, 50)
		setTimeout(() => { document.body.style.background = '#fc9' }, 200)
		window.__exportSeekTo = () => new Promise((done) => setTimeout(done, 5))
		window.__exportReady = true</script>`,

	"frames": `<!doctype html><body style="background:#fff"><h1 id="h"></h1><script>
		const loop = (now) => { h.textContent = 'frame at ' + now.toFixed(2); h.style.paddingLeft = now / 10 + 'px'; requestAnimationFrame(loop) }
		requestAnimationFrame(loop)
		window.__exportSeekTo = () => {}
		window.__exportReady = true</script>`,

	"random": `<!doctype html><body style="background:#000"><script>
		const stars = Array.from({ length: 60 }, () => {
			const s = document.createElement('i')
			s.style = 'position:absolute;width:4px;height:4px;background:#fff;left:' + Math.random() * 320 + 'px'
			return document.body.appendChild(s)
		})
		window.__exportSeekTo = () => {
			const b = crypto.getRandomValues(new Uint8Array(60))
			stars.forEach((s, i) => { s.style.top = b[i] * 180 / 255 + 'px'; s.style.opacity = Math.random() })
		}
		window.__exportReady = true</script>`,

	"date": `<!doctype html><body style="font:20px monospace"><pre id="p"></pre><script>
		window.__exportSeekTo = () => {
			p.textContent = [Date.now(), new Date().toISOString(), new Date(0).toISOString(), performance.now(), new Intl.DateTimeFormat('en').format(new Date())].join('\n')
		}
		window.__exportReady = true</script>`,

	"smil": `<!doctype html><body style="margin:0"><svg width="320" height="180"><rect width="320" height="180" fill="#245"/>
		<circle cy="90" r="20" fill="#fd0"><animate attributeName="cx" from="20" to="300" dur="1s" repeatCount="indefinite"/></circle>
		<path d="M0 0h30v30z" fill="#f44"><animateTransform attributeName="transform" type="rotate" from="0 160 90" to="360 160 90" dur="2s" repeatCount="indefinite"/></path>
		</svg><script>
		window.__exportSeekTo = () => {}
		window.__exportReady = true</script>`,

	"tasks": `<!doctype html><body style="background:#fff"><h1 id="h"></h1><script>
		const { port1, port2 } = new MessageChannel()
		port1.onmessage = (e) => { Promise.resolve().then(() => { h.textContent = 'drawn by a task ' + e.data }) }
		window.__exportSeekTo = (t) => { port2.postMessage(t.toFixed(3)) }
		window.__exportReady = true</script>`,

	"late": `<!doctype html><style>
		body { margin: 0; background: #333 }
		.on { width: 320px; height: 180px; background: url(/wide.svg) }
		</style><div id="d"></div><img id="i" style="position:absolute;left:0;top:0"><script>
		window.__exportSeekTo = async (t) => {
			d.className = t > 0.1 ? 'on' : ''
			if (t > 0.2 && !i.src) { i.src = '/wide.svg?2'; await i.decode() }
			i.style.width = 40 + 100 * t + 'px'
		}
		window.__exportReady = true</script>`,
}

const wideSVG = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><circle cx="160" cy="90" r="70" fill="#6cf"/></svg>`

// fullHD makes a scene six times as large.
func fullHD(html string) string {
	return strings.NewReplacer(
		`width="320" height="180"`, `width="1920" height="1080"`,
		`<style>`, `<style>html { zoom: 6 } canvas { width: 320px; height: 180px }`,
		`const g = c.getContext('2d')`, `const g = c.getContext('2d'); g.scale(6, 6)`,
	).Replace(html)
}
