package cli

import (
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// View is everything known of a project.
type View struct {
	Project  koda.Project
	State    koda.NodeState
	Waiting  engine.Waiting
	Turns    []koda.Turn
	Renders  []koda.RenderRecord
	Versions []koda.Version
}
