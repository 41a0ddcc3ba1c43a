package browser_test

import (
	"context"
	"testing"
	"time"
	"os"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

const ball = `<!doctype html><style>html,body{margin:0;height:100%;background:linear-gradient(#101522,#2a3350)}
#b{position:absolute;width:200px;height:200px;left:300px;border-radius:50%;background:radial-gradient(circle at 35% 30%,#ff9d7a,#b32a12);will-change:transform}
h1{color:#fff;font:700 60px sans-serif}</style><h1>Ball</h1><div id=b></div><script>
window.__exportSeekTo=t=>{b.style.transform='translateY('+(100*Math.abs(Math.sin(3*t)))+'px)'};
window.__exportSeekTo(0);window.__exportReady=true</script>`

func TestFirst(t *testing.T) {
	ctx := context.Background()
	host := hostos.New("")
	path, err := browser.Find(ctx, host, "")
	if err != nil { t.Fatal(err) }
	t.Log(path)
	start := time.Now()
	tab, err := browser.Open(ctx, browser.Options{
		Host: host, Info: koda.CaptureInfo{Browser: path, Method: "beginframe"},
		Page: koda.Page{Files: map[string]koda.PageFile{"/index.html": {Type: "text/html", Body: []byte(ball)}}},
		Viewport: koda.Viewport{Width: 1920, Height: 1080, Scale: 1, FPS: koda.FPS{Num: 60, Den: 1}},
		Log: func(l string) { t.Log(l) },
	})
	if err != nil { t.Fatalf("%v\n%s\n%s", err, koda.HintOf(err), koda.DetailsOf(err)) }
	t.Log("open", time.Since(start))
	start = time.Now()
	for i := range 30 {
		f, err := tab.Capture(ctx, i)
		if err != nil { t.Fatalf("%v\n%s", err, koda.DetailsOf(err)) }
		if i == 10 { os.WriteFile("/tmp/browser-first.png", f.PNG, 0o644) }
		if i < 4 { t.Log(i, len(f.PNG), f.Damaged, time.Since(start)) }
	}
	t.Log("30 frames", time.Since(start))
	start = time.Now()
	t.Log(tab.Close(), time.Since(start))
}
