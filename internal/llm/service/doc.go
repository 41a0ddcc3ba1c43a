// Package service is what the adapters of all model services share: how a service is
// reached, which failures are worth another try, and what a person is told of those
// that last.
//
// It refuses to know a wire format. An adapter makes one try with the SDK of its
// service, whose own tries are off, and turns what went wrong into a [Failure].
//
// Invariants:
//
//   - All tries are made here, whether a try failed before the answer began or in the
//     middle of it. An SDK tries again only until the answer begins, and most failures
//     of a long answer come later.
//   - The usage of all tries is summed up, and each try counts once.
//   - A key is sent to the address it was set for, and nowhere else: no redirect is
//     followed, and without TLS a key does not leave this machine. No error, log or
//     event holds a key, not even if the service repeats it.
//   - What a service says in an error is a stranger's text: one line of it is shown.
//   - A service that keeps silent is given up. Whatever comes counts, comments and
//     pings too: a service that thinks for an hour says so.
package service
