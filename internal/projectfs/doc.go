// Package projectfs reads the files of a project. It is the only reader of what
// lies in a project's directory, because that directory may have come from
// anywhere: it may be a clone that somebody prepared to do harm.
//
// It refuses symbolic links, for the file itself and for every directory on the
// way to it, so that nothing outside of the project is reached. The project's
// directory itself may be a link: the person named it. It refuses what is no
// regular file and never waits for one: a pipe without a writer, a device that
// never ends, a socket. And it refuses what is too much:
//
//	koda.json, .env, .koda/config.json    1 MB each  (MaxSettings)
//	a checkpoint's state in .koda         64 MB each (MaxState)
//	the other lists in .koda              8 MB each  (MaxList)
//	HTML, scripts and styles              32 MB each (MaxCode)
//	every other file                      200 MB     (MaxFile)
//	all files held in memory              1 GB       (MaxTotal), 20 000 files (MaxFiles)
//	one directory                         100 000 names (MaxNames)
//
// The limits are far above what animations need, and keep a mistake or malice
// from filling the memory. Every refusal is a koda.Error that ends with exit
// status 2, and says which file it is and what to do.
//
// What a link says can be read, so that somebody may go to the name that it leads
// to: that name is held to the same.
//
// Directories are resolved below an os.Root, so that not even a directory that
// is replaced by a link at the wrong moment leads out of the project.
package projectfs
