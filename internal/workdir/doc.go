// Package workdir keeps project directories: their names, the lock of their
// owner, checkpoints, versions, and the files a person brings.
//
//	bouncing-ball/
//	  koda.json  index.html  src/  public/  scripts/   the animation, the person's to edit
//	  renders/  previews/                              videos
//	  .koda/state.json          the last checkpoint; state.prev.json the one before
//	  .koda/pending.json        a checkpoint being applied
//	  .koda/versions/vN.json    the files of version N
//	  .koda/versions/objects/   file contents by SHA-256, equal ones once
//	  .koda/conflicts/          texts of the author that lost against the person's texts
//	  .gitignore                keeps videos out of a person's git repository
//	  .koda/.gitignore          keeps .koda out of a person's git repository
//	  .koda/lock                the owner: pid, host, since, version
//	  .koda/log                 what koda did, a line each, for people; log.1 is older
//
// It owns everything in .koda, and the rule that says whose a file is. It refuses paths
// outside src/, public/, scripts/ and the root's configuration files, names that begin
// with a dot, and symbolic links anywhere on the way. It never deletes what it did not
// write.
//
// A directory may have come from anywhere, and its .koda with it. Package projectfs reads
// every file. Before a path that such a file names is read, written or removed, it must
// pass the rules for the paths of a tool.
//
// # Whose file
//
// A file is koda's while it has the content that a checkpoint wrote. Any other content,
// and a file that is missing, is the person's and wins. The author's text then goes to
// conflicts. state.json records what the author knows, so [Storage.Changes] shows a
// person's edit until the author has taken it in. A version records what the directory
// really held.
//
// # Crashes
//
// A checkpoint first stores the new contents as objects, and then writes its whole self
// into pending.json. The rename of pending.json makes the checkpoint true: from then on
// readers see its state and its files, wherever these lie, and the next owner finishes
// the work. Before the rename, the old checkpoint holds, and none of its files has
// changed. Contents between two checkpoints are recognised as koda's own by their
// digests, so a crash is never mistaken for an edit. Every file is written through
// package atomicfile.
//
// A pending.json that cannot be applied, because it is damaged or koda never wrote it,
// does not count for readers. The next owner renames it to pending.json.damaged. A
// damaged state.json is treated alike: then state.prev.json holds.
//
// Some contents are needed by no version, nor by the last checkpoint or one that is being
// applied. They are removed when a version is made, and by [Storage.Collect].
//
// Readers take no lock and never wait.
package workdir
