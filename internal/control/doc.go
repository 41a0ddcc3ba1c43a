// Package control is what the processes of koda say to each other: one owns a
// project and works on it, others follow the work, say something, or end it.
// It has both ends.
//
// The owner listens on a unix socket, DIR/PROJECT.sock, while it holds the lock
// of the project; whoever holds the lock may replace a socket that is there, as
// its owner is dead. The address follows from koda's home and the id of the
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
//	→ {"v":1,"op":"now"}
//	← {"v":1,"type":"ok","now":"Adding shadows"}
//
//	→ {"v":1,"op":"follow"}
//	← {"v":1,"type":"ok"}
//	← {"v":1,"type":"seq","seq":17}        durable events up to 17 are in the journal
//	← {"v":1,"type":"event","event":{...}} a passing event
//	← {"v":1,"type":"end"}
//
// A refusal is {"v":1,"type":"error","error":{code,message,hint}}. Fields may be
// added; a request of another version is refused. A connection that ends without
// "end" is that of an owner that was killed.
//
// It owns the socket, the lines and their limits. It refuses to know what a
// message means: an [Owner] does.
//
// Invariants:
//
//   - Only the same user is answered: the directory is theirs alone, and the
//     kernel is asked who connects.
//   - What is said is answered after the owner journaled it.
//   - Nobody holds up the owner: followers watch its feed (package feed), which
//     waits for none and drops passing events for the slow, and a peer that sends nothing,
//     too much, or nonsense is cut off. Durable events are only announced; who
//     follows reads them in the journal, so none can be dropped.
//   - The path of a socket has at most about a hundred bytes; a longer one is
//     reached through a link that lives for the moment.
package control
