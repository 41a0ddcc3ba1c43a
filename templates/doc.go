// Package templates holds the files that the binary carries: the starter project of
// every animation, the build context of the image of sandboxes, the code of recipes, the
// texts for models, the page runtime (react, three, Theatre.js core, fonts) that every
// page is bundled with, and the guest that goes into sandboxes.
//
// It owns the embedded files and refuses to interpret them: package bundle does
// that. The build packs the runtime ("make runtime") and the guest ("make guest"). A
// checkout without them compiles, and [Runtime] and [Guest] say that they are missing.
//
// Invariant: nothing here is under the AGPL. @theatre/studio, and @theatre/r3f,
// which depends on it, are in no manifest, no lockfile and no archive. A person may add
// both to an image of their own by a build argument.
package templates
