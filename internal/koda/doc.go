// Package koda holds the nouns of the product: Project, Brief, Question,
// Answer, Plan, Scene, Todo, Revision, Task, Turn, Block, Version, RenderSpec,
// Progress, Event and Error.
//
// It owns the words and their JSON shapes; every other package speaks them. It
// refuses behaviour: nothing here reads a clock, a file or the network, and it
// imports the standard library only, so that any floor may import it.
//
// The shapes of [NodeState] and its parts are those people script against
// (`koda show --json`, `.koda/state.json`, events): a field may be added, never
// renamed or removed within one [SchemaVersion].
package koda
