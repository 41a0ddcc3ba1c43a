// Package fonts owns the fonts that koda keeps beside the program: those of Arabic,
// Hebrew, Devanagari, Thai, Chinese, Japanese, Korean and emoji, which npm installs, and
// the files of the person. It says which characters a font has, picks the fonts for the
// texts of a page, and knows whether this machine has the rest.
//
// A [Store] is the directory fonts in koda's home:
//
//	noto-1-<digest of the lock file>/index.json   families, faces, characters, digests
//	noto-1-<digest>/files/<SHA-256>.woff2         slices of families
//	noto-1-<digest>/THIRD_PARTY.txt               the licence of each family
//	own/index.json, own/files/<SHA-256>.<ext>     fonts of the person
//
// Invariants:
//
//   - A file is named by its digest, and a file with another digest is not used.
//   - A set of fonts appears whole under its name, or not at all.
//   - What characters a font has is read from the table cmap of each file, when the font
//     is added. The ranges of a style sheet claim more than a font has.
//   - Which font draws a character depends on the character, the language of the page
//     and the digests of the fonts, see [Choice].ID, and on nothing else.
//
// The fonts are not copied into projects. They are to a project what the page runtime
// is: koda's lock file names them by digest, so every machine with the same koda has the
// same fonts after `koda fonts add`. A copy would put up to a megabyte for each emoji
// into each version of a project.
package fonts
