package atomicfile

import "os"

// OnSync makes atomicfile call f before every sync of a file or directory, until
// the returned function is called.
func OnSync(f func(path string)) (restore func()) {
	was := syncFile
	syncFile = func(file *os.File) error {
		f(file.Name())
		return was(file)
	}
	return func() { syncFile = was }
}
