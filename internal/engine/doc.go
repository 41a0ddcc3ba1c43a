// Package engine runs projects: it loads a project's state, steps the phase
// machine, journals the step, runs the effects and emits events.
//
// It owns the order of things. The event, the new state and the effects that
// follow are written in one transaction before anything is done; an effect's
// outcome is again an event. After a crash every begun effect is done again, so
// effects are idempotent: renders reuse their finished segments, calls of tools
// and models return their recorded answers.
//
// A sandbox may die at any moment. While it lives it is used again; when it is
// gone, another gets the files of the last checkpoint and the journaled writes
// after it, and the conversation notes that the context was lost. When none can
// be made the effect fails, nothing is said, and a retry begins where this did.
//
// A version is what a turn that changed files leaves. One is current: the files
// in place are its own, or loose, edited since. To go to another one, loose files
// become a version first, then it is journaled where to go, then a checkpoint
// puts the files in place; no version is ever changed or removed, and the next
// change branches off. The phase stays where it is; a change that was cut short is
// given up, and the project stands where it was asked for. A sandbox holds the files of
// the version before and is dropped on the way.
//
// While a run works it holds its state for the length of a change, never for that
// of a call, a render or an author's thought. Others speak to it meanwhile: a
// message becomes a todo in one step, so that what was heard is in the journal,
// and the author does it before the next preview. Other processes speak to the run
// through package control.
//
// Work is saved before anything is lost: see [Limits] for the moments of a
// checkpoint. The sandbox of a finished video is kept for the change that may
// follow, until the person was away. What nobody needs any more is put away by [Engine.Sweep], which
// touches only what koda made and no living process uses.
//
// The package has two rooms. [Reader] looks: its ports cannot write, lock or start
// anything. [Engine] is a Reader that works: each piece of work is a run, which holds
// the project's lock.
//
// Four words name what is done with the work. To checkpoint is to copy files and
// state into the project's directory. To release a sandbox is to checkpoint it and
// then to destroy it; to discard it is to destroy it without. To suspend a project is
// to release its sandbox and to journal that.
//
// It refuses to know adapters: [Store], [Storage], [Sandboxes], [Renderer] and
// [Author] are declared here and implemented below. Faces call the methods of
// [Engine] and consume events; the engine lives in the face's process, there is
// no daemon.
package engine
