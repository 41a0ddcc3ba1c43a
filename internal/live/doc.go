// Package live shows a server that runs in a sandbox to people of this machine: a
// [Proxy] at an address of the loopback, which passes requests and websockets on through
// the sandbox's own way to its ports ([Open]). The sandbox then needs no port on this
// machine. Where no server can run, a proxy shows the page that koda builds ([Show]).
//
// It refuses to start the server, and to know what the server is.
//
// What answers was written by an author, and asks from a browser in which a person is
// signed in elsewhere. So a proxy answers only requests for its own address, and only
// those that its own pages and the person make: other pages get nothing, whatever
// name they give this machine. Cookies and credentials of the person's other servers
// do not pass, in either direction, as a browser keeps cookies by host and not by port.
// The policy of content keeps the page from the network, as in a render.
package live
