// Package local is the sandbox that needs nothing: a directory of this machine.
//
// It owns <Root>/sandboxes. One sandbox is a directory named by its id with
// meta.json and the project's files below project/. A sandbox appears and
// disappears by one rename, so another process never meets half of one. The files
// are those of [hostos.Files], so every call notices when another process has
// destroyed the sandbox.
//
// It refuses commands: a shell here would be the person's own shell, so
// [sandbox.Sandbox.Run] is COMMAND_BLOCKED and the capabilities are all false. Only
// the browser and the encoder run, and koda starts them on this machine by itself.
// The browser's own sandbox is around the page.
package local
