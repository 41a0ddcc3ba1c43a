// Package replay keeps the answers of a model in a file and gives them again: for tests
// of what asks models, without a service, a key or a price.
//
// It owns the file: lines of JSON, each with the digest of a request and its answer or
// its error. It refuses to guess: a request that differs by a byte is another request.
//
// Invariants:
//
//   - The same request, asked n times, has the n answers of the file in their order.
//   - What the file does not have is asked, and added before the answer is returned. If
//     there is no model to ask, the error is NOT_FOUND.
//   - Interrupted and timed out requests are not kept: nobody answered.
//   - The file never holds a key: a request has none. It does hold what was said, so
//     only the person can read it.
package replay
