// Package agentlog reads what an outside agent prints, and keeps it until a project has it.
//
// It owns the lines of agents ([Parser]) and the file in which they wait ([Spool]). It refuses
// to know projects: who watches an agent sends the steps on.
//
// It understands the lines of Claude Code, Codex, Gemini CLI, Cursor and opencode, lines that are
// blocks of koda, and lines that name a file that was written or deleted. Any other line is
// kept as it came. A line never changes a file: files are taken from where the agent wrote them,
// with all their bytes, and a line may be a quotation.
//
// Invariants:
//
//   - The same bytes make the same steps, however they come in parts. So who was killed reads
//     the file again, and counts.
//   - Every line that is not blank is in a step, whole or by its beginning and its length,
//     except for thoughts and for lines that only tell a later line piece by piece.
//   - No line is an error.
package agentlog
