package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/koda-video/koda/internal/browser/browsertest"
	"github.com/koda-video/koda/internal/needs"
)

// marked is a text that would run, were it not shown as text.
const marked = `title "Hi <img src=/x onerror=window.hit=1><script>window.hit=1</script>"`

// person is a browser at the page of a server, with a token that outlives the server.
func (r *servedRun) person(width, height int, env ...string) (p *browsertest.Person, secret string) {
	r.t.Helper()
	needs.Chromium(r.t)
	secret = r.koda("token", "new", "--write")
	r.begin(env...)
	u, err := url.Parse(r.url)
	must(r.t, err)
	r.port = u.Port() // the next server is at the same address
	return browsertest.Open(r.t, width, height), secret
}

// fill types a text into a field and sends it by the enter key.
func fill(p *browsertest.Person, field, text string) {
	p.Until("there is "+field, "(() => { const f = document.querySelector(`"+field+"`); f.focus(); f.value = ''; return true })()")
	p.Press(text)
	p.Press("\r")
}

func click(p *browsertest.Person, what string) {
	p.Until("there is "+what, "(document.querySelector(`"+what+"`).click(), true)")
}

// watchPage notes in the page what a person sees pass: events by their numbers, what koda does,
// and how many todos are ticked.
const watchPage = `(() => {
	const main = document.querySelector('main'), note = (list, value) => value !== undefined && list.at(-1) !== value && list.push(value)
	window.saw = {seqs: [], thinking: [], ticked: []}
	new MutationObserver((records) => {
		for (const r of records) if (r.attributeName === 'data-seq') note(saw.seqs, Number(r.oldValue))
		note(saw.seqs, Number(main.dataset.seq))
		note(saw.thinking, document.querySelector('#thinking')?.textContent)
		if (document.querySelector('#todos')) note(saw.ticked, document.querySelectorAll('#todos .done').length)
	}).observe(main, {attributes: true, attributeOldValue: true, childList: true, subtree: true, characterData: true})
	return true
})()`

// saw is what watchPage noted.
type saw struct {
	Seqs, Ticked []int
	Thinking     []string
}

// gaps fails if a person who follows a project missed an event or saw one twice.
func (s saw) gaps(t *testing.T) {
	t.Helper()
	for i := range s.Seqs {
		if s.Seqs[i] != s.Seqs[0]+i {
			t.Fatalf("the events do not follow one another: %v", s.Seqs)
		}
	}
}

// TestServe_person: a person enters with a token, makes a video by the page alone, reloads it in
// the middle, and goes on where a server that was killed stopped.
func TestServe_person(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	p, secret := r.person(1280, 800, "KODA_FAILPOINT=render.frame") // it is killed in the middle of the preview
	p.Visit(r.url)
	p.Until("the server asks for a token", "document.querySelector('h1').textContent.includes('asks for a token')")
	fill(p, "input[name=token]", "koda_wrong")
	p.Until("a wrong one is refused", "document.querySelector('main .bad').textContent.includes('unknown')")
	fill(p, "input[name=token]", secret)
	p.Until("the list is empty", "document.querySelector('#cards.empty') && document.readyState === 'complete'") // and the script of the page has begun
	if cookie := browsertest.Ask[string](p, "document.cookie"); cookie != "" {
		t.Errorf("scripts read the cookie %q", cookie)
	}
	fill(p, "#prompt", "   ")
	p.Until("nothing is refused, in words", "!document.querySelector('#problem').hidden && document.querySelector('#problem').textContent.length > 20")
	fill(p, "#prompt", "bouncing ball, 2 seconds")
	p.Until("the question is there", "document.querySelectorAll('#question .options button').length === 3 && document.querySelector('#question input[name=text]')")
	browsertest.Ask[bool](p, watchPage)
	click(p, "#question .options button")
	p.Until("the plan is there", "document.querySelectorAll('#plan .scenes li').length > 0 && document.querySelector('#decide .go').textContent === 'Accept the plan'")
	fill(p, "#decide input", "make it green")
	p.Until("the plan follows", "document.querySelector('#talk').textContent.includes('make it green') && document.querySelector('#plan').textContent.includes('green')")
	click(p, "#decide .go")
	p.Until("koda works", "document.querySelector('#work') && document.querySelectorAll('#todos li').length > 2 && document.querySelector('#meanwhile')")
	p.Until("todos are ticked", "document.querySelectorAll('#todos .done').length > 1")
	p.Until("the server is gone, and the page says so", "document.querySelector('#link').textContent.includes('does not answer')")
	first := browsertest.Ask[saw](p, "saw")
	first.gaps(t)
	if len(first.Thinking) < 2 || len(first.Ticked) < 2 {
		t.Errorf("a person saw thinking %q, ticked todos %v", first.Thinking, first.Ticked)
	}
	_ = r.server.Wait()
	r.begin()
	p.Until("the page goes on by itself, to the preview", "document.querySelector('#link').hidden && !document.querySelector('#work') && document.querySelector('#preview video').currentTime > 0.2")
	second := browsertest.Ask[saw](p, "saw")
	if second.gaps(t); len(second.Seqs) <= len(first.Seqs) {
		t.Errorf("after the restart: %v, before: %v", second.Seqs, first.Seqs)
	}

	click(p, "#decide .go")
	p.Until("the final video is drawn", "document.querySelector('#work')")
	p.Visit(browsertest.Ask[string](p, "location.href")) // a reload in the middle
	p.Until("the page is there again", "document.querySelector('main').dataset.seq > 0")
	browsertest.Ask[bool](p, watchPage)
	p.Until("the video is there", "document.querySelector('#video video')")
	browsertest.Ask[any](p, "(() => { const v = document.querySelector('#video video'); v.muted = true; v.play() })()")
	p.Until("it plays", "document.querySelector('#video video').currentTime > 0.3 && document.querySelector('#video video').videoWidth === 1920")
	p.Until("it is done", "document.querySelector('#head .state').textContent === 'done'")
	fill(p, "#decide input", "make it blue")
	p.Until("the preview of a change takes its place", "document.querySelector('#preview video').videoWidth > 0 && document.querySelector('#preview video').src.includes('v2') && document.querySelector('#decide .go')")
	file := filepath.Join(r.dir, "bouncing-ball/src/App.tsx")
	code, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(file, append(code, "\nconst = 3\n"...), 0o644))
	fill(p, "#decide input", "make it red")
	p.Until("the failure is shown with its place", "document.querySelector('#failed').textContent.includes('src/App.tsx') && document.querySelector('#head .state.failed')")
	must(t, os.WriteFile(file, code, 0o644))
	click(p, "#failed .go")
	p.Until("it is mended, and tried again", "!document.querySelector('#failed') && document.querySelector('#preview video').src.includes('v3') && document.querySelector('#decide .go')")
	p.Visit(r.url)
	p.Until("the list shows it", "document.querySelector('#cards img')?.naturalWidth > 0 && document.querySelector('#cards .state.waits')")
}

// TestServe_harm: what projects say is text on every page, the page's policy allows nothing else,
// and a person whose token is revoked is told so.
func TestServe_harm(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	p, _ := r.person(390, 844)
	var token struct {
		Payload struct {
			Token  struct{ ID string }
			Secret string
		}
	}
	must(t, json.Unmarshal([]byte(r.koda("token", "new", "--write", "--json")), &token))
	made := r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", `{"prompt": `+strconv.Quote(marked)+`, "style": "playful"}`)
	p.Visit(r.url + "/?token=" + token.Payload.Secret)
	p.Until("the list shows the text", "document.querySelector('#cards').textContent.includes('<img src=/x onerror')")
	p.Visit(r.url + "/projects/" + made.ID)
	p.Until("the plan", "document.querySelector('#plan')")
	fill(p, "#decide input", `change the text to <b onclick=hit>Hey</b><svg onload=window.hit=1>`)
	p.Until("the messages show the text", "document.querySelector('#talk').textContent.includes('<svg onload')")
	p.Until("the plan shows it", "document.querySelector('#plan').textContent.includes('<b onclick=hit>Hey')")
	if got := browsertest.Ask[string](p, "[window.hit, document.scripts.length, document.querySelectorAll('main img, main svg, main b[onclick]').length].join()"); got != ",1,0" {
		t.Errorf("the texts acted: %s", got)
	}
	held := browsertest.Ask[int](p, `(async () => {
		let held = 0
		addEventListener('securitypolicyviolation', () => held++)
		const put = (html) => document.body.insertAdjacentHTML('beforeend', html)
		put('<img src=/x onerror="window.hit=1">')
		put('<p style="color:red" onclick="window.hit=1">')
		put('<iframe src="https://example.com"></iframe>')
		put('<img src="https://example.com/x.png">')
		document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.hit = 1'}))
		await fetch('https://example.com').catch(() => {})
		setTimeout('window.hit = 1')
		await new Promise((resolve) => setTimeout(resolve, 300))
		return window.hit ? -1 : held
	})()`)
	if held < 6 {
		t.Errorf("the policy held back %d attacks", held)
	}

	r.koda("token", "revoke", token.Payload.Token.ID)
	p.Until("the token is revoked", "document.querySelector('main h1').textContent.includes('asks for a token') && document.querySelector('main .bad').textContent.includes('unknown')")
	fill(p, "input[name=token]", r.koda("token", "new")) // which only reads
	p.Until("the page of the same project, which only shows", "document.querySelector('#plan') && document.querySelector('#reads') && !document.querySelector('form')")
	p.Visit(r.url + "/projects/nope")
	p.Until("there is no such project", "document.querySelector('h1').textContent === 'There is no such project.'")
}
