// Command koda turns a sentence into an animated video.
package main

import (
	"os"

	"github.com/koda-video/koda/internal/cli"
)

func main() { os.Exit(run()) }

// run is the whole program, so that test scripts can be it.
func run() int { return cli.Main(os.Args[1:], wire()) }
