// Package engine runs projects: it loads a project's state, steps the phase
// machine, journals the step, runs the effects and emits events.
//
// It owns the order of things. One transaction writes the event, the new state and
// the effects that follow; only then is anything done. An effect's outcome is again
// an event. After a crash every effect that was begun is done again, so effects are
// idempotent: renders reuse their finished segments, and calls of tools and models
// return their recorded answers.
//
// A sandbox may die at any moment. While it lives it is used again. When it is
// gone, a new sandbox gets the files of the last checkpoint and the journaled
// writes after it, and the conversation notes that the context was lost. When no
// sandbox can be made the effect fails, nothing is noted, and a retry begins at the
// same place.
//
// A turn that changed files leaves a version. One version is current. The files in
// place are the files of the current version, or they are loose: edited since. A
// move to another version has three steps: loose files become a version, the
// destination is journaled, and a checkpoint puts the files in place. No version is
// ever changed or removed, and the next change branches off. The phase stays where
// it is. A change that was cut short is given up, and the project stands where the
// change was asked for. A sandbox holds the files of the version before, so the
// move destroys it. Until a plan is accepted there is no version: an undo goes back
// through the questions and plans that stood, in one step each.
//
// A question about a project is a turn of its own. It is an effect, so its answers are
// journaled and paid once; what was pending is held back meanwhile, and nothing but the cost
// changes. If its process was killed, the same question goes on, and all else drops it.
//
// A person decides on what they saw. Their decision names the turn and the version at
// which the project stood then, and is refused under the lock of the project if the
// project stands elsewhere.
//
// While a run works it holds its state only for the length of a change, never for
// the length of a call, a render or an author's thought. Others speak to the run
// meanwhile: one step journals a message and makes a todo of it, and the author
// does the todo before the next preview. Other processes speak to the run through
// package control.
//
// A person may visit a sandbox. What they change there goes into the directory every few
// seconds, and what they changed in the directory goes into an idle sandbox when the
// project is opened. A file beside the sockets says what both held when they were compared
// last, so it is known which of the two changed, even after a visit was killed.
//
// Work is saved before anything is lost: see [Limits] for the moments of a
// checkpoint. The sandbox of a finished video is kept for the change that may
// follow, until the person is away. [Housekeeper.Sweep] puts away what nobody needs any
// more. It touches only what koda made and no living process uses.
//
// The package has three rooms. [Reader] looks: its ports cannot write, lock or
// start anything. [Housekeeper] puts away: its ports cannot work. [Engine] is both
// and works: each piece of work is a run, which holds the project's lock.
//
// Four words name what is done with the work. To checkpoint is to copy files and
// state into the project's directory. To release a sandbox is to checkpoint it and
// then to destroy it; to discard a sandbox is to destroy it without a checkpoint.
// To suspend a project is to release its sandbox and to journal the release.
//
// It refuses to know adapters: [Store], [Storage], [Renderer] and
// [Author] are declared here and implemented below. Faces call the methods of
// [Engine] and consume events. The engine lives in the face's process; there is no
// daemon.
package engine
