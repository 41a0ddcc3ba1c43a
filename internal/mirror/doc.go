// Package mirror keeps the files of a project and those of a directory the same, wherever
// each of them is.
//
// It owns which file goes where ([Sync]), the batches in which files travel ([WriteBatch],
// [ReadBatch]) and what is remembered between two runs ([State]). It refuses to know files
// and networks: a [Side] has them.
//
// Invariants:
//
//   - A file goes to the other side only if it changed on one side alone since both were the
//     same. If it changed on both, each side keeps its own, and the other's text lies beside
//     it in .koda/conflicts.
//   - Both sides say what a change began from, and refuse it if that is not what they have.
//     So nothing is overwritten that was never seen.
//   - What arrives is checked against the digest it was announced with.
//   - A crash loses nothing: files that arrived are seen to be the same the next time.
package mirror
