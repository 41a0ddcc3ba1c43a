package koda

import (
	"path/filepath"
	"strings"
)

// Destination is where the person wants final videos, beside the renders of the
// project: a file, or a directory for several. Only the person names one: what a
// project's directory says of it counts for nothing, as it may be a clone.
type Destination struct {
	Path      string `json:"path"` // absolute; a file without an ending gets that of its format
	Dir       bool   `json:"dir,omitempty"`
	NoClobber bool   `json:"noClobber,omitempty"` // another file that is there stays
}

// Format is the format that the name of the file asks for; "" when it asks for
// none.
func (d *Destination) Format() string {
	if d == nil || d.Dir {
		return ""
	}
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(d.Path), "."))
}

// File is where a video goes. Name is what it is called in a directory, without
// the ending.
func (d *Destination) File(name, format string) string {
	switch {
	case d.Dir:
		return filepath.Join(d.Path, name+"."+format)
	case filepath.Ext(d.Path) == "":
		return d.Path + "." + format
	}
	return d.Path
}
