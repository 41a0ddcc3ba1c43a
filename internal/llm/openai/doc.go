// Package openai asks models over OpenAI's chat completions, by the official SDK. Most
// other services and all local servers speak this format: OpenRouter, Ollama, LM Studio,
// llama.cpp and vLLM are reached by their addresses.
//
// It alone imports the SDK, and refuses what the SDK does by itself: it tries nothing
// again (package service does), reads no key or address from the environment, decodes no
// streams and does not put answers together. The SDK's accumulator gives up if a server changes the id of
// a stream, and does not know when a tool use ends.
//
// Invariants:
//
//   - An answer is whole if it says why it stopped. Neither the end of the stream nor
//     [DONE] is enough: some servers send it after an answer that broke off. What
//     breaks after the reason costs the usage, not the answer.
//   - A server that answers in one piece though it was asked for a stream is understood. A
//     server that refuses a stream, or the usage at its end, is asked without it, now
//     and from then on.
//   - A stream is read however its lines end and whatever lies between its events, and a
//     content also in parts. What has one meaning only is understood.
//   - A tool use is known by its index, or by a new id where a server sends no index.
//     A use without an id gets one that is unique in the conversation. A server may send
//     a use whole or in pieces, its input as text or as an object, and may say "stop"
//     where it means "tool_calls".
//   - Usage is what the last chunk that has it says: some servers repeat it in each
//     chunk. The tokens of the prompt include those of caches; koda counts each once. A
//     server that sends no usage is counted as 0.
//   - Thoughts that a server sends go back to it in the same fields, signatures
//     included.
//   - A picture in a result follows the results in a message of the person, because a
//     result here is text.
package openai
