// Package config finds out how koda is set up.
//
// It owns the settings: their names, what they accept, where each may be said
// and which saying wins. From the strongest: a flag, the environment, a .env
// file in the working directory, the project's .koda/config.json, the person's
// config.json below $XDG_CONFIG_HOME/koda, the default. [Load] reads them all
// and returns a [Config] in which every value knows its origin; [Sources.Set]
// and [Sources.Unset] edit the person's file. [Settings] is the one table of
// all settings; documentation and `koda config` are made from it.
//
// It refuses to look at the world by itself: the environment and files come
// through [Sources], so a test needs neither. Only Set and Unset write.
//
// Invariants:
//   - An empty value is an unset one, wherever it stands.
//   - Paths in a Config are absolute. A relative one counts from where it was
//     written: the working directory, the project, the person's directory.
//   - A secret is a [Secret]: printing, logging or marshalling it gives "set".
//
// Why some places may not say some things: .env and project files come along
// with a cloned repository. Running koda there must not start a program that
// the repository chose, so programs are named by flags, the environment or the
// person's own file; and a key in a project file would be committed with it.
// What stands where it may not is reported in [Config.Warnings], not obeyed.
// Names of a file that koda does not know are reported too, never refused, so
// that an older koda reads the file of a newer one.
package config
