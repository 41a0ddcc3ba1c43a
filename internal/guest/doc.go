// Package guest is what koda and its guest say to each other, both ends. The guest is
// the program koda puts into a sandbox that is a machine of its own, such as a
// container: cmd/koda-guest.
//
// They speak HTTP/2 with prior knowledge over any byte stream that a provider opens: a
// unix socket, the standard streams of a program in the container that joins the
// guest's socket ([Join]), later a port. The sandbox then needs no network and no port.
//
// It owns the server ([Handler], [Serve]), the clients, which are a [sandbox.Sandbox]
// ([Open]) and a drawer ([OpenDrawing]), and the [Lease]. It does none of the work: files,
// commands, shells and dialling are handed in as [Ports], a drawer as [Studio]. A guest
// has the ports or draws, never both: where koda draws, no command of an author runs.
//
// How it speaks:
//
//   - Files travel as tar, whole directories in one call. Before a snapshot the client
//     asks for digests and then only for the files it does not hold, so an unchanged
//     project costs one round trip.
//   - A running command, a shell and a dialled port are POST requests whose two bodies
//     flow at the same time. The end of the request's body ends the command or the
//     view of the shell. A resize is a frame among the typed bytes, so it keeps its
//     place in their order.
//   - A job of a drawer is a POST request like a command. Its files travel beforehand,
//     by their digests, and only those that the guest does not keep yet: a page travels
//     once for all its segments, and a segment drawn there not at all to be joined.
//     Progress and glimpses come as frames, then the files that the job made.
//   - Koda calls and the guest answers, never the other way round. So a port that the
//     guest opens for koda is one call, in which the guest names each connection that
//     comes, and koda accepts each with a call of its own.
//   - A client holds two connections: what people type does not wait behind files.
//     Both are opened when needed and closed when unused for a minute. Pings notice a
//     connection that is dead.
//
// Koda does not trust the guest: code of an author runs beside it and may be it. So the
// client bounds all it reads and the time it waits, checks each path as a checkpoint does,
// accepts only the codes that the interfaces name, and says its own hints. Of a drawing it
// takes files up to the size that the job can have, to the paths of the job only; whoever
// publishes them checks their frames.
package guest
