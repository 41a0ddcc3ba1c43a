// Package engine runs projects: it loads a project's state, steps the phase
// machine, journals the step, runs the effects and emits events.
//
// It owns the order of things. The event, the new state and the effects that
// follow are written in one transaction before anything is done; an effect's
// outcome is again an event. After a crash every begun effect is done again, so
// effects are idempotent: renders reuse their finished segments, calls of tools
// and models return their recorded answers.
//
// It refuses to know adapters: [Store], [Storage], [Sandboxes], [Renderer] and
// [Author] are declared here and implemented below. Faces call the methods of
// [Engine] and consume events; the engine lives in the face's process, there is
// no daemon.
package engine
