// Package live shows an animation in a person's own browser while it is made: a [View] is
// a page with the picture, its time, its scenes, its sound and the parameters of its
// recipe. The picture is the page that koda builds ([Source]), or what a server in a
// sandbox serves ([Config].Dial); the sandbox then needs no port on this machine. A [Watcher]
// notices what a person saves.
//
// It refuses to build pages, to start servers, and to change projects: it is handed what
// does.
//
// The picture at a time is the picture of a render: the same clock (templates/clock) runs
// before the page's scripts, and page/picture.js does what internal/browser does by
// DevTools. A browser of a person differs from a render in these: it has the person's
// fonts, pixel ratio and graphics; <video> elements and animated images are not shown
// by the frame; and a frame that counts animation frames is not compared with itself.
//
// Walls. What is shown was written by an author, and runs in a browser in which a person
// is signed in elsewhere. So the picture is a sandboxed frame at an origin of its own: a
// name below localhost, new for each view, that nobody guesses and that leads to the
// loopback in Chrome, Edge and Firefox. Cookies and storage of this machine's other
// servers are of other names, and the browser gives the picture a process of its own, so
// its endless loops do not stop the page around it. Its policy lets it ask that origin
// alone; it opens no window, leads the page nowhere, downloads nothing and registers no
// service worker. Requests are answered only for the view's own names (a name that
// somebody else leads here is refused), and only to the view's own pages and the person.
// Other people of this machine reach its loopback too, so the page, what it is told and its
// form are for who has the token of the address. The token stays in the address: a
// cookie would go to every server of this machine that the person visits.
// The page around the picture takes messages of its picture alone, and takes from them
// numbers, which it checks, and texts, which it cuts and shows as texts. Only that page
// changes parameters.
//
// At an address that is not the loopback, such names lead nowhere. There the picture has
// an opaque origin: without storage, workers of files and readable images. Its files are
// there for whoever reaches the address.
//
// What these walls do not promise: the browser decides what a policy covers. Chromium
// opens a connection for <link rel=preconnect>, and WebRTC sends packets, whatever the
// policy says, unless the browser obeys the headers Connection-Allowlist and webrtc. The
// suite of hostile pages counts what came through.
package live
