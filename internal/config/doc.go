// Package config finds out how koda is set up.
//
// It owns the settings: their names, what they accept, where each may be set, and which
// value wins. From the strongest: a flag, the environment, a .env file in the working
// directory, the project's .koda/config.json, the person's own file, the default. [Load]
// reads all of them and returns a [Config] in which every value knows its origin.
// [Sources.Set] and [Sources.Unset] edit the person's file. [Settings] is the one table
// of all settings; documentation and `koda config` are made from it.
//
// It does not look at the world by itself: the environment and the files come through
// [Sources], so a test needs neither. Only Set, Unset, Trust and Distrust write.
//
// Invariants:
//   - An empty value counts as not set, wherever it is.
//   - Paths in a Config are absolute. A relative path counts from where it was written:
//     the working directory, the project, the person's directory.
//   - A secret is a [Secret]: printing, logging or marshalling it gives "set".
//
// Why some places may not set some things: .env and .koda/config.json come with a cloned
// repository. Running koda there must not delete what the repository points at, write
// where the repository says, or start a program that the repository chose. So from such a
// file koda obeys only the settings whose row in the table says anyone, and none that
// names a place, a limit, a program, a key or an address, until the person trusts the
// file. [Sources.Trust] remembers the file's path and the SHA-256 of its bytes, beside
// the person's own file, where no file of a directory can write or point. A file that
// changes is no longer trusted. A key in a project's file would be committed with it, so
// koda never takes a key from there.
//
// A setting in a place where it may not be is reported in [Config.Warnings] and not
// obeyed. Nothing in an untrusted file is an error, because a clone must not keep koda
// from working. Names that koda does not know are reported and never refused, so that an
// older koda can read the file of a newer koda.
//
// If the person sets $KODA_HOME, their own file is there, so that a home for a test or a
// CI run has settings of its own. The file below $XDG_CONFIG_HOME/koda then still holds
// for everything that the first file does not set.
package config
