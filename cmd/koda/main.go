// Command koda turns a sentence into an animated video.
package main

import (
	"os"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/cli"
)

func main() { os.Exit(run()) }

// run is the whole program, so that test scripts can be it.
func run() int {
	if len(os.Args) == 2 && os.Args[1] == bundle.TrialArg {
		if bundle.Trial() != nil {
			return 1 // whoever asked sees that there is no answer
		}
		return 0
	}
	return cli.Main(os.Args[1:], wire())
}
