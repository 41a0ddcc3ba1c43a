// Package control is the protocol between the processes of koda: one process owns
// a project and works on it, others follow the work, say something, or end it. The
// package has both ends.
//
// The owner listens on a unix socket, DIR/PROJECT.sock, while it holds the lock
// of the project. Whoever holds the lock may replace an existing socket, as the
// socket's owner is dead. The address follows from koda's home and the id of the
// project: nothing in a project's directory says where to connect to.
//
// A connection carries one request and its replies, each a JSON object on a line:
//
//	→ {"v":1,"op":"say","text":"make it blue"}
//	← {"v":1,"type":"ok","heard":{"todo":{"id":"6","label":"Change: make it blue"}}}
//
//	→ {"v":1,"op":"cancel"}
//	← {"v":1,"type":"ok"}
//	← {"v":1,"type":"end"}                 everything is saved, the project is free
//
//	→ {"v":1,"op":"edited","paths":["src/App.tsx"]}
//	← {"v":1,"type":"ok"}                  the author will hear of it
//
//	→ {"v":1,"op":"now"}
//	← {"v":1,"type":"ok","now":"Adding shadows"}
//
//	→ {"v":1,"op":"follow","glimpses":true} glimpses only for who asks
//	← {"v":1,"type":"ok"}
//	← {"v":1,"type":"seq","seq":17}        durable events up to 17 are in the journal
//	← {"v":1,"type":"event","event":{...}} a passing event
//	← {"v":1,"type":"end"}
//
// A refusal is {"v":1,"type":"error","error":{code,message,hint}}. Fields may be
// added; a request of another version is refused. If a connection ends without
// "end", its owner was killed.
//
// It owns the socket, the lines and their limits. It refuses to know what a
// message means: an [Owner] knows.
//
// Invariants:
//
//   - Only the same user is answered: the directory is the user's alone, and the
//     kernel says who connects.
//   - A message is answered after the owner journaled it.
//   - Nobody holds up the owner. Followers watch its feed (package feed), which
//     waits for nobody and drops passing events for slow followers. A peer that
//     sends nothing, too much, or nonsense is cut off. Durable events are only
//     announced: a follower reads them in the journal, so none can be dropped.
//   - The path of a socket has at most about a hundred bytes; a longer path is
//     reached through a link that exists only for the moment.
package control
