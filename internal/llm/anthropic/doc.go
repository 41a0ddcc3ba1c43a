// Package anthropic asks models over Anthropic's Messages API, by the official SDK.
//
// It alone imports the SDK, and refuses what the SDK does by itself: it tries nothing
// again (package service does), reads no key, address or profile from the environment,
// and traces nothing.
//
// Invariants:
//
//   - An answer is whole if message_stop came and it says why it stopped. The SDK
//     reports nothing if a stream just ends.
//   - A tool use is one whose block ended. If the answer reached its limit, the last
//     tool use is left out, however whole it looks. If the model wrote something else
//     than an object, the use has the one field INVALID_JSON, which no tool takes, so
//     that the model is told.
//   - Usage in a stream is that of the whole answer so far: the last one counts.
//   - Thinking goes back as it came, block by block, signature included.
//   - What a model can do comes from the service: how much it writes, and whether it
//     thinks when it wants to. There is no table of models here.
package anthropic
