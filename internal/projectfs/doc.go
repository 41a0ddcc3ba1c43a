// Package projectfs reads the files of a project. Nothing else reads a project's
// directory, because the directory may have come from anywhere: somebody may have
// prepared a clone to do harm.
//
// It refuses symbolic links, for the file itself and for every directory on the way, so
// that nothing outside the project is reached. The project's directory itself may be a
// link, because the person named it. It refuses everything that is not a regular file,
// and never waits for a pipe without a writer, a device that never ends, or a socket. And
// it refuses what is too large:
//
//	koda.json, .env, .koda/config.json    1 MB each  (MaxSettings)
//	a checkpoint's state in .koda         64 MB each (MaxState)
//	the other lists in .koda              8 MB each  (MaxList)
//	HTML, scripts and styles              32 MB each (MaxCode)
//	every other file                      200 MB     (MaxFile)
//	all files held in memory              1 GB       (MaxTotal), 20 000 files (MaxFiles)
//	one directory                         100 000 names (MaxNames)
//
// The limits are far above what animations need, and keep a mistake or malice from
// filling the memory. Every refusal is a koda.Error that ends with exit status 2, names
// the file and says what to do.
//
// The text of a link can be read, so that a caller may go to the name in it. The same
// rules hold for that name.
//
// Directories are resolved below an os.Root, so that even a directory that becomes a link
// at the wrong moment does not lead out of the project.
package projectfs
