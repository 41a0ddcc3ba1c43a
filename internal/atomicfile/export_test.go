package atomicfile

import "os"

// OnSync has f called before every sync of a file or directory; the function it
// returns ends that.
func OnSync(f func(path string)) (restore func()) {
	was := syncFile
	syncFile = func(file *os.File) error {
		f(file.Name())
		return was(file)
	}
	return func() { syncFile = was }
}
