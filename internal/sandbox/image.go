package sandbox

import (
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Image is an image from which an engine makes sandboxes.
type Image struct {
	Tag     string    `json:"tag"`
	ID      string    `json:"id"`
	Size    int64     `json:"size"` // bytes, with the layers it shares with other images
	Created time.Time `json:"created"`
	// Current says that the settings ask for this image, or for one derived from it.
	Current bool `json:"current"`
}

// Kept is a sandbox that an engine keeps.
type Kept struct {
	Meta
	Image string `json:"image"`
	// State is creating, ready, or destroyed for a sandbox that has stopped. Who knows the
	// projects makes busy of ready, and fills in Project, a name.
	State   koda.SandboxStatus `json:"state"`
	Project string             `json:"project,omitempty"`
	Status  string             `json:"status"` // for people, such as "Up 3 minutes (healthy)"
}

// Inventory is what an engine keeps for koda, the newest of each first.
type Inventory struct {
	Images    []Image `json:"images"`
	Sandboxes []Kept  `json:"sandboxes"`
}
