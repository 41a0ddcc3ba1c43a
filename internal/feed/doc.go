// Package feed hands the events of a process to all who watch it.
//
// Invariants:
//
//   - Nobody who watches holds up who works: [Feed.Publish] never waits. A
//     [Subscription] buffers events. For a slow subscriber passing events are
//     dropped; durable ones are not kept, either, but the subscriber is told which
//     those are, and reads them in the journal.
//   - A subscriber is called by one goroutine, of its own, with events in the order
//     they were published in: durable ones of a project without holes and none twice.
//   - A subscription can end at any time, also in the middle of a call.
package feed
