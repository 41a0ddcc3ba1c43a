// Package feed hands the events of a process to all its watchers.
//
// Invariants:
//
//   - No watcher holds up the work: [Feed.Publish] never waits. A [Subscription]
//     buffers events. For a slow subscriber passing events are dropped. Durable
//     events are not kept, either, but the subscriber is told which events are
//     missing, and reads them in the journal.
//   - Glimpses go only to who asked for them, and wait behind few other events.
//   - Each subscriber has a goroutine that calls it with events in the order they
//     were published: durable events of a project without holes and none twice.
//   - A subscription can end at any time, also in the middle of a call.
package feed
