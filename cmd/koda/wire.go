package main

import (
	"time"

	"github.com/koda-video/koda/internal/cli"
)

// wire names the adapters.
func wire() cli.Deps {
	return cli.Deps{Now: time.Now}
}
