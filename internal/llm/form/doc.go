// Package form lets models call tools that have no calls of their own: the model writes
// its calls as text, in a form that it is told, and gets the results as text.
//
// It owns the form: how it is told, from the schemas of the tools; how it is read; and how
// calls and results of the conversation are written in it. A call is an element with the name
// of the tool, and in it an element for each field. Models that do not keep to it are read too:
// other names of the same tools, fields as attributes, calls as JSON or in the form that a
// model was trained for, and files in fenced blocks that say their path.
//
// It refuses to guess. An answer in which a call is broken does nothing at all: it becomes one
// use, of which the model is told what is wrong (llm.NotForm). Of an answer that was cut, the
// calls before the cut are left. What a model says in its thoughts is no call.
//
// Invariants:
//
//   - A model that calls tools natively is asked and answers as if this package were not
//     there. Its text is read only if the answer has no call.
//   - What is asked follows from the request and from what the service can do, never from the
//     clock. Answers have uses and texts as those of any model.
package form
