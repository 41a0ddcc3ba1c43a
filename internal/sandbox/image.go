package sandbox

import "time"

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
	Image  string `json:"image"`
	Status string `json:"status"` // for people, such as "Up 3 minutes (healthy)"
}

// Inventory is what an engine keeps for koda, the newest of each first.
type Inventory struct {
	Images    []Image `json:"images"`
	Sandboxes []Kept  `json:"sandboxes"`
}
