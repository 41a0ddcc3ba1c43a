// Package guest is what koda and its guest say to each other, both ends. The guest is
// the program koda puts into a sandbox that is a machine of its own, such as a
// container: cmd/koda-guest.
//
// They speak HTTP/2 with prior knowledge over any byte stream that a provider opens: a
// unix socket, the standard streams of a program in the container that joins the
// guest's socket ([Join]), later a port. The sandbox then needs no network and no port.
//
// It owns the server ([Handler], [Serve]), the client, which is a [sandbox.Sandbox]
// ([Open]), and the [Lease]. It does none of the work: files, commands, shells and
// dialling are handed in as [Ports]. A drawer will be handed in the same way; its
// progress will come as frames, as the output of a command does.
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
//   - A client holds two connections: what people type does not wait behind files.
//     Both are opened when needed and closed when unused for a minute. Pings notice a
//     connection that is dead.
//
// Koda does not trust the guest: code of an author runs beside it and may be it. So the
// client bounds all it reads, checks each path as a checkpoint does, accepts only the
// codes that the interfaces of package sandbox name, and says its own hints.
package guest
