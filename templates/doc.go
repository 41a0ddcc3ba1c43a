// Package templates holds the files that the binary carries: the starter project of
// every animation, the code of recipes, and the page runtime (react, three,
// Theatre.js core, fonts) that every page is bundled with.
//
// It owns the embedded files and refuses to interpret them: package bundle does
// that. The build packs the runtime ("make runtime"). A checkout without a packed
// runtime compiles, and [Runtime] says that the runtime is missing.
//
// Invariant: nothing here is under the AGPL. @theatre/studio, and @theatre/r3f,
// which depends on it, are in no manifest, no lockfile and no archive.
package templates
