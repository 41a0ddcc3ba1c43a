// Package phase is the state machine of a project, pure: no clock, no I/O.
//
//	idle ── Asked ─────▶ question ── Answered ──▶ plan ── Accepted ──▶ executing
//	idle ── Clear ─────▶ plan                       │ Rejected ──▶ question
//	idle, plan ── Declined ──▶ idle, question       │ Modified ──▶ plan
//	executing ── Previewed ──▶ preview ── Accepted ──▶ preview ── Finished ──▶ complete
//	executing ── Messaged ──▶ executing      preview ── Rejected, Edited ──▶ executing
//	complete ── Edited ──▶ executing         any ── Failed ──▶ error ── Retried ──▶ where it failed
//	question, plan ── Undone, Redone ──▶ the question or the plan before, and back
//	preview, complete, error ── CheckedOut ──▶ the same      nothing ── Forked ──▶ executing
//
// [Step] takes what happened and returns the next state and at most one
// [koda.Effect] to perform. The outcome of an effect is again an event, so a
// project is a chain of steps. A crash can only fall between two steps, or into an
// effect, which is then done again. No phase is terminal.
//
// It owns which events are possible where (any other event is WRONG_PHASE and
// changes nothing), the todos of a plan, and what the state holds. It refuses
// to know how effects are done. An event carries the time and the ids it needs,
// so equal journals give equal states.
package phase
