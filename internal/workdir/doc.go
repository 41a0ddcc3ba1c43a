// Package workdir keeps project directories: their names, the lock of their
// owner, checkpoints, versions, and the files a person brings.
//
//	bouncing-ball/
//	  koda.json  index.html  src/  public/  scripts/   the animation, the person's to edit
//	  renders/  previews/                              videos
//	  .koda/state.json          the last checkpoint; state.prev.json the one before
//	  .koda/pending.json        a checkpoint being applied
//	  .koda/versions/vN.json    what files version N has
//	  .koda/versions/objects/   file contents by SHA-256, equal ones once
//	  .koda/conflicts/          texts of the author that lost against the person's
//	  .gitignore                keeps videos out of a person's git repository
//	  .koda/.gitignore          keeps .koda out of a person's git repository
//	  .koda/lock                the owner: pid, host, since, version
//	  .koda/log                 what koda did, a line each, for people; log.1 is older
//
// It owns everything in .koda and the rule of whose file a file is. It refuses
// paths outside src/, public/, scripts/ and the root's configuration files,
// names that begin with a dot, and symbolic links anywhere on the way; it never
// deletes what it did not write.
//
// A directory may have come from anywhere, its .koda with it. Every file is read
// by package projectfs, and every path one of them names is held to the same
// rules as a tool's before it is read, written or removed.
//
// # Whose file
//
// A file is koda's while its content is what a checkpoint wrote there; any
// other content, or its absence, is the person's and wins. The author's rival
// text goes to conflicts. state.json records what the author knows (so a
// person's edit shows in [Storage.Changes] until the author has taken it in);
// a version records what the directory really held.
//
// # Crashes
//
// A checkpoint first stores the new contents as objects, then writes the whole
// of itself into pending.json. That rename is the moment it becomes true: from
// then on readers are shown its state and its files, whatever has reached its
// final place, and the next owner finishes it. Before that moment the old
// checkpoint holds and nothing of it was touched. Contents half way between two
// checkpoints are recognised by digest as koda's own, so a crash is never
// mistaken for an edit. Every file is written through package atomicfile.
//
// A pending.json that cannot be applied, because it is damaged or koda never wrote
// it, is none to readers; the next owner renames it to pending.json.damaged. So is
// a state.json: then state.prev.json holds.
//
// Contents that no version, and neither the last checkpoint nor one on its way,
// needs are removed when a version is made, and by [Storage.Collect].
//
// Readers take no lock and never wait.
package workdir
