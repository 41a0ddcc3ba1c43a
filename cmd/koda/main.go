// Command koda turns a sentence into an animated video.
package main

import (
	"os"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/hush"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/score"
)

func main() { os.Exit(run()) }

// run is the whole program, so that test scripts can be it.
func run() int {
	hush.End()
	children := map[string]func() error{bundle.TrialArg: bundle.Trial, score.ChildArg: score.Child, proc.KeepArg: proc.Keep}
	if child := children[os.Args[len(os.Args)-1]]; len(os.Args) == 2 && child != nil {
		if child() != nil {
			return 1 // whoever asked sees that there is no answer
		}
		return 0
	}
	defer endDrawing()
	return cli.Main(os.Args[1:], wire())
}
