// Package config finds out how koda is set up.
//
// It owns the settings: their names, what they accept, where each may be said
// and which saying wins. From the strongest: a flag, the environment, a .env
// file in the working directory, the project's .koda/config.json, the person's
// own file, the default. [Load] reads them all and returns a [Config] in which
// every value knows its origin; [Sources.Set] and [Sources.Unset] edit the
// person's file. [Settings] is the one table of all settings; documentation and
// `koda config` are made from it.
//
// It refuses to look at the world by itself: the environment and files come
// through [Sources], so a test needs neither. Only Set, Unset, Trust and
// Distrust write.
//
// Invariants:
//   - An empty value is an unset one, wherever it stands.
//   - Paths in a Config are absolute. A relative one counts from where it was
//     written: the working directory, the project, the person's directory.
//   - A secret is a [Secret]: printing, logging or marshalling it gives "set".
//
// Why some places may not say some things: .env and .koda/config.json come along
// with a cloned repository. Running koda there must not delete what the
// repository points at, write where it says, or start a program it chose. So of
// such a file koda obeys only the settings whose row in the table says anyone,
// and nothing that names a place, a limit, a program, a key or an address, until
// the person trusts the file: [Sources.Trust] remembers its path and the SHA-256
// of its bytes, beside the person's own file, where no file of a directory can
// write or point. A file that changes is trusted no more. A key in a project's
// file would be committed with it, and is never taken.
//
// What stands where it may not is reported in [Config.Warnings], not obeyed. In
// a file that is not trusted nothing is an error: a clone must not keep koda
// from working. Names of a file that koda does not know are reported too, never
// refused, so that an older koda reads the file of a newer one.
//
// The person's own file is in $KODA_HOME where they set that variable, so that a
// home of its own, of a test or a CI run, has settings of its own. What is said
// in the file below $XDG_CONFIG_HOME/koda holds beneath it.
package config
