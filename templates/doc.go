// Package templates is what the binary carries: the starter project of every
// animation and the page runtime (react, three, Theatre.js core, fonts) it is
// bundled with.
//
// It owns the embedded files and refuses to interpret them: bundling is
// package bundle's. The runtime is packed by the build ("make runtime"); on a
// checkout where it was not packed yet everything compiles, and [Runtime] says
// that it is missing.
//
// Invariant: nothing here is under the AGPL. @theatre/studio, and @theatre/r3f
// which asks for it, are in no manifest, no lockfile and no archive.
package templates
