// Package local is the sandbox that needs nothing: a directory of this
// machine.
//
// It owns <Root>/sandboxes. One sandbox is a directory named by its id with
// meta.json and the project's files below project/. A sandbox appears and
// disappears by one rename, so another process never meets half of one.
//
// It refuses commands: a shell here would be the person's own shell, so
// [sandbox.Sandbox.Run] is COMMAND_BLOCKED and the capabilities are all false.
// What runs is the browser and the encoder, through the [sandbox.Host] of the
// configuration, with the browser's own sandbox around the page.
//
// Invariants:
//
//   - Files are opened through os.Root, which cannot leave the project
//     directory, and a path with a symbolic link on the way is refused: none
//     is ever followed or made.
//   - A file is whole or unchanged. It is written under a temporary name,
//     synced and renamed. Package atomicfile does the same by path; it cannot
//     work within an os.Root, and what it does beyond, syncing the directory,
//     is not needed for a place that may vanish at any moment.
//   - No file descriptor is kept between calls, so a sandbox that another
//     process destroyed is found to be gone, and nothing needs closing.
package local
