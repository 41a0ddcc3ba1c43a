// Package replay records what models are asked and what they answer, and plays it back:
// without a service, a network, a key or a price.
//
// It owns the directory of a recording: a file of JSON for each exchange, numbered in the
// order of the answers. It refuses to guess: a request that differs by a word from the
// recorded one is another request, and the error says what changed.
//
// Invariants:
//
//   - A request is what koda tells a model. It has no key. The pixels of its pictures are
//     left out, for other machines draw them a little differently.
//   - What an exchange has in common with an earlier one is not written again.
//   - The same request, asked n times, has the n recorded answers in their order.
//   - Interrupted and timed out requests are not kept: nobody answered.
//   - What is played back costs nothing.
//   - A recording holds what was said, so only the person can read it.
package replay
