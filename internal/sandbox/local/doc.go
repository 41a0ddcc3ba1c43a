// Package local is the sandbox that needs nothing: a directory of this machine.
//
// It owns <Root>/sandboxes. One sandbox is a directory named by its id with
// meta.json and the project's files below project/. A sandbox appears and
// disappears by one rename, so another process never meets half of one.
//
// It refuses commands: a shell here would be the person's own shell, so
// [sandbox.Sandbox.Run] is COMMAND_BLOCKED and the capabilities are all false. Only
// the browser and the encoder run, through the [sandbox.Host] of the configuration.
// The browser's own sandbox is around the page.
//
// Invariants:
//
//   - Files are opened through os.Root, which cannot leave the project directory,
//     and a path with a symbolic link on the way is refused: no link is ever
//     followed or made.
//   - A file is whole or unchanged. It is written under a temporary name, synced
//     and renamed. Package atomicfile does the same by path, but it cannot work
//     within an os.Root. It also syncs the directory, which a sandbox does not
//     need, as it may vanish at any moment.
//   - No file descriptor is kept between calls, so every call notices when another
//     process has destroyed the sandbox, and nothing needs closing.
package local
