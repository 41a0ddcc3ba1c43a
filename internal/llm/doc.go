// Package llm is the vocabulary of conversations with a language model: what is
// asked, what is answered, what passes meanwhile, and what can go wrong.
//
// It refuses to know any service. Each wire format has a package of its own that
// implements [Model] and [Catalogue] and passes the contract of package llmtest. What a request
// is made of, who pays for it, and what is done with the answer is up to authors
// and the engine.
//
// Invariants:
//
//   - Requests and responses are values that survive JSON: a request has a digest,
//     an answer can be journaled, and an answer that was journaled is as good as
//     one that just came.
//   - A response is whole, or there is an error. A stream that ends before the
//     service said that it ends is PROVIDER_ERROR, however politely it was closed:
//     nobody ever sees half a tool use.
//   - What passes while an answer is made is for people to watch. It may be
//     dropped, and it decides nothing.
package llm
