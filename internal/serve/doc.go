// Package serve is koda over HTTP: projects of several users and for several clients, in
// one process.
//
// It owns the routes, who may use them ([Access]), and how events reach clients: each client
// of a project gets the durable events that it has not seen, then new events as they come,
// whichever process works ([Server.Handler], /api/projects/{id}/events). It refuses to know
// how a video is made: the engine does the work, under the lock of the project as ever.
//
// Invariants:
//
//   - A request that works is answered as soon as the engine journaled it, so that no crash
//     loses what was answered. The work goes on without the client. When a server begins, it
//     goes on with what the server before it left in the middle.
//   - No client holds up the work or another client. A client that is slow misses passing
//     events, never durable ones; a client that takes nothing, or does not end
//     its request, is cut off.
//   - Whoever asks sees their own projects only. What is another user's is NOT_FOUND, as if it
//     did not exist.
//   - Answers hold no path outside of the project: paths are relative to its directory.
//   - A failure is a problem detail (RFC 9457) with koda's code and hint, also if a library
//     answers. What can be read in two ways is refused.
//   - Only requests for the server's own names are answered, and none that a page of another
//     origin made, so that no page reaches the server through a person's browser.
package serve
